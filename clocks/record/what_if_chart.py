"""Chart of the share of matches with a flag, by reserve per point.

Pure functions. A template draws the result as SVG; coordinates are in units of its `viewBox`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from clocks.record.charts import BOTTOM, LEFT, RIGHT, TOP, Tick, ticks
from clocks.record.what_if import Report
from clocks.wording.amounts import clock

HUNDREDTHS = (0, 25, 50, 75, 100)


class Curves(NamedTuple):
    """SVG `polyline` points of each report, and both axes."""

    lines: list[str]
    across: list[Tick]
    up: list[Tick]


def of_reports(reports: Sequence[Report]) -> Curves | None:
    """Chart of several reports on the same axes; None without matches."""
    curves = [report.curve() for report in reports]
    most = max((curve[-1][0] for curve in curves if curve), default=0)
    if not most:
        return None

    def x(ms: int) -> float:
        return round(LEFT + ms / most * (RIGHT - LEFT), 1)

    def y(share: float) -> float:
        return round(BOTTOM - share * (BOTTOM - TOP), 1)

    def line(curve: list[tuple[int, float]]) -> str:
        """Steps down to 0, and along the axis to its end."""
        return " ".join(f"{x(ms)},{y(share)}" for ms, share in [*curve, (most, 0.0)])

    return Curves(
        [line(curve) if curve else "" for curve in curves],
        [Tick(x(ms), clock(ms)) for ms in ticks(most)],
        [Tick(y(share / 100), f"{share} %") for share in HUNDREDTHS],
    )
