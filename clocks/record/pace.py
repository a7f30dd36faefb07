"""Estimate the time left in a match from the pace of finished games.

Pure functions; all lengths are in milliseconds.

A game's length is divided by its expected length under its settings (`by_setting_ms`), so that games with different
reserves and delays, singles and doubles, share one pace. The settings act as a prior that weighs as much as
`SETTING_WEIGHS` games: they are the only estimate before the first game ends, and one short game changes little.

The expected number of games still needed at a score is exact if either player wins a game with equal probability, and
by 1, 2, 4 … points as often as in the games so far. The spread is one standard deviation. It covers the number of
games, their lengths, and the uncertainty of the pace while few games have ended.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import erf, sqrt
from typing import NamedTuple

from clocks.engine.setup import Setup

# Prior: a typical game under its settings.
TURNS = 40  # per game, by both players together
DELAY_USED = 2 / 3  # share of each turn's delay
RESERVE_USED = 1 / 2  # share of both reserves, in a whole match
BETWEEN_MS = 60_000  # break before the next game
POINTS = ((1, 0.55), (2, 0.32), (4, 0.13))  # (points won, probability)
SPREAD = 0.6  # standard deviation of a game's length, relative to it

SETTING_WEIGHS = 5  # weight of the prior, as a number of games
MOST = 4.0  # cap on a game's length, as a multiple of the expected one: longer games included a break
REST = 0.3  # share of a game that is always assumed to remain
STEPS = 100  # time slices for the numeric integration in `last`

Points = tuple[tuple[int, float], ...]


class Left(NamedTuple):
    """Time left, and its standard deviation."""

    ms: float
    spread_ms: float


class Game(NamedTuple):
    """A finished game: its length, its expected length, and the points won."""

    took_ms: int
    by_setting_ms: float
    points: int


def by_setting_ms(setup: Setup) -> float:
    """Expected length of a game under its settings: reserves, delay, match length."""
    control = setup.first_control
    games, _squared = _games((setup.length - setup.score[0], setup.length - setup.score[1]), POINTS)
    reserves = RESERVE_USED * sum(setup.opening_reserve_ms) / games
    return reserves + TURNS * DELAY_USED * control.delay_ms + BETWEEN_MS


@dataclass(frozen=True)
class Pace:
    """Pace of games in a tournament.

    `factor` and `spread` are mean and standard deviation of the ratio of actual to expected length, `known` the number
    of games that this is worth (prior included), `points` the distribution of points won.
    """

    factor: float = 1.0
    spread: float = SPREAD
    known: int = SETTING_WEIGHS
    points: Points = field(default=POINTS)

    @classmethod
    def of(cls, games: Iterable[Game]) -> "Pace":
        """Estimate the pace from finished games."""
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
        """Time left in a match at `score`, if its current game has run for `elapsed_ms`."""
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
    """Expected time until the last of several matches ends; no less than any one's.

    Their ends are assumed to be independent and normally distributed.
    """
    early = max(ms - 4 * spread for ms, spread in ends)  # before this, almost surely at least one is still played
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
    """Mean number of games until either player has the points, and mean of its square."""
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
    """Cache of `_games`, one per points distribution; shared by a tournament."""
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
