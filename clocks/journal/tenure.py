"""By what right the phones hold the seats of a match, and what each event about seats makes of it.

A phone that takes a seat from a silent one, once the first game has begun, only borrows it: the seat stays its owner's,
who gets it back without asking, and nothing is decided for it until its owner or the director agrees.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clocks.engine.clock import Seat
from clocks.engine.events import Event, SeatGranted, SeatReleased, SeatTaken

Devices = tuple[int | None, int | None]  # which phone holds each seat, left first


@dataclass(frozen=True, slots=True)
class Tenure:
    """How two seats are held, left first.

    `owners` are the phones from which borrowed seats were taken, None where a seat is not borrowed; `lent_at` when that
    was (server milliseconds); `between` the phone that lies between the players and may answer for both, because it
    took both seats before the first game or the director said so.
    """

    owners: Devices = (None, None)
    lent_at: tuple[int | None, int | None] = (None, None)
    between: int | None = None

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Tenure":
        """Return the tenure that `to_dict` wrote down; nothing is borrowed where nothing was written."""
        if not plain:
            return cls()
        return cls(tuple(plain["owners"]), tuple(plain["lent_at"]), plain["between"])

    def to_dict(self) -> dict[str, Any]:
        """Return the tenure as plain JSON values; empty where there is nothing to say."""
        if self == Tenure():
            return {}
        return {"owners": list(self.owners), "lent_at": list(self.lent_at), "between": self.between}

    def borrowed(self, seat: Seat) -> bool:
        """Tell whether a seat is held by a phone that took it from a silent one."""
        return self.owners[seat.index] is not None

    def rightful(self, devices: Devices) -> Devices:
        """Return the phones that hold the seats, the owner's in place of one that borrows."""
        left, right = (device if owner is None else owner for device, owner in zip(devices, self.owners, strict=True))
        return left, right


IN_FULL = Tenure()


def reseated(devices: Devices, tenure: Tenure, event: Event) -> tuple[Devices, Tenure]:
    """Return who holds the seats after an event, and by what right."""
    match event:
        case SeatTaken():
            return _taken(devices, tenure, event)
        case SeatReleased():
            return _released(devices, tenure, event.seat)
        case SeatGranted():
            return _granted(devices, tenure, event.seat)
    return devices, tenure


def _taken(devices: Devices, tenure: Tenure, event: SeatTaken) -> tuple[Devices, Tenure]:
    """Let a phone hold exactly the seats it took; one that it had borrowed and now lets go of is its owner's again."""
    held, owners, lent_at = list(devices), list(tenure.owners), list(tenure.lent_at)
    for seat in Seat:
        at = seat.index
        if seat in event.lent:
            owners[at] = devices[at] if owners[at] is None else owners[at]
            held[at], lent_at[at] = event.device, event.at
        elif seat in event.seats:
            held[at], owners[at], lent_at[at] = event.device, None, None
        elif held[at] == event.device:
            held[at], owners[at], lent_at[at] = owners[at], None, None
    return _settled(held, owners, lent_at, event.device if event.together else tenure.between)


def _released(devices: Devices, tenure: Tenure, released: Seat) -> tuple[Devices, Tenure]:
    """Take a seat from its phone: a borrowed one goes back to its owner, else the phone loses all that it holds."""
    held, owners, lent_at = list(devices), list(tenure.owners), list(tenure.lent_at)
    borrowed = tenure.borrowed(released)
    for seat in Seat:
        at = seat.index
        if seat is released or (not borrowed and held[at] == devices[released.index]):
            held[at], owners[at], lent_at[at] = owners[at], None, None
    return _settled(held, owners, lent_at, tenure.between)


def _granted(devices: Devices, tenure: Tenure, granted: Seat) -> tuple[Devices, Tenure]:
    """Let the phone in a seat keep it for good; where it then holds both by right it may answer for both."""
    owners, lent_at = list(tenure.owners), list(tenure.lent_at)
    owners[granted.index] = lent_at[granted.index] = None
    holder = devices[granted.index]
    both = devices == (holder, holder) and owners == [None, None]
    return _settled(list(devices), owners, lent_at, holder if both else tenure.between)


def _settled(
    held: list[int | None], owners: list[int | None], lent_at: list[int | None], between: int | None
) -> tuple[Devices, Tenure]:
    devices = (held[0], held[1])
    tenure = Tenure((owners[0], owners[1]), (lent_at[0], lent_at[1]))
    if between is not None and tenure.rightful(devices) == (between, between):
        tenure = Tenure(tenure.owners, tenure.lent_at, between)
    return devices, tenure
