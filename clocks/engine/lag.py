"""Lag budget of a game: how much credit each seat has used."""

from dataclasses import dataclass

from clocks.engine.clock import Seat, with_seat
from clocks.engine.frozen import changed

# Budget per seat and game: a fixed amount, plus an amount for each press.
GAME_CREDIT_MS = 1_000
PRESS_CREDIT_MS = 100


@dataclass(frozen=True)
class Lag:
    """Lag credit used in this game, credited presses, and all presses: [left, right]."""

    used_ms: tuple[int, int] = (0, 0)
    credited: tuple[int, int] = (0, 0)
    presses: tuple[int, int] = (0, 0)

    def after(self, seat: Seat, credit_ms: int) -> "Lag":
        """Return the budget after a press."""
        at = seat.index
        presses = with_seat(self.presses, seat, self.presses[at] + 1)
        if not credit_ms:
            return changed(self, presses=presses)
        used_ms = with_seat(self.used_ms, seat, self.used_ms[at] + credit_ms)
        return Lag(used_ms, with_seat(self.credited, seat, self.credited[at] + 1), presses)

    def left_ms(self, seat: Seat) -> int:
        """Credit in ms that the budget leaves for the next press of a seat."""
        at = seat.index
        return max(0, GAME_CREDIT_MS + PRESS_CREDIT_MS * (self.presses[at] + 1) - self.used_ms[at])


NO_LAG = Lag()
