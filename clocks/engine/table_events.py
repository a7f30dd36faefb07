"""Administrative events: seats, tables, codes and names."""

from dataclasses import dataclass
from typing import Any, ClassVar

from clocks.engine.clock import Seat
from clocks.engine.codec import encode


@dataclass(frozen=True, slots=True)
class Event:
    """An event at time `at`; `name` is its name in the journal."""

    name: ClassVar[str] = ""
    at: int

    def to_dict(self) -> dict[str, Any]:
        """Return the event as plain JSON values; `event_from_dict` reads it back."""
        plain: dict[str, Any] = encode(self)
        return plain


@dataclass(frozen=True, slots=True)
class SeatTaken(Event):
    """Phone `device` took seats.

    `lent` are the seats that it only borrows: it took them over from a silent phone after the player had confirmed, or
    a helper without the right to transfer them lent them (`seats/claims.py`). `together`: the players share the phone,
    and it answers for both.
    """

    name: ClassVar[str] = "seat_taken"
    device: int
    seats: tuple[Seat, ...]
    lent: tuple[Seat, ...] = ()
    together: bool = False


@dataclass(frozen=True, slots=True)
class SeatReleased(Event):
    """The director or the server freed `seat`, or returned it to its owner."""

    name: ClassVar[str] = "seat_released"
    seat: Seat
    note: str


@dataclass(frozen=True, slots=True)
class SeatGranted(Event):
    """The director or a player made the phone in `seat` the seat's owner."""

    name: ClassVar[str] = "seat_granted"
    seat: Seat
    note: str


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """The match moved from the table named `before` to the one named `after`."""

    name: ClassVar[str] = "moved"
    before: str
    after: str
    note: str


@dataclass(frozen=True, slots=True)
class CodeReplaced(Event):
    """The table got a new code."""

    name: ClassVar[str] = "code_replaced"
    before: str
    after: str
    note: str


@dataclass(frozen=True, slots=True)
class NamesCorrected(Event):
    """The players were renamed to `names`."""

    name: ClassVar[str] = "names_corrected"
    names: tuple[str, str]
    note: str


@dataclass(frozen=True, slots=True)
class HandedOver(Event):
    """Phone `device` handed over the commands that it had kept since `since`.

    The first `taken` of `kept` commands were accepted, and their entries precede this one. `code` is the reason to
    reject the next, or empty.
    """

    name: ClassVar[str] = "handed_over"
    device: int
    since: int
    heard_at: int
    kept: int
    taken: int
    code: str = ""


@dataclass(frozen=True, slots=True)
class NamesRemoved(Event):
    """Names and notes were removed from the journal up to this entry.

    `names` are the replacements.
    """

    name: ClassVar[str] = "names_removed"
    names: tuple[str, str]


OUTSIDE_THE_RULES = frozenset(
    each.name
    for each in (SeatTaken, SeatReleased, SeatGranted, Moved, CodeReplaced, NamesCorrected, HandedOver, NamesRemoved)
)
