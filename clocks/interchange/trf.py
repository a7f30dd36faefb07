"""Read and write TRF26, FIDE's fixed-column tournament file, one line per player.

Many pairing programs use it. White is the player who sits left. Unknown tags are reported and ignored.

Details that do not fit the columns, such as clubs and long names, are written as comments (`### 7 club Leeds`), which
other programs skip, and read back from them.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from types import MappingProxyType
from typing import Any, NamedTuple

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words

KNOWN = {"###", "001", "012", "042", "052", "062", "092", "XXR"}
LONGEST_NAME = 33
MOST_PLAYERS, MOST_ROUNDS = 9_999, 999
_FIELDS = {each: each for each in ("name", "club", "rating", "country")} | {"number": "own_number"}
_COMMENT = re.compile(rf"### +([0-9]{{1,4}}) ({'|'.join(_FIELDS)})( .*)?")
_FIRST_ROUND, _WIDTH = 91, 10  # column of the first round, from 0, and width of a round


class Played(NamedTuple):
    """A player's round: opponent's start number (0: none), colour and result.

    The colour is w, b or -; the result is 1, 0, U (bye), Z (absent), another TRF code or blank.
    """

    opponent: int
    colour: str
    result: str

    @property
    def is_absence(self) -> bool:
        """True if the player is not paired, and gets no points for it."""
        return not self.opponent and self.result.upper() == "Z"


@dataclass(frozen=True, slots=True)
class Player:
    """A player line. `number` is the start number, and `points` counts wins and byes.

    `own_number` is the number in the tournament's list of players; None if the file does not have it.
    """

    number: int
    name: str
    rounds: tuple[Played | None, ...]
    points: float = 0.0
    rating: str = ""
    country: str = ""
    club: str = ""
    own_number: str | None = None


class Details(NamedTuple):
    """Details of a player as in the tournament's list of players."""

    number: str = ""
    club: str = ""
    rating: str = ""
    country: str = ""


class Trf(NamedTuple):
    """A file: tournament name, players in order, and the tags that were ignored."""

    name: str
    players: tuple[Player, ...]
    ignored: tuple[str, ...] = ()


def is_trf(text: str) -> bool:
    """True if the text has a TRF player line."""
    return re.search(r"^001 [ \d]{4} [ mwf][ \w]{3} ", text, re.MULTILINE | re.IGNORECASE) is not None


def write(trf: Trf) -> str:
    """Return the text of a TRF26 file."""
    rounds = max((len(player.rounds) for player in trf.players), default=0)
    lines = [f"012 {trf.name}", f"062 {len(trf.players)}", "092 Individual: Swiss-System", f"XXR {rounds}"]
    ranked = sorted(trf.players, key=lambda player: (-player.points, player.number))
    rank = {player.number: place for place, player in enumerate(ranked, 1)}
    for player in trf.players:
        name, rating, country = _fitting(player)
        details = f"{name.ljust(LONGEST_NAME)} {rating:>4} {country}"
        line = f"001 {player.number:4d}      {details}".ljust(80) + f"{player.points:4.1f} {rank[player.number]:4d}"
        lines.append((line.ljust(_FIRST_ROUND) + "".join(map(_round, player.rounds))).rstrip())
        lines += [f"### {player.number} {what} {value}".rstrip() for what, value in _beside(player).items()]
    return "\r\n".join(lines) + "\r\n"


def _fitting(player: Player) -> tuple[str, str, str]:
    """Name, rating and country, cut or left out to fit the columns."""
    rating = re.match(r"[1-9][0-9]{0,3}(?![0-9])", player.rating)
    country = player.country if len(player.country) <= 3 else ""
    return player.name[:LONGEST_NAME].rstrip(), rating[0] if rating else "", country


def _beside(player: Player) -> dict[str, str]:
    """Details that do not fit into the columns."""
    name, rating, country = _fitting(player)
    own = str(player.number) if player.own_number is None else player.own_number
    pairs = [("name", player.name, name), ("number", own, str(player.number)), ("club", player.club, "")]
    pairs += [("rating", player.rating, rating), ("country", player.country, country)]
    return {what: " ".join(value.split()) for what, value, written in pairs if value != written}


def _round(played: Played | None) -> str:
    text = "" if played is None else f"{played.opponent:04d} {played.colour} {played.result}"
    return text.ljust(_WIDTH)


def read(text: str) -> Trf:
    """Read a file. Raises Refused(Why.BAD_VALUE) naming the fault."""
    name, rounds, players, ignored = "", 0, list[Player](), dict[str, None]()
    beside: dict[int, dict[str, str]] = {}
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
        elif comment := _COMMENT.fullmatch(line.rstrip()):
            beside.setdefault(int(comment[1]), {})[_FIELDS[comment[2]]] = " ".join((comment[3] or "").split())
        elif tag not in KNOWN:
            ignored[tag] = None
    numbers = {player.number for player in players}
    if len(numbers) != len(players) or len(players) > MOST_PLAYERS:
        raise Refused(Why.BAD_VALUE, "Two players of the file have the same start number.")
    rows = tuple(
        replace(each, rounds=each.rounds + (None,) * (rounds - len(each.rounds)), **_details(each, beside))
        for each in players
    )
    return Trf(name, rows, tuple(ignored))


def _details(player: Player, beside: Mapping[int, Mapping[str, str]]) -> dict[str, Any]:
    """Details from comments. A name counts only if it extends that of the player line."""
    found = dict(beside.get(player.number, {}))
    if not found.get("name", "").startswith(player.name):
        found.pop("name", None)
    return found


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
    """Pairings of a round as (left, right); the opponent of a bye is "bye".

    Absent players are left out. Raises Refused if nobody is left, or an opponent's number is unknown.
    """
    by_number = {player.number: player for player in trf.players}
    found: list[tuple[str, str]] = []
    for player in trf.players:
        played = player.rounds[round_number - 1] if len(player.rounds) >= round_number else None
        if played is None or (played.opponent and played.colour == "b") or played.is_absence:
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
    details: Mapping[str, Details] = MappingProxyType({}),
) -> Trf:
    """Build a file from rounds of (left, right, winner).

    The winner is left, right, or "" if undecided. A right player called "" is a bye. Players in `details` (keyed by
    name) are listed even if not drawn, and keep their numbers where these are unique and fit.
    """
    names = dict.fromkeys(filter(None, (player for played in rounds for pair in played for player in pair[:2])))
    numbers = _start_numbers([*names, *(each for each in details if each not in names)], details)
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
    for player, number in sorted(numbers.items(), key=lambda pair: pair[1]):
        points = sum(1.0 for each in lines[player] if each is not None and each.result in ("1", "U"))
        line = Player(number, player, tuple(lines[player]), points)
        if (known := details.get(player)) is not None:
            own = None if known.number == str(number) else known.number
            line = replace(line, rating=known.rating, country=known.country, club=known.club, own_number=own)
        players.append(line)
    return Trf(name, tuple(players))


def own_numbers(details: Mapping[str, Details]) -> dict[str, int]:
    """Players' own numbers by name, as far as they are unique and fit the file."""
    uses = Counter(each.number for each in details.values())
    return {
        name: int(each.number)
        for name, each in details.items()
        if re.fullmatch(r"[1-9][0-9]{0,3}", each.number) and uses[each.number] == 1
    }


def _start_numbers(names: Sequence[str], details: Mapping[str, Details]) -> dict[str, int]:
    """Start numbers: the players' own if unique and fit, else free ones."""
    own = own_numbers(details)
    taken = set(own.values())
    free = (number for number in count(1) if number not in taken)
    return {each: own[each] if each in own else next(free) for each in names}
