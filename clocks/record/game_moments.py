"""Key moments of a game: start, cube, long thinks, stops, flags, rulings and end."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clocks.engine import events as e
from clocks.engine.closed_sets import ConsequenceKind, HowWon, Reason, Status, WonBy
from clocks.engine.evolve.endings import how_won
from clocks.record.look_back import Step
from clocks.record.stops import stops
from clocks.record.story_chart import OUTLINES, Kind
from clocks.record.turn_times import TurnLine
from clocks.wording import story as words
from clocks.wording.story import Teller


class Moment(NamedTuple):
    """A moment and its description; `mark` is its number in the chart, or 0."""

    at: int
    kind: Kind
    words: str
    mark: int = 0

    @property
    def outline(self) -> str:
        """SVG path of its mark."""
        return OUTLINES[self.kind]


def moments(
    teller: Teller, steps: Sequence[Step], lines: Sequence[TurnLine], thinks: Sequence[TurnLine]
) -> list[Moment]:
    """Moments of one game in order, from its steps, completed turns and long thinks."""
    cubes = {step.before.turn_number: 2 * step.before.cube.value for step in steps if isinstance(step.event, e.Doubled)}
    found = list(_of_turns(teller, lines, thinks, cubes))
    listener = _Listener(teller, next((line.thought_ms for line in reversed(lines) if line.cube == "pass"), 0))
    for step in steps:
        listener.hear(step)
    found += listener.found
    return sorted([*found, *_of_stops(teller, steps, listener.found)], key=_when)


def _when(moment: Moment) -> tuple[int, bool, bool]:
    return moment.at, moment.kind is not Kind.BEGIN, moment.kind is Kind.END


def _of_turns(
    teller: Teller, lines: Sequence[TurnLine], thinks: Sequence[TurnLine], cubes: dict[int, int]
) -> Iterator[Moment]:
    for line in lines:
        if line.cube == "double":
            yield Moment(
                line.ended_at, Kind.CUBE, teller.doubled(line.seat, cubes.get(line.number, 2), line.thought_ms)
            )
        elif line.cube == "take":
            yield Moment(line.ended_at, Kind.CUBE, teller.took(line.seat, line.thought_ms))
        elif line in thinks:
            left_ms = line.reserve_after_ms
            yield Moment(line.ended_at, Kind.THINK, teller.thought(line.seat, line.thought_ms, left_ms))


def _of_stops(teller: Teller, steps: Sequence[Step], others: Sequence[Moment]) -> Iterator[Moment]:
    """Yield the stops, except those that a flag, a ruling or the end explains."""
    for stop in stops(steps):
        if stop.halt.reason is Reason.FLAG or (stop.until is not None and not stop.resumed):
            continue
        ruled = any(
            moment.kind is Kind.RULING and stop.at <= moment.at <= (stop.until or moment.at) for moment in others
        )
        if not ruled or stop.halt.reason in words.STOPS or stop.halt.hall is not None:
            yield Moment(stop.at, Kind.STOP, teller.stopped(stop.halt, stop.ms if stop.resumed else None))


class _Listener:
    """Collector of the start, flags, rulings and end of one game, from its steps."""

    def __init__(self, teller: Teller, pass_ms: int) -> None:
        self.teller, self.pass_ms = teller, pass_ms
        self.found: list[Moment] = []

    def _add(self, at: int, kind: Kind, said: str) -> None:
        self.found.append(Moment(at, kind, said))

    def hear(self, step: Step) -> None:
        """Add the moment of a step, if any, and drop moments that it cancels."""
        teller, before, after = self.teller, step.before, step.after
        at = step.event.at
        match step.event:
            case e.ClockHit(seat=seat) if before.clock.turn is None:
                self._drop(Kind.BEGIN)
                self._add(at, Kind.BEGIN, teller.began(seat.other))
            case e.FlagFell(seat=seat):
                self._add(at, Kind.FLAG, teller.flagged(seat))
            case e.ExpiryApplied(seat=seat, consequence=terms):
                kind = ConsequenceKind.LOSE_MATCH if after.status is Status.OVER else terms.kind
                fell = self._drop(Kind.FLAG)
                self._add(at if fell is None else fell.at, Kind.FLAG, teller.expired(seat, kind, terms.points))
            case e.GameEnded(winner=winner, points=points, how=HowWon.PASS):
                self._add(at, Kind.END, teller.passed(winner.other, self.pass_ms, points))
            case e.GameEnded(winner=winner, points=points) as ended:
                self._add(at, Kind.END, teller.won_game(winner, how_won(ended, before.cube.value), points))
            case e.MatchEnded(winner=winner):
                self._add(at, Kind.END, teller.given_match(winner))
            case e.Reopened():
                self._drop(Kind.END)
                if before.won_by is WonBy.TIME and (fell := self._drop(Kind.FLAG)) and before.winner is not None:
                    self._add(fell.at, Kind.FLAG, teller.flagged(before.winner.other))
                self._add(at, Kind.RULING, words.end_undone())
            case e.HitUndone():
                self._add(at, Kind.RULING, words.press_undone())
            case e.TimeGiven(seat=seat, by_ms=by_ms) if by_ms:
                self._add(at, Kind.RULING, teller.given_time(seat, by_ms))
            case e.ScoreSet(score=score):
                self._add(at, Kind.RULING, words.score_set(score))
            case e.CubeSet(value=value):
                self._add(at, Kind.RULING, words.cube_set(value))
            case e.DelayForfeited(seat=seat):
                self._add(at, Kind.RULING, teller.forfeited(seat))

    def _drop(self, kind: Kind) -> Moment | None:
        """Remove and return the last moment of a kind, if any."""
        last = next((moment for moment in reversed(self.found) if moment.kind is kind), None)
        if last is not None:
            self.found.remove(last)
        return last
