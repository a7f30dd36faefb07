"""Charts by reserve per point: matches with a flag, and the reserve left.

Pure functions. A template draws the result as SVG; coordinates are in units of its `viewBox`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from clocks.record.charts import BOTTOM, LEFT, RIGHT, TOP, Tick, scaled, ticks
from clocks.record.what_if import PERCENTILES, Report
from clocks.wording.amounts import clock

HUNDREDTHS = (0, 25, 50, 75, 100)
SMALL_LEFT, SMALL_RIGHT, SMALL_BOTTOM = 54, 340, 160  # edges of the small charts, one chart per setting
SMALL_TICKS = 4


class Curves(NamedTuple):
    """SVG `polyline` points of each report, and both axes."""

    lines: list[str]
    across: list[Tick]
    up: list[Tick]


class SmallCurves(NamedTuple):
    """Chart of the reserve left for each report (or None), with shared axes."""

    charts: list["LeftCurve | None"]
    across: list[Tick]
    up: list[Tick]


class LeftCurve(NamedTuple):
    """SVG points of the median, and of the area between the outer percentiles."""

    median: str
    area: str


def of_reports(reports: Sequence[Report]) -> Curves | None:
    """Chart of several reports on the same axes; None without matches."""
    curves = [report.curve() for report in reports]
    most = max((curve[-1][0] for curve in curves if curve), default=0)
    if not most:
        return None

    def x(ms: int) -> float:
        return scaled(ms / most, LEFT, RIGHT)

    def y(share: float) -> float:
        return scaled(share, BOTTOM, TOP)

    def line(curve: list[tuple[int, float]]) -> str:
        """Points of a curve that falls to 0 and follows the axis to its end."""
        return " ".join(f"{x(ms)},{y(share)}" for ms, share in [*curve, (most, 0.0)])

    return Curves(
        [line(curve) if curve else "" for curve in curves],
        [Tick(x(ms), clock(ms)) for ms in ticks(most)],
        [Tick(y(share / 100), f"{share} %") for share in HUNDREDTHS],
    )


def of_reserves_left(reports: Sequence[Report]) -> SmallCurves | None:
    """Small charts of the reserve left under each setting; None without matches."""
    curves = [report.left_curve() for report in reports]
    low, middle, high = PERCENTILES
    longest = max((per_point_ms for curve in curves for per_point_ms, _ in curve), default=0)
    most = max((left[high] for curve in curves for _, left in curve), default=0)
    if not longest or not most:
        return None

    def x(ms: int) -> float:
        return scaled(ms / longest, SMALL_LEFT, SMALL_RIGHT)

    def y(ms: int) -> float:
        return scaled(ms / most, SMALL_BOTTOM, TOP)

    def line(curve: Sequence[tuple[int, dict[int, int]]], share: int) -> list[str]:
        return [f"{x(per_point_ms)},{y(left[share])}" for per_point_ms, left in curve]

    return SmallCurves(
        [
            LeftCurve(" ".join(line(curve, middle)), " ".join([*line(curve, low), *reversed(line(curve, high))]))
            if curve
            else None
            for curve in curves
        ],
        [Tick(x(ms), clock(ms)) for ms in ticks(longest, SMALL_TICKS)],
        [Tick(y(ms), clock(ms)) for ms in ticks(most, SMALL_TICKS)],
    )
