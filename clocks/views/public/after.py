"""After a match: its record for its players, and a rematch."""

from dataclasses import asdict

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.engine.match import Match as MatchState
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.interchange import exports
from clocks.models import CASUAL, Match
from clocks.record import match_record, match_summary, next_match, replaying, story
from clocks.seats import devices
from clocks.tournament import casual_limit, codes, public
from clocks.views.access import zone_of
from clocks.views.errors import WayOn, problem
from clocks.views.public import own_pace
from clocks.views.public.table import find
from clocks.wording.language import as_recorded, said

FILES = {"csv": ("text/csv", exports.match_csv), "jsonl": ("application/jsonl", exports.match_jsonl)}


def rematch(request: HttpRequest, code: str) -> HttpResponse:
    """Start a casual rematch with the same settings and seats.

    A phone that only borrowed a seat cannot start one and gets no seat. If the opponent was quicker, redirects to
    that rematch. In a tournament, only the director starts matches.
    """
    table, board = find(request, code)
    back = WayOn(_("Back to the table"), reverse("table", args=[table.code]))
    if request.method != "POST" or board is None:
        return redirect("table", code=table.code)
    device = devices.find_device(request.COOKIES)
    if device is None or device.pk not in board.tenure.rightful(board.devices):
        return problem(request, 403, _("Not your match"), _("Only those who played a match can begin the next."), back)
    if board.match.status != Status.OVER:
        return redirect("clock", code=table.code)
    if table.tournament.slug != CASUAL:
        words = _("In a tournament the director decides which match comes next.")
        return problem(request, 409, _("No rematch here"), words, back)
    refusal = casual_limit.refusal(device.pk, request.META["REMOTE_ADDR"])
    if refusal:
        return problem(request, 429, _("Too many new matches"), said(refusal), back)
    setup = {**board.match.setup.to_dict(), "score": [0, 0], "crawford": None}
    try:
        desk.make_match(table, Setup.from_dict(setup), rematch_of=board.id)
    except Refused:  # the other player was quicker
        return redirect("clock", code=table.code)
    response = redirect("clock", code=table.code)
    devices.remember_device(request, response, devices.renew_token(device))
    return response


@never_cache
@require_safe
def record(request: HttpRequest, code: str, match_id: int) -> HttpResponse:
    """Show the record of a match to its players: who, when, what, before, after."""
    match, device_id = _own(request, code, match_id)
    lines = list(match_record.lines(match.pk))
    state = MatchState.from_dict(match.state)
    tale = story.of_match([line.step for line in lines if line.step is not None])
    now = timezone.now()
    reserves = state.clock.reserves(state.at if state.status == Status.OVER else int(now.timestamp() * 1000))
    context = {
        "code": code.upper(),
        "match": match,
        "state": state,
        "head": lines[-1].hash if lines else "",
        "lines": lines,
        "pace": own_pace.of_phone(match, state, lines, device_id),
        "story": tale,
        "told": tale is not None and state.winner is not None,
        "winner": "" if state.winner is None else match.setup["names"][state.winner.index],
        "players": [(match.setup["names"][seat.index], reserves[seat.index], state.hits[seat.index]) for seat in Seat],
        "casual": match.table.tournament.slug == CASUAL,
        "now": now,
    }
    with timezone.override(zone_of(match.table.tournament)):
        return render(request, "clocks/phone/record.html", context)


@never_cache
@require_safe
@as_recorded()
def record_file(request: HttpRequest, code: str, match_id: int, form: str) -> HttpResponse:
    """Serve the record to its players: `csv`, or `jsonl` for `manage.py replay`."""
    match, _device_id = _own(request, code, match_id)
    kind, rows = FILES[form]
    response = HttpResponse("".join(rows(match.pk)), content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{exports.file_name(match)}.{form}") or ""
    return response


@never_cache
@require_safe
def what_next(request: HttpRequest, code: str, match_id: int) -> HttpResponse:
    """Serve what comes next for each player at this phone, as JSON by seat."""
    match, device_id = _own(request, code, match_id)
    held = (match.left_device_id, match.right_device_id)
    with timezone.override(zone_of(match.table.tournament)):
        seats = [seat for seat in Seat if held[seat.index] == device_id]
        return JsonResponse({seat: next_match.after(match, seat, now_ms()) for seat in seats})


@never_cache
@require_safe
def summary(request: HttpRequest, code: str, match_id: int) -> HttpResponse:
    """Serve the games and times of a match to its players, as JSON.

    `link` is the public page with its result, if there is one.
    """
    match, _device_id = _own(request, code, match_id)
    steps = list(replaying.steps(match.pk))
    start = steps[0].before if steps else MatchState.from_dict(match.state)
    tournament = match.table.tournament
    shown = public.tournaments().filter(pk=tournament.pk).exists()
    return JsonResponse(
        {
            "games": [asdict(scored) for scored in match_summary.games(steps)],
            "times": {seat: asdict(used) for seat, used in match_summary.times(start, steps).items()},
            "link": reverse("public-results", args=[tournament.slug]) if shown else None,
        }
    )


def _own(request: HttpRequest, code: str, match_id: int) -> tuple[Match, int]:
    """Look up a match here in which this phone has a seat, and the phone's id.

    Raises Http404.
    """
    device = devices.find_device(request.COOKIES)
    matches = Match.objects.select_related("table__tournament", "round")
    match = matches.filter(pk=match_id, table__code=codes.normalise_code(code)).first()
    if match is None or device is None or device.pk not in (match.left_device_id, match.right_device_id):
        raise Http404("no record of a match of this phone")
    return match, device.pk
