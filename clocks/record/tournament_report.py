"""Report of a tournament for its organiser: pace, stops, network and rulings.

Folded from the journals of all matches that began.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import NamedTuple

from clocks.engine import events as e
from clocks.engine.closed_sets import Official, Status
from clocks.lag.late_presses import PRESSES, LatePress, late_press
from clocks.models import JournalEntry, Match, Tournament
from clocks.record import what_if
from clocks.record.look_back import Step
from clocks.record.replaying import replay
from clocks.record.stops import Stop, stops
from clocks.record.turn_times import turns
from clocks.wording.events import describe

MOST_MATCHES, MOST_RULINGS = 8, 14  # maximum numbers listed, so that the report fits a printed page
USUAL_ROUNDS = 12  # every two rounds beyond these take the room of one ruling
RULINGS = (
    *(e.TimeGiven, e.ScoreSet, e.CubeSet, e.HitUndone, e.Reopened, e.GameEnded, e.MatchEnded),
    *(e.ExpiryApplied, e.DelayForfeited, e.ForfeitDropped, e.NamesCorrected),
)
HALL = "hall"  # key of stops of the whole hall, instead of their reason


class Ruling(NamedTuple):
    """A director's ruling in words."""

    at: int
    match: Match
    what: str
    why: str

    @property
    def when(self) -> datetime:
        """Time of the ruling as a datetime in UTC."""
        return _instant(self.at)


@dataclass(slots=True)
class MatchFacts:
    """Facts from the journal of one match. `ended_at` is None while it is played."""

    match: Match
    began_at: int
    ended_at: int | None
    turns: int
    thought_ms: int
    stops: list[Stop]
    flags: int = 0
    calls: int = 0
    presses: int = 0
    credits_ms: list[int] = field(default_factory=list)
    late: list[LatePress] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)

    @property
    def length_ms(self) -> int:
        """Time from the first press to the end; 0 while it is played."""
        return 0 if self.ended_at is None else self.ended_at - self.began_at

    @property
    def stopped_ms(self) -> int:
        """Time for which its clocks were stopped within games."""
        return sum(stop.ms for stop in self.stops)


class RoundPace(NamedTuple):
    """A round: its matches, their lengths, its first start and its last end.

    `ended` is None until all matches are over, the lengths until one is.
    """

    name: str
    matches: int
    over: int
    began: datetime
    ended: datetime | None
    median_ms: int | None
    longest_ms: int | None
    turn_ms: int | None


class StopLine(NamedTuple):
    """Number and total time of the stops with one reason."""

    reason: str
    number: int
    ms: int


@dataclass(slots=True)
class TournamentReport:
    """The whole report; `more` is the number of rulings that are not listed."""

    rounds: list[RoundPace]
    longest: list[MatchFacts]
    stops: list[StopLine]
    rulings: list[Ruling]
    more: int
    matches: int
    presses: int
    credited: int
    credit_ms: int
    most_credit_ms: int
    late: int
    late_ms: int
    flags: int
    calls: int


def of_tournament(
    tournament: Tournament, after_each: Callable[[int], None] = lambda number: None
) -> TournamentReport | None:
    """Report on all matches that have begun; None if there are none."""
    found = []
    begun = what_if.begun(tournament).select_related("round", "table").order_by("round__number", "pk")
    for number, match in enumerate(begun.iterator(chunk_size=100), 1):
        facts = of_match(match)
        if facts is not None:
            found.append(facts)
        after_each(number)
    return _report(found) if found else None


def of_match(match: Match) -> MatchFacts | None:
    """Facts of one match; None if no turn has begun."""
    columns = ("event", "data", "at", "by", "claimed_at", "credit_ms", "heard_at", "command")
    rows = JournalEntry.objects.filter(match=match).order_by("seq").values_list(*columns, named=True)
    steps: list[Step] = []
    facts = MatchFacts(match, 0, None, 0, 0, [])
    for row, before, step in replay(rows):
        if step is None:
            continue
        steps.append(step)
        _hear(facts, step, row.by, late_press(before, row))
        if row.by == Official.DIRECTOR and isinstance(step.event, RULINGS):
            note = row.data.get("note") or (row.command or {}).get("note") or ""
            facts.rulings.append(Ruling(row.at, match, describe(before, step.event), str(note)))
    lines = turns(steps)
    if not facts.began_at:
        return None
    facts.turns, facts.thought_ms, facts.stops = len(lines), sum(line.thought_ms for line in lines), stops(steps)
    return facts


def _hear(facts: MatchFacts, step: Step, by: str, late: LatePress | None) -> None:
    """Add a step to the facts of its match."""
    event = step.event
    if isinstance(event, e.ClockHit) and step.before.clock.turn is None and not facts.began_at:
        facts.began_at = event.at
    if step.after.status is not Status.OVER:
        facts.ended_at = None
    elif step.before.status is not Status.OVER:
        facts.ended_at = event.at
    facts.flags += isinstance(event, e.FlagFell)
    facts.calls += isinstance(event, e.DirectorCalled) and by != Official.SERVER
    if event.name in PRESSES:
        facts.presses += 1
        facts.credits_ms += [step.credit_ms] if step.credit_ms else []
        facts.late += [] if late is None else [late]


def _report(found: Sequence[MatchFacts]) -> TournamentReport:
    credits = [ms for facts in found for ms in facts.credits_ms]
    late = [press for facts in found for press in facts.late]
    rulings = sorted((ruling for facts in found for ruling in facts.rulings), key=lambda ruling: ruling.at)
    ended = [facts for facts in found if facts.ended_at is not None]
    rounds = _by_round(found)
    most = max(1, MOST_RULINGS - max(0, len(rounds) - USUAL_ROUNDS) // 2)
    return TournamentReport(
        rounds=rounds,
        longest=sorted(ended, key=lambda facts: -facts.length_ms)[:MOST_MATCHES],
        stops=_by_reason(stop for facts in found for stop in facts.stops),
        rulings=rulings[-most:],
        more=max(0, len(rulings) - most),
        matches=len(found),
        presses=sum(facts.presses for facts in found),
        credited=len(credits),
        credit_ms=sum(credits),
        most_credit_ms=max(credits, default=0),
        late=len(late),
        late_ms=sum(press.late_ms - press.credit_ms for press in late),
        flags=sum(facts.flags for facts in found),
        calls=sum(facts.calls for facts in found),
    )


def _by_round(found: Sequence[MatchFacts]) -> list[RoundPace]:
    """Pace of each round, in order; matches outside the rounds last."""
    rounds = {facts.match.round_id: facts.match.round for facts in found}
    return [
        _pace(str(round_ or ""), [facts for facts in found if facts.match.round_id == key])
        for key, round_ in sorted(rounds.items(), key=lambda each: each[0] is None)
    ]


def _pace(name: str, found: Sequence[MatchFacts]) -> RoundPace:
    lengths = [facts.length_ms for facts in found if facts.ended_at is not None]
    number = sum(facts.turns for facts in found)
    return RoundPace(
        name,
        len(found),
        len(lengths),
        _instant(min(facts.began_at for facts in found)),
        _instant(max(facts.ended_at or 0 for facts in found)) if len(lengths) == len(found) else None,
        round(median(lengths)) if lengths else None,
        max(lengths, default=None),
        round(sum(facts.thought_ms for facts in found) / number / 100) * 100 if number else None,
    )


def _by_reason(found: Iterable[Stop]) -> list[StopLine]:
    """Stops by reason, the longest total first."""
    number, ms = Counter[str](), Counter[str]()
    for stop in found:
        reason = HALL if stop.halt.hall is not None else str(stop.halt.reason)
        number[reason] += 1
        ms[reason] += stop.ms
    return [StopLine(reason, number[reason], total) for reason, total in ms.most_common()]


def _instant(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)
