"""Turn arithmetic: two reserves, a delay, and the time used so far.

Nothing ticks. All durations are integer milliseconds, all timestamps milliseconds of server time.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from clocks.engine.frozen import changed


class Seat(StrEnum):
    """A side of the table."""

    LEFT = "left"
    RIGHT = "right"

    index: int  # type: ignore[assignment]  # index of this seat in every pair: left 0, right 1

    def __init__(self, word: str) -> None:
        self.index = 0 if word == "left" else 1

    @property
    def other(self) -> "Seat":
        return Seat.RIGHT if self is Seat.LEFT else Seat.LEFT


SEATS = {seat.value: seat for seat in Seat}  # a lookup is ten times as fast as `Seat(word)`


class Kind(StrEnum):
    """Kind of delay: none, simple (US 2013, 1.1) or Bronstein (US 2007, 1.1)."""

    NONE = "none"
    SIMPLE = "simple"
    BRONSTEIN = "bronstein"


T = TypeVar("T")


def with_seat(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    """Return a [left, right] pair with the seat's value replaced."""
    return (value, pair[1]) if seat is Seat.LEFT else (pair[0], value)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Kind and length of the delay (0 for `none`)."""

    kind: Kind
    delay_ms: int


@dataclass(frozen=True)
class Clock:
    """Both reserves at the start of the turn, and the state of the turn.

    `since` is when the clock last started (None: stopped), and `used_ms` the time that the turn had used by then. Under
    the option `bronstein: "precredited"`, the first start of a Bronstein control adds the delay to both reserves;
    `precredit` is True until then.
    """

    control: TimeControl
    reserve_ms: tuple[int, int]
    turn: Seat | None = None
    used_ms: int = 0
    since: int | None = None
    precredit: bool = False

    def used(self, at: int) -> int:
        """Milliseconds that this turn has run by `at`, excluding stops."""
        return self.used_ms if self.since is None else self.used_ms + max(0, at - self.since)

    @property
    def allowance_ms(self) -> int:
        """Total time this turn may run before its flag falls."""
        if self.turn is None:
            return 0
        reserve = self.reserve_ms[self.turn.index]
        return reserve + self.control.delay_ms if self.control.kind is Kind.SIMPLE else reserve

    @property
    def flag_at(self) -> int | None:
        """Time at which the running clock's flag will fall; None if stopped."""
        return None if self.since is None else self.since + self.allowance_ms - self.used_ms

    @property
    def spent(self) -> bool:
        """True if a stopped turn has no time left."""
        return self.turn is not None and self.used_ms >= self.allowance_ms

    def reserves(self, at: int) -> tuple[int, int]:
        """Reserves shown on both clocks at `at`, never below 0."""
        if self.turn is None:
            return self.reserve_ms
        used, reserve = self.used(at), self.reserve_ms[self.turn.index]
        charged = max(0, used - self.control.delay_ms) if self.control.kind is Kind.SIMPLE else used
        return with_seat(self.reserve_ms, self.turn, max(0, reserve - charged))

    def delays(self, at: int) -> tuple[int, int]:
        """Delays shown on both clocks at `at`; full unless it is the seat's turn."""
        full = self.control.delay_ms
        if self.turn is None:
            return (full, full)
        return with_seat((full, full), self.turn, max(0, full - self.used(at)))

    def after_turn(self, used: int) -> tuple[int, int]:
        """Reserves after charging the turn for `used` milliseconds."""
        if self.turn is None:
            return self.reserve_ms
        charged = used if self.control.kind is Kind.NONE else max(0, used - self.control.delay_ms)
        return with_seat(self.reserve_ms, self.turn, max(0, self.reserve_ms[self.turn.index] - charged))

    def start(self, seat: Seat, at: int) -> "Clock":
        """Charge the current turn, if any, and start a turn of `seat` with a full delay."""
        reserve = self.after_turn(self.used(at))
        return changed(self, reserve_ms=reserve, turn=seat, used_ms=0, since=None).resume(at)

    def set_aside(self, at: int) -> "Clock":
        """Set the stopped turn aside to continue later; add a pending precredit first."""
        return changed(self.resume(at), since=None)

    def go_on(self, earlier: "Clock", at: int) -> "Clock":
        """Charge the stopped turn like a hit, then continue the turn of `earlier`.

        Its reserve and used time are restored.
        """
        assert earlier.turn is not None
        began = self.start(earlier.turn, at)
        reserve = with_seat(began.reserve_ms, earlier.turn, earlier.reserve_ms[earlier.turn.index])
        return changed(began, reserve_ms=reserve, used_ms=earlier.used_ms)

    def hit(self, at: int, credit_ms: int = 0) -> "Clock":
        """End the turn, charging `used - credit_ms`, and start the other seat's."""
        assert self.turn is not None
        reserve = self.after_turn(max(0, self.used(at) - credit_ms))
        return changed(self, reserve_ms=reserve, turn=self.turn.other, used_ms=0, since=at)

    def stop(self, at: int) -> "Clock":
        """Stop at `at`; the turn keeps its used time."""
        return changed(self, used_ms=self.used(at), since=None)

    def resume(self, at: int) -> "Clock":
        """Run the turn from `at`.

        The first start of a precredited control adds the delay to both reserves.
        """
        if not self.precredit:
            return changed(self, since=at)
        delay = self.control.delay_ms
        reserve = (self.reserve_ms[0] + delay, self.reserve_ms[1] + delay)
        return changed(self, reserve_ms=reserve, precredit=False, since=at)

    def restart_delay(self, at: int) -> "Clock":
        """Charge the stopped turn as a hit would; run the same seat with a full delay."""
        assert self.turn is not None
        return self.start(self.turn, at)

    def settle(self, at: int, credit_ms: int = 0) -> "Clock":
        """End and charge the turn as a hit would, without starting the other seat's.

        Used when a game ends: between games both clocks are stopped.
        """
        reserve = self.after_turn(max(0, self.used(at) - credit_ms))
        return changed(self, reserve_ms=reserve, turn=None, used_ms=0, since=None)

    def give(self, seat: Seat, by_ms: int) -> "Clock":
        """Add `by_ms`, which may be negative, to a reserve; a running clock keeps running."""
        return changed(self, reserve_ms=with_seat(self.reserve_ms, seat, self.reserve_ms[seat.index] + by_ms))
