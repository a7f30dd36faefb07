"""Summary of a match for its players: games, and time used.

Folded from the steps of a match. Depends only on the engine.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import ConsequenceKind, WonBy
from clocks.engine.events import ExpiryApplied, GameEnded, Reopened, TimeGiven
from clocks.engine.evolve.endings import how_won
from clocks.engine.match import Match
from clocks.record.look_back import Step
from clocks.record.turn_times import turns


@dataclass(frozen=True, slots=True)
class Scored:
    """Points that a player scored, and the score after them.

    `how` is single, gammon, backgammon, pass, time (the opponent's flag), or "" if the points fit none.
    """

    game: int
    winner: Seat
    points: int
    cube: int
    how: str
    score: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TimeUsed:
    """Turns and times of a player.

    `left_ms` is the reserve at the end; `given_ms` includes time given during the match.
    """

    turns: int
    average_ms: int
    longest_ms: int
    left_ms: int
    given_ms: int


def games(steps: Sequence[Step]) -> list[Scored]:
    """Points scored in a match, in order, without those taken back."""
    found: list[tuple[tuple[int, int], Scored]] = []
    for before, after, event, _ in steps:
        if isinstance(event, Reopened):
            if found and found[-1][0] == after.score and found[-1][1].game == after.game:
                found.pop()
        elif isinstance(event, GameEnded):
            how = how_won(event, before.cube.value) or ""
            scored = Scored(before.game, event.winner, event.points, before.cube.value, how, after.score)
            found.append((before.score, scored))
        elif isinstance(event, ExpiryApplied) and event.consequence.kind == ConsequenceKind.PENALTY:
            points, winner = event.consequence.points, event.seat.other
            scored = Scored(before.game, winner, points, before.cube.value, WonBy.TIME, after.score)
            found.append((before.score, scored))
    return [scored for _, scored in found]


def times(start: Match, steps: Sequence[Step]) -> dict[Seat, TimeUsed]:
    """Time used by each player. `start` is the match as created."""
    lines, given = turns(steps), list(start.clock.reserve_ms)
    for before, after, event, _ in steps:
        if before.clock.since is None and after.clock.since is not None and before.turn_number == 0:
            given = list(after.clock.reserves(event.at))  # including a delay that is added once
        elif isinstance(event, TimeGiven | ExpiryApplied):
            then, now = before.clock.reserves(event.at), after.clock.reserves(event.at)
            given = [sum_ + max(0, new - old) for sum_, old, new in zip(given, then, now, strict=True)]
    end = steps[-1].after if steps else start
    left = end.clock.reserves(end.at)
    found = {}
    for seat in Seat:
        thought = [line.thought_ms for line in lines if line.seat is seat]
        # Round half up, like the page's JavaScript.
        average = (sum(thought) + len(thought) // 2) // len(thought) if thought else 0
        longest = max(thought, default=0)
        found[seat] = TimeUsed(len(thought), average, longest, left[seat.index], given[seat.index])
    return found
