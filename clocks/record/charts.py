"""Charts of a match: both reserves over time, and the length of each turn.

Pure functions. A template draws the result as SVG; coordinates are in units of its `viewBox`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from clocks.record.look_back import MatchTimeline
from clocks.record.turn_times import TurnLine
from clocks.wording.amounts import clock, seconds

WIDTH, HEIGHT = 720, 240
LEFT, RIGHT, TOP, BOTTOM = 64, 710, 12, 212  # edges of the plot area
MIDDLE = (TOP + BOTTOM) / 2
MOST_TICKS = 6
SECOND, MINUTE = 1_000, 60_000
STEPS = tuple(n * SECOND for n in (1, 2, 5, 10, 20, 30)) + tuple(
    n * MINUTE for n in (1, 2, 5, 10, 20, 30, 60, 120, 240)
)


class Tick(NamedTuple):
    """A tick mark on an axis, with its label."""

    at: float
    label: str


class Span(NamedTuple):
    """A horizontal span of the chart."""

    x: float
    width: float


class Bar(NamedTuple):
    """Bar of a turn: up from the middle line for left, down for right."""

    x: float
    y: float
    width: float
    height: float
    seat: str


class ReserveChart(NamedTuple):
    """Two lines as SVG `polyline` points, and the spans with stopped clocks."""

    left: str
    right: str
    stops: list[Span]
    across: list[Tick]
    up: list[Tick]


class TurnChart(NamedTuple):
    """Bars of all turns, and y positions of the lines at which delays end."""

    bars: list[Bar]
    delays: list[float]
    across: list[Tick]
    up: list[Tick]


def of_reserves(look: MatchTimeline) -> ReserveChart | None:
    """Chart of both reserves, from first start to last entry; None if no clock ran."""
    points = look.reserves
    if len(points) < 2 or points[-1].at == points[0].at:
        return None
    began, length = points[0].at, points[-1].at - points[0].at
    most = max(max(point.left, point.right) for point in points) or 1

    def x(at: int) -> float:
        return scaled((at - began) / length, LEFT, RIGHT)

    def y(ms: int) -> float:
        return scaled(ms / most, BOTTOM, TOP)

    return ReserveChart(
        " ".join(f"{x(point.at)},{y(point.left)}" for point in points),
        " ".join(f"{x(point.at)},{y(point.right)}" for point in points),
        [Span(x(start), round(x(end) - x(start), 1)) for start, end in look.stops],
        [Tick(x(began + ms), clock(ms)) for ms in ticks(length)],
        [Tick(y(ms), clock(ms)) for ms in ticks(most)],
    )


def of_turns(turns: Sequence[TurnLine]) -> TurnChart | None:
    """Chart of the length of each turn; None if no turn has ended."""
    if not turns:
        return None
    most = max(turn.thought_ms for turn in turns) or 1
    width = (RIGHT - LEFT) / max(len(turns), 10)
    half = (BOTTOM - TOP) / 2

    def high(ms: int) -> float:
        return round(ms / most * half, 1)

    bars = []
    for number, turn in enumerate(turns):
        height = high(turn.thought_ms)
        top = MIDDLE - height if turn.seat == "left" else MIDDLE
        bars.append(Bar(round(LEFT + number * width, 1), round(top, 1), round(width * 0.8, 2), height, str(turn.seat)))
    limits = {turn.delay_ms for turn in turns if 0 < turn.delay_ms <= most}
    every = next((n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500) if len(turns) / n <= 2 * MOST_TICKS), 1000)
    numbers = range(every, len(turns) + 1, every)
    return TurnChart(
        bars,
        sorted(round(y, 1) for ms in limits for y in (MIDDLE - high(ms), MIDDLE + high(ms))),
        [Tick(round(LEFT + (n - 0.6) * width, 1), str(n)) for n in numbers],
        [
            Tick(round(MIDDLE + sign * high(ms), 1), _short(ms))
            for ms in ticks(most, 3)
            for sign in (-1, 1)
            if ms or sign > 0
        ],
    )


def scaled(part: float, start: float, end: float) -> float:
    """Interpolate between two edges: `start` for 0, `end` for 1."""
    return round(start + part * (end - start), 1)


def ticks(most: int, count: int = MOST_TICKS) -> range:
    """Ticks of an axis: round durations in ms from 0 to `most`, about `count` of them."""
    step = next((step for step in STEPS if most / step <= count), most)
    return range(0, most + 1, max(1, step))


def _short(ms: int) -> str:
    return seconds(ms) if ms < MINUTE else clock(ms)
