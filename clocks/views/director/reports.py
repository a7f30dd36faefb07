"""Downloads: turn times, and transcripts without moves."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.interchange import exports, transcripts, turn_files
from clocks.journal import chain
from clocks.models import Match, Tournament
from clocks.people.roles import Action
from clocks.record import replaying
from clocks.tournament import results
from clocks.views import access
from clocks.wording.language import as_recorded

KINDS = {"csv": "text/csv", "jsonl": "application/jsonl", "mat": "text/plain", "sgf": "application/x-go-sgf"}


@require_safe
@access.to(Action.EXPORT)
@as_recorded()
def match_turns(request: HttpRequest, tournament: Tournament, match_id: int, form: str) -> HttpResponse:
    """Serve the turn times of a match."""
    match = _match(tournament, match_id)
    return _file(f"{tournament.slug}-{exports.file_name(match)}-turns", form, _turns([match], form))


@require_safe
@access.to(Action.EXPORT)
@as_recorded()
def tournament_turns(request: HttpRequest, tournament: Tournament, form: str) -> HttpResponse:
    """Serve the turn times of all matches of a tournament."""
    return _file(f"{tournament.slug}-turns", form, _turns(results.matches_of(tournament), form))


@require_safe
@access.to(Action.EXPORT)
@as_recorded()
def transcript(request: HttpRequest, tournament: Tournament, match_id: int, form: str) -> HttpResponse:
    """Serve a transcript without moves, to be completed by hand."""
    match = _match(tournament, match_id)
    start = MatchState.begin(Setup.from_dict(match.setup))
    played = transcripts.games(start, replaying.steps(match.pk))
    write = transcripts.mat if form == "mat" else transcripts.sgf
    text = write(start, played, f"{match.created_at:%Y-%m-%d}", chain.head(match.pk))
    return _file(f"{tournament.slug}-{exports.file_name(match)}", form, [text])


def _turns(matches: Iterable[Match], form: str) -> Iterable[str]:
    return turn_files.csv(matches) if form == "csv" else turn_files.jsonl(matches)


def _match(tournament: Tournament, match_id: int) -> Match:
    return get_object_or_404(Match.objects.select_related("table", "round"), pk=match_id, table__tournament=tournament)


def _file(name: str, form: str, parts: Iterable[str]) -> HttpResponse:
    response = HttpResponse("".join(parts), content_type=f"{KINDS[form]}; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{name}.{form}") or ""
    return response
