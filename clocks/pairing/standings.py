"""Standings of a Swiss or a round robin, with tie-breaks in the director's order.

Scores are in half points, because some tournaments count byes and draws as half a win: a win is 2.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

WIN, HALF = 2, 1


class TieBreak(StrEnum):
    """Tie-breaks that a director can choose; wins always count first."""

    DIRECT = "direct"
    MEDIAN = "median"
    BUCHHOLZ = "buchholz"
    POINTS = "points"


DEFAULT = (TieBreak.DIRECT, TieBreak.BUCHHOLZ, TieBreak.MEDIAN, TieBreak.POINTS)


class Played(NamedTuple):
    """One round of a player: opponent, score, and points won on the board.

    The opponent is None for a bye or an absence.
    """

    opponent: str | None
    score: int
    points: int = 0


class Line(NamedTuple):
    """A player's row: place (shared if tied), score, and tie-break values in order."""

    name: str
    place: int
    score: int
    values: tuple[int, ...]

    @property
    def wins(self) -> float:
        """Score in wins, such as 2.5."""
        return self.score / WIN


def standings(played: Mapping[str, Sequence[Played]], order: Sequence[TieBreak] = DEFAULT) -> list[Line]:
    """Rank players by wins, then by tie-breaks; tied players keep the given order."""
    table = _Table(played)
    ranked = sorted(played, key=lambda name: -table.score[name])
    groups = [list(equal) for _score, equal in groupby(ranked, key=lambda name: table.score[name])]
    values: dict[str, list[int]] = {name: [] for name in played}
    for tie_break in order:
        groups = [part for group in groups for part in _split(table, tie_break, group, values)]
    lines, place = [], 1
    for group in groups:
        lines += [Line(name, place, table.score[name], tuple(values[name])) for name in group]
        place += len(group)
    return lines


def _split(
    table: "_Table", tie_break: TieBreak, group: Sequence[str], values: Mapping[str, list[int]]
) -> list[list[str]]:
    """Split a group of tied players by a tie-break."""
    own = table.direct(group) if tie_break == TieBreak.DIRECT else table.values(tie_break, group)
    for name in group:
        values[name].append(own[name])
    ranked = sorted(group, key=lambda name: -own[name])
    return [list(equal) for _value, equal in groupby(ranked, key=lambda name: own[name])]


class _Table:
    """Scores of all players, and the values of their tie-breaks."""

    def __init__(self, played: Mapping[str, Sequence[Played]]) -> None:
        self.played = played
        self.rounds = max(map(len, played.values()), default=0)
        self.score = {name: sum(each.score for each in rounds) for name, rounds in played.items()}
        self.adjusted = {name: self._adjusted(rounds) for name, rounds in played.items()}

    def _adjusted(self, rounds: Sequence[Played]) -> int:
        """Score as it counts for opponents: half a point for a round that was not played.

        Source: US Chess Official Rules of Chess, 34E, on unplayed games.
        """
        played = [each.score for each in rounds if each.opponent is not None]
        return sum(played) + HALF * (self.rounds - len(played))

    def values(self, tie_break: TieBreak, group: Sequence[str]) -> dict[str, int]:
        """Values of a tie-break that does not depend on the group."""
        way = {
            TieBreak.BUCHHOLZ: self.buchholz,
            TieBreak.MEDIAN: self.median,
            TieBreak.POINTS: self.points,
        }[tie_break]
        return {name: way(name) for name in group}

    def direct(self, group: Sequence[str]) -> dict[str, int]:
        """Direct encounter: score against the others of the group, 0 unless all have met.

        Source: FIDE Handbook C.07, 6, direct encounter.
        """
        among = set(group)
        met = {name: {each.opponent for each in self.played[name]} & among for name in group}
        if len(group) < 2 or any(len(met[name]) < len(group) - 1 for name in group):
            return dict.fromkeys(group, 0)
        return {name: sum(each.score for each in self.played[name] if each.opponent in among) for name in group}

    def _opponents(self, name: str) -> list[int]:
        """Adjusted scores of the opponents, lowest first; 0 for a round not played."""
        found = [self.adjusted[each.opponent] for each in self.played[name] if each.opponent is not None]
        return sorted([0] * (self.rounds - len(found)) + found)

    def buchholz(self, name: str) -> int:
        """Sum of the opponents' scores.

        Source: Bruno Buchholz, 1932; US Chess Official Rules of Chess, 34E2 (Solkoff). For a round that the player
        missed, FIDE Handbook C.07 adds a virtual opponent; here it counts 0.
        """
        return sum(self._opponents(name))

    def median(self, name: str) -> int:
        """Sum of the opponents' scores without the lowest, the highest, or both.

        A score of more than half drops the lowest opponent, one of less than half the highest, and exactly half drops
        both; two instead of one from nine rounds on. Source: US Chess Official Rules of Chess, 34E1 (modified median,
        after Harkness).
        """
        found, drop = self._opponents(name), 1 if self.rounds < 9 else 2
        half = self.rounds * HALF
        low = drop if self.score[name] >= half else 0
        high = drop if self.score[name] <= half else 0
        return sum(found[low : len(found) - high])

    def points(self, name: str) -> int:
        """Points won on the board, in all matches; the loser's points count too.

        Source: the game points of team matches in FIDE Handbook C.07, where a match is won by the points of its boards;
        the DBGV-Pokal of the German federation (bgverband.de, 2018/19) ranks the second of its groups by points for
        each game. No published table with this tie-break was found to compare it with.
        """
        return sum(each.points for each in self.played[name])


def knockout_places(rounds: Sequence[Sequence[tuple[str, str | None]]]) -> list[tuple[str, int]]:
    """Places of a knockout from its rounds of (winner, loser or None for a bye).

    The losers of one round share a place, and all unbeaten players share the first. Source: shared places as in
    published brackets, such as 3–4 and 5–8.
    """
    alive: dict[str, None] = {}
    out: list[list[str]] = []
    for decided in rounds:
        for winner, loser in decided:
            alive.setdefault(winner)
            if loser is not None:
                alive.setdefault(loser)
        out.append([loser for _winner, loser in decided if loser is not None])
    lost = {name for names in out for name in names}
    found = [(name, 1) for name in alive if name not in lost]
    for names in reversed(out):
        place = len(found) + 1
        found += [(name, place) for name in names]
    return found
