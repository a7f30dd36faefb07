"""Coordinates of a bracket as SVG: a column for each round, a box for each match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from clocks.pairing.bracket import Slot, sheets
from clocks.tournament import places
from clocks.tournament.events import Event, Game

BOX, HEIGHT, GAP, COLUMN = 244, 44, 10, 270  # px: width and height of a box, gap below it, width of a column
HEAD = 28  # height of the line with the names of the rounds
LONGEST = 22  # letters that fit beside the score; longer names are set narrower


class Side(NamedTuple):
    """A line of a box: name, points, style, and the y of its text."""

    name: str
    score: str
    look: str
    narrow: bool
    y: float


class Box(NamedTuple):
    """Box of a match: its place, its two lines, and the path to the next round.

    The path starts at the right edge.
    """

    x: float
    y: float
    table: str
    sides: Sequence[Side]
    way: str
    look: str


@dataclass(frozen=True)
class Drawing:
    """A bracket or a part of it: size, column heads, boxes; `number` of its sheet."""

    width: float
    height: float
    heads: Sequence[tuple[float, str]]
    boxes: Sequence[Box]
    number: int = 1
    leads_to: int = 0  # sheet on which the winner continues; 0: none


def draw(event: Event) -> tuple[Drawing, list[Drawing]]:
    """Whole bracket of an event, and its parts, one per sheet of paper.

    The last one has the final.
    """
    slots = event.bracket()
    games = {game.key: game for _round, games in event.rounds for game in games}
    heads = [str(round_) for round_, _games in event.rounds]
    whole, parts = _draw(slots, games, heads), sheets(slots)
    if len(parts) == 1:
        return whole, [whole]
    first, last = len(parts[0]), len(parts) - 1
    return whole, [
        _draw(part, games, heads if i < last else heads[first:], i + 1, last + 1 if i < last else 0)
        for i, part in enumerate(parts)
    ]


def _draw(
    slots: Sequence[Sequence[Slot]], games: Mapping[int, Game], heads: Sequence[str], number: int = 1, leads_to: int = 0
) -> Drawing:
    boxes = [
        _box(slot, games, i, k, last=i == len(slots) - 1) for i, row in enumerate(slots) for k, slot in enumerate(row)
    ]
    return Drawing(
        width=len(slots) * COLUMN - (COLUMN - BOX),
        height=HEAD + (len(slots[0]) if slots else 0) * (HEIGHT + GAP),
        heads=[(i * COLUMN, head) for i, head in enumerate(heads[: len(slots)])],
        boxes=boxes,
        number=number,
        leads_to=leads_to,
    )


def _box(slot: Slot, games: Mapping[int, Game], column: int, row: int, last: bool) -> Box:
    pitch = (HEIGHT + GAP) << column
    middle = HEAD + (row + 0.5) * pitch
    x, y = column * COLUMN, middle - HEIGHT / 2
    towards = middle + (pitch / 2 if row % 2 == 0 else -pitch / 2)
    way = "" if last else f"M{x + BOX} {middle}h{(COLUMN - BOX) / 2}V{towards}h{(COLUMN - BOX) / 2}"
    game = games.get(slot.key) if slot and slot.key else None
    names = ["", ""] if slot is None else [slot.left, slot.right or ""]
    winner = slot.winner if slot else ""
    bye = slot is not None and slot.right is None
    sides = [_side(name, game, seat, winner, y + HEIGHT * (0.5 * seat + 0.36)) for seat, name in enumerate(names)]
    look = "empty" if slot is None else "bye" if bye else "plays" if game and game.begun and not winner else ""
    return Box(x, y, game.table if game else "", sides, way, look)


def _side(name: str, game: Game | None, seat: int, winner: str, y: float) -> Side:
    score = str(game.score[seat]) if game and game.score and (game.begun or winner) else ""
    waits = bool(places.read(name)) if name else False
    look = "waits" if waits else "won" if winner and name == winner else "beaten" if winner else ""
    return Side(name, score, look, len(name) > LONGEST, y)
