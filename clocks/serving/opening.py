"""Queue of sockets to open: one at a time, round-robin by address, with pauses.

Opening a socket costs as much as a dozen presses, and a whole hall may reconnect at once. The queue pauses after each
socket for as long as that took, so that presses get through (`host/yielding.py`). It serves addresses in turn (clients
with and without a cookie apart), so a thousand sockets of one address do not delay the first of another.

Just after a start, those who wait are the players, so several sockets open between pauses. This depends only on the
time since the start, which no client can influence.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable

HURRY_S, IN_A_ROW = 10.0, 4  # for so many seconds after the start, this many open between pauses
MOST_WAITING = 2_000  # per address: all phones of a hall may share one


def later(after_s: float, call: Callable[[], None]) -> None:
    """Call a function after a delay, at half the cost of Twisted's `callLater`."""
    asyncio.get_running_loop().call_later(after_s, call)


class Turns:
    """Queue of work, round-robin by key, with a pause after each piece.

    `later` calls a function after some seconds. If a piece returns False, because its client has gone, the next follows
    at once.
    """

    def __init__(
        self, later: Callable[[float, Callable[[], None]], object], clock: Callable[[], float], hurry_s: float = 0.0
    ) -> None:
        """Create an empty queue, which pauses less often for its first `hurry_s` seconds."""
        self._later, self._clock = later, clock
        self._hurry_until_s = clock() + hurry_s
        self._waiting: dict[Hashable, deque[Callable[[], object]]] = {}  # work by key, next key first
        self._began_s: float | None = None
        self._in_a_row = 0

    def wait(self, who: Hashable, work: Callable[[], object]) -> bool:
        """Queue `work` under a key. False if that key's queue is full."""
        theirs = self._waiting.setdefault(who, deque())
        if len(theirs) >= MOST_WAITING:
            return False
        theirs.append(work)
        if self._began_s is None:
            self._do_one()
        return True

    def _do_one(self) -> None:
        """Do the next piece; its pause begins in the next iteration of the event loop."""
        self._began_s = self._clock()
        self._later(0, self._after_turn)
        while self._waiting:
            who = next(iter(self._waiting))
            theirs = self._waiting.pop(who)
            work = theirs.popleft()
            if theirs:
                self._waiting[who] = theirs
            if work() is not False:
                return

    def _after_turn(self) -> None:
        """Pause for the duration of this turn, unless the next piece follows at once."""
        assert self._began_s is not None
        now_s = self._clock()
        self._in_a_row = (self._in_a_row + 1) % IN_A_ROW
        follows = self._in_a_row > 0 and now_s < self._hurry_until_s
        self._later(0 if follows else now_s - self._began_s, self._next)

    def _next(self) -> None:
        self._began_s = None
        if self._waiting:
            self._do_one()
