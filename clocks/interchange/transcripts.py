"""Transcript skeletons: names, length, games, scores and winners, without moves.

`.mat` is Jellyfish's format, which GNU Backgammon, eXtreme Gammon and others read; SGF is GNU Backgammon's own. The
left player has the left column and is White.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Crawford, Status
from clocks.engine.events import Reopened
from clocks.engine.match import Match
from clocks.record.look_back import Step

_COLUMN = 37  # start of the right player's column in a .mat
_PROGRAM = "Backgammon clock"


@dataclass(frozen=True, slots=True)
class Game:
    """A game and the score at its start; winner None and 0 points until it ends."""

    number: int
    score: tuple[int, int]
    crawford: bool
    winner: Seat | None = None
    points: int = 0


def games(start: Match, steps: Iterable[Step]) -> list[Game]:
    """Games of a match; the last is in progress or ended the match."""
    found = [_game(start)]
    for before, after, event, _credit_ms in steps:
        if isinstance(event, Reopened):
            if after.game < found[-1].number:
                found.pop()
            found[-1] = _game(after)
        elif after.game > before.game or (after.status == Status.OVER and before.status != Status.OVER):
            won = [after.score[seat.index] - before.score[seat.index] for seat in Seat]
            winner = after.winner or next((seat for seat in Seat if won[seat.index] > 0), None)
            points = won[winner.index] if winner is not None else 0
            found[-1] = replace(found[-1], winner=winner, points=max(0, points))
            if after.status != Status.OVER:
                found.append(_game(after))
        elif after.status != Status.OVER and after.score != before.score:
            found[-1] = replace(_game(after), number=found[-1].number)
        elif after.status == Status.OVER and after.score != before.score:  # the result was corrected afterwards
            last = found[-1]
            won = [after.score[seat.index] - last.score[seat.index] for seat in Seat]
            points = max(0, won[after.winner.index]) if after.winner is not None else 0
            found[-1] = replace(last, winner=after.winner, points=points)
    return found


def _game(match: Match) -> Game:
    return Game(match.game, match.score, match.crawford == Crawford.NOW)


def mat(start: Match, played: list[Game], when: str, chain: str) -> str:
    """Skeleton as a .mat file; `chain` is the hash of the last journal entry."""
    setup, control = start.setup, start.clock.control
    left, right = (re.sub(r"\s*:\s*", " ", name) for name in setup.names)
    reserve_s, delay_s = start.clock.reserve_ms[0] // 1000, control.delay_ms // 1000
    lines = [
        f'; [Site "{_PROGRAM}"]',
        f'; [Player 1 "{_quoted(left)}"]',
        f'; [Player 2 "{_quoted(right)}"]',
        f'; [EventDate "{when}"]',
        f'; [TimeControl "{reserve_s}+{delay_s}"]',
        f'; [RecordHash "{chain}"]',
        "",
        f" {setup.length} point match",
    ]
    for game in played:
        lines += ["", f" Game {game.number}"]
        lines.append(f" {left} : {game.score[0]}".ljust(_COLUMN) + f"{right} : {game.score[1]}")
        if game.winner is not None and game.points:
            over = game.points + game.score[game.winner.index] >= setup.length
            words = f"Wins {game.points} point{'s' if game.points > 1 else ''}{' and the match' if over else ''}"
            lines.append(" " * (6 if game.winner is Seat.LEFT else _COLUMN) + words)
    return "\r\n".join(lines) + "\r\n"


def sgf(start: Match, played: list[Game], when: str, chain: str) -> str:
    """Skeleton as SGF, a tree per game; `chain` is the hash of the last journal entry."""
    setup = start.setup
    trees = []
    for game in played:
        left, right = game.score
        tree = (
            f"(;FF[4]GM[6]CA[UTF-8]AP[{_PROGRAM}]MI[length:{setup.length}][game:{game.number - 1}]"
            f"[ws:{left}][bs:{right}]PW[{_escaped(setup.names[0])}]PB[{_escaped(setup.names[1])}]DT[{when}]"
            f"GC[Hash of the record: {chain}]"
        )
        if game.crawford:
            tree += "RU[Crawford:CrawfordGame]"
        elif setup.length > 1:
            tree += "RU[Crawford]"
        if game.winner is not None:
            side = "W" if game.winner is Seat.LEFT else "B"
            tree += f"RE[{side}+{game.points}]" if game.points else f"RE[{side}+F]"
        trees.append(f"{tree})")
    return "\n".join(trees) + "\n"


def _escaped(text: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", text)


def _quoted(text: str) -> str:
    return text.replace('"', "'")
