"""How long what is left of a match may take, from how long games have taken; pure. All lengths are milliseconds.

A game's length is measured against what its setting lets expect (`by_setting_ms`): so games with other reserves and
delays, singles and doubles, tell of one pace. The setting itself weighs as much as `SETTING_WEIGHS` games, so that it
is all there is before the first game ends, and a single short game changes little.

How many games a score still needs is reckoned exactly: each game is won by either player alike, by 1, 2, 4 … points as
often as in the games so far. The spread is one standard deviation. It comes from the number of games, from their
lengths, and from how little is known of the pace while few have ended.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import erf, sqrt
from typing import NamedTuple

from clocks.engine.setup import Setup

# What a setting lets expect of a game, before any has ended.
TURNS = 40  # of both players together
DELAY_USED = 2 / 3  # of each turn's delay
RESERVE_USED = 1 / 2  # of both reserves, in a whole match
BETWEEN_MS = 60_000  # until the next game begins
POINTS = ((1, 0.55), (2, 0.32), (4, 0.13))  # how often a game is won by so many
SPREAD = 0.6  # of a game's length, as a part of it

SETTING_WEIGHS = 5  # games
MOST = 4.0  # times what the setting lets expect: a longer one was no game but a break
REST = 0.3  # of a game is left at least, however long it has been going on
STEPS = 100  # into which the time is cut when the last of several may end

Points = tuple[tuple[int, float], ...]


class Left(NamedTuple):
    """How long something still takes, and the spread of that: one standard deviation."""

    ms: float
    spread_ms: float


class Game(NamedTuple):
    """A game that has ended: how long it took, what its setting let expect, and the points won."""

    took_ms: int
    by_setting_ms: float
    points: int


def by_setting_ms(setup: Setup) -> float:
    """Return how long a game takes as far as its setting tells: reserves, delay, length."""
    control = setup.first_control
    games, _squared = _games((setup.length - setup.score[0], setup.length - setup.score[1]), POINTS)
    reserves = RESERVE_USED * sum(setup.opening_reserve_ms) / games
    return reserves + TURNS * DELAY_USED * control.delay_ms + BETWEEN_MS


@dataclass(frozen=True)
class Pace:
    """How games go in a tournament: `factor` times as long as by their settings, with a spread; how they are won.

    `known` is how many games' worth of knowledge that is.
    """

    factor: float = 1.0
    spread: float = SPREAD
    known: int = SETTING_WEIGHS
    points: Points = field(default=POINTS)

    @classmethod
    def of(cls, games: Iterable[Game]) -> "Pace":
        """Return the pace of games that have ended."""
        found = list(games)
        ratios = [min(MOST, game.took_ms / game.by_setting_ms) for game in found]
        known = SETTING_WEIGHS + len(ratios)
        factor = (SETTING_WEIGHS + sum(ratios)) / known
        squares = SETTING_WEIGHS * SPREAD**2 + sum((ratio / factor - 1) ** 2 for ratio in ratios)
        won = Counter(game.points for game in found)
        usual = dict(POINTS)
        shares = {
            points: (SETTING_WEIGHS * usual.get(points, 0.0) + won[points]) / known
            for points in sorted(usual.keys() | won.keys())
        }
        return cls(factor, sqrt(squares / known), known, tuple(shares.items()))

    def left(self, setup: Setup, score: tuple[int, int], elapsed_ms: int = 0) -> Left:
        """Return how long a match takes from a score on, whose game has been going on for so long."""
        games, squared = _games((setup.length - score[0], setup.length - score[1]), self.points)
        if not games:
            return Left(0.0, 0.0)
        game = self.factor * by_setting_ms(setup)
        rest = max(game - elapsed_ms, REST * game)
        ms = rest + (games - 1) * game
        variance = (games - 1 + rest / game) * (self.spread * game) ** 2 + (squared - games**2) * game**2
        unknown = (ms * self.spread) ** 2 / self.known
        return Left(ms, sqrt(variance + unknown))


def last(ends: Sequence[Left]) -> Left:
    """Return when the last of several ends: later than each of them, because any may be the one that takes long.

    They are taken as independent and normal.
    """
    early = max(ms - 4 * spread for ms, spread in ends)  # by then at least one of them has not ended
    late = max(ms + 4 * spread for ms, spread in ends)
    step = (late - early) / STEPS
    if not step:
        return Left(late, 0.0)
    open_ = Counter((ms, spread * sqrt(2)) for ms, spread in ends if ms + 4 * spread > early)
    mean = squared = before = 0.0
    for number in range(1, STEPS + 1):
        at = early + number * step
        over = 1.0
        for (ms, scale), count in open_.items():
            over *= ((1 + erf((at - ms) / scale)) / 2 if scale else float(at >= ms)) ** count
        middle = (number - 0.5) * step
        mean += (over - before) * middle
        squared += (over - before) * middle**2
        before = over
    return Left(early + mean, sqrt(max(0.0, squared - mean**2)))


def _games(needs: tuple[int, int], points: Points) -> tuple[float, float]:
    """Return the mean of how many games it takes until either player has the points needed, and of its square."""
    if min(needs) <= 0:
        return 0.0, 0.0
    sums = _sums(points)
    if needs not in sums:
        for a in range(1, max(needs) + 1):
            for b in range(1, a + 1):
                if (a, b) not in sums:
                    sums[a, b] = sums[b, a] = _one_more(a, b, points, sums)
    return sums[needs]


@lru_cache(maxsize=16)
def _sums(points: Points) -> dict[tuple[int, int], tuple[float, float]]:
    """Return what `_games` has found for games that are won like this: all matches of a tournament share it."""
    return {}


def _one_more(
    a: int, b: int, points: Points, sums: Mapping[tuple[int, int], tuple[float, float]]
) -> tuple[float, float]:
    mean = squared = 0.0
    for won, share in points:
        for rest in ((a - won, b), (a, b - won)):
            further, square = sums.get(rest, (0.0, 0.0))
            mean += share / 2 * further
            squared += share / 2 * (1 + 2 * further + square)
    return 1 + mean, squared
