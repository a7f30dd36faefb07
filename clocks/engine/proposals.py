"""Proposals and their terms."""

from collections.abc import Mapping
from dataclasses import dataclass

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import ConsequenceKind, Crawford, Party, Win
from clocks.engine.parsing import bad_value, one_of, pair, parse_fresh_delay, parse_note, parse_seat, whole
from clocks.engine.setup import LONGEST_MATCH, LONGEST_RESERVE_MS

LARGEST_CUBE = 1024


@dataclass(frozen=True, slots=True)
class GameResult:
    """The game is over: `winner` scores `points`."""

    winner: Seat
    points: int
    what: str = "game"


@dataclass(frozen=True, slots=True)
class Offer:
    """Concession (the other seat wins) or claim (the proposer wins)."""

    winner: Seat
    outcome: Win
    what: str = "offer"


@dataclass(frozen=True, slots=True)
class DicePenalty:
    """`against` picked up the dice too soon and forfeits a delay (US 4.1)."""

    against: Seat
    what: str = "dice-penalty"


@dataclass(frozen=True, slots=True)
class DropForfeit:
    """The pending forfeit of a delay by `seat` is dropped."""

    seat: Seat
    what: str = "drop-forfeit"


@dataclass(frozen=True, slots=True)
class UndoHit:
    """The last hit is taken back."""

    what: str = "undo"


@dataclass(frozen=True, slots=True)
class SetScore:
    """Corrected score; if `crawford` is None it is derived from the score."""

    score: tuple[int, int]
    crawford: Crawford | None = None
    what: str = "score"


@dataclass(frozen=True, slots=True)
class SetCube:
    """Corrected cube; `owner` is None if it is centred."""

    value: int
    owner: Seat | None
    what: str = "cube"


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Change of a seat's reserve by `by_ms`, which may be negative."""

    seat: Seat
    by_ms: int
    note: str = ""
    what: str = "time"


@dataclass(frozen=True, slots=True)
class EndMatch:
    """The match ends, and `winner` wins it."""

    winner: Seat
    note: str = ""
    what: str = "end"


@dataclass(frozen=True, slots=True)
class Reopen:
    """Take back the end of the match or, between games, of the last game."""

    note: str = ""
    what: str = "reopen"


@dataclass(frozen=True, slots=True)
class Consequence:
    """Consequence of a flag: points for the opponent, and both reserves afterwards."""

    kind: ConsequenceKind
    points: int
    reserve_ms: tuple[int, int]
    cube_frozen: bool


@dataclass(frozen=True, slots=True)
class Expiry:
    """The flag of `seat` fell. Proposed by the server, never by a command."""

    seat: Seat
    consequence: Consequence
    what: str = "expiry"


@dataclass(frozen=True, slots=True)
class ResumePlay:
    """Resume with the turn of `turn_of`, with a full delay or after a contested stop."""

    turn_of: Seat
    fresh_delay: bool = False
    what: str = "resume"


Terms = (
    GameResult
    | Offer
    | DicePenalty
    | DropForfeit
    | UndoHit
    | SetScore
    | SetCube
    | GiveTime
    | EndMatch
    | Reopen
    | ResumePlay
    | Expiry
)


@dataclass(frozen=True)
class Proposal:
    """Pending proposal: which seats agreed, and whether one declined (`disputed`)."""

    by: Party
    terms: Terms
    agreed: tuple[Seat, ...] = ()
    disputed: bool = False


def parse_terms(given: Mapping[str, object]) -> Terms:
    """Parse the terms of a `propose` command.

    Raises Refused(Why.BAD_VALUE) for invalid terms.
    """
    match given.get("what"):
        case "game":
            most = 3 * LARGEST_CUBE
            return GameResult(parse_seat("winner", given), whole("points", given.get("points"), 1, most))
        case "offer":
            outcome = one_of("outcome", given.get("outcome"), Win)
            return Offer(parse_seat("winner", given), outcome)
        case "dice-penalty":
            return DicePenalty(parse_seat("against", given))
        case "drop-forfeit":
            return DropForfeit(parse_seat("seat", given))
        case "undo":
            return UndoHit()
        case "score":
            left, right = pair("score", given.get("score"))
            score = (whole("score", left, 0, LONGEST_MATCH), whole("score", right, 0, LONGEST_MATCH))
            crawford = given.get("crawford")
            return SetScore(score, None if crawford is None else one_of("crawford", crawford, Crawford))
        case "cube":
            return _parse_cube(given)
        case "time":
            by_ms = whole("by_ms", given.get("by_ms"), -LONGEST_RESERVE_MS, LONGEST_RESERVE_MS)
            if by_ms == 0:
                raise bad_value("by_ms must not be 0. A positive number gives time, a negative one takes it away.")
            return GiveTime(parse_seat("seat", given), by_ms, parse_note(given))
        case "end":
            return EndMatch(parse_seat("winner", given), parse_note(given))
        case "reopen":
            return Reopen(parse_note(given))
        case "resume":
            return ResumePlay(parse_seat("turn_of", given), parse_fresh_delay(given))
    known = "game, offer, dice-penalty, drop-forfeit, undo, score, cube, time, end, reopen, resume"
    raise bad_value("what must be one of %(known)s.", known=known)


def _parse_cube(given: Mapping[str, object]) -> SetCube:
    value = whole("value", given.get("value"), 1, LARGEST_CUBE)
    if value & (value - 1):
        raise bad_value("value must be a cube: 1, 2, 4, 8 and so on.")
    owner = None if given.get("owner") is None else parse_seat("owner", given)
    if value == 1 and owner is not None:
        raise bad_value("A cube at 1 is in the middle, so leave the owner out.")
    return SetCube(value, owner)
