"""The closed sets: what a status, a reason or a policy can be. Each member is its word on the wire and in the journal.

The seats and the kinds of delay are with the clock, in `clock.py`.
"""

from enum import StrEnum

from clocks.engine.clock import Seat


class Official(StrEnum):
    """Who acts at a table without a seat there."""

    DIRECTOR = "director"
    SERVER = "server"


Party = Seat | Official  # who acts
PARTIES: dict[str, Party] = {party.value: party for party in (*Seat, *Official)}


class Format(StrEnum):
    """How many play on a side."""

    SINGLES = "singles"
    DOUBLES = "doubles"


class Status(StrEnum):
    """The state of a match: `ready` is before a game, `flagged` when a reserve ran out and the director is due."""

    SETUP = "setup"
    READY = "ready"
    RUNNING = "running"
    STOPPED = "stopped"
    FLAGGED = "flagged"
    OVER = "over"


class Crawford(StrEnum):
    """Whether the Crawford game is still to come, now, or played."""

    NONE = "none"
    NOW = "now"
    DONE = "done"


class Win(StrEnum):
    """What a game is won by."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"

    @property
    def times(self) -> int:
        """Return how many times the cube it scores."""
        return {Win.SINGLE: 1, Win.GAMMON: 2, Win.BACKGAMMON: 3}[self]


class HowWon(StrEnum):
    """How a game came to its result: a pass, a result that was entered, or what was conceded or claimed."""

    PASS = "pass"
    GAME = "game"
    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"


class WonBy(StrEnum):
    """What brought the last point of a match, or its end without one: what the end says of it."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"
    PASS = "pass"
    TIME = "time"
    ENDED = "ended"


class Reason(StrEnum):
    """Why both clocks stopped. A stop for a proposal has that proposal's own word."""

    CONCESSION = "concession"
    BREAK = "break"
    DICE = "dice"
    CONTEST = "contest"
    DICE_PICKED_UP = "dice-picked-up"
    SCORE = "score"  # to verify it, or to propose another
    DIRECTOR = "director"
    OTHER = "other"
    OUTAGE = "outage"  # the server's own, as are those below
    FLAG = "flag"
    DICE_CONTESTED = "dice-contested"  # that the dice were picked up is contested
    GAME = "game"
    OFFER = "offer"
    DICE_PENALTY = "dice-penalty"
    DROP_FORFEIT = "drop-forfeit"
    UNDO = "undo"
    CUBE = "cube"
    TIME = "time"
    END = "end"
    REOPEN = "reopen"


# The reasons that somebody who asks for a stop may give.
REASONS = (
    Reason.CONCESSION,
    Reason.BREAK,
    Reason.DICE,
    Reason.CONTEST,
    Reason.DICE_PICKED_UP,
    Reason.SCORE,
    Reason.DIRECTOR,
    Reason.OTHER,
)


class Swap(StrEnum):
    """How a resume with the other seat's turn begins it."""

    NEW = "new"  # with a full delay
    BACK = "back"  # it goes on with what it had used


class Fate(StrEnum):
    """What becomes of a proposal that somebody declines."""

    WITHDRAWN = "withdrawn"
    ENDED = "ended"
    STANDING = "standing"  # for the director to settle


class FlagPolicy(StrEnum):
    """What a flag means under a rule set."""

    LOSE_MATCH = "lose-match"
    PENALTY = "penalty"
    NEXT_CONTROL = "next-control"
    OVERTIME = "overtime"  # once, then lose-match


class ConsequenceKind(StrEnum):
    """What one flag led to: its policy, or the one grace that some books allow."""

    LOSE_MATCH = "lose-match"
    PENALTY = "penalty"
    GRACE = "grace"
    NEXT_CONTROL = "next-control"
    OVERTIME = "overtime"


class Reset(StrEnum):
    """What penalty points leave on the clocks."""

    EXPIRED = "expired"  # the expired clock alone is set
    ADD = "add"  # the other keeps its time plus as much
    SET = "set"  # both are set


class Bronstein(StrEnum):
    """How Bronstein clocks begin."""

    STRICT = "strict"
    PRECREDITED = "precredited"  # with the delay already added


class Spectators(StrEnum):
    """What spectators see of the clocks."""

    NO_TIMES = "no-times"
    TIMES = "times"


class EndOf(StrEnum):
    """What a director may take back the end of."""

    MATCH = "match"
    GAME = "game"


class Deciding(StrEnum):
    """What a flag means in a game that always decides the match."""

    LIMITED = "limited"
    UNLIMITED = "unlimited"
    GRACE = "grace"


class OfferKind(StrEnum):
    """What a player may offer: to lose the game, or to have won it."""

    CONCESSION = "concession"
    CLAIM = "claim"


class DeclinedOffer(StrEnum):
    """What follows when an offer is declined."""

    DISPUTE = "dispute"  # it stands, the director is called
    OFFERER_HITS = "offerer-hits"  # the clocks stay stopped until the offerer hits
    OPPONENT_RUNS = "opponent-runs"  # it came with a hit, and the opponent's clock starts


class Topic(StrEnum):
    """What a rule book may have a paragraph about."""

    POSTING = "posting"  # when clocks are used at all
    START = "start"  # at which point of a match they come in
    RESERVE = "reserve"
    CONFIRM = "confirm"
    OPENING = "opening"
    TURN = "turn"
    CUBE = "cube"
    ILLEGAL_PLAY = "illegal-play"
    EARLY_DICE = "early-dice"
    TAKEN_DICE = "taken-dice"
    OFFER = "offer"
    STOP = "stop"
    BREAK = "break"
    DICE_MIX = "dice-mix"
    FLAG = "flag"
    SECOND_CONTROL = "second-control"
    SECOND_FLAG = "second-flag"
    GIN = "gin"
    FROZEN_CUBE = "frozen-cube"
    LOST_TIME = "lost-time"
    FAULTY_CLOCK = "faulty-clock"
    SPECTATORS = "spectators"
