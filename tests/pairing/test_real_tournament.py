"""Swiss pairings compared with those of a real tournament, given its results.

The Minor of the Bunratty chess congress, 25 to 27 February 2011: 103 players, six rounds, with colour balancing. From
the samples of `icu_tournament`, the Irish Chess Union's library for such files (github.com/sanichi/icu_tournament,
spec/samples/krause/bunratty_minor_2011.tab, MIT licence, copyright Mark Orr 2009); only pairings and results are used,
without names. In that event a missed round counted half a point.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from clocks.interchange import trf
from clocks.pairing import swiss

FILE = trf.read((Path(__file__).parent / "bunratty-minor-2011.trf").read_text())
ROUNDS = range(1, 7)
HALF_POINTS = {"1": 2, "=": 1, "0": 0, "U": 2, "H": 1}
NAMES = {player.number: player.name for player in FILE.players}

Pairs = set[frozenset[str]]


class Before(NamedTuple):
    """State before a round: players, half points, pairs that have met, past byes."""

    players: list[str]
    score: dict[str, int]
    met: Pairs
    had_bye: set[str]

    def cost(self, pairs: Pairs) -> tuple[int, int, int]:
        """Count of rematches and second byes, score of the bye, squared score differences."""
        byes = {name for pair in pairs if len(pair) == 1 for name in pair}
        scores = [[self.score[name] for name in pair] for pair in pairs if len(pair) == 2]
        again = len(pairs & self.met) + len(byes & self.had_bye)
        return again, sum(self.score[name] for name in byes), sum((left - right) ** 2 for left, right in scores)

    def in_their_groups(self, pairs: Pairs) -> int:
        """Number of matches within a score group."""
        return sum(len({self.score[name] for name in pair}) == 1 for pair in pairs if len(pair) == 2)


@cache
def before(number: int) -> Before:
    """State before a round."""
    players = [player.name for player, played in _of_round(number) if played.opponent or played.result == "U"]
    score = dict.fromkeys(NAMES.values(), 0)
    for each in range(1, number):
        for player, played in _of_round(each):
            score[player.name] += HALF_POINTS[played.result]
    met = {pair for each in range(1, number) for pair in real(each) if len(pair) == 2}
    had_bye = {name for each in range(1, number) for pair in real(each) if len(pair) == 1 for name in pair}
    return Before(players, score, met, had_bye)


def _of_round(number: int) -> list[tuple[trf.Player, trf.Played]]:
    rounds = [(player, player.rounds[number - 1]) for player in FILE.players]
    return [(player, played) for player, played in rounds if played is not None]


def real(number: int) -> Pairs:
    """Pairings of a real round; the bye is a set of one name."""
    met = {frozenset((player.name, NAMES[played.opponent])) for player, played in _of_round(number) if played.opponent}
    return met | {frozenset((player.name,)) for player, played in _of_round(number) if played.result == "U"}


@cache
def ours(number: int) -> Pairs:
    """Our Swiss pairings of the same round."""
    found = swiss.pair(*before(number))
    assert sorted(name for pair in found for name in pair if name) == sorted(before(number).players)
    return {frozenset(filter(None, pair)) for pair in found}


def test_the_scores_in_the_file_are_the_sums_of_their_rounds() -> None:
    assert len(FILE.players) == 103
    for player in FILE.players:
        assert player.points * 2 == sum(HALF_POINTS[played.result] for played in player.rounds if played)


@pytest.mark.parametrize("number", ROUNDS)
def test_our_rounds_are_at_least_as_good_as_the_real_ones(
    number: int,
) -> None:
    known, found, was = before(number), ours(number), real(number)
    assert len(found) == len(was)
    again, rests, apart = known.cost(found)
    assert again == 0
    assert (rests, apart) <= known.cost(was)[1:]
    assert known.in_their_groups(found) >= known.in_their_groups(was)


@pytest.mark.parametrize(("number", "same"), [(1, 12), (2, 12), (3, 13), (4, 18), (5, 26), (6, 20)])
def test_this_many_matches_equal_those_of_the_real_round(number: int, same: int) -> None:
    """Differences are expected: the real rounds also balanced colours."""
    assert len(ours(number) & real(number)) == same
