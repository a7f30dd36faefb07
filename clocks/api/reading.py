"""API operations that read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router

from clocks.api import gate, shapes
from clocks.api.paging import MOST, USUAL, Page, page, place, unless_known
from clocks.api.problems import ProblemDocument
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.host.server_time import now_ms
from clocks.interchange import tournament_files
from clocks.journal import chain, stored
from clocks.live import protocol
from clocks.models import JournalEntry, Pairing, Round, Tournament
from clocks.people.roles import Action
from clocks.record import expected_ends, turn_times
from clocks.record.expected_ends import End, Ends
from clocks.seats import presence
from clocks.tournament import results
from clocks.tournament.rounds import LARGEST, with_counts

router = Router()
LARGEST_KEY = (1 << 63) - 1

WRONG = dict.fromkeys((400, 401, 403, 404, 422, 429), ProblemDocument)
Cursor = Annotated[str, Query(max_length=32, description="`next` of the page before; empty for the first page.")]
Limit = Annotated[int, Query(ge=1, le=MOST, description="Page size.")]
OfRound = Annotated[int | None, Query(ge=1, le=LARGEST, description="Only matches of this round.")]
InState = Annotated[Status | None, Query(description="Only matches in this state.")]


def answers(shape: Any) -> dict[int, Any]:
    """Response schemas by status, for an operation that reads."""
    return {200: shape, 304: None, **WRONG}


def round_of(tournament: Tournament, number: int) -> Round:
    """Look up a round of a tournament. Raises Http404."""
    found = tournament.rounds.select_related("tournament").filter(number=number).first() if number <= LARGEST else None
    if found is None:
        raise Http404
    return found


def pairing_of(round_: Round, pairing_id: int) -> Pairing:
    """Look up a pairing of a round. Raises Http404."""
    known = round_.pairings.select_related("table", "match", "round__tournament")
    found = known.filter(pk=pairing_id).first() if pairing_id <= LARGEST_KEY else None
    if found is None:
        raise Http404
    return found


def _match(tournament: Tournament, match_id: int) -> stored.StoredMatch:
    board = stored.matches([match_id]).get(match_id) if match_id <= LARGEST_KEY else None
    if board is None or board.tournament_id != tournament.pk:
        raise Http404
    return board


# --- tournaments, rounds, tables -----------------------------------------------------------------------------------


@router.get("/tournaments", response=answers(shapes.PageOf[shapes.TournamentShape]))
def list_tournaments(request: HttpRequest, response: HttpResponse, cursor: Cursor = "", limit: Limit = USUAL) -> Any:
    """List the tournaments that the token may see."""
    found = list(gate.tournaments(request).order_by("pk"))
    known = unless_known(request, response, [(each.pk, each.slug, each.name) for each in found], cursor, limit)
    return known or page(found, lambda each: (each.pk,), cursor, limit)


@router.get("/tournaments/{slug:slug}", response=answers(shapes.TournamentShape))
def read_tournament(request: HttpRequest, response: HttpResponse, slug: str) -> Any:
    """Read a tournament."""
    found = gate.tournament(request, slug, Action.WATCH)
    return unless_known(request, response, found.slug, found.name) or found


@router.get("/tournaments/{slug:slug}/rounds", response=answers(list[shapes.RoundShape]))
def list_rounds(request: HttpRequest, response: HttpResponse, slug: str) -> Any:
    """List the rounds with their progress."""
    tournament = gate.tournament(request, slug, Action.WATCH)
    ends = expected_ends.cached(tournament, now_ms()).rounds
    found = [round_shape(round_, ends) for round_ in with_counts(tournament.rounds.select_related("section"))]
    return unless_known(request, response, found) or found


@router.get("/tournaments/{slug:slug}/rounds/{int:number}", response=answers(shapes.RoundShape))
def read_round(request: HttpRequest, response: HttpResponse, slug: str, number: int) -> Any:
    """Read a round."""
    found = round_now(round_of(gate.tournament(request, slug, Action.WATCH), number))
    return unless_known(request, response, found) or found


def round_shape(round_: Any, ends: Mapping[int, End]) -> dict[str, Any]:
    """Response for a round annotated by `with_counts`, with its expected end."""
    names = ("number", "name", "stage", "policy", "rules", "format", "length", "options", "drawn", "over")
    return {**{name: getattr(round_, name) for name in names}, "expected_end": _end(ends.get(round_.number))}


def round_now(round_: Round) -> dict[str, Any]:
    """Response for a round, with its counts and expected end as of now."""
    ends = expected_ends.cached(round_.tournament, now_ms()).rounds
    return round_shape(with_counts(Round.objects.filter(pk=round_.pk)).get(), ends)


def _end(end: End | None) -> dict[str, int] | None:
    return None if end is None else end._asdict()


@router.get("/tournaments/{slug:slug}/tables", response=answers(shapes.PageOf[shapes.TableShape]))
def list_tables(
    request: HttpRequest, response: HttpResponse, slug: str, cursor: Cursor = "", limit: Limit = USUAL
) -> Any:
    """List the tables and their codes."""
    tournament = gate.tournament(request, slug, Action.WATCH)
    tables = tournament.tables.order_by("pk").values_list("pk", "name", "code", "current_id")
    found: list[dict[str, Any]] = [
        {"id": pk, "name": name, "code": code, "match": match} for pk, name, code, match in tables
    ]
    return unless_known(request, response, found, cursor, limit) or page(
        found, lambda table: (table["id"],), cursor, limit
    )


@router.get(
    "/tournaments/{slug:slug}/rounds/{int:number}/pairings", response=answers(shapes.PageOf[shapes.PairingShape])
)
def list_pairings(
    request: HttpRequest, response: HttpResponse, slug: str, number: int, cursor: Cursor = "", limit: Limit = USUAL
) -> Any:
    """List the draw of a round."""
    round_ = round_of(gate.tournament(request, slug, Action.WATCH), number)
    pairings = round_.pairings.select_related("table", "match").order_by("pk")
    found = [pairing_shape(pairing) for pairing in pairings]
    return unless_known(request, response, found, cursor, limit) or page(
        found, lambda pairing: (pairing["id"],), cursor, limit
    )


def pairing_shape(pairing: Pairing) -> dict[str, Any]:
    """Response for a pairing, with the state of its match if it has one."""
    state = "no-clock" if pairing.winner else "waiting"
    return {
        "id": pairing.pk,
        "external_id": pairing.external_id,
        "table": pairing.table.name,
        "match": pairing.match_id,
        "state": state if pairing.match is None else pairing.match.status,
        **{name: pairing.setup[name] for name in ("names", "length", "rules", "format", "score", "options")},
    }


# --- matches -------------------------------------------------------------------------------------------------------


@router.get("/tournaments/{slug:slug}/matches", response=answers(shapes.PageOf[shapes.MatchShape]))
def list_matches(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    round: OfRound = None,
    status: InState = None,
    cursor: Cursor = "",
    limit: Limit = USUAL,
) -> Any:
    """List the matches that have a clock, as of now.

    The ETag changes when anything happens in one of them. Matches that a director removed before they began are not
    listed.
    """
    tournament = gate.tournament(request, slug, Action.WATCH)
    found = results.without_set_aside(results.matches_of(tournament))
    if round is not None:
        found = found.filter(round__number=round)
    if status is not None:
        found = found.filter(status=status)
    versions = list(found.values_list(*stored.STAMP))
    asked = page(versions, lambda each: (each[0],), cursor, limit)
    known = unless_known(request, response, versions, cursor, limit)
    if known is not None:
        return known
    boards = stored.matches([pk for pk, *_stamp in asked.items])
    presence.ask(boards)
    ends = expected_ends.cached(tournament, now_ms())
    heads = chain.heads(boards)
    return Page([_snapshot(boards[pk], ends, heads.get(pk)) for pk in sorted(boards)], asked.next)


@router.get("/tournaments/{slug:slug}/matches/{int:match_id}", response=answers(shapes.MatchShape))
def read_match(request: HttpRequest, response: HttpResponse, slug: str, match_id: int) -> Any:
    """Read a match as of now.

    The ETag changes when anything happens in it; a running clock alone does not change it.
    """
    tournament = gate.tournament(request, slug, Action.WATCH)
    board = _match(tournament, match_id)
    known = unless_known(request, response, board.id, board.version, board.table, board.code, board.round)
    if known is not None:
        return known
    presence.ask([board.id])
    return _snapshot(board, expected_ends.cached(tournament, now_ms()), chain.head(board.id))


def _snapshot(board: stored.StoredMatch, ends: Ends, head: str | None) -> dict[str, Any]:
    over = board.match.status == Status.OVER
    return {
        **protocol.snapshot(board, now_ms(), presence.seen_at(board.id)),
        "expected_end": None if over else _end(ends.matches.get(board.id)),
        "hash": head or "",
        "holds_up_round": not over and board.id in ends.holding_up,
    }


@router.get(
    "/tournaments/{slug:slug}/matches/{int:match_id}/turns",
    response=answers(shapes.PageOf[shapes.TurnShape]),
)
def list_turns(
    request: HttpRequest, response: HttpResponse, slug: str, match_id: int, cursor: Cursor = "", limit: Limit = USUAL
) -> Any:
    """List the finished turns of a match: how long each took, and the reserve it left."""
    board = _match(gate.tournament(request, slug, Action.EXPORT), match_id)
    known = unless_known(request, response, board.id, board.version, cursor, limit)
    if known is not None:
        return known
    found = list(enumerate((asdict(turn) for turn in turn_times.of_match(board.id)), 1))
    asked = page(found, lambda each: (each[0],), cursor, limit)
    return Page([turn for _, turn in asked.items], asked.next)


@router.get(
    "/tournaments/{slug:slug}/matches/{int:match_id}/journal",
    response=answers(shapes.PageOf[shapes.EntryShape]),
)
def list_journal(
    request: HttpRequest, response: HttpResponse, slug: str, match_id: int, cursor: Cursor = "", limit: Limit = USUAL
) -> Any:
    """List the journal of a match."""
    board = _match(gate.tournament(request, slug, Action.EXPORT), match_id)
    after = place(cursor)
    known = unless_known(request, response, board.id, board.version, cursor, limit)
    if known is not None:
        return known
    entries = JournalEntry.objects.filter(match_id=board.id, seq__gt=after[0] if after else 0).order_by("seq")
    fields = ("seq", "at", "by", "user_name", "event", "data", "command", "credit_ms", "hash")
    found = [dict(zip(fields, row, strict=True)) for row in entries.values_list(*fields)[: limit + 1]]
    for entry in found:
        entry["user"] = entry.pop("user_name")
    return page(found, lambda entry: (entry["seq"],), cursor, limit)


# --- results -------------------------------------------------------------------------------------------------------


@router.get("/tournaments/{slug:slug}/results", response=answers(shapes.PageOf[shapes.ResultShape]))
def list_results(
    request: HttpRequest, response: HttpResponse, slug: str, cursor: Cursor = "", limit: Limit = USUAL
) -> Any:
    """List every match of the tournament, whether waiting, under way or over."""
    tournament = gate.tournament(request, slug, Action.EXPORT)
    stamp = results.stamp_of_tournament(tournament)
    return _results(request, response, stamp, partial(results.of_tournament, tournament), cursor, limit)


@router.get("/tournaments/{slug:slug}/rounds/{int:number}/results", response=answers(shapes.PageOf[shapes.ResultShape]))
def list_round_results(
    request: HttpRequest, response: HttpResponse, slug: str, number: int, cursor: Cursor = "", limit: Limit = USUAL
) -> Any:
    """List every match of a round, whether waiting, under way or over."""
    round_ = round_of(gate.tournament(request, slug, Action.EXPORT), number)
    stamp = results.stamp_of_round(round_)
    return _results(request, response, stamp, partial(results.of_round, round_), cursor, limit)


def _results(
    request: HttpRequest,
    response: HttpResponse,
    stamp: Sequence[Any],
    listed: Callable[[int], Iterable[results.Result]],
    cursor: str,
    limit: int,
) -> Any:
    known = unless_known(request, response, stamp, cursor, limit)
    if known is not None:
        return known
    found = sorted(((_key(result), result_shape(result)) for result in listed(now_ms())), key=lambda each: each[0])
    asked = page(found, lambda each: each[0], cursor, limit)
    return Page([result for _, result in asked.items], asked.next)


def _key(result: results.Result) -> tuple[int, int]:
    """Sort key of a result, drawn matches first. It never changes: cursors contain it."""
    return (0, result.pairing.pk) if result.pairing is not None else (1, result.match_id or 0)


def result_shape(result: results.Result) -> dict[str, Any]:
    """Response for a result; texts are in English."""
    seats = dict(zip(result.names, Seat, strict=True))
    return {
        "pairing": None if result.pairing is None else result.pairing.pk,
        "external_id": "" if result.pairing is None else result.pairing.external_id,
        "match": result.match_id,
        "round": None if result.round is None else result.round.number,
        "stage": "" if result.round is None else result.round.stage,
        "table": result.table,
        "names": result.names,
        "length": result.length,
        "score": result.score,
        "winner": seats.get(result.winner),
        "by": str(result.by),
        "state": str(result.state),
        "ended_at": result.ended_at,
    }


@router.get("/tournaments/{slug:slug}/trf", response=answers(shapes.TrfShape))
def read_trf(request: HttpRequest, response: HttpResponse, slug: str) -> Any:
    """Read the tournament as a TRF26 file: players, pairings, results."""
    found = {"trf": tournament_files.trf_of(gate.tournament(request, slug, Action.EXPORT), now_ms())}
    return unless_known(request, response, found) or found


@router.get("/tournaments/{slug:slug}/brackets", response=answers(shapes.BracketsShape))
def read_brackets(request: HttpRequest, response: HttpResponse, slug: str) -> Any:
    """Read the tournament in the format of brackets-model."""
    found = tournament_files.brackets_of(gate.tournament(request, slug, Action.EXPORT), now_ms())
    return unless_known(request, response, found) or found
