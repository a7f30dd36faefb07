"""Lag credit of a press: network delay that is not charged to either player."""

from clocks.engine.closed_sets import Party
from clocks.engine.match import Match


def measured_ms(claimed_at: int | None, at: int, round_trip_ms: int) -> int:
    """Delay of a press in ms by its claimed time, at most the measured round trip."""
    return 0 if claimed_at is None else max(0, min(at - claimed_at, round_trip_ms))


def allowed_ms(match: Match, by: Party, measured_ms: int) -> int:
    """Credit of a press in ms, within the limits per press and game; 0 out of turn.

    Also 0 for the press after a resume that swapped the turn: otherwise a player could take back presses without the
    opponent and be credited for each.
    """
    if match.turn is None or match.turn != by or match.set_aside is not None:
        return 0
    return max(0, min(measured_ms, match.lag_credit_ms, match.lag.left_ms(match.turn)))
