"""Expected end times of matches and rounds, computed on request.

A game's length is wall-clock time: from the end of the previous game (for the first game: from its first press) to its
own end. Calls and rulings count, because they also hold up a round; only stops of the whole hall are subtracted.

Journals are read incrementally: progress is cached, and each call reads only new entries.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from math import hypot
from typing import Any, NamedTuple

import orjson
from django.db.models import Count, Max, OuterRef, Subquery
from django.db.models.fields.json import KeyTransform

from clocks.engine import events as e
from clocks.engine.closed_sets import ConsequenceKind, Status
from clocks.engine.setup import Setup
from clocks.journal import entries
from clocks.models import FeedEvent, JournalEntry, Match, Pairing, Place, Round, Tournament
from clocks.record import pace
from clocks.record.pace import Game, Left, Pace
from clocks.tournament.results import Result
from clocks.tournament.rounds import with_counts

HOLDS_UP_MS = 15 * 60_000  # a match expected to end this much after all others holds up its round
MINUTE_MS = 60_000
FRESH_MS = 10_000  # lifetime of a cached result without new events, draws or matches
CACHED = 20  # maximum number of tournaments in the cache

_MARKS = (
    e.GameEnded.name,
    e.MatchEnded.name,
    e.ExpiryApplied.name,
    e.Reopened.name,
    e.StoppedAll.name,
    e.Resumed.name,
)


class End(NamedTuple):
    """An expected end and its standard deviation, in milliseconds, rounded to minutes."""

    at: int
    spread_ms: int

    @property
    def instant(self) -> datetime:
        """The end as a datetime in UTC."""
        return datetime.fromtimestamp(self.at / 1000, UTC)

    @property
    def spread_minutes(self) -> int:
        """The standard deviation in whole minutes."""
        return self.spread_ms // MINUTE_MS


@dataclass(frozen=True, slots=True)
class Ends:
    """Expected ends, and the ids of matches that hold up their round.

    `matches` and `pairings` are keyed by id, `rounds` by round number.
    """

    matches: Mapping[int, End]
    pairings: Mapping[int, End]
    rounds: Mapping[int, End]
    holding_up: frozenset[int]


@dataclass(slots=True)
class _Progress:
    """Progress of a match, folded from the journal entries in `_MARKS`."""

    setup: Setup
    begun: int | None = None  # time of the first press
    since: int | None = None
    stopped_ms: int = 0  # time in stops of the whole hall during the current game
    stopped_at: int | None = None
    ruled: bool = False  # ended by a ruling, not by a game
    games: list[tuple[int, Game]] = field(default_factory=list)
    seq: int = 0  # number of the last entry folded

    def take(self, seq: int, event: str, at: int, data: Mapping[str, Any]) -> None:
        """Fold a journal entry. Skips known entries and those before the first press."""
        if seq <= self.seq or self.since is None or self.begun is None or at < self.begun:
            return
        self.seq = seq
        if event == e.StoppedAll.name:
            self.stopped_at = at
            return
        if self.stopped_at is not None:
            self.stopped_ms += at - self.stopped_at
            self.stopped_at = None
        if event == e.GameEnded.name:
            took_ms = at - self.since - self.stopped_ms
            self.games.append((self.since, Game(took_ms, pace.by_setting_ms(self.setup), data["points"])))
            self.since, self.stopped_ms = at, 0
        elif event == e.Reopened.name and self.games and not self.ruled:
            self.since, _game = self.games.pop()
            self.stopped_ms = 0
        lost = event == e.ExpiryApplied.name and data["consequence"]["kind"] == ConsequenceKind.LOSE_MATCH
        self.ruled = lost or event == e.MatchEnded.name

    def elapsed_ms(self, now: int) -> int:
        """Time since the current game began, without stops of the whole hall."""
        if self.since is None:
            return 0
        return max(0, (now if self.stopped_at is None else self.stopped_at) - self.since - self.stopped_ms)


class _Drawn(NamedTuple):
    """An undecided pairing."""

    pk: int
    match_id: int | None
    table_id: int
    round_id: int


class _Current(NamedTuple):
    """A match, with the ids of its table's current match and of its own pairing."""

    pk: int
    status: str
    round_id: int | None
    current_id: int | None
    pairing_id: int | None
    score: tuple[int, int]


class _ProgressReader:
    """Progress of a tournament's matches, updated incrementally from their journals."""

    def __init__(self) -> None:
        self.by_match: dict[int, _Progress] = {}
        self._upto = 0  # id of the last journal entry read

    def read_new(self, tournament: Tournament) -> list[_Current]:
        """Fold new journal entries; return the tournament's matches."""
        newest = entries.newest_entry()  # read before the matches, so that the match of every entry is known
        matches = _matches(tournament)
        new = [match.pk for match in matches if match.pk not in self.by_match]
        if new:
            setups = Match.objects.filter(pk__in=new).values_list("pk", "setup")
            self.by_match.update({match_id: _Progress(_setting(setup)) for match_id, setup in setups})
        self._find_first_presses()
        if self._upto:
            marks = JournalEntry.objects.filter(pk__gt=self._upto - entries.OVERLAP).order_by("pk")
        else:
            marks = entries.but_hits().filter(match__in=list(self.by_match)).order_by("match", "seq")
        marks = marks.filter(event__in=_MARKS)
        for match_id, *mark in marks.values_list("match_id", "seq", "event", "at", "data"):
            if match_id in self.by_match:
                self.by_match[match_id].take(*mark)
        self._upto = newest
        return matches

    def _find_first_presses(self) -> None:
        """Look up the first press of each match that has none yet."""
        waiting = [match_id for match_id, each in self.by_match.items() if each.since is None]
        hits = JournalEntry.objects.filter(match=OuterRef("pk"), event=e.ClockHit.name).order_by("seq")
        begun = Match.objects.filter(pk__in=waiting).annotate(begun=Subquery(hits.values("at")[:1]))
        for match_id, at in begun.values_list("pk", "begun"):
            self.by_match[match_id].begun = self.by_match[match_id].since = at


class _Known:
    """Cache for one tournament: match progress, and the ends computed at `at`.

    `stamp` identifies the events and draws that the ends are based on.
    """

    def __init__(self) -> None:
        self.reader = _ProgressReader()
        self.at = 0
        self.stamp: tuple[Any, ...] = ()
        self.ends = Ends({}, {}, {}, frozenset())


_known: dict[tuple[int, datetime], _Known] = {}  # LRU order: the most recently used last
_one_at_a_time = threading.Lock()


def cached(tournament: Tournament, now: int) -> Ends:
    """Cached `of_tournament`, shared by all callers.

    Recomputed after FRESH_MS, and after every event, draw or new match.
    """
    stamp = _stamp(tournament)
    by = (tournament.pk, tournament.created_at)
    with _one_at_a_time:
        known = _known[by] = _known.pop(by) if by in _known else _Known()
        if len(_known) > CACHED:
            del _known[next(iter(_known))]
        if known.stamp != stamp or not 0 <= now - known.at < FRESH_MS:
            known.ends = _compute(tournament, known.reader, now)
            known.at, known.stamp = now, stamp
        return known.ends


def _stamp(tournament: Tournament) -> tuple[Any, ...]:
    """Cache key that changes with each event, draw and new match."""
    event = FeedEvent.objects.filter(tournament=tournament).aggregate(last=Max("number"))
    drawn = Pairing.objects.filter(round__tournament=tournament).aggregate(last=Max("pk"), count=Count("pk"))
    match = Match.objects.filter(table__tournament=tournament).aggregate(last=Max("pk"))
    return (*event.values(), *drawn.values(), *match.values())


def of_tournament(tournament: Tournament, now: int) -> Ends:
    """Expected ends of unfinished matches, pairings and rounds, uncached."""
    return _compute(tournament, _ProgressReader(), now)


def _compute(tournament: Tournament, reader: _ProgressReader, now: int) -> Ends:
    matches, progress = reader.read_new(tournament), reader.by_match
    known = Pace.of(game for each in progress.values() for _since, game in each.games)
    rounds = {round_.pk: round_ for round_ in with_counts(tournament.rounds.all())}
    left = _of_matches(matches, progress, rounds, known, now)
    drawn = _open(rounds)
    pairings = _of_pairings(rounds, drawn, left, known, now)
    by_round: dict[int, dict[int, Left]] = {}
    for pairing in drawn:
        if pairing.pk in pairings:
            by_round.setdefault(pairing.round_id, {})[pairing.pk] = pairings[pairing.pk]
    latest = {_holding_up(found) for pk, found in by_round.items() if rounds[pk].drawn > 1}
    return Ends(
        {match: _end(each, now) for match, each in left.items()},
        {pairing: _end(each, now) for pairing, each in pairings.items()},
        {rounds[pk].number: _end(pace.last(list(found.values())), now) for pk, found in by_round.items()},
        frozenset(pairing.match_id for pairing in drawn if pairing.match_id is not None and pairing.pk in latest),
    )


def with_expected_ends(lines: Iterable[Result], ends: Ends) -> list[Result]:
    """Add expected end times to unfinished results."""
    found = []
    for line in lines:
        end = ends.pairings.get(line.pairing.pk) if line.pairing is not None else None
        expected = None if end is None or line.over else end.instant
        found.append(replace(line, expected=expected, holds_up=line.match_id in ends.holding_up))
    return found


def _matches(tournament: Tournament) -> list[_Current]:
    names = ("pk", "status", "round_id", "table__current_id", "pairing__pk")
    # `state__score` would leave a reference cycle, which keeps what the page has read until garbage collection.
    score = KeyTransform("score", "state")
    found = Match.objects.filter(table__tournament=tournament).values_list(*names, score)
    return [_Current(*each) for each in found]


def _setting(setup: Mapping[str, Any]) -> Setup:
    """Parse a setup without names; cached, because the rest rarely differs in a round."""
    return _parsed(orjson.dumps({name: value for name, value in setup.items() if name != "names"}))


@lru_cache(maxsize=256)
def _parsed(setup: bytes) -> Setup:
    return Setup.from_dict(orjson.loads(setup))


def _of_matches(
    matches: Sequence[_Current],
    progress: Mapping[int, _Progress],
    rounds: Mapping[int, Round],
    known: Pace,
    now: int,
) -> dict[int, Left]:
    left: dict[int, Left] = {}
    for match in matches:
        aside = match.pairing_id is None and match.current_id != match.pk
        if match.status == Status.OVER or aside:
            continue
        each = progress[match.pk]
        left_score, right_score = match.score
        more = known.left(each.setup, (left_score, right_score), each.elapsed_ms(now))
        waits_ms = 0 if each.since is not None else _until_start(rounds.get(match.round_id or 0), now)
        left[match.pk] = Left(waits_ms + more.ms, more.spread_ms)
    return left


def _until_start(round_: Round | None, now: int) -> int:
    if round_ is None or round_.starts_at is None:
        return 0
    return max(0, int(round_.starts_at.timestamp() * 1000) - now)


def _open(rounds: Mapping[int, Round]) -> list[_Drawn]:
    """Undecided pairings that have, or will have, a clock."""
    undecided = Pairing.objects.filter(round__in=list(rounds)).exclude(Pairing.decided())
    found = undecided.order_by("round__number", "pk").values_list("pk", "match_id", "table_id", "round_id")
    drawn = [_Drawn(*each) for each in found]
    return [each for each in drawn if each.match_id or rounds[each.round_id].policy != Round.Policy.ON_REQUEST]


def _of_pairings(
    rounds: Mapping[int, Round], drawn: Sequence[_Drawn], left: Mapping[int, Left], known: Pace, now: int
) -> dict[int, Left]:
    """Time left for each pairing, including waits for its table and players."""
    found: dict[int, Left] = {}
    free: dict[int, Left] = {}  # time until each table is free
    for pairing in drawn:
        if pairing.match_id is not None:
            found[pairing.pk] = free[pairing.table_id] = left[pairing.match_id]
    waiting = [pairing for pairing in drawn if pairing.match_id is None]
    setups = dict(Pairing.objects.filter(pk__in=[each.pk for each in waiting]).values_list("pk", "setup"))
    sources: dict[int, list[int]] = {}
    for pairing_id, source_id in Place.objects.filter(pairing__in=list(setups)).values_list("pairing_id", "source_id"):
        sources.setdefault(pairing_id, []).append(source_id or 0)
    for pairing in waiting:
        setup = _setting(setups[pairing.pk])
        more = known.left(setup, setup.score)
        before = [free.get(pairing.table_id), *(found.get(source) for source in sources.get(pairing.pk, []))]
        start = Left(_until_start(rounds[pairing.round_id], now), 0.0)
        waits = max([start, *(each for each in before if each is not None)])
        found[pairing.pk] = Left(waits.ms + more.ms, hypot(waits.spread_ms, more.spread_ms))
        free[pairing.table_id] = found[pairing.pk]
    return found


def _holding_up(left: Mapping[int, Left]) -> int | None:
    """Id of the pairing that ends at least HOLDS_UP_MS after all others, or None.

    Finished pairings count as ended now.
    """
    ends = sorted(((each.ms, pairing) for pairing, each in left.items()), reverse=True)
    latest_ms, latest = ends[0]
    return latest if latest_ms - (ends[1][0] if len(ends) > 1 else 0.0) >= HOLDS_UP_MS else None


def _end(left: Left, now: int) -> End:
    return End(round((now + left.ms) / MINUTE_MS) * MINUTE_MS, round(left.spread_ms / MINUTE_MS) * MINUTE_MS)
