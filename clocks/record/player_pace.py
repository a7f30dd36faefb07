"""Time that a player takes for a turn, by phase of a game and around cube actions."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from clocks.engine.clock import Seat
from clocks.record.turn_times import TurnLine

OPENING, LAST = 10, 10  # number of a player's first and last turns in a game


class Taken(NamedTuple):
    """Number of turns and their total time in milliseconds."""

    turns: int = 0
    ms: int = 0

    @property
    def each_ms(self) -> int | None:
        """Average time per turn, rounded to a tenth of a second; None without turns."""
        return round(self.ms / self.turns / 100) * 100 if self.turns else None

    @classmethod
    def of(cls, lines: Sequence[TurnLine]) -> "Taken":
        """Sum of these turns."""
        return cls(len(lines), sum(line.thought_ms for line in lines))


class PlayerPace(NamedTuple):
    """A player's turns of a match, by phase.

    The opening takes precedence, so a short game may have no last turns. `before_cube` and `after_cube` cover only
    games with a cube action; `cube` has the decisions themselves (double, take, pass).
    """

    all: Taken
    opening: Taken
    middle: Taken
    last: Taken
    before_cube: Taken
    after_cube: Taken
    cube: Taken


def of_seat(lines: Sequence[TurnLine], seat: Seat) -> PlayerPace:
    """Pace of one player, from all turns of a match."""
    parts: dict[str, list[TurnLine]] = {name: [] for name in PlayerPace._fields}
    for _, game in groupby(lines, key=lambda line: line.game):
        _sort(list(game), seat, parts)
    return PlayerPace(**{name: Taken.of(found) for name, found in parts.items()})


def _sort(game: Sequence[TurnLine], seat: Seat, parts: dict[str, list[TurnLine]]) -> None:
    """Add one game's turns of a seat to the parts to which they belong."""
    mine = [line for line in game if line.seat is seat]
    parts["all"] += mine
    parts["opening"] += mine[:OPENING]
    later = mine[OPENING:]
    parts["middle"] += later[:-LAST]
    parts["last"] += later[-LAST:]
    first = next((index for index, line in enumerate(game) if line.cube), None)
    for index, line in enumerate(game):
        if line.seat is seat and first is not None:
            parts["cube" if line.cube else "before_cube" if index < first else "after_cube"].append(line)
