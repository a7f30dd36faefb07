"""Timeline of a match: both reserves over time, and its stops.

Folded from the steps of a match. Depends only on the engine.
"""

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from clocks.engine.clock import Kind
from clocks.engine.events import Event
from clocks.engine.match import Match


class Step(NamedTuple):
    """An event with the match before and after it, and its lag credit."""

    before: Match
    after: Match
    event: Event
    credit_ms: int = 0


class Reserves(NamedTuple):
    """Both reserves at the time `at`, all in milliseconds."""

    at: int
    left: int
    right: int


class MatchTimeline(NamedTuple):
    """Reserves and stops of a match.

    `stops` are finished spans (start, end) after the first start in which no clock ran.
    """

    reserves: list[Reserves]
    stops: list[tuple[int, int]]

    def at(self, instant: int) -> Reserves:
        """Latest reserves recorded by `instant`, which must not precede the first start."""
        return self.reserves[bisect_right(self.reserves, instant, key=lambda point: point.at) - 1]


def look_back(steps: Iterable[Step]) -> MatchTimeline:
    """Fold the steps of a match into its timeline."""
    look = MatchTimeline([], [])
    stopped_at: int | None = None
    for before, after, event, _ in steps:
        was_running, runs = before.clock.since is not None, after.clock.since is not None
        if not was_running and not runs and not look.reserves:
            continue  # nothing has started yet
        if runs and stopped_at is not None:
            look.stops.append((stopped_at, event.at))
        if not runs and was_running:
            stopped_at = event.at
        elif runs:
            stopped_at = None
        if look.reserves:
            look.reserves.extend(_fall(before, event.at))
        look.reserves.append(Reserves(event.at, *after.clock.reserves(event.at)))
    return look


def _fall(match: Match, at: int) -> list[Reserves]:
    """Clock readings just before `at`, and at the end of a simple delay before that."""
    clock = match.clock
    points = []
    if clock.since is not None and clock.control.kind is Kind.SIMPLE:
        delay_ends = clock.since + clock.control.delay_ms - clock.used_ms
        if clock.since < delay_ends < at:
            points.append(delay_ends)
    return [Reserves(when, *clock.reserves(when)) for when in (*points, at)]
