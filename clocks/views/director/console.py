"""Console of a tournament, new matches, and the record of a match."""

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from clocks import desk
from clocks.engine.closed_sets import Format, Official, Status
from clocks.engine.match import Match as MatchState
from clocks.engine.refusals import Refused
from clocks.host import addresses
from clocks.host.server_time import now_ms
from clocks.host.version import version
from clocks.interchange import exports
from clocks.models import Match, Table, Tournament
from clocks.people import roles
from clocks.people.roles import Action
from clocks.record import charts, expected_ends, match_record, story, turn_times
from clocks.record.look_back import look_back
from clocks.tournament import players, rounds, tables
from clocks.tournament.players import Players
from clocks.tournament.tables import table_named
from clocks.tournament.tables_beside import TablesBeside
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.forms.hall import NewMessage, StopAll, WholeHall
from clocks.views.forms.matches import CasualMatch
from clocks.views.forms.name_field import NameField
from clocks.views.forms.named import NamesPlayers
from clocks.views.forms.posted import posted
from clocks.views.forms.renderer import CHECK
from clocks.wording.language import as_recorded, said

MOST_BESIDE = 4  # events beside a console's own: each needs a socket, which `live/admission.py` limits


class TableMatch(NamesPlayers, CasualMatch):
    """Settings of a match at a table; `at_table` is None if the table is new.

    `may_replace` is set by `refuse` if the table's match has begun and its clocks are stopped.
    """

    without_names = None
    table = NameField(label=_("Table"), max_length=20)
    replace = forms.BooleanField(
        label=_("Replace it. Nobody can continue that match, but its record is kept."),
        required=False,
        template_name=CHECK,
    )
    field_order = ("table",)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        self.tournament = tournament
        self.at_table: Table | None = None
        self.may_replace = False
        super().__init__(*args, **kwargs)
        self.name_players(Players(tournament))

    def clean_table(self) -> str:
        """Look up the table by name, if it exists."""
        name: str = self.cleaned_data["table"].strip()
        self.at_table = table_named(self.tournament.tables.select_related("current"), name)
        return name

    def names_given(self, given: dict[str, Any]) -> Sequence[str]:
        """Players' names, spelt as in the list of players."""
        return self.checked_names(given, given["format"] or Format.SINGLES)

    def refuse(self, refused: Refused) -> None:
        """Show an error at the table field.

        Offer to replace a match whose clocks are stopped.
        """
        self.add_error("table", said(refused.words))
        present = self.at_table.current if self.at_table else None
        self.may_replace = (
            present is not None and present.has_begun and present.status not in (Status.RUNNING, Status.OVER)
        )


@require_safe
@access.to(Action.WATCH)
def console(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the director's page; its boards arrive by WebSocket."""
    others = access.others_in_the_hall(request, tournament)
    context = {
        "tournament": tournament,
        "may": roles.actions_of(request.user, tournament),
        "host": _host(request),
        "version": version(),
        "starts": json.dumps(rounds.starts([tournament.pk])[tournament.pk]),
        "lateness": json.dumps(tournament.lateness),
        "message_form": NewMessage(tournament),
        "stop_form": StopAll(tournament, others),
        "resume_form": WholeHall(tournament, others, auto_id="resume_%s"),
        "first_round": tournament.rounds.order_by("number").first(),
        "has_players": tournament.players.exists(),
    }
    return render(request, "clocks/console/page.html", context)


@require_safe
@access.to(Action.WATCH)
def pace(request: HttpRequest, tournament: Tournament) -> JsonResponse:
    """Expected ends: `{"matches": {"17": {"at": …, "spread_ms": …, "holds_up": …}}}`.

    `beside` are the user's other events that the console shows in its lane, at most MOST_BESIDE, and `more` are the
    rest. `?beside=no` omits both; the console uses that for the events in its lane.
    """
    ends = expected_ends.cached(tournament, now_ms())
    matches = {pk: {**end._asdict(), "holds_up": pk in ends.holding_up} for pk, end in ends.matches.items()}
    if request.GET.get("beside") == "no":
        return JsonResponse({"matches": matches})
    found = access.events_beside(signed_in(request), tournament)
    others, left_out = found[:MOST_BESIDE], found[MOST_BESIDE:]
    starts = rounds.starts(other.pk for other in others)
    beside = [
        {
            "name": other.name,
            "director": reverse("console", args=[other.slug]),
            "socket": f"/ws/director/{other.slug}/",
            "pace": reverse("pace", args=[other.slug]) + "?beside=no",
            "may": sorted(roles.actions_of(request.user, other)),
            "starts": starts[other.pk],
            "lateness": other.lateness,
        }
        for other in others
    ]
    more = [{"name": other.name, "director": reverse("console", args=[other.slug])} for other in left_out]
    return JsonResponse({"matches": matches, "beside": beside, "more": more})


@require_http_methods(["GET", "HEAD", "POST"])
@access.to(Action.ARRANGE)
def new_match(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Create a match and, if needed, its table; then redirect to its board."""
    beside = TablesBeside(signed_in(request), tournament)
    form = TableMatch(tournament, posted(request), initial={"table": tables.next_name(tournament, beside.names)})
    if request.method == "POST" and form.is_valid():
        try:
            table = form.at_table or tables.add_table(tournament, form.cleaned_data["table"])
            replace = form.cleaned_data["replace"]
            match = desk.make_match(table, form.setup, by=Official.DIRECTOR, user_id=request.user.pk, replace=replace)
            players.add_new_players(tournament, players.names_of([form.setup.to_dict()]))
        except Refused as refused:
            form.refuse(refused)
        except IntegrityError:
            form.add_error("table", gettext("Somebody else has just created this table. Send the form again."))
        else:
            words = gettext("Table %(table)s: %(match)s. The players join with the code %(code)s.")
            messages.success(request, words % {"table": table.name, "match": match, "code": table.code})
            return redirect(f"{reverse('console', args=[tournament.slug])}#match-{match.pk}")
    context = {"tournament": tournament, "form": form, "beside": beside.all}
    return render(request, "clocks/console/new-match.html", context, status=400 if form.errors else 200)


@require_safe
@access.to(Action.WATCH)
def record(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """Show the record of a match: who, when, what, before, after, why.

    `?hits=no` omits presses. With any value of `hits`, the details are expanded.
    """
    match = _match(tournament, match_id)
    lines = list(match_record.lines(match.pk))
    hits = request.GET.get("hits") != "no"
    steps = [line.step for line in lines if line.step is not None]
    look, turns = look_back(steps), turn_times.turns(steps, flagged=True)
    state = MatchState.from_dict(match.state)
    context = {
        "tournament": tournament,
        "match": match,
        "head": lines[-1].hash if lines else "",
        "lines": [line for line in lines if hits or line.event != "hit"],
        "count": len(lines),
        "hits": hits,
        "story": story.of_match(steps),
        "opened": "hits" in request.GET,
        "rulings": [line for line in lines if line.is_ruling],
        "turns": [(turn, look.at(turn.ended_at)) for turn in turns],
        "reserves": charts.of_reserves(look),
        "turn_chart": charts.of_turns(turns),
        "now": timezone.now(),
        "state": state,
        "winner": "" if state.winner is None else match.setup["names"][state.winner.index],
        "may_end": Action.END in (may := roles.actions_of(request.user, tournament)),
        "may_arrange": Action.ARRANGE in may,
    }
    return render(request, "clocks/record/page.html", context)


@require_safe
@access.to(Action.EXPORT)
@as_recorded()
def export(request: HttpRequest, tournament: Tournament, match_id: int, form: str) -> HttpResponse:
    """Serve the record: `csv` with every entry, `jsonl` for `manage.py replay`."""
    match = _match(tournament, match_id)
    kind, rows = {"csv": ("text/csv", exports.match_csv), "jsonl": ("application/jsonl", exports.match_jsonl)}[form]
    response = HttpResponse("".join(rows(match.pk)), content_type=f"{kind}; charset=utf-8")
    name = f"{tournament.slug}-{exports.file_name(match)}.{form}"
    response["Content-Disposition"] = content_disposition_header(True, name) or ""
    return response


def _match(tournament: Tournament, match_id: int) -> Match:
    return get_object_or_404(Match.objects.select_related("table", "round"), pk=match_id, table__tournament=tournament)


def _host(request: HttpRequest) -> str:
    """Host and port of this site, as people type them."""
    return addresses.as_typed(addresses.base_url(request))
