"""Tenure of seats: the phone in each seat, as owner or borrower.

A phone that takes a seat from a silent one after the player has confirmed only borrows it. The owner gets the seat back
without asking; until then, or until the seat is granted, the borrower may only press, stop and call.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from clocks.engine.clock import Seat
from clocks.engine.events import Event, SeatGranted, SeatReleased, SeatTaken

Devices = tuple[int | None, int | None]  # the phone in each seat, left first


@dataclass(frozen=True, slots=True)
class Tenure:
    """Tenure of both seats, left first.

    `owners` are the owners of borrowed seats (None: not borrowed), and `lent_at` when they were borrowed (server
    time in ms). `between` is the shared phone that may answer for both players, because it took both seats before the
    first game, or the director or (in a casual match) the players allowed it.
    """

    owners: Devices = (None, None)
    lent_at: tuple[int | None, int | None] = (None, None)
    between: int | None = None

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Tenure":
        """Parse the output of `to_dict`. An empty dict means no borrowed seats."""
        if not plain:
            return cls()
        return cls(tuple(plain["owners"]), tuple(plain["lent_at"]), plain["between"])

    def to_dict(self) -> dict[str, Any]:
        """Return the tenure as plain JSON values; empty by default."""
        if self == Tenure():
            return {}
        return {"owners": list(self.owners), "lent_at": list(self.lent_at), "between": self.between}

    def borrowed(self, seat: Seat) -> bool:
        """True if the phone in a seat only borrows it."""
        return self.owners[seat.index] is not None

    def rightful(self, devices: Devices) -> Devices:
        """Return the owner of each seat."""
        left, right = (device if owner is None else owner for device, owner in zip(devices, self.owners, strict=True))
        return left, right


IN_FULL = Tenure()


class Hold(NamedTuple):
    """Tenure of one seat: its phone and, if borrowed, its owner and since when."""

    device: int | None
    owner: int | None = None
    lent_at: int | None = None


def reseated(devices: Devices, tenure: Tenure, event: Event) -> tuple[Devices, Tenure]:
    """Return the phones in the seats and their tenure after an event."""
    match event:
        case SeatTaken():
            return _taken(devices, tenure, event)
        case SeatReleased():
            return _released(devices, tenure, event.seat)
        case SeatGranted():
            return _granted(devices, tenure, event.seat)
    return devices, tenure


def _taken(devices: Devices, tenure: Tenure, event: SeatTaken) -> tuple[Devices, Tenure]:
    """Give a phone exactly these seats.

    A borrowed seat that it gives up goes back to its owner.
    """

    def after(seat: Seat, hold: Hold) -> Hold:
        if seat in event.lent:
            return Hold(event.device, hold.device if hold.owner is None else hold.owner, event.at)
        if seat in event.seats:
            return Hold(event.device)
        return Hold(hold.owner) if hold.device == event.device else hold

    return _changed(devices, tenure, after, event.device if event.together else tenure.between)


def _released(devices: Devices, tenure: Tenure, released: Seat) -> tuple[Devices, Tenure]:
    """Return a borrowed seat to its owner, or free both seats of its phone."""
    holder = None if tenure.borrowed(released) else devices[released.index]

    def after(seat: Seat, hold: Hold) -> Hold:
        gives_up = seat is released or (holder is not None and hold.device == holder)
        return Hold(hold.owner) if gives_up else hold

    return _changed(devices, tenure, after, tenure.between)


def _granted(devices: Devices, tenure: Tenure, granted: Seat) -> tuple[Devices, Tenure]:
    """Make the phone in a seat the seat's owner.

    If it then owns both seats, it may answer for both players.
    """
    between = tenure.between if tenure.borrowed(granted.other) else devices[granted.index]

    def after(seat: Seat, hold: Hold) -> Hold:
        return Hold(hold.device) if seat is granted else hold

    return _changed(devices, tenure, after, between)


def _changed(
    devices: Devices, tenure: Tenure, after: Callable[[Seat, Hold], Hold], between: int | None
) -> tuple[Devices, Tenure]:
    """Apply `after` to both seats; only a phone that owns both stays `between`."""
    left, right = (
        after(seat, Hold(devices[seat.index], tenure.owners[seat.index], tenure.lent_at[seat.index])) for seat in Seat
    )
    held = (left.device, right.device)
    changed = Tenure((left.owner, right.owner), (left.lent_at, right.lent_at))
    if between is not None and changed.rightful(held) == (between, between):
        changed = Tenure(changed.owners, changed.lent_at, between)
    return held, changed
