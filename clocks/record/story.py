"""Story of a match: what a spectator would remember of each game.

Folded from the steps of a match. `wording/story.py` has the sentences.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from math import inf
from statistics import median
from typing import NamedTuple

from clocks.engine import events as e
from clocks.engine.closed_sets import Crawford, Status
from clocks.engine.match import Match
from clocks.record.game_moments import Moment, moments
from clocks.record.look_back import MatchTimeline, Step, look_back
from clocks.record.story_chart import GameChart, Kind, of_game
from clocks.record.turn_times import TurnLine, turns
from clocks.wording import story as words
from clocks.wording.story import Teller

LONG_THINK_MS = 30_000  # minimum length of a long think
TIMES_TYPICAL = 2  # minimum length of a long think, as a multiple of the match's median turn
MOST_THINKS = 3  # per game
MOST_MOMENTS, FEWEST_MOMENTS = 12, 2  # per game; the record has the rest
DROPPED_FIRST = (Kind.STOP, Kind.THINK, Kind.RULING, Kind.CUBE)


class Page(NamedTuple):
    """Layout of a printed page: maximum number of games, and of moments in total."""

    size: str
    games: float
    moments: int


PAGES = (Page("few", 3, 36), Page("some", 6, 50), Page("many", 18, 72), Page("most", inf, 120))


class GameStory(NamedTuple):
    """One game: scores before and after, figures, moments and a chart.

    `more` is the number of moments left out; `ended` is None while it is played; `said` describes the chart.
    """

    number: int
    score: tuple[int, int]
    after: tuple[int, int]
    crawford: bool
    began: datetime
    ended: datetime | None
    figures: tuple[str, ...]
    moments: tuple[Moment, ...]
    more: int
    chart: GameChart | None
    said: str


class Story(NamedTuple):
    """A match: its opening sentences, its figures, and its games."""

    lead: tuple[str, ...]
    figures: tuple[str, ...]
    games: tuple[GameStory, ...]

    @property
    def size(self) -> str:
        """Layout of the printed page by its number of games: few, some, many or most."""
        return _page(len(self.games)).size


class _Game(NamedTuple):
    """A game that began: its first turn, steps, completed turns and timeline."""

    number: int
    start: Step
    steps: list[Step]
    lines: list[TurnLine]
    look: MatchTimeline


def of_match(steps: Sequence[Step]) -> Story | None:
    """Story of a match from its steps; None before its first game begins."""
    lines = turns(steps)
    played = [(number, list(mine)) for number, mine in groupby(_in_order(steps), key=_game)]
    started = [
        _Game(number, start, mine, [line for line in lines if line.game == number], _while_played(mine))
        for number, mine in played
        if (start := _start(mine)) is not None
    ]
    if not started:
        return None
    teller, thinks = Teller(steps[-1].after.setup.names), _long_thinks(lines)
    most_ms = max(max(point.left, point.right) for game in started for point in game.look.reserves)
    most = min(MOST_MOMENTS, max(FEWEST_MOMENTS, _page(len(started)).moments // len(started)))
    games = tuple(
        _told(game, moments(teller, game.steps + _after(played, game), game.lines, thinks), most, most_ms, teller)
        for game in started
    )
    return Story(tuple(_lead(teller, steps[-1].after, lines)), (words.games(len(games)), *_figures(lines)), games)


def _page(games: int) -> Page:
    """Page layout with the largest type that fits this many games."""
    return next(page for page in PAGES if games <= page.games)


def _told(game: _Game, told: Sequence[Moment], most: int, most_ms: int, teller: Teller) -> GameStory:
    kept = _most_telling(told, most)
    marks = _numbered(kept)
    points = game.look.reserves
    return GameStory(
        game.number,
        *_scores(game),
        *_times(game),
        figures=_figures(game.lines),
        moments=tuple(moment._replace(mark=marks.get(moment, 0)) for moment in kept),
        more=len(told) - len(kept),
        chart=of_game(game.look, most_ms, [(mark, moment.kind, moment.at) for moment, mark in marks.items()]),
        said=teller.reserves(points[0][1:], points[-1][1:]),
    )


def _figures(lines: Sequence[TurnLine]) -> tuple[str, ...]:
    """Number of turns, and the time that they took."""
    return words.turns(len(lines)), words.rounded(sum(line.thought_ms for line in lines))


def _game(step: Step) -> int:
    """Number of the game to which a step belongs; a reopening belongs to its game."""
    return step.after.game if isinstance(step.event, e.Reopened) else step.before.game


def _in_order(steps: Sequence[Step]) -> list[Step]:
    """Steps sorted by game; within a game in journal order."""
    return sorted(steps, key=_game)


def _start(steps: Sequence[Step]) -> Step | None:
    """The last step that started the game's first turn and was not undone."""
    found: Step | None = None
    for step in steps:
        if isinstance(step.event, e.ClockHit) and step.before.clock.turn is None:
            found = step
        elif isinstance(step.event, e.HitUndone) and step.after.clock.turn is None:
            found = None
    return found


def _while_played(steps: Sequence[Step]) -> MatchTimeline:
    """Timeline of a game until its clocks last ran."""
    look = look_back(steps)
    ran = max((step.event.at for step in steps if step.before.clock.since is not None), default=0)
    return look._replace(reserves=[point for point in look.reserves if point.at <= ran] or look.reserves[:1])


def _after(played: Sequence[tuple[int, list[Step]]], game: _Game) -> list[Step]:
    """Steps of a next game that never began, such as the end of the match by a ruling."""
    return [step for number, each in played if number == game.number + 1 and _start(each) is None for step in each]


def _long_thinks(lines: Sequence[TurnLine]) -> list[TurnLine]:
    """Longest thinks without a cube action, at most MOST_THINKS per game."""
    least_ms = max(LONG_THINK_MS, TIMES_TYPICAL * median(line.thought_ms for line in lines)) if lines else 0
    ends = (e.ExpiryApplied.name, e.MatchEnded.name)
    long = [line for line in lines if line.thought_ms >= least_ms and not line.cube and line.ended_by not in ends]
    found: list[TurnLine] = []
    for _, each in groupby(sorted(long, key=lambda line: line.game), key=lambda line: line.game):
        found += sorted(each, key=lambda line: line.thought_ms)[-MOST_THINKS:]
    return found


def _scores(game: _Game) -> tuple[tuple[int, int], tuple[int, int], bool]:
    """Scores before and after a game, and whether it was the Crawford game."""
    return game.start.before.score, game.steps[-1].after.score, game.start.after.crawford is Crawford.NOW


def _times(game: _Game) -> tuple[datetime, datetime | None]:
    """Start and end of a game; the end is None while it is in progress."""
    ends = [
        step.event.at for step in game.steps if step.before.clock.turn is not None and step.after.clock.turn is None
    ]
    over = ends and game.steps[-1].after.clock.turn is None
    return _instant(game.start.event.at), _instant(ends[-1]) if over else None


def _numbered(kept: Sequence[Moment]) -> dict[Moment, int]:
    """Numbers of the marks, by moment; BEGIN and END have none."""
    marked = [moment for moment in kept if moment.kind not in (Kind.BEGIN, Kind.END)]
    return {moment: number for number, moment in enumerate(marked, 1)}


def _most_telling(told: Sequence[Moment], most: int) -> list[Moment]:
    """Drop moments beyond `most`, the latest first, but only kinds in DROPPED_FIRST."""
    kept = list(told)
    for kind in DROPPED_FIRST:
        for moment in [moment for moment in reversed(kept) if moment.kind is kind]:
            if len(kept) <= most:
                return kept
            kept.remove(moment)
    return kept


def _lead(teller: Teller, final: Match, lines: Sequence[TurnLine]) -> Iterator[str]:
    """Yield the opening sentences: who won, the longest think, the time left."""
    if final.status is Status.OVER and final.winner is not None:
        yield teller.won_match(final.winner, final.score)
    if lines:
        longest = max(lines, key=lambda line: line.thought_ms)
        yield teller.longest(longest.seat, longest.thought_ms, longest.game)
    if final.status is Status.OVER:
        yield teller.time_left(final.clock.reserves(final.at))


def _instant(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)
