"""Stops of running clocks in a match. Depends only on the engine."""

from collections.abc import Iterable
from typing import NamedTuple

from clocks.engine.match import Halt
from clocks.record.look_back import Step


class Stop(NamedTuple):
    """A stop of both clocks; `halt` has the actor and the reason.

    `until` is when the clocks were resumed, or when the game ended (then `resumed` is False); None while it lasts.
    """

    at: int
    halt: Halt
    until: int | None
    resumed: bool

    @property
    def ms(self) -> int:
        """Length of the stop; 0 while it lasts."""
        return 0 if self.until is None else self.until - self.at


def stops(steps: Iterable[Step]) -> list[Stop]:
    """Stops of a match or of one game, in order, with the last reason given."""
    found: list[Stop] = []
    since: int | None = None
    halt: Halt | None = None
    for before, after, event, _ in steps:
        was_running, runs = before.clock.since is not None, after.clock.since is not None
        if since is not None and halt is not None and (runs or after.clock.turn is None):
            found.append(Stop(since, halt, event.at, runs))
        if runs or after.clock.turn is None:
            since = None
        elif was_running:
            since = event.at
        halt = after.halt or halt
    if since is not None and halt is not None:
        found.append(Stop(since, halt, None, False))
    return found
