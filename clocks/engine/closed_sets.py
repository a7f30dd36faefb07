"""Enums of the engine; their values are used on the wire and in the journal.

`Seat` and `Kind` (of delay) are in `clock.py`.
"""

from enum import StrEnum

from clocks.engine.clock import Seat


class Official(StrEnum):
    """Parties without a seat: the director and the server."""

    DIRECTOR = "director"
    SERVER = "server"


Party = Seat | Official
PARTIES: dict[str, Party] = {party.value: party for party in (*Seat, *Official)}


class Format(StrEnum):
    """Singles or doubles."""

    SINGLES = "singles"
    DOUBLES = "doubles"


class Status(StrEnum):
    """State of a match: `ready` before a game, `flagged` until a flag is settled."""

    SETUP = "setup"
    READY = "ready"
    RUNNING = "running"
    STOPPED = "stopped"
    FLAGGED = "flagged"
    OVER = "over"


class Crawford(StrEnum):
    """Crawford game: still to come, now, or played."""

    NONE = "none"
    NOW = "now"
    DONE = "done"


class Win(StrEnum):
    """Single game, gammon or backgammon."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"

    @property
    def times(self) -> int:
        """Multiplier of the cube value."""
        return {Win.SINGLE: 1, Win.GAMMON: 2, Win.BACKGAMMON: 3}[self]

    @classmethod
    def scoring(cls, points: int, cube: int) -> "Win | None":
        """Outcome that scores these points at this cube value, or None."""
        return next((win for win in cls if win.times * cube == points), None)


class HowWon(StrEnum):
    """Way a game ended: by a pass, an entered result, or an accepted offer."""

    PASS = "pass"
    GAME = "game"
    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"


class WonBy(StrEnum):
    """Way a match was won, for the announcement of its end."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"
    PASS = "pass"
    TIME = "time"
    ENDED = "ended"


class Reason(StrEnum):
    """Reason to stop both clocks.

    A stop caused by a proposal has the `what` of its terms as reason.
    """

    CONCESSION = "concession"
    BREAK = "break"
    DICE = "dice"
    CONTEST = "contest"
    DICE_PICKED_UP = "dice-picked-up"
    SCORE = "score"  # to verify or correct the score
    DIRECTOR = "director"
    OTHER = "other"
    OUTAGE = "outage"  # clients cannot give this reason or those below
    FLAG = "flag"
    DICE_CONTESTED = "dice-contested"  # the other player denies that the dice were picked up
    GAME = "game"
    OFFER = "offer"
    DICE_PENALTY = "dice-penalty"
    DROP_FORFEIT = "drop-forfeit"
    UNDO = "undo"
    CUBE = "cube"
    TIME = "time"
    END = "end"
    REOPEN = "reopen"


# Reasons that a player or director may give.
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
    """Kind of turn that a resume gives to the other seat."""

    NEW = "new"  # a new turn, with a full delay
    BACK = "back"  # its earlier turn, with the time already used


class Fate(StrEnum):
    """Fate of a declined proposal."""

    WITHDRAWN = "withdrawn"
    ENDED = "ended"
    STANDING = "standing"  # stays open until the director settles it


class FlagPolicy(StrEnum):
    """Consequence of a flag under a rule set."""

    LOSE_MATCH = "lose-match"
    PENALTY = "penalty"
    NEXT_CONTROL = "next-control"
    OVERTIME = "overtime"  # once for each player; after that, lose-match


class ConsequenceKind(StrEnum):
    """Consequence of one flag: that of the policy, or the grace that some books allow."""

    LOSE_MATCH = "lose-match"
    PENALTY = "penalty"
    GRACE = "grace"
    NEXT_CONTROL = "next-control"
    OVERTIME = "overtime"


class Reset(StrEnum):
    """Effect of a flag penalty on the clocks."""

    EXPIRED = "expired"  # set only the expired clock
    ADD = "add"  # set the expired clock, and add the same amount to the other
    SET = "set"  # set both clocks


class Bronstein(StrEnum):
    """Starting reserves of Bronstein clocks."""

    STRICT = "strict"
    PRECREDITED = "precredited"  # the delay is already added


class Spectators(StrEnum):
    """Visibility of the times for spectators."""

    NO_TIMES = "no-times"
    TIMES = "times"


class EndOf(StrEnum):
    """End that a reopening takes back: of the match or of the last game."""

    MATCH = "match"
    GAME = "game"


class Deciding(StrEnum):
    """Flags in a game that decides the match: as usual, none, or one grace each."""

    LIMITED = "limited"
    UNLIMITED = "unlimited"
    GRACE = "grace"


class OfferKind(StrEnum):
    """Offers of a player: concession or claim."""

    CONCESSION = "concession"
    CLAIM = "claim"


class DeclinedOffer(StrEnum):
    """Consequence of declining an offer."""

    DISPUTE = "dispute"  # the offer stands and the director is called; without one, play resumes
    OFFERER_HITS = "offerer-hits"  # the clocks stay stopped until the offerer hits
    OPPONENT_RUNS = "opponent-runs"  # the offer came with a hit, so the opponent's clock starts


class Topic(StrEnum):
    """Topics that the paragraphs of rule books cover."""

    POSTING = "posting"  # when clocks are used
    START = "start"  # when clocks are introduced during a match
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
