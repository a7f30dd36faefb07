"""Find resumes that earlier versions decided by other rules.

A replay applies them as recorded. Earlier versions also counted the first press after a swap in the lag budget, and
continued an earlier turn after a move with the clocks stopped (US 4.2).
"""

from typing import Any

from clocks.engine.clock import SEATS
from clocks.engine.closed_sets import Reason, Swap
from clocks.engine.events import ClockHit, Doubled, Resumed, StopExplained, Stopped, Took

PRESSES = (ClockHit.name, Doubled.name, Took.name)


class EarlierResumes:
    """Finds resumes that replay differently. Feed it a journal from the first entry."""

    def __init__(self) -> None:
        self._turn: str | None = None  # seat whose turn it is; None: unknown
        self._pressed_by: str | None = None
        self._swapped = False  # the turn was swapped since the last press
        self._picked_up = False  # the clocks are stopped because dice were picked up

    def has(self, event: str, by: str, data: dict[str, Any]) -> bool:
        """Process the next entry. True if replaying its command may give another result."""
        if event in PRESSES:
            self._turn, self._pressed_by, self._swapped = SEATS[data["seat"]].other, data["seat"], False
            return False
        if event in (Stopped.name, StopExplained.name):
            self._picked_up = data["reason"] == Reason.DICE_PICKED_UP
        if event != Resumed.name:
            return False
        swaps = data["turn_of"] != self._turn
        again = self._swapped or data["turn_of"] == by == self._pressed_by
        self._turn, self._swapped = data["turn_of"], self._swapped or swaps
        picked_up, self._picked_up = self._picked_up, False
        if data.get("swap"):
            return "uncredited" not in data or (picked_up and data["swap"] == Swap.BACK)
        return "swap" not in data and ((swaps and again) or (data.get("fresh", False) and by in SEATS))
