"""Results as a page and as files, and all journals of a tournament as files."""

import io
import json
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clocks.host.server_time import now_ms
from clocks.interchange import exports, tournament_files
from clocks.models import Round, Tournament
from clocks.people.roles import Action
from clocks.tournament import events
from clocks.tournament import results as found
from clocks.tournament.events import Event
from clocks.tournament.results import Result
from clocks.views import access
from clocks.views.event_standings import places_of_all, shared_places
from clocks.views.page import find, page
from clocks.wording.language import as_recorded


class Group(NamedTuple):
    """Results of an event: places with their players, and each round with its lines."""

    event: Event
    places: list[tuple[str, list[str], bool]]
    rounds: list[tuple[Round, list[Result]]]


@require_safe
@access.to(Action.WATCH)
def results(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the tournament's results by event and round; on paper with places first."""
    lines = found.of_tournament(tournament, now_ms())
    played = events.of_tournament(tournament)
    groups, alone = _grouped(played, lines)
    over = sum(result.over for result in lines)
    places = places_of_all(played, events.has_undrawn(tournament)) if len(played) > 1 else None
    return page(request, tournament, "results", lines=lines, over=over, groups=groups, alone=alone, places=places)


def _grouped(played: list[Event], lines: list[Result]) -> tuple[list[Group], list[Result]]:
    """Results by event and round; and those of matches outside rounds."""
    of_round: dict[int | None, list[Result]] = defaultdict(list)
    for line in lines:
        of_round[None if line.round is None else line.round.pk].append(line)
    groups = [
        Group(event, shared_places(event), [(each, of_round.pop(each.pk, [])) for each, _ in event.rounds])
        for event in played
    ]
    return groups, [line for rest in of_round.values() for line in rest]


@require_safe
@access.to(Action.EXPORT)
@as_recorded()
def results_csv(request: HttpRequest, tournament: Tournament, number: int = 0) -> HttpResponse:
    """Serve the results of the tournament or a round as CSV."""
    now = now_ms()
    lines = found.of_round(find(tournament, number), now) if number else found.of_tournament(tournament, now)
    name = f"{tournament.slug}-round-{number}-results.csv" if number else f"{tournament.slug}-results.csv"
    return csv(name, exports.table(found.table(lines)))


@require_safe
@access.to(Action.EXPORT)
@as_recorded()
def journals_csv(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Serve all journals of the tournament as one CSV file."""
    return csv(f"{tournament.slug}-journals.csv", exports.tournament_csv(found.matches_of(tournament)))


@require_safe
@access.to(Action.EXPORT)
@as_recorded()
def journals_zip(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Serve all journals as a zip, with one JSON Lines file per match."""
    file = io.BytesIO()
    exports.write_zip(found.matches_of(tournament), file)
    response = HttpResponse(file.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{tournament.slug}-journals.zip"'
    return response


@require_safe
@access.to(Action.EXPORT)
def players_csv(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Serve the list of players as CSV, with all details."""
    return csv(f"{tournament.slug}-players.csv", exports.players_csv(tournament))


@require_safe
@access.to(Action.EXPORT)
def trf(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Serve the tournament as a TRF26 file."""
    return _file(f"{tournament.slug}.trf", "text/plain; charset=utf-8", tournament_files.trf_of(tournament, now_ms()))


@require_safe
@access.to(Action.EXPORT)
def brackets(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Serve the tournament as JSON for brackets-model."""
    text = json.dumps(tournament_files.brackets_of(tournament, now_ms()), ensure_ascii=False, indent=2)
    return _file(f"{tournament.slug}-brackets.json", "application/json", text)


def csv(name: str, lines: Iterable[str]) -> HttpResponse:
    """A CSV file as a download."""
    return _file(name, "text/csv; charset=utf-8", "".join(lines))


def _file(name: str, kind: str, text: str) -> HttpResponse:
    response = HttpResponse(text, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
