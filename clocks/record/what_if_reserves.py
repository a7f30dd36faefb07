"""Reserve per point that a played match needs, and what would be left of it.

Pure functions. Times are in milliseconds, points are those that both players need together.
"""

from collections.abc import Sequence
from typing import NamedTuple

from clocks.engine.setup import LONGEST_RESERVE_MS, Setup
from clocks.record.rerun import Played, Rerun, rerun

TRIED_MS = range(15_000, 180_001, 15_000)  # reserves per point to tabulate; no published book gives more


class Unflagged(NamedTuple):
    """A run without flags, and the reserve with which both its clocks began."""

    run: Rerun
    reserve_ms: int


def points_needed(setup: Setup) -> int:
    """Points that both players still need, together."""
    return 2 * setup.length - sum(setup.score)


def unflagged(setup: Setup, entries: Sequence[Played], run: Rerun | None = None) -> Unflagged:
    """Return `run` if no flag fell in it, else a run with the longest reserves."""
    reserves = set(setup.opening_reserve_ms)
    if run is not None and not run.flags and run.least_ms > 0 and len(reserves) == 1:
        return Unflagged(run, reserves.pop())
    return Unflagged(rerun(_with_reserve(setup, LONGEST_RESERVE_MS), entries), LONGEST_RESERVE_MS)


def enough(setup: Setup, free: Unflagged) -> int:
    """Smallest reserve per point at which no flag falls in this match.

    A clock needs as much as a run without flags takes from it.
    """
    return max(0, free.reserve_ms - free.run.least_ms) // points_needed(setup) + 1


def left_at(per_point_ms: int, setup: Setup, entries: Sequence[Played], free: Unflagged) -> tuple[int, int]:
    """Reserves (left, right) at the end, with this reserve per point.

    If no flag falls and both clocks keep some time, they follow from the run without flags, by the difference in the
    reserve at the start. Otherwise the match is replayed.
    """
    points = points_needed(setup)
    more_ms = per_point_ms * points - free.reserve_ms
    left_ms, right_ms = (ms + more_ms for ms in free.run.match.clock.reserves(free.run.match.at))
    if min(free.run.least_ms + more_ms, left_ms, right_ms) > 0:
        return left_ms, right_ms
    ended = rerun(_with_reserve(setup, per_point_ms * points), entries).match
    return ended.clock.reserves(ended.at)


def _with_reserve(setup: Setup, reserve_ms: int) -> Setup:
    kept = {key: value for key, value in setup.options if key not in ("reserve_ms", "per_point_ms")}
    return Setup.from_dict({**setup.to_dict(), "options": {**kept, "reserve_ms": reserve_ms}})
