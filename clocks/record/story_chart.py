"""Chart of one game: both reserves while the clocks ran, with numbered marks.

Pure functions. A template draws the result as SVG; coordinates are in units of its `viewBox`.
"""

from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from clocks.record.charts import Tick, scaled, ticks
from clocks.record.look_back import MatchTimeline, Reserves
from clocks.wording.amounts import clock

LEFT, RIGHT, TOP, BOTTOM = 50, 354, 44, 106  # edges of the plot area
ROWS = (11, 31)  # y of the rows of marks above the plot area
APART = 19  # minimum distance between two marks in a row


class Kind(StrEnum):
    """Kind of a moment; all except BEGIN and END have a mark."""

    BEGIN = "begin"
    CUBE = "cube"
    THINK = "think"
    STOP = "stop"
    FLAG = "flag"
    RULING = "ruling"
    END = "end"


# Outlines around (0, 0): a cube, a circle, an octagon, a pennant, a diamond.
OUTLINES = {
    Kind.CUBE: "M-8-8h16v16h-16z",
    Kind.THINK: "M-8.5 0a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0z",
    Kind.STOP: "M-3.6-8.6h7.2l5 5v7.2l-5 5h-7.2l-5-5v-7.2z",
    Kind.FLAG: "M-9-8h18l-4 8l4 8h-18z",
    Kind.RULING: "M0-10.5l10.5 10.5l-10.5 10.5l-10.5-10.5z",
}


class Mark(NamedTuple):
    """A numbered mark at (x, y); `of` is the x of its moment."""

    number: int
    kind: Kind
    x: float
    y: float
    of: float

    @property
    def outline(self) -> str:
        """SVG path of its kind."""
        return OUTLINES[self.kind]


class GameChart(NamedTuple):
    """Two lines as SVG `polyline` points, marks and ticks of both axes."""

    left: str
    right: str
    marks: list[Mark]
    across: list[Tick]
    up: list[Tick]


def of_game(look: MatchTimeline, most_ms: int, marked: Sequence[tuple[int, Kind, int]]) -> GameChart | None:
    """Chart of a game on the scale of the whole match; None if no clock ran.

    `marked` are the number, kind and time (ms) of each mark, in order.
    """
    points = look.reserves
    length = _ran(look, points[-1].at) if points else 0
    if not length or not most_ms:
        return None

    def x(at: int) -> float:
        return scaled(min(length, max(0, _ran(look, at))) / length, LEFT, RIGHT)

    def y(ms: int) -> float:
        return scaled(max(0, ms) / most_ms, BOTTOM, TOP)

    return GameChart(
        " ".join(f"{x(point.at)},{y(point.left)}" for point in _bent(points)),
        " ".join(f"{x(point.at)},{y(point.right)}" for point in _bent(points)),
        _placed([(number, kind, x(at)) for number, kind, at in marked]),
        [Tick(scaled(ms / length, LEFT, RIGHT), clock(ms)) for ms in ticks(length, 4)],
        [Tick(y(ms), clock(ms)) for ms in ticks(most_ms, 3)],
    )


def _ran(look: MatchTimeline, at: int) -> int:
    """Running time of both clocks together, from the game's first start to `at`."""
    number = bisect_right(look.stops, (at, at))
    stopped = sum(min(end, at) - start for start, end in look.stops[:number])
    return at - look.reserves[0].at - stopped


def _bent(points: Sequence[Reserves]) -> list[Reserves]:
    """Points at which either line changes direction, and both ends."""
    kept = [points[0]]
    for before, point, after in zip(points, points[1:], points[2:], strict=False):
        if (point.left, point.right) != (before.left, before.right) or (point.left, point.right) != (
            after.left,
            after.right,
        ):
            kept.append(point)
    return [*kept, *points[-1:]]


def _placed(marks: Sequence[tuple[int, Kind, float]]) -> list[Mark]:
    """Place marks alternately in two rows, so that none covers another."""
    placed = []
    for row, y in enumerate(ROWS):
        mine = marks[row :: len(ROWS)]
        least, most, at_x = LEFT + 9.0, RIGHT - 9.0, list[float]()
        for _number, _kind, of in mine:
            at_x.append(max(of, least))
            least = at_x[-1] + APART
        for index in reversed(range(len(mine))):
            at_x[index] = min(at_x[index], most)
            most = at_x[index] - APART
        placed += [Mark(number, kind, round(x, 1), y, of) for (number, kind, of), x in zip(mine, at_x, strict=True)]
    return sorted(placed)
