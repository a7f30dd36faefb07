"""By what right the phones hold the seats of a match, and what each event about seats makes of it.

A phone that takes a seat from a silent one, once the first game has begun, only borrows it: the seat stays its owner's,
who gets it back without asking, and nothing is decided for it until its owner or the director agrees.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

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


class Hold(NamedTuple):
    """How one seat is held: by which phone, and from whom and when that one borrowed it."""

    device: int | None
    owner: int | None = None
    lent_at: int | None = None


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

    def after(seat: Seat, hold: Hold) -> Hold:
        if seat in event.lent:
            return Hold(event.device, hold.device if hold.owner is None else hold.owner, event.at)
        if seat in event.seats:
            return Hold(event.device)
        return Hold(hold.owner) if hold.device == event.device else hold

    return _changed(devices, tenure, after, event.device if event.together else tenure.between)


def _released(devices: Devices, tenure: Tenure, released: Seat) -> tuple[Devices, Tenure]:
    """Take a seat from its phone: a borrowed one goes back to its owner, else the phone loses all that it holds."""
    holder = None if tenure.borrowed(released) else devices[released.index]

    def after(seat: Seat, hold: Hold) -> Hold:
        gives_up = seat is released or (holder is not None and hold.device == holder)
        return Hold(hold.owner) if gives_up else hold

    return _changed(devices, tenure, after, tenure.between)


def _granted(devices: Devices, tenure: Tenure, granted: Seat) -> tuple[Devices, Tenure]:
    """Let the phone in a seat keep it for good; where it then holds both by right it may answer for both."""
    holder, other = devices[granted.index], granted.other
    both = devices == (holder, holder) and tenure.owners[other.index] is None

    def after(seat: Seat, hold: Hold) -> Hold:
        return Hold(hold.device) if seat is granted else hold

    return _changed(devices, tenure, after, holder if both else tenure.between)


def _changed(
    devices: Devices, tenure: Tenure, after: Callable[[Seat, Hold], Hold], between: int | None
) -> tuple[Devices, Tenure]:
    """Return the seats as `after` makes them; `between` stays only with a phone that holds both of them by right."""
    left, right = (
        after(seat, Hold(devices[seat.index], tenure.owners[seat.index], tenure.lent_at[seat.index])) for seat in Seat
    )
    held = (left.device, right.device)
    changed = Tenure((left.owner, right.owner), (left.lent_at, right.lent_at))
    if between is not None and changed.rightful(held) == (between, between):
        changed = Tenure(changed.owners, changed.lent_at, between)
    return held, changed
