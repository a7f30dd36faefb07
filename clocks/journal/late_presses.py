"""A match as the server holds it: the rules' state beside what its row says. Knows only the engine."""

from dataclasses import dataclass
from typing import NamedTuple

from clocks.engine.clock import Seat
from clocks.engine.match import Match

LATE_MS = 1_000  # clocks of phones are off by less: what was held up for longer was held up by the network


class LatePress(NamedTuple):
    """A press that reached the server `late_ms` after it was made, of which `credit_ms` were charged to nobody.

    The director may give the rest back.
    """

    seat: Seat
    at: int
    late_ms: int
    credit_ms: int


def late_press(match: Match, by: str, at: int, claimed_at: int | None, credit_ms: int) -> LatePress | None:
    """Return what is to be shown of a press of `match` by `by` that arrived at `at`.

    None where its seat was not on turn, which costs nothing, and where the credit makes up for its delay. Whatever is
    claimed, a press cannot have lost more than its turn has run.
    """
    if claimed_at is None or match.turn is None or match.turn != by:
        return None
    late_ms = min(at - claimed_at, match.clock.used(at))
    return LatePress(match.turn, at, late_ms, credit_ms) if late_ms - credit_ms >= LATE_MS else None


@dataclass(slots=True)
class Board:
    """A match with its version (the journal's last seq), the devices that hold its seats, its table and event.

    `late` is the last late press, until the director gives that seat time.
    """

    id: int
    version: int
    match: Match
    devices: tuple[int | None, int | None]
    table_id: int
    table: str
    code: str
    tournament_id: int
    tournament: str  # its slug
    late: LatePress | None = None
    round: str = ""  # its name in English; empty for a match outside any round
    round_number: int | None = None  # of a round that has no name of its own
    made_at: int = 0

    def seats_of(self, device_id: int | None) -> tuple[Seat, ...]:
        """Return the seats that a device holds, left first."""
        if device_id is None:
            return ()
        return tuple(seat for seat in Seat if self.devices[seat.index] == device_id)
