"""Timeline of a match: the length of each turn, and both reserves over time.

Folded from the steps of a match. Depends only on the engine.
"""

from collections.abc import Iterable
from typing import NamedTuple

from clocks.engine.clock import Kind, Seat
from clocks.engine.closed_sets import Swap
from clocks.engine.events import Event, HitUndone, Reopened, Resumed
from clocks.engine.match import Match


class Step(NamedTuple):
    """An event with the match before and after it, and its lag credit."""

    before: Match
    after: Match
    event: Event
    credit_ms: int = 0


class Turn(NamedTuple):
    """A completed turn; `used_ms` excludes stops and lag credit.

    `reserve_ms` are the reserves of left and right after the turn.
    """

    number: int
    seat: Seat
    game: int
    ended_at: int
    used_ms: int
    delay_ms: int
    reserve_ms: tuple[int, int]


class Reserves(NamedTuple):
    """Both reserves at an instant."""

    at: int
    left: int
    right: int


class MatchTimeline(NamedTuple):
    """Turns, reserves and stops of a match.

    `stops` are the spans in which no clock ran, from the first start on.
    """

    turns: list[Turn]
    reserves: list[Reserves]
    stops: list[tuple[int, int]]


def look_back(steps: Iterable[Step]) -> MatchTimeline:
    """Fold the steps of a match into its timeline."""
    look = MatchTimeline([], [], [])
    stopped_at: int | None = None
    after: Match | None = None
    for before, after, event, credit_ms in steps:
        was_running, runs = before.clock.since is not None, after.clock.since is not None
        if not was_running and not runs and not look.reserves:
            continue  # nothing has started yet
        if runs and stopped_at is not None:
            look.stops.append((stopped_at, event.at))
        if not runs and was_running:
            stopped_at = event.at
        elif runs:
            stopped_at = None
        _turn(look.turns, before, after, event, credit_ms)
        if look.reserves:
            look.reserves.extend(_fall(before, event.at))
        look.reserves.append(Reserves(event.at, *after.clock.reserves(event.at)))
    if after is not None and after.flagged is not None and stopped_at is not None:
        look.turns.append(_ended_by_its_flag(after, after.flagged, stopped_at))
    return look


def _ended_by_its_flag(match: Match, seat: Seat, at: int) -> Turn:
    """The turn in which the reserve ran out at `at`, before anybody has ruled on it."""
    clock = match.clock
    return Turn(match.turn_number, seat, match.game, at, clock.used(at), clock.control.delay_ms, clock.reserves(at))


def _turn(turns: list[Turn], before: Match, after: Match, event: Event, credit_ms: int) -> None:
    """Append the turn that an event ends, or drop the turn that it undoes."""
    seat = before.clock.turn
    if isinstance(event, HitUndone | Reopened):
        if turns and after.clock.turn is not None:
            while turns[-1].number > after.turn_number and len(turns) > 1:
                turns.pop()  # nobody is charged for turns swapped since
            turns.pop()
        return
    if seat is None or (after.clock.turn is seat and after.turn_number == before.turn_number):
        return
    used = max(0, before.clock.used(event.at) - credit_ms)
    reserve = after.clock.reserves(event.at)
    delay = before.clock.control.delay_ms
    turns.append(Turn(before.turn_number, seat, before.game, event.at, used, delay, reserve))
    if isinstance(event, Resumed) and event.swap is Swap.BACK:
        last = max((at for at, turn in enumerate(turns) if turn.seat is event.turn_of), default=None)
        if last is not None:
            turns.pop(last)  # the resume continues it


def _fall(match: Match, at: int) -> list[Reserves]:
    """Clock readings just before `at`, and at the end of a simple delay before that."""
    clock = match.clock
    points = []
    if clock.since is not None and clock.control.kind is Kind.SIMPLE:
        delay_ends = clock.since + clock.control.delay_ms - clock.used_ms
        if clock.since < delay_ends < at:
            points.append(delay_ends)
    return [Reserves(when, *clock.reserves(when)) for when in (*points, at)]
