"""Coordinates of a bracket as SVG: a column for each round, a box for each match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from clocks.pairing.bracket import Slot, sheets
from clocks.tournament import places
from clocks.tournament.events import Event, Game
from clocks.views.text_width import em, shortened

HEIGHT, GAP, BETWEEN = 44, 10, 26  # px: height of a box, gap below it, gap between columns
HEAD = 28  # px: height of the row of round names
TYPE, SMALLEST = 15, 12.5  # px: font size of names, and its minimum for long ones
BOLD = 1.12  # width of a winner’s bold name relative to a regular one
SCORE = 54  # px beside a name for margins and points
NARROWEST, WIDEST = 170, 330  # px: limits of a box's width


class Side(NamedTuple):
    """A player's line in a box: name as shown, full name, points, style, font size, y."""

    name: str
    whole: str
    score: str
    look: str
    size: float
    y: float


class Box(NamedTuple):
    """Box of a match: position, table, players' lines, and `way` to the next round.

    `way` is an SVG path that starts at the right edge, "" in the last round.
    """

    x: float
    y: float
    table: str
    sides: Sequence[Side]
    way: str
    look: str
    decided: bool = False


@dataclass(frozen=True)
class Drawing:
    """A bracket or a part of one: size, column headings, boxes, number of its sheet."""

    width: float
    height: float
    box: float
    heads: Sequence[tuple[float, str]]
    boxes: Sequence[Box]
    number: int = 1
    leads_to: int = 0  # sheet on which the winner continues; 0: none

    @property
    def edge(self) -> float:
        """Right edge of a box's text, in px from the left edge of the box."""
        return self.box - 10


def whole(event: Event) -> Drawing:
    """Draw the whole bracket of an event."""
    return _Pen(event).draw(event.bracket(), _heads(event))


def parts(event: Event, most: int) -> list[Drawing]:
    """Draw a bracket in parts with at most `most` matches in their first round.

    The last part has the final.
    """
    cut = sheets(event.bracket(), most)
    pen, heads = _Pen(event), _heads(event)
    first, last = len(cut[0]), len(cut) - 1
    return [
        pen.draw(part, heads if i < last or not last else heads[first:], i + 1, last + 1 if i < last else 0)
        for i, part in enumerate(cut)
    ]


def _heads(event: Event) -> list[str]:
    return [str(round_) for round_, _games in event.rounds]


class _Pen:
    """Draws the boxes of an event, all of the same width."""

    def __init__(self, event: Event) -> None:
        self.games: Mapping[int, Game] = {game.key: game for _round, games in event.rounds for game in games}
        longest = max((em(name) for name in event.players.values()), default=0)
        self.box = max(NARROWEST, min(WIDEST, round(longest * TYPE) + SCORE))
        self.most = (self.box - SCORE) / (BOLD * SMALLEST)  # room for a name, in ems
        self.column = self.box + BETWEEN

    def draw(
        self, slots: Sequence[Sequence[Slot]], heads: Sequence[str], number: int = 1, leads_to: int = 0
    ) -> Drawing:
        """Draw the slots of each round under its heading."""
        last = len(slots) - 1
        marks = number > 1 and not leads_to  # the last of several sheets names the sheets that its players come from
        boxes = [self._box(slot, i, k, i == last, marks) for i, row in enumerate(slots) for k, slot in enumerate(row)]
        width = len(slots) * self.column - BETWEEN
        height = HEAD + (len(slots[0]) if slots else 0) * (HEIGHT + GAP)
        return Drawing(
            width=width,
            height=height,
            box=self.box,
            heads=[(i * self.column, head) for i, head in enumerate(heads[: len(slots)])],
            boxes=boxes,
            number=number,
            leads_to=leads_to,
        )

    def _box(self, slot: Slot, column: int, row: int, last: bool, marks: bool) -> Box:
        pitch = (HEIGHT + GAP) << column
        middle = HEAD + (row + 0.5) * pitch
        x, y = column * self.column, middle - HEIGHT / 2
        towards = middle + (pitch / 2 if row % 2 == 0 else -pitch / 2)
        way = "" if last else f"M{x + self.box} {middle}h{BETWEEN / 2}V{towards}h{BETWEEN / 2}"
        game = self.games.get(slot.key) if slot and slot.key else None
        names = ["", ""] if slot is None else [slot.left, slot.right or ""]
        winner = slot.winner if slot else ""
        bye = slot is not None and slot.right is None
        if marks and column == 0:
            names = [name or f"← {2 * row + seat + 1}" for seat, name in enumerate(names)]
        lines = enumerate(names)
        sides = [self._side(name, game, seat, winner, HEIGHT * (0.5 * seat + 0.36)) for seat, name in lines]
        look = "plays" if game and game.begun and not winner else "bye" if bye else "" if game else "empty"
        return Box(x, y, game.table if game else "", sides, way, look, bool(winner) or bye)

    def _side(self, name: str, game: Game | None, seat: int, winner: str, y: float) -> Side:
        score = str(game.score[seat]) if game and game.score and (game.begun or winner) else ""
        waits = name.startswith("← ") or bool(places.read(name)) if name else False
        look = "slot-waits" if waits else "slot-won" if winner and name == winner else "slot-lost" if winner else ""
        wide = em(name) * (BOLD if look == "slot-won" else 1)
        size = TYPE if wide * TYPE <= self.box - SCORE else max(SMALLEST, round((self.box - SCORE) / wide, 1))
        return Side(shortened(name, self.most), name, score, look, size, y)
