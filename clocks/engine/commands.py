"""Commands, and the parser for those that clients send as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import REASONS, Reason
from clocks.engine.codec import encode
from clocks.engine.parsing import one_of, parse_fresh_delay, parse_note, parse_seat, whole
from clocks.engine.proposals import Terms, parse_terms
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words

LARGEST_NUMBER = 1_000_000  # limit for the numbers of turns and proposals
LARGEST_CREDIT_MS = 60_000


@dataclass(frozen=True, slots=True)
class Command:
    """A command; `do` is its name on the wire, the fields are its arguments."""

    do: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the command as a JSON object; arguments that are None are omitted."""
        arguments = {key: value for key, value in encode(self).items() if value is not None}
        return {"do": self.do, **arguments}


@dataclass(frozen=True, slots=True)
class Confirm(Command):
    do: ClassVar[str] = "confirm"


@dataclass(frozen=True, slots=True)
class Press(Command):
    """A command that ends a turn.

    `credit_ms` is lag credit, charged to neither clock; `turn_number`, if given, must be that of the current turn.
    """

    turn_number: int | None = None
    credit_ms: int = 0


@dataclass(frozen=True, slots=True)
class Hit(Press):
    do: ClassVar[str] = "hit"


@dataclass(frozen=True, slots=True)
class Double(Press):
    do: ClassVar[str] = "double"


@dataclass(frozen=True, slots=True)
class Take(Press):
    do: ClassVar[str] = "take"


@dataclass(frozen=True, slots=True)
class Pass(Press):
    do: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Stop(Command):
    """Stop both clocks. Only the server may give the reason `outage`.

    A player who stopped without a reason may give it with a second stop.
    """

    do: ClassVar[str] = "stop"
    reason: Reason = Reason.OTHER


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Resume the clocks. `turn_of` None: continue the interrupted turn.

    If its player moved with the clocks stopped (US 4.2), that turn counts as ended and the other seat's begins.
    """

    do: ClassVar[str] = "resume"
    turn_of: Seat | None = None
    fresh_delay: bool = False


@dataclass(frozen=True, slots=True)
class StopAll(Command):
    """Stop this match as part of a stop of the whole hall; `hall` is its number."""

    hall: int
    note: str

    def to_dict(self) -> dict[str, Any]:
        return {"do": "stop", "reason": Reason.DIRECTOR.value, "hall": self.hall, "note": self.note}


@dataclass(frozen=True, slots=True)
class ResumeAll(Command):
    """Resume this match if it was stopped by stop number `hall` of the whole hall."""

    hall: int

    def to_dict(self) -> dict[str, Any]:
        return {"do": "resume", "hall": self.hall}


@dataclass(frozen=True, slots=True)
class Propose(Command):
    """Propose terms. The note is recorded but has no effect.

    `turn_number`, if given, must be that of the current turn, so that a late proposal cannot affect the next one.
    """

    do: ClassVar[str] = "propose"
    terms: Terms
    note: str = ""
    turn_number: int | None = None

    def to_dict(self) -> dict[str, Any]:
        terms = {key: value for key, value in encode(self.terms).items() if value is not None}
        note = {"note": self.note} if self.note else {}
        turn = {} if self.turn_number is None else {"turn_number": self.turn_number}
        return {"do": self.do, **terms, **note, **turn}


@dataclass(frozen=True, slots=True)
class Agree(Command):
    """Agree to the pending proposal. `proposal`, if given, must be its number."""

    do: ClassVar[str] = "agree"
    note: str = ""
    proposal: int | None = None


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """Decline or withdraw the pending proposal, checking its number if given."""

    do: ClassVar[str] = "decline"
    note: str = ""
    proposal: int | None = None


Answer = Agree | Decline


@dataclass(frozen=True, slots=True)
class Withdraw(Command):
    """Withdraw one's agreement to a flag's consequence, until the other player agrees."""

    do: ClassVar[str] = "withdraw"


@dataclass(frozen=True, slots=True)
class Call(Command):
    do: ClassVar[str] = "call"
    note: str = ""


@dataclass(frozen=True, slots=True)
class AnswerCall(Command):
    do: ClassVar[str] = "answer"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Look(Command):
    """Let a flag fall if it is due now; change nothing else."""

    do: ClassVar[str] = "look"


@dataclass(frozen=True, slots=True)
class Expire(Command):
    """Let a flag fall once its lag allowance has run out. Sent by the flag watch."""

    do: ClassVar[str] = "expire"


@dataclass(frozen=True, slots=True)
class TakeSeat(Command):
    """Give seats to phone `device`. Created by the server only.

    `given` are the phones that agreed to give up their seat (None: none was asked). `lent` and `together` are as in
    `SeatTaken`.
    """

    do: ClassVar[str] = "take-seat"
    device: int
    seats: tuple[Seat, ...]
    given: tuple[int, ...] | None = None
    lent: tuple[Seat, ...] = ()
    together: bool = False


@dataclass(frozen=True, slots=True)
class ReleaseSeat(Command):
    """Free a seat (both of a shared phone) or return a borrowed one; not for players."""

    do: ClassVar[str] = "release-seat"
    seat: Seat
    note: str = ""


@dataclass(frozen=True, slots=True)
class GrantSeat(Command):
    """Make the phone in a seat the seat's owner.

    For the director, or for players in a match without one. A phone that then owns both seats may answer for both
    players.
    """

    do: ClassVar[str] = "grant-seat"
    seat: Seat
    note: str = ""


@dataclass(frozen=True, slots=True)
class Move(Command):
    """Move the match from table `before` to table `after`: director only."""

    do: ClassVar[str] = "move"
    before: str
    after: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReplaceCode(Command):
    """Give the table a new code: director only."""

    do: ClassVar[str] = "replace-code"
    before: str
    after: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class CorrectNames(Command):
    """Correct or replace the players' names: director or server only."""

    do: ClassVar[str] = "correct-names"
    names: tuple[str, str]
    note: str = ""


@dataclass(frozen=True, slots=True)
class RemoveNames(Command):
    """Replace the players' names with `names` and clear all notes, in the journal too."""

    do: ClassVar[str] = "remove-names"
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Kept:
    """A command that `seat` entered on an offline phone at `at`.

    `id` is set if it may have been sent before.
    """

    seat: Seat
    command: Command
    at: int
    id: str | None = None


@dataclass(frozen=True, slots=True)
class HandOver(Command):
    """Hand over the commands that a shared phone kept offline."""

    do: ClassVar[str] = "hand-over"
    kept: tuple[Kept, ...]

    def ids(self, command_id: str | None) -> list[str]:
        """Id of each kept command: its own, or one derived from the id of the hand-over."""
        return [kept.id or f"{command_id}.{number}" for number, kept in enumerate(self.kept)]

    def to_dict(self) -> dict[str, Any]:
        return {"do": self.do, "kept": len(self.kept)}


def parse_command(given: object) -> Command:
    """Parse the command in a JSON object; unknown keys are ignored.

    Raises Refused(Why.BAD_MESSAGE) for an unknown command, Refused(Why.BAD_VALUE) for an invalid argument.
    """
    if not isinstance(given, Mapping):
        raise Refused(Why.BAD_MESSAGE, "A command must be an object with “do”.")
    do = given.get("do")
    match do:
        case "confirm":
            return Confirm()
        case "hit" | "double" | "take" | "pass":
            return _press(PRESSES[do], given)
        case "stop":
            reason = given.get("reason", Reason.OTHER)
            return Stop(Reason.OUTAGE if reason == Reason.OUTAGE else one_of("reason", reason, REASONS))
        case "resume":
            turn_of = None if given.get("turn_of") is None else parse_seat("turn_of", given)
            return Resume(turn_of, parse_fresh_delay(given))
        case "propose":
            return Propose(parse_terms(given), parse_note(given), _number("turn_number", given))
        case "withdraw":
            return Withdraw()
        case "agree" | "decline":
            return ANSWERS[do](parse_note(given), _number("proposal", given))
        case "call" | "answer":
            return NOTED[do](parse_note(given))
    known = "confirm, hit, stop, resume, double, take, pass, propose, agree, decline, withdraw, call, answer"
    raise Refused(Why.BAD_MESSAGE, Words("do must be one of %(known)s.", known=known))


PRESSES: dict[str, type[Press]] = {"hit": Hit, "double": Double, "take": Take, "pass": Pass}
ANSWERS: dict[str, type[Agree] | type[Decline]] = {"agree": Agree, "decline": Decline}
NOTED: dict[str, type[Call] | type[AnswerCall]] = {"call": Call, "answer": AnswerCall}


def _press(kind: type[Press], given: Mapping[str, object]) -> Press:
    return kind(
        turn_number=_number("turn_number", given),
        credit_ms=whole("credit_ms", given.get("credit_ms", 0), 0, LARGEST_CREDIT_MS),
    )


def _number(name: str, given: Mapping[str, object]) -> int | None:
    """Return the number of a turn or a proposal, or None if omitted."""
    number = given.get(name)
    return None if number is None else whole(name, number, 0, LARGEST_NUMBER)
