"""When the matches and rounds of a tournament are expected to end, as of now: reckoned when somebody asks.

A game's length is that on the wall: from the end of the one before it (the first: from its first press) to its own,
with calls and rulings, because they hold up a round too. A stop of the whole hall alone is left out.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import hypot
from typing import Any, NamedTuple

from django.db.models import Count, Max, OuterRef, Subquery

from clocks.engine import events as e
from clocks.engine.closed_sets import ConsequenceKind, Status
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.journal import entries
from clocks.models import FeedEvent, JournalEntry, Match, Pairing, Round, Tournament
from clocks.record import pace
from clocks.record.pace import Game, Left, Pace
from clocks.record.results import Result

HOLDS_UP_MS = 15 * 60_000  # so much later than every other match of its round one ends that holds it up
MINUTE_MS = 60_000
FRESH_MS = 10_000  # what was reckoned is told again for as long, while nothing happens

_MARKS = (
    e.GameEnded.name,
    e.MatchEnded.name,
    e.ExpiryApplied.name,
    e.Reopened.name,
    e.StoppedAll.name,
    e.Resumed.name,
)


class End(NamedTuple):
    """An expected end: server milliseconds, in whole minutes, and its spread (one standard deviation)."""

    at: int
    spread_ms: int

    @property
    def instant(self) -> datetime:
        """Return it as pages say it."""
        return datetime.fromtimestamp(self.at / 1000, UTC)

    @property
    def spread_minutes(self) -> int:
        """Return the spread as pages say it."""
        return self.spread_ms // MINUTE_MS


@dataclass(frozen=True, slots=True)
class Ends:
    """The expected ends of what is not over: by match, pairing and number of a round; which matches hold a round up."""

    matches: Mapping[int, End]
    pairings: Mapping[int, End]
    rounds: Mapping[int, End]
    holding_up: frozenset[int]


class _Lately(NamedTuple):
    """What was expected of a tournament at an instant, after its event of this number."""

    at: int
    number: int
    ends: Ends


_lately: dict[tuple[int, datetime], _Lately] = {}
_one_at_a_time = threading.Lock()


@dataclass(slots=True)
class _Course:
    """How a match went, as far as its marks tell: since when its present game has gone on, and those that ended."""

    setup: Setup
    since: int | None
    stopped_ms: int = 0  # by stops of the whole hall, in the present game
    stopped_at: int | None = None
    ruled: bool = False  # a ruling has ended it, and no game
    games: list[tuple[int, Game]] = field(default_factory=list)

    def take(self, event: str, at: int, data: Mapping[str, Any]) -> None:
        """Go on by an entry of the journal."""
        if event == e.StoppedAll.name:
            self.stopped_at = at
            return
        if self.stopped_at is not None:
            self.stopped_ms += at - self.stopped_at
            self.stopped_at = None
        if event == e.GameEnded.name and self.since is not None:
            took_ms = at - self.since - self.stopped_ms
            self.games.append((self.since, Game(took_ms, pace.by_setting_ms(self.setup), data["points"])))
            self.since, self.stopped_ms = at, 0
        elif event == e.Reopened.name and self.games and not self.ruled:
            self.since, _game = self.games.pop()
            self.stopped_ms = 0
        lost = event == e.ExpiryApplied.name and data["consequence"]["kind"] == ConsequenceKind.LOSE_MATCH
        self.ruled = lost or event == e.MatchEnded.name

    def elapsed_ms(self, now: int) -> int:
        """Return how long the present game has been going on."""
        if self.since is None:
            return 0
        return max(0, (now if self.stopped_at is None else self.stopped_at) - self.since - self.stopped_ms)


def lately(tournament: Tournament, now: int) -> Ends:
    """Return what `of_tournament` does, reckoned once for all who ask: as of the last ten seconds or the last event."""
    number = FeedEvent.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
    by = (tournament.pk, tournament.created_at)
    with _one_at_a_time:
        known = _lately.get(by)
        if known is None or known.number != number or not 0 <= now - known.at < FRESH_MS:
            for each in [each for each, old in _lately.items() if now - old.at >= FRESH_MS]:
                del _lately[each]
            known = _lately[by] = _Lately(now, number, of_tournament(tournament, now))
        return known.ends


def of_tournament(tournament: Tournament, now: int) -> Ends:
    """Return when everything that is drawn or played and not over is expected to end."""
    matches = _matches(tournament)
    courses = _courses(matches)
    known = Pace.of(game for course in courses.values() for _since, game in course.games)
    rounds = {round_.pk: round_ for round_ in tournament.rounds.annotate(size=Count("pairings"))}
    left = _of_matches(matches, courses, rounds, known, now)
    drawn = _open(rounds)
    pairings = _of_pairings(rounds, drawn, left, known, now)
    by_round: dict[int, dict[int, Left]] = {}
    for pairing in drawn:
        if pairing.pk in pairings:
            by_round.setdefault(pairing.round_id, {})[pairing.pk] = pairings[pairing.pk]
    latest = {_holding_up(found) for pk, found in by_round.items() if rounds[pk].size > 1}
    return Ends(
        {match: _end(each, now) for match, each in left.items()},
        {pairing: _end(each, now) for pairing, each in pairings.items()},
        {rounds[pk].number: _end(pace.last(list(found.values())), now) for pk, found in by_round.items()},
        frozenset(pairing.match_id for pairing in drawn if pairing.match_id is not None and pairing.pk in latest),
    )


def beside(lines: Iterable[Result], ends: Ends) -> list[Result]:
    """Return results with when those that are not over are expected to end."""
    found = []
    for line in lines:
        end = ends.pairings.get(line.pairing.pk) if line.pairing is not None else None
        expected = None if end is None or line.over else end.instant
        found.append(replace(line, expected=expected, holds_up=line.match_id in ends.holding_up))
    return found


def _matches(tournament: Tournament) -> list[dict[str, Any]]:
    hits = JournalEntry.objects.filter(match=OuterRef("pk"), event=e.ClockHit.name).order_by("seq")
    matches = Match.objects.filter(table__tournament=tournament).annotate(begun=Subquery(hits.values("at")[:1]))
    names = ("pk", "status", "state", "setup", "round_id", "table__current_id", "pairing__pk", "begun")
    return list(matches.values(*names))


def _courses(matches: Sequence[Mapping[str, Any]]) -> dict[int, _Course]:
    courses = {match["pk"]: _Course(Setup.parse(match["setup"]), match["begun"]) for match in matches}
    marks = entries.but_hits().filter(match__in=list(courses), event__in=_MARKS).order_by("match", "seq")
    for match_id, event, at, data in marks.values_list("match_id", "event", "at", "data"):
        courses[match_id].take(event, at, data)
    return courses


def _of_matches(
    matches: Sequence[Mapping[str, Any]],
    courses: Mapping[int, _Course],
    rounds: Mapping[int, Round],
    known: Pace,
    now: int,
) -> dict[int, Left]:
    left: dict[int, Left] = {}
    for match in matches:
        aside = match["pairing__pk"] is None and match["table__current_id"] != match["pk"]
        if match["status"] == Status.OVER or aside:
            continue
        course = courses[match["pk"]]
        more = known.left(course.setup, MatchState.from_dict(match["state"]).score, course.elapsed_ms(now))
        waits_ms = 0 if course.since is not None else _until_start(rounds.get(match["round_id"]), now)
        left[match["pk"]] = Left(waits_ms + more.ms, more.spread_ms)
    return left


def _until_start(round_: Round | None, now: int) -> int:
    if round_ is None or round_.starts_at is None:
        return 0
    return max(0, int(round_.starts_at.timestamp() * 1000) - now)


def _open(rounds: Mapping[int, Round]) -> list[Pairing]:
    """Return the pairings that are not decided; of those without a match the ones that will have a clock."""
    undecided = Pairing.objects.filter(round__in=list(rounds), winner="").exclude(match__status=Status.OVER)
    drawn = undecided.order_by("round__number", "pk").prefetch_related("places")
    asked = [each for each in drawn if rounds[each.round_id].policy == Round.Policy.ON_REQUEST and not each.match_id]
    return [each for each in drawn if each not in asked]


def _of_pairings(
    rounds: Mapping[int, Round], drawn: Sequence[Pairing], left: Mapping[int, Left], known: Pace, now: int
) -> dict[int, Left]:
    """Return how long each pairing still takes: one without a match waits for its table, and for its players."""
    found: dict[int, Left] = {}
    free: dict[int, Left] = {}  # by table, what is played there or waits for it
    for pairing in drawn:
        if pairing.match_id is not None:
            found[pairing.pk] = free[pairing.table_id] = left[pairing.match_id]
    for pairing in drawn:
        if pairing.match_id is not None:
            continue
        setup = Setup.parse(pairing.setup)
        more = known.left(setup, setup.score)
        sources = [found.get(place.source_id or 0) for place in pairing.places.all()]
        before = [each for each in (free.get(pairing.table_id), *sources) if each is not None]
        waits = max([*before, Left(_until_start(rounds[pairing.round_id], now), 0.0)])
        found[pairing.pk] = Left(waits.ms + more.ms, hypot(waits.spread_ms, more.spread_ms))
        free[pairing.table_id] = found[pairing.pk]
    return found


def _holding_up(left: Mapping[int, Left]) -> int | None:
    """Return the pairing that ends well after all others of its round; those that are over have ended by now."""
    ends = sorted(((each.ms, pairing) for pairing, each in left.items()), reverse=True)
    latest_ms, latest = ends[0]
    return latest if latest_ms - (ends[1][0] if len(ends) > 1 else 0.0) >= HOLDS_UP_MS else None


def _end(left: Left, now: int) -> End:
    return End(round((now + left.ms) / MINUTE_MS) * MINUTE_MS, round(left.spread_ms / MINUTE_MS) * MINUTE_MS)
