"""Generate matches for the demo: setups, and commands with their times.

The engine has checked each command, so the desk will accept it.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Crawford, Format, Official, Party, Reason, Status, Win
from clocks.engine.commands import Agree, Call, Command, Confirm, Decline, Double, Expire, Hit, Propose, Stop, Take
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.proposals import DicePenalty, GameResult, Offer
from clocks.engine.setup import Setup

SECOND = 1000
ENOUGH_MS = 30 * SECOND  # minimum reserve that `moves` leaves a player
NAMES = (
    "Aiko Amara Ann Arne Bela Bob Carla Chi Dana Dov Edith Emil Eva Farid Finn Freja Goran Gus Hana Henrik Ida Igor "
    "Ines Jamal Jon Juno Kaja Kenji Kim Lars Leila Leo Lucia Magnus Marta Mochi Nadia Nils Noor Olga Omar Pavel Petra "
    "Quinn Rafa Rosa Sana Sota Svend Tara Tom Uma Vera Viktor Wim Xenia Yael Yuki Zeno Zoe"
).split()


class Given(NamedTuple):
    """Command by `by` at `at` (ms); `pressed_at` is set if the network delayed it."""

    at: int
    by: Party
    command: Command
    pressed_at: int | None = None


class Play(NamedTuple):
    """A generated match: setup, start, commands, and the seats whose phone is offline.

    Times are in milliseconds.
    """

    setup: Setup
    began_at: int
    commands: list[Given]
    gone: tuple[Seat, ...] = ()


class Game:
    """A match being generated; time starts at 0."""

    def __init__(self, setup: Setup, dice: random.Random) -> None:
        self.match = Match.begin(setup)
        self.dice = dice
        self.at = 0
        self.commands: list[Given] = []
        self.gone: tuple[Seat, ...] = ()

    def do(self, by: Party, command: Command, after_ms: int = 0, late_ms: int | None = None) -> None:
        """Give a command `after_ms` after the last one.

        `late_ms` is the network delay. Raises Refused if the rules do not allow the command.
        """
        self.at += after_ms
        outcome = perform(self.match, command, by, self.at)
        if outcome.refusal:
            raise outcome.refusal
        self.match = outcome.match
        self.commands.append(Given(self.at, by, command, None if late_ms is None else self.at - late_ms))

    def turn(self) -> Seat:
        """Seat whose turn it is; the game must be running."""
        assert self.match.turn is not None
        return self.match.turn

    def confirm(self) -> None:
        """Have both players confirm the settings."""
        for seat in Seat:
            self.do(seat, Confirm(), self.dice.randint(2, 20) * SECOND)

    def open(self) -> None:
        """Have a player start the opponent's clock after the opening roll."""
        self.do(self.dice.choice(tuple(Seat)), Hit(), self.dice.randint(5, 30) * SECOND)

    def moves(self, count: int, doubling: bool = True) -> None:
        """Play up to `count` moves, with some doubles; stop early if a reserve gets low."""
        for _ in range(count):
            seat, cube = self.turn(), self.match.cube
            if min(self.match.clock.reserves(self.at)) < ENOUGH_MS + 25 * SECOND:
                return
            thinks = self.dice.choice((3, 4, 5, 6, 8, 9, 11, 14, 17, 22)) * SECOND + self.dice.randrange(SECOND)
            may_double = (
                doubling and cube.owner in (None, seat) and cube.value < 4 and self.match.crawford != Crawford.NOW
            )
            if may_double and self.dice.random() < 0.06:
                self.do(seat, Double(), thinks)
                self.do(self.turn(), Take(), self.dice.randint(4, 20) * SECOND)
            else:
                self.do(seat, Hit(), thinks)

    def finish(self) -> None:
        """Record the result: the winner proposes it, the opponent agrees."""
        winner = self.dice.choice(tuple(Seat))
        points = self.match.cube.value * self.dice.choice((1, 1, 1, 2))
        self.do(winner, Propose(GameResult(winner, points)), self.dice.randint(4, 15) * SECOND)
        self.do(winner.other, Agree(), self.dice.randint(2, 8) * SECOND)

    def into_a_game(self) -> None:
        """Play until a game is in progress, usually not the first."""
        self.confirm()
        for _ in range(self.dice.randrange(3)):
            if self.match.setup.length - max(self.match.score) <= 2:  # a gammon would end the match
                break
            self.open()
            self.moves(self.dice.randint(4, 12), doubling=False)
            self.finish()
        self.open()
        self.moves(self.dice.randint(3, 16))


# --- stories: each brings a match into the state of its name and returns how long ago that was, in milliseconds ------


def running(game: Game) -> int:
    game.into_a_game()
    return game.dice.randint(0, 9) * SECOND


def stopped(game: Game) -> int:
    game.into_a_game()
    game.do(
        game.dice.choice(tuple(Seat)), Stop(game.dice.choice((Reason.DICE, Reason.CONTEST, Reason.BREAK))), 4 * SECOND
    )
    return game.dice.randint(10, 400) * SECOND


def stopped_by_director(game: Game) -> int:
    game.into_a_game()
    game.do(Official.DIRECTOR, Stop(Reason.DIRECTOR), 5 * SECOND)
    return game.dice.randint(10, 120) * SECOND


def flagged(game: Game) -> int:
    game.into_a_game()
    flag_at = game.match.flag_at
    assert flag_at is not None
    game.do(Official.SERVER, Expire(), flag_at + game.match.lag_credit_ms - game.at)
    return game.dice.randint(5, 200) * SECOND


def called(game: Game) -> int:
    game.into_a_game()
    seat = game.dice.choice(tuple(Seat))
    game.do(seat, Call(game.dice.choice(("Dice cocked on a checker", "We disagree about the score", ""))), 3 * SECOND)
    return game.dice.randint(5, 150) * SECOND


def doubled(game: Game) -> int:
    game.into_a_game()
    seat, cube = game.turn(), game.match.cube
    if game.match.crawford == Crawford.NOW or cube.owner is seat.other:
        return running_on(game)
    game.do(seat, Double(), 5 * SECOND)
    return game.dice.randint(1, 12) * SECOND


def running_on(game: Game) -> int:
    game.do(game.turn(), Hit(), 5 * SECOND)
    return game.dice.randint(0, 9) * SECOND


def low(game: Game) -> int:
    game.into_a_game()
    seat = game.turn()
    game.do(seat, Hit(), game.match.clock.reserves(game.at)[seat.index] - 40 * SECOND)
    return game.dice.randint(0, 5) * SECOND


def held_up(game: Game) -> int:
    game.into_a_game()
    game.do(game.turn(), Hit(), 27 * SECOND, late_ms=19 * SECOND)
    return game.dice.randint(0, 9) * SECOND


def one_gone(game: Game) -> int:
    game.gone = (Seat.RIGHT,)
    return running(game)


def both_gone(game: Game) -> int:
    game.gone = tuple(Seat)
    return running(game)


def claimed(game: Game) -> int:
    game.into_a_game()
    seat = game.turn()
    game.do(seat, Propose(DicePenalty(seat.other)), 3 * SECOND)
    return game.dice.randint(5, 60) * SECOND


def disputed(game: Game) -> int:
    game.into_a_game()
    seat = game.turn()
    game.do(seat, Propose(Offer(seat.other, Win.SINGLE)), 4 * SECOND)
    game.do(seat.other, Decline(), 6 * SECOND)
    return game.dice.randint(20, 240) * SECOND


def ready(game: Game) -> int:
    game.confirm()
    if game.dice.random() < 0.5:
        game.open()
        game.moves(6)
        game.finish()
    return game.dice.randint(5, 60) * SECOND


def setup(game: Game) -> int:
    if game.dice.random() < 0.5:
        game.do(Seat.LEFT, Confirm(), 10 * SECOND)
    return game.dice.randint(5, 200) * SECOND


def over(game: Game) -> int:
    game.confirm()
    while game.match.status != Status.OVER:
        game.open()
        game.moves(5)
        game.finish()
    return game.dice.randint(30, 900) * SECOND


# Weighted by repetition: half of the matches are running.
_STORIES: list[Callable[[Game], int]] = [
    running, stopped, running, called, doubled, running, flagged, ready, running, setup,
    running, over, running, claimed, running, running, disputed, running, running, stopped_by_director,
]  # fmt: skip
# Rare states, one table each, in place of a running match.
_ONCE: dict[int, Callable[[Game], int]] = {12: low, 14: held_up, 17: one_gone, 18: both_gone}


def played(count: int, dice: random.Random, now: int) -> list[Play]:
    """Generate `count` matches as of about `now`; the first 20 tell every story."""
    stories = (_ONCE.get(number, _STORIES[number % len(_STORIES)]) for number in range(count))
    return [_play(story, dice, now) for story in stories]


def _play(story: Callable[[Game], int], dice: random.Random, now: int) -> Play:
    game = Game(_setup(story, dice), dice)
    ago = story(game)
    began_at = now - ago - game.at
    given = [
        one._replace(at=began_at + one.at, pressed_at=None if one.pressed_at is None else began_at + one.pressed_at)
        for one in game.commands
    ]
    return Play(game.match.setup, began_at, given, game.gone)


def _setup(story: Callable[[Game], int], dice: random.Random) -> Setup:
    """Random setup under US rules: one in ten is doubles; finished matches are short."""
    doubles = dice.random() < 0.1
    people = dice.sample(NAMES, 4)
    names = [f"{people[0]} & {people[1]}", f"{people[2]} & {people[3]}"] if doubles else people[:2]
    return Setup.parse(
        {
            "rules": dice.choice(("us-2013", "us-2013", "us-2007")),
            "format": Format.DOUBLES if doubles else Format.SINGLES,
            "length": 3 if story is over else dice.choice((5, 7, 7, 9, 11)),
            "names": names,
        }
    )
