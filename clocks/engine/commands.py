"""What may be asked. JSON becomes one of these on entry."""

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

LARGEST_NUMBER = 1_000_000  # of a turn or a proposal
LARGEST_CREDIT_MS = 60_000


@dataclass(frozen=True, slots=True)
class Command:
    """A request; `do` is its word on the wire, the fields are its arguments."""

    do: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object that `parse_command` reads back; arguments left out are left out."""
        arguments = {key: value for key, value in encode(self).items() if value is not None}
        return {"do": self.do, **arguments}


@dataclass(frozen=True, slots=True)
class Confirm(Command):
    do: ClassVar[str] = "confirm"


@dataclass(frozen=True, slots=True)
class Press(Command):
    """A command that ends a turn. `credit_ms` is charged to nobody; `turn_number`, if given, must be current."""

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
    """Both clocks stop. The reason `outage` is the server's own.

    A player who stopped them without a reason gives it by asking again, with the reason.
    """

    do: ClassVar[str] = "stop"
    reason: Reason = Reason.OTHER


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """The clocks resume. `turn_of` None: as the stop left it."""

    do: ClassVar[str] = "resume"
    turn_of: Seat | None = None
    fresh_delay: bool = False


@dataclass(frozen=True, slots=True)
class StopAll(Command):
    """Stop, as one of a whole hall; the desk gives each such stop its number."""

    hall: int
    note: str

    def to_dict(self) -> dict[str, Any]:
        return {"do": "stop", "reason": Reason.DIRECTOR.value, "hall": self.hall, "note": self.note}


@dataclass(frozen=True, slots=True)
class ResumeAll(Command):
    """Resume what that stop of the whole hall stopped, and nothing else."""

    hall: int

    def to_dict(self) -> dict[str, Any]:
        return {"do": "resume", "hall": self.hall}


@dataclass(frozen=True, slots=True)
class Propose(Command):
    """Terms, and why: the note changes nothing and stays in the journal with the command.

    `turn_number`, if given, must be current: what was meant for one turn is not proposed in another.
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
    """Agree to the proposal that stands. `proposal`, if given, must be its number."""

    do: ClassVar[str] = "agree"
    note: str = ""
    proposal: int | None = None


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """Decline the proposal that stands, or withdraw one's own. `proposal`, if given, must be its number."""

    do: ClassVar[str] = "decline"
    note: str = ""
    proposal: int | None = None


Answer = Agree | Decline


@dataclass(frozen=True, slots=True)
class Withdraw(Command):
    """A player takes back having agreed to what a flag leads to, before the other has agreed."""

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
    """Let a flag fall that is due at this instant; changes nothing else."""

    do: ClassVar[str] = "look"


@dataclass(frozen=True, slots=True)
class Expire(Command):
    """Let a flag fall whose lag allowance is over too: what a watch from outside asks."""

    do: ClassVar[str] = "expire"


@dataclass(frozen=True, slots=True)
class TakeSeat(Command):
    """Device `device` sits down; the server asks for it, and it does not concern the rules.

    `given` are the phones that agreed to give up their seat (None: nobody was asked). By what right it holds the
    seats is the server's to say: `lent` and `together` as in the event.
    """

    do: ClassVar[str] = "take-seat"
    device: int
    seats: tuple[Seat, ...]
    given: tuple[int, ...] | None = None
    lent: tuple[Seat, ...] = ()
    together: bool = False


@dataclass(frozen=True, slots=True)
class ReleaseSeat(Command):
    """The director frees the seat of a player, and with it the other one where the same phone holds both."""

    do: ClassVar[str] = "release-seat"
    seat: Seat
    note: str = ""


@dataclass(frozen=True, slots=True)
class GrantSeat(Command):
    """The director lets the phone in the seat of a player do everything: keep the seat, and answer for both players
    where it holds both.
    """

    do: ClassVar[str] = "grant-seat"
    seat: Seat
    note: str = ""


@dataclass(frozen=True, slots=True)
class Move(Command):
    """The director moves the match from the table named `before` to the one named `after`."""

    do: ClassVar[str] = "move"
    before: str
    after: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReplaceCode(Command):
    """The director gives the table a new code."""

    do: ClassVar[str] = "replace-code"
    before: str
    after: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class CorrectNames(Command):
    """The director says what the players are called, or who they are; the match goes on as it is."""

    do: ClassVar[str] = "correct-names"
    names: tuple[str, str]
    note: str = ""


@dataclass(frozen=True, slots=True)
class RemoveNames(Command):
    """The players are called `names` from now on, and in everything that the journal holds; every note is emptied."""

    do: ClassVar[str] = "remove-names"
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Kept:
    """What `seat` asked of a phone without a network, at `at`; `id` where it may have been sent before."""

    seat: Seat
    command: Command
    at: int
    id: str | None = None


@dataclass(frozen=True, slots=True)
class HandOver(Command):
    """The phone between the players hands over what it was asked while it had no network, in order."""

    do: ClassVar[str] = "hand-over"
    kept: tuple[Kept, ...]

    def ids(self, command_id: str | None) -> list[str]:
        """Return the id of each part: its own, or one derived from the id of the whole."""
        return [kept.id or f"{command_id}.{number}" for number, kept in enumerate(self.kept)]

    def to_dict(self) -> dict[str, Any]:
        return {"do": self.do, "kept": len(self.kept)}


def parse_command(given: object) -> Command:
    """Return the command that a JSON object asks for; keys that are not its arguments are ignored.

    Raises Refused(Why.BAD_MESSAGE) where there is no such command, Refused(Why.BAD_VALUE) for a wrong argument.
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
    """Return the number of a turn or a proposal, None where it is left out."""
    number = given.get(name)
    return None if number is None else whole(name, number, 0, LARGEST_NUMBER)
