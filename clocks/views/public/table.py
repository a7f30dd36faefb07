"""Pages of a table: players, seats, clock, watching, QR code.

Only `seat` and `withdraw` change seats or requests for them.
"""

from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from clocks import desk
from clocks.desk import pairings
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.engine.refusals import Refused
from clocks.host import addresses
from clocks.host.server_time import now_ms
from clocks.host.version import version
from clocks.journal import stored
from clocks.journal.stored import StoredMatch
from clocks.live import broadcast
from clocks.models import CASUAL, Device, Match, Round, Table
from clocks.record import next_match
from clocks.rulebook import glance
from clocks.seats import absence, claim_limit, devices, presence, takeover
from clocks.tournament import codes, paper_draw
from clocks.tournament.players import name_key
from clocks.views.access import zone_of
from clocks.views.errors import PutAway, UnknownCode, WayOn, problem
from clocks.views.forms.matches import PlayersMatch
from clocks.views.public.by_code import find_table
from clocks.views.qr import qr_svg
from clocks.wording.language import said

CLAIMS = {"left": (Seat.LEFT,), "right": (Seat.RIGHT,), "both": (Seat.LEFT, Seat.RIGHT)}


def find(request: HttpRequest, code: str) -> tuple[Table, StoredMatch | None]:
    """Look up a table by its code, ignoring case, and its current match.

    Raises Http404 if the code is unknown or the tournament archived.
    """
    table = _table(request, code)
    if table.tournament.archived_at is not None:
        raise PutAway(table.tournament.name)
    return table, stored.match_at_table(table.pk)


def _table(request: HttpRequest, code: str) -> Table:
    table = find_table(request, code)
    if table is None:
        raise UnknownCode(code, codes.is_retired(code))
    return table


@never_cache
@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Show the players and free seats.

    Upper-case codes, as printed, redirect to the canonical address.
    """
    found, board = find(request, code)
    address = reverse("table", args=[found.code])
    if request.path != address:
        return redirect(address)
    return table_page(request, found, board)


def table_page(
    request: HttpRequest, table: Table, board: StoredMatch | None, form: PlayersMatch | None = None
) -> HttpResponse:
    """Render a table.

    A free table has the form for entering a match, if the tournament allows it. The status is 400 if `form` has errors.
    """
    context = _context(request, table, board)
    if not context.get("elsewhere"):
        context |= _next(request, table, board)
    round_ = paper_draw.round_open(table.tournament)
    if round_ is not None and paper_draw.is_free(table):
        form = form or PlayersMatch(round_)
        context |= {"entry": form, "round": round_, "leads_to": glance.by_length(form.setting)}
    wrong = form is not None and bool(form.errors)
    return render(request, "clocks/phone/table.html", context, status=400 if wrong else 200)


def seat(request: HttpRequest, code: str) -> HttpResponse:
    """Claim a seat or both for this phone, set its cookie, and redirect to the clock.

    POST only. If the phone in the seat is online, the claim becomes a request, and this phone waits for the answer.
    """
    found, board = find(request, code)
    if request.method != "POST":
        return redirect("table", code=found.code)
    back = WayOn(_("Back to the table"), reverse("table", args=[found.code]))
    if board is None:
        return problem(
            request, 409, _("No match here at the moment"), _("Wait until the director starts the next one."), back
        )
    claim = CLAIMS.get(request.POST.get("seat", ""))
    if claim is None:
        return problem(request, 400, _("Which seat?"), _("A seat is “left”, “right” or “both”. Choose again."), back)
    known = devices.find_device(request.COOKIES)
    table_id = None if board.casual else found.pk
    if not claim_limit.take(known.pk if known else None, request.META["REMOTE_ADDR"], table_id):
        words = _("Seats have been taken very often from this phone or network. Wait a minute and try again.")
        return problem(request, 429, _("Too many tries"), words, back)
    device, token = devices.join_device(request.COOKIES)
    try:
        desk.claim_seat(board.id, claim, device)
        _withdraw(board, device)  # a request for another seat
        response, token = redirect("clock", code=found.code), devices.renew_token(device)
    except Refused as refused:
        now = now_ms()
        if not takeover.contested(board, claim, device.pk, now):
            return problem(request, 409, _("That seat is taken"), said(refused.words), back)
        try:
            takeover.request_seat(board, claim, device, now)
        except Refused as again:
            if board.casual:
                again = again.between_players()
            return problem(request, 409, _("That seat is taken"), said(again.words), back)
        broadcast.tell_asks_here(takeover.waiting(now))
        response, token = redirect("asking", code=found.code), devices.renew_token(device)  # before the seat is granted
    devices.remember_device(request, response, token)
    return response


@require_POST
def withdraw(request: HttpRequest, code: str) -> HttpResponse:
    """Withdraw this phone's request for a seat, and redirect to the table."""
    found, board = find(request, code)
    device = devices.find_device(request.COOKIES)
    if board is not None and device is not None:
        _withdraw(board, device)
    return redirect("table", code=found.code)


def _withdraw(board: StoredMatch, device: Device) -> None:
    if takeover.withdraw(board.id, device.pk):
        broadcast.tell_asks_here(takeover.waiting(now_ms()))


@never_cache
@require_safe
def asking(request: HttpRequest, code: str) -> HttpResponse:
    """Show that a request for a seat is waiting for its answer. Read-only."""
    found, board = find(request, code)
    device = devices.find_device(request.COOKIES)
    asked = takeover.latest(board.id, device.pk) if board and device else None
    if board is None or device is None or asked is None or board.match.status == Status.OVER:
        return redirect("table", code=found.code)
    if set(asked.wanted) <= set(board.seats_of(device.pk)):
        return redirect("clock", code=found.code)
    context = _context(request, found, board)
    whose = ", ".join(board.match.setup.names[seat.index] for seat in asked.wanted)
    claim = "both" if len(asked.wanted) == 2 else str(asked.wanted[0])
    state = takeover.state_of(asked, board, now_ms())
    return render(
        request,
        "clocks/phone/seat-wait.html",
        context | {"state": state, "whose": whose, "claim": claim},
    )


@never_cache
@gzip_page  # mostly script links; its one secret, the CSRF token, is masked anew in each response
@require_safe
def clock(request: HttpRequest, code: str) -> HttpResponse:
    """Show the clock to a phone with a seat; redirect others to the table."""
    found, board = find(request, code)
    context = _context(request, found, board)
    if not context["seats"]:
        return redirect("table", code=found.code)
    return render(request, "clocks/phone/clock.html", context)


@never_cache
@gzip_page  # mostly script links; its one secret, the CSRF token, is masked anew in each response
@require_safe
def watch(request: HttpRequest, code: str) -> HttpResponse:
    """Show the clocks read-only, to anybody."""
    found, board = find(request, code)
    if board is None:
        return redirect("table", code=found.code)
    return render(request, "clocks/phone/watch.html", _context(request, found, board) | {"seats": ""})


@gzip_page
@require_safe
def qr(request: HttpRequest, code: str) -> HttpResponse:
    """Serve the QR code of the table's address."""
    url = addresses.table_url(addresses.base_url(request), _table(request, code).code)
    return HttpResponse(qr_svg(url), content_type="image/svg+xml")


def _round_of(board: StoredMatch) -> Round | None:
    """Round of a match, with its section loaded, or None."""
    return Round.objects.filter(matches=board.id).select_related("section").first()


def _context(request: HttpRequest, table: Table, board: StoredMatch | None) -> dict[str, Any]:
    """Template context of a table's pages; `seats` are this phone's."""
    context: dict[str, Any] = {
        "table": table,
        "code": table.code,
        "host": addresses.as_typed(addresses.base_url(request)),
        "casual": table.tournament.slug == CASUAL,
        "seats": "",
        "version": version(),
    }
    if board is None or board.match.status == Status.OVER:
        context["on_request"] = list(pairings.pairings_on_request(table.pk))
    device = devices.find_device(request.COOKIES)
    mine = board.seats_of(device.pk if device else None) if board else ()
    if device and not mine and not context["casual"]:
        context["elsewhere"] = stored.match_elsewhere(device.pk, table)
    if board is None:
        return context
    presence.ask([board.id])
    setup, now = board.match.setup, now_ms()
    if device and device.pk in board.tenure.owners:
        absence.heard(device.pk, now)
    look = board.match.look(now)
    return context | {
        "seats": " ".join(mine),
        "match_id": board.id,
        "setup": setup,
        "played_in": SimpleLazyObject(lambda: _round_of(board)) if board.round else None,
        "names": setup.names,
        "look": look,
        "rules_name": setup.in_force.name,
        "winner": setup.names[Seat(look["winner"]).index] if look["winner"] else "",
        "chairs": [
            {"seat": seat, "name": setup.names[seat.index], "state": _state_of(board, seat, mine, now)} for seat in Seat
        ],
        "waits": None in board.devices,
    }


def _next(request: HttpRequest, table: Table, board: StoredMatch | None) -> dict[str, Any]:
    """Last match of this phone and its player's next table.

    Empty for a shared phone, and while that player is in the match here.
    """
    device = devices.find_device(request.COOKIES)
    if device is None or table.tournament.slug == CASUAL:
        return {}
    over = Match.objects.filter(Q(left_device=device) | Q(right_device=device), status=Status.OVER)
    last = over.filter(table__tournament=table.tournament).select_related("table").order_by("-pk").first()
    if last is None or last.left_device_id == last.right_device_id:  # a phone shared by both players
        return {}
    seat = Seat.LEFT if last.left_device_id == device.pk else Seat.RIGHT
    player = last.setup["names"][seat.index]
    if board and board.match.status != Status.OVER and name_key(player) in map(name_key, board.match.setup.names):
        return {}
    with timezone.override(zone_of(table.tournament)):
        words = next_match.after(last, seat, now_ms())
    return {"played": last, "score": last.state["score"], "next": words} if words else {}


def _state_of(board: StoredMatch, seat: Seat, mine: tuple[Seat, ...], now: int) -> str:
    """State of a seat: `free`, `mine`, `held` (by another) or `silent` (offline)."""
    if board.devices[seat.index] is None:
        return "free"
    if seat in mine:
        return "mine"
    free = presence.silent(board.id, seat, now, board.runs) and not presence.unsure(now)
    return "silent" if free else "held"
