"""Add clock times to an SGF transcript, and report mismatches."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from sgfmill import sgf_grammar

from clocks.engine.clock import Seat
from clocks.record.turn_times import TurnLine
from clocks.wording.amounts import clock

COLOURS = ("W", "B")
_CUBE = {b"double": "double", b"take": "take", b"drop": "pass", b"pass": "pass"}

Node = dict[str, list[bytes]]
Kind = tuple[Seat, str]  # seat and action: move, double, take or pass


class Annotated(NamedTuple):
    """An annotated transcript; `notes` list its mismatches with the clock."""

    sgf: bytes
    notes: list[str]


def annotate(transcript: bytes, names: tuple[str, str], turns: Sequence[TurnLine]) -> Annotated:
    """Add each turn's time to its move: a comment, and the seconds left (`WL`, `BL`).

    Existing comments are extended. Raises ValueError if the text is not backgammon SGF.
    """
    trees = sgf_grammar.parse_sgf_collection(transcript)
    notes: list[str] = []
    for tree in trees:
        nodes = list(_main_line(tree))
        root = nodes[0]
        if root.get("GM", [b""])[0] != b"6":
            raise ValueError("this is no SGF of backgammon: GM[6] is missing")
        seats, number = _seats(root, names), _game(root)
        moves = [(node, kind) for node in nodes for kind in [_kind(node, seats)] if kind is not None]
        played = [turn for turn in turns if turn.game == number]
        notes += _line_up(number, moves, played, names)
    return Annotated(b"\n".join(sgf_grammar.serialise_game_tree(tree) for tree in trees), notes)


def _main_line(tree: Any) -> Iterator[Node]:
    """Yield the nodes of the main line: the first variation at each branch."""
    while True:
        yield from tree.sequence
        if not tree.children:
            return
        tree = tree.children[0]


def _seats(root: Node, names: tuple[str, str]) -> dict[str, Seat]:
    """Seats of the colours; white is left unless names match only the other way."""
    white, black = (root.get(name, [b""])[0].decode("utf-8", "replace").casefold() for name in ("PW", "PB"))
    left, right = (name.casefold() for name in names)
    turned = (white == right or black == left) and not (white == left or black == right)
    return dict(zip(COLOURS, (Seat.RIGHT, Seat.LEFT) if turned else (Seat.LEFT, Seat.RIGHT), strict=True))


def _game(root: Node) -> int:
    """Game number, from 1."""
    value = next((value for value in root.get("MI", ()) if value.startswith(b"game:")), b"game:0")
    number = value.removeprefix(b"game:")
    return int(number) + 1 if number.isdigit() else 1


def _kind(node: Node, seats: dict[str, Seat]) -> Kind | None:
    """Seat and kind of a node's move; None if the node is not a move."""
    for colour in COLOURS:
        if colour in node:
            return seats[colour], _CUBE.get(node[colour][0].strip().lower(), "move")
    return None


def _line_up(
    number: int, moves: list[tuple[Node, Kind]], turns: Sequence[TurnLine], names: tuple[str, str]
) -> Iterator[str]:
    """Write times into the moves that have a turn; yield a note for each mismatch."""
    timed: list[Kind] = [(turn.seat, turn.cube or "move") for turn in turns]
    written = [kind for _, kind in moves]
    for tag, a, b, c, d in SequenceMatcher(None, written, timed, autojunk=False).get_opcodes():
        if tag == "equal":
            for (node, (seat, _)), turn in zip(moves[a:b], turns[c:d], strict=True):
                _write(node, seat, turn)
            continue
        there = ", ".join(_in_words(kind, names) for kind in written[a:b]) or "nothing"
        here = ", ".join(_in_words(kind, names) for kind in timed[c:d]) or "nothing"
        yield f"game {number}, move {a + 1}: the transcript has {there}; the clock has {here} (turn {c + 1})"


def _in_words(kind: Kind, names: tuple[str, str]) -> str:
    return f"{names[kind[0].index]}: {kind[1]}"


def _write(node: Node, seat: Seat, turn: TurnLine) -> None:
    colour = "W" if "W" in node else "B"
    thought = f"{turn.thought_ms / 1000:.1f} s, {clock(turn.reserve_after_ms)} left"
    comment = node.get("C", [b""])[0]
    node["C"] = [(comment + b"\n" if comment else b"") + thought.encode()]
    node[f"{colour}L"] = [f"{turn.reserve_after_ms / 1000:.1f}".encode()]
