"""Find lines of a list that may repeat a known player or an earlier line."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from clocks.tournament.draw_columns import OF_PLAYER
from clocks.tournament.player_list import Line
from clocks.tournament.players import MOST_COMPARED, Players, in_order, most_alike, name_key

SURE = 0.88  # minimum similarity of names that are probably one player; “Jan Hansen” and “Jens Hansen” have less


class Alike(NamedTuple):
    """Names similar to that of a line; the first may be the same player.

    `earlier` is the number of the line with that name, 0 for a player of the tournament.
    """

    names: tuple[str, ...]
    sure: bool
    earlier: int = 0

    @property
    def name(self) -> str:
        """Name of the suggested player."""
        return self.names[0]

    def stamp(self, number: int) -> str:
        """Form value of the suggestion for a line."""
        return f"{number}:{self.name}"


def likenesses(known: Players, lines: Sequence[Line]) -> dict[int, Alike]:
    """Find known players and earlier lines with names similar to new ones, by line.

    In a long list, only names with the same words are found.
    """
    earlier = dict[str, Line]()  # by sorted words
    new = [line for line in lines if known.in_any_order(line.player.name) is None]
    thorough = len(new) * len(known.by_name) + len(new) ** 2 // 2 <= MOST_COMPARED
    found = {}
    for line in new:
        words = in_order(line.player.name)
        alike = _known(known, line) if thorough else None
        if alike is None or not alike.sure:
            alike = _earlier(earlier, line, words, thorough) or alike
        if alike is not None:
            found[line.number] = alike
        if alike is None or not alike.sure:
            earlier.setdefault(words, line)
    return found


def _known(known: Players, line: Line) -> Alike | None:
    found = known.alike(line.player.name)
    if not found:
        return None
    best, name = found[0]
    sure = best >= SURE and not _of_two_countries(line.player.country, known.by_name[name_key(name)].country)
    return Alike(tuple(name for _alike, name in found), sure)


def _earlier(earlier: dict[str, Line], line: Line, words: str, thorough: bool) -> Alike | None:
    same = earlier.get(words)
    if same is None and thorough:
        found = most_alike(line.player.name, {each: each for each in earlier})
        same = earlier[found[0][1]] if found and found[0][0] >= SURE else None
    if same is None or _of_two_countries(line.player.country, same.player.country):
        return None
    return Alike((same.player.name,), True, same.number)


def _of_two_countries(one: str, other: str) -> bool:
    return bool(one and other) and one != other


class Joined(NamedTuple):
    """Lines after joining; `into` maps a joined line's number to that of its target."""

    lines: list[Line]
    into: dict[int, int]


def join(lines: Sequence[Line], alike: dict[int, Alike], accepted: Collection[int]) -> Joined:
    """Give accepted lines the suggested names, and join lines of the same player.

    Missing details of the first line are filled in.
    """
    first = dict[str, int]()  # index in `kept`, by name
    kept, into = list[Line](), dict[int, int]()
    for line in lines:
        if line.number in accepted:
            line = line._replace(player=line.player._replace(name=alike[line.number].name))
        key = name_key(line.player.name)
        at = first.setdefault(key, len(kept))
        if at < len(kept) and (line.number in accepted or kept[at].number in accepted):
            into[line.number] = kept[at].number
            kept[at] = _filled(kept[at], line)
        else:
            kept.append(line)
    return Joined(kept, into)


def _filled(line: Line, other: Line) -> Line:
    own = line.player
    if other.fault:
        return line
    return line._replace(
        player=own._replace(**{each: getattr(own, each) or getattr(other.player, each) for each in OF_PLAYER})
    )
