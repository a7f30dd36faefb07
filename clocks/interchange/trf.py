"""Read and write TRF26, FIDE's fixed-column tournament file, one line per player.

Many pairing programs use it. White is the player who sits left. Unknown tags are reported and ignored.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words

KNOWN = {"001", "012", "042", "052", "062", "092", "XXR"}
LONGEST_NAME = 33
MOST_PLAYERS, MOST_ROUNDS = 9_999, 99
_FIRST_ROUND, _WIDTH = 91, 10  # column of the first round, from 0, and width of a round


class Played(NamedTuple):
    """A player's round: opponent's start number (0: none), colour and result.

    The colour is w, b or -; the result 1, 0, U (bye) or blank.
    """

    opponent: int
    colour: str
    result: str


@dataclass(frozen=True, slots=True)
class Player:
    """A player line. `points` counts wins and byes."""

    number: int
    name: str
    rounds: tuple[Played | None, ...]
    points: float = 0.0
    rating: str = ""
    country: str = ""


class Trf(NamedTuple):
    """A file: tournament name, players in order, and the tags that were ignored."""

    name: str
    players: tuple[Player, ...]
    ignored: tuple[str, ...] = ()


def is_trf(text: str) -> bool:
    """True if the text has a TRF player line."""
    return re.search(r"^001 [ \d]{4} ", text, re.MULTILINE) is not None


def write(trf: Trf) -> str:
    """Write the file."""
    rounds = max((len(player.rounds) for player in trf.players), default=0)
    lines = [f"012 {trf.name}", f"062 {len(trf.players)}", "092 Individual: Swiss-System", f"XXR {rounds}"]
    ranked = sorted(trf.players, key=lambda player: (-player.points, player.number))
    rank = {player.number: place for place, player in enumerate(ranked, 1)}
    for player in trf.players:
        name = player.name[:LONGEST_NAME].ljust(LONGEST_NAME)
        details = f"{player.rating[:4]:>4} {player.country[:3]}"
        line = (
            f"001 {player.number:4d}      {name} {details}".ljust(80) + f"{player.points:4.1f} {rank[player.number]:4d}"
        )
        lines.append((line.ljust(_FIRST_ROUND) + "".join(map(_round, player.rounds))).rstrip())
    return "\r\n".join(lines) + "\r\n"


def _round(played: Played | None) -> str:
    text = "" if played is None else f"{played.opponent:04d} {played.colour} {played.result}"
    return text.ljust(_WIDTH)


def read(text: str) -> Trf:
    """Read a file. Raises Refused(Why.BAD_VALUE) naming the invalid line."""
    name, rounds, players, ignored = "", 0, list[Player](), dict[str, None]()
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        tag = line[:3]
        if not line.strip():
            continue
        if tag == "012":
            name = line[4:].strip()
        elif tag == "XXR":
            told = line[4:].strip()
            rounds = min(int(told), MOST_ROUNDS) if re.fullmatch("[0-9]{1,4}", told) else 0
        elif tag == "001":
            players.append(_player(line, number))
        elif tag not in KNOWN:
            ignored[tag] = None
    numbers = {player.number for player in players}
    if len(numbers) != len(players) or len(players) > MOST_PLAYERS:
        raise Refused(Why.BAD_VALUE, "Two players of the file have the same start number.")
    rows = tuple(replace(each, rounds=each.rounds + (None,) * (rounds - len(each.rounds))) for each in players)
    return Trf(name, rows, tuple(ignored))


def _player(line: str, number: int) -> Player:
    start, name = line[4:8].strip(), " ".join(line[14:47].split())
    if not (start.isascii() and start.isdigit()) or not name:
        raise Refused(Why.BAD_VALUE, Words("Line %(number)s has no start number or no name.", number=number))
    rest = line[_FIRST_ROUND:]
    cells = [rest[at : at + _WIDTH] for at in range(0, min(len(rest), MOST_ROUNDS * _WIDTH), _WIDTH)]
    points = re.fullmatch(r"\d+(\.\d+)?", line[80:84].strip())
    rounds = tuple(_played(cell, number) for cell in cells)
    rating, country = line[48:52].strip().removeprefix("0" * 4), line[53:56].strip()
    return Player(int(start), name, rounds, float(points[0]) if points else 0.0, rating, country)


def _played(cell: str, number: int) -> Played | None:
    if not cell.strip():
        return None
    opponent = cell[:4].strip()
    found = re.fullmatch(r" ([wbsWBS -]) (.)?.*", cell.ljust(_WIDTH)[4:])
    if found is None or not re.fullmatch(r"[0-9]*", opponent):
        raise Refused(Why.BAD_VALUE, Words("Line %(number)s has a round that cannot be read.", number=number))
    colour = found[1].lower().replace("s", "b").replace(" ", "-")
    return Played(int(opponent) if opponent else 0, colour, (found[2] or "").strip())


def pairings(trf: Trf, round_number: int) -> list[tuple[str, str]]:
    """Pairings of a round as (left, right); a player without an opponent meets "bye".

    Raises Refused if the file does not have the round, or an opponent's number is unknown.
    """
    by_number = {player.number: player for player in trf.players}
    found: list[tuple[str, str]] = []
    for player in trf.players:
        played = player.rounds[round_number - 1] if len(player.rounds) >= round_number else None
        if played is None or (played.opponent and played.colour == "b"):
            continue
        opponent = by_number.get(played.opponent)
        if played.opponent and opponent is None:
            words = Words(
                "%(name)s plays number %(number)s, who is not in the file.", name=player.name, number=played.opponent
            )
            raise Refused(Why.BAD_VALUE, words)
        found.append((player.name, opponent.name if opponent is not None else "bye"))
    if not found:
        raise Refused(Why.BAD_VALUE, Words("The file has nothing for round %(number)s.", number=round_number))
    return found


def of_rounds(
    name: str,
    rounds: Sequence[Sequence[tuple[str, str, str]]],
    details: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> Trf:
    """Build a file from rounds of (left, right, winner).

    The winner is left, right, or "" if undecided. A right player called "" is a bye. `details` are rating and country
    by name.
    """
    numbers: dict[str, int] = {}
    for played in rounds:
        for left, right, _winner in played:
            for player in filter(None, (left, right)):
                numbers.setdefault(player, len(numbers) + 1)
    lines: dict[str, list[Played | None]] = {player: [None] * len(rounds) for player in numbers}
    for at, played in enumerate(rounds):
        for left, right, winner in played:
            if not right:
                lines[left][at] = Played(0, "-", "U")
                continue
            results = {"left": ("1", "0"), "right": ("0", "1")}.get(winner, ("", ""))
            lines[left][at] = Played(numbers[right], "w", results[0])
            lines[right][at] = Played(numbers[left], "b", results[1])
    players = []
    for player, number in numbers.items():
        points = sum(1.0 for each in lines[player] if each is not None and each.result in ("1", "U"))
        players.append(Player(number, player, tuple(lines[player]), points, *details.get(player, ("", ""))))
    return Trf(name, tuple(players))
