"""Results of a tournament, from its pairings, matches and journals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import F, Q, QuerySet

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Status
from clocks.engine.events import Moved
from clocks.engine.match import Match as MatchState
from clocks.engine.words import Words
from clocks.host.garbage import FREED_ROWS, one_by_one, without_cycles
from clocks.journal import chain, entries
from clocks.journal.begun import UNBEGUN
from clocks.models import Match, Pairing, Round, Tournament
from clocks.tournament.paper_draw import may_be_struck_out
from clocks.tournament.players import matches_of_player
from clocks.tournament.tables import table_order
from clocks.wording.amounts import clock

COLUMNS = (
    "round table left right length rules format score_left score_right winner by state time_left_left time_left_right "
    "begun ended match hash"
).split()

# Kind of win, by the event that ended the match. A score agreed by the players counts as points.
_BY = {
    "game_ended": Words("points"),
    "expiry_applied": Words("flag"),
    "match_ended": Words("ruling"),
    "score_set": Words("ruling"),
}
_STATES = {
    Status.SETUP: Words("not begun"),
    Status.READY: Words("between games"),
    Status.RUNNING: Words("being played"),
    Status.STOPPED: Words("stopped"),
    Status.FLAGGED: Words("a flag fell"),
    Status.OVER: Words("over"),
}
_NO_CLOCK = Words("no clock")
_FOR_PLAYERS, _ON_REQUEST, _FOR_TABLE = (
    Words("waits for its players"),
    Words("no clock asked for"),
    Words("waits for its table"),
)
KINDS_OF_WIN = (*_BY.values(), _NO_CLOCK)
STATES = (*_STATES.values(), _FOR_PLAYERS, _ON_REQUEST, _FOR_TABLE)


@dataclass(frozen=True, slots=True)
class Result:
    """A row of the results; "" and None mean not known yet.

    `by` is points, flag, ruling or no clock; pairs are (left, right).
    """

    round: Round | None
    table: str
    names: tuple[str, str]
    length: int
    rules: str
    format: str
    score: tuple[int, int] | None
    winner: str
    by: str
    state: str
    time_left: tuple[str, str] | None
    ended_at: datetime | None
    match_id: int | None
    pairing: Pairing | None
    expected: datetime | None = None  # expected end, if added by `with_expected_ends`
    holds_up: bool = False
    by_players: bool = False
    may_be_struck_out: bool = False

    @property
    def rules_name(self) -> str:
        """Display name of the rule set."""
        return RULESETS[self.rules].name

    @property
    def over(self) -> bool:
        """True if the match is decided."""
        return bool(self.winner)

    def row(self, begun_at: int | None, head: str) -> list[Any]:
        """Values in the order of COLUMNS, given the first press (ms) and the last hash."""
        return [
            "" if self.round is None else str(self.round),
            self.table,
            *self.names,
            self.length,
            self.rules,
            self.format,
            *(self.score or ("", "")),
            self.winner,
            self.by,
            self.state,
            *(self.time_left or ("", "")),
            *("" if at is None else at.isoformat(timespec="seconds") for at in (_instant(begun_at), self.ended_at)),
            self.match_id or "",
            head,
        ]


def table(results: list[Result]) -> Iterator[Sequence[Any]]:
    """Yield the rows of a results file, column names first; consumes the list."""
    match_ids = [result.match_id for result in results if result.match_id is not None]
    heads, begun = chain.heads(match_ids), entries.first_hits(match_ids)
    yield COLUMNS
    for result in one_by_one(results):
        if result.match_id is None:
            yield result.row(None, "")
        else:
            yield result.row(begun.get(result.match_id), heads.get(result.match_id) or "")


def _instant(at: int | None) -> datetime | None:
    return None if at is None else datetime.fromtimestamp(at / 1000, UTC)


def matches_of(tournament: Tournament) -> QuerySet[Match]:
    """All matches of a tournament, in order of creation."""
    return Match.objects.filter(table__tournament=tournament).select_related("table", "round__section").order_by("pk")


def without_set_aside(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Exclude matches that are neither drawn, begun nor current at their table."""
    return matches.filter(~UNBEGUN | Q(pairing__isnull=False) | Q(pk=F("table__current_id")))


def of_tournament(tournament: Tournament, now: int) -> list[Result]:
    """Results of all rounds, then of matches outside rounds, each in table order."""
    pairings = Pairing.objects.filter(round__tournament=tournament)
    drawn = list(_of_pairings(pairings, now))
    return _in_order(drawn) + _in_order(_of_matches(_shown_alone(tournament), now))


def of_player(tournament: Tournament, name: str, now: int) -> list[Result]:
    """Results of the matches of a player, in the order of `of_tournament`."""
    matches, drawn = matches_of_player(tournament, name)
    pairings = Pairing.objects.filter(Q(match__in=matches) | Q(pk__in=[pairing.pk for pairing in drawn]))
    alone = _shown_alone(tournament).filter(pk__in=[match.pk for match in matches])
    return _in_order(list(_of_pairings(pairings, now))) + _in_order(_of_matches(alone, now))


def of_round(round_: Round, now: int) -> list[Result]:
    """Results of a round, in table order."""
    return _in_order(_of_pairings(round_.pairings.all(), now))


def as_drawn(found: Sequence[Result]) -> list[Result]:
    """Sort a round's results by the tables where they were drawn, even if moved since."""
    moved = entries.but_hits().filter(match__in=[result.match_id for result in found], event=Moved.name)
    first: dict[int, str] = {}
    for match_id, data in moved.order_by("match_id", "seq").values_list("match_id", "data"):
        first.setdefault(match_id, data["before"])
    return sorted(found, key=lambda result: table_order(first.get(result.match_id or 0, result.table)))


def stamp_of_tournament(tournament: Tournament) -> list[Any]:
    """Cache key that changes with `of_tournament`, except for times on running clocks."""
    return _stamp(Pairing.objects.filter(round__tournament=tournament), matches_of(tournament))


def stamp_of_round(round_: Round) -> list[Any]:
    """Cache key that changes with `of_round`, except for times on running clocks."""
    return _stamp(round_.pairings.all(), Match.objects.filter(pairing__round=round_).order_by("pk"))


def _stamp(pairings: QuerySet[Pairing], matches: QuerySet[Match]) -> list[Any]:
    """Cache key; a match's version covers its names, its score and how it ended."""
    of_round = ("round__number", "round__section__name")
    drawn = ("pk", "match_id", *of_round, "round__policy", "table__name", "external_id", "setup")
    waiting = pairings.filter(places__filled=False).order_by("pk").distinct()
    played = ("pk", "version", "table__name", "table__current_id", *of_round, "struck_out")
    return [
        list(pairings.order_by("pk").values_list(*drawn, "winner", "score", "entered_at")),
        list(waiting.values_list("pk", flat=True)),
        list(matches.values_list(*played)),
    ]


def _shown_alone(tournament: Tournament) -> QuerySet[Match]:
    """Matches without a pairing, except those struck out or set aside."""
    return without_set_aside(matches_of(tournament)).filter(pairing=None, struck_out=False)


def _in_order(results: "Iterator[Result] | list[Result]") -> list[Result]:
    return sorted(results, key=lambda result: (result.round.number if result.round else 0, *table_order(result.table)))


def _of_pairings(pairings: QuerySet[Pairing], now: int) -> Iterator[Result]:
    pairings = pairings.select_related("round__section", "table", "match")
    ends = _ends(Match.objects.filter(pairing__in=pairings, status=Status.OVER))
    waiting = set(pairings.filter(places__filled=False).values_list("pk", flat=True))
    for pairing in without_cycles(pairings, "match"):
        if pairing.match is None:
            yield _without_clock(pairing, waits=pairing.pk in waiting)
        else:
            yield _of_match(pairing.match, pairing.table.name, pairing.round, ends, now, pairing)


def _of_matches(matches: QuerySet[Match], now: int) -> Iterator[Result]:
    ends = _ends(matches.filter(status=Status.OVER))
    for match in matches.iterator(FREED_ROWS):
        yield _of_match(match, match.table.name, match.round, ends, now, None)


def _ends(matches: QuerySet[Match]) -> dict[int, tuple[str, datetime]]:
    """Kind of win and end time of each match, by match id."""
    decided = entries.but_hits().filter(match__in=matches.values("pk"), event__in=_BY).order_by("match_id", "seq")
    ends = {}
    for match_id, event, by, at in decided.values_list("match_id", "event", "by", "at"):
        how = "points" if event == "score_set" and by != Official.DIRECTOR else _BY[event]
        ends[match_id] = (how, datetime.fromtimestamp(at / 1000, UTC))
    return ends


def _of_match(
    match: Match,
    table: str,
    round_: Round | None,
    ends: dict[int, tuple[str, datetime]],
    now: int,
    pairing: Pairing | None,
) -> Result:
    state = MatchState.from_dict(match.state)
    setup = state.setup
    how, ended_at = ends.get(match.pk, ("", None))
    left, right = state.clock.reserves(now)
    return Result(
        round=round_,
        table=table,
        names=setup.names,
        length=setup.length,
        rules=setup.rules,
        format=setup.format,
        score=state.score,
        winner="" if state.winner is None else setup.names[state.winner.index],
        by=how,
        state=_STATES[Status.READY if match.on_break else state.status],
        time_left=(clock(left), clock(right)),
        ended_at=ended_at,
        match_id=match.pk,
        pairing=pairing,
        by_players=match.by_players is not None,
        may_be_struck_out=may_be_struck_out(match),
    )


def _without_clock(pairing: Pairing, waits: bool) -> Result:
    setup = pairing.setup
    if pairing.winner:
        state = _STATES[Status.OVER]
    elif waits:
        state = _FOR_PLAYERS
    elif pairing.round.policy == Round.Policy.ON_REQUEST:
        state = _ON_REQUEST
    else:
        state = _FOR_TABLE
    score = pairing.score
    return Result(
        round=pairing.round,
        table=pairing.table.name,
        names=(setup["names"][0], setup["names"][1]),
        length=setup["length"],
        rules=setup["rules"],
        format=setup["format"],
        score=None if score is None else (score[0], score[1]),
        winner=setup["names"][Seat(pairing.winner).index] if pairing.winner else "",
        by=_NO_CLOCK if pairing.winner else "",
        state=state,
        time_left=None,
        ended_at=pairing.entered_at,
        match_id=None,
        pairing=pairing,
    )
