"""Sockets open one at a time, and in between those who are playing are heard.

A socket that opens costs as much as a dozen presses, and a hall's worth of them may be there in one instant. They wait
here, in turn by address, so that whoever opens a thousand delays nobody else's first one. After each there is a pause
as long as what the loop did meanwhile, so that opening takes at most about half of its time.

Just after the server has started it is those who are playing that wait here, and some open before each pause. Nobody
from outside can bring that about: it goes by the time since the start, not by what whoever opens a socket says.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable

HURRIES_S, IN_A_ROW = 10.0, 4  # for how long after the start so many open, each in a turn of the loop, before a pause
MOST_WAITING = 2_000  # of one address: a hall behind a router, all of whose phones come back at once


def later(after_s: float, call: Callable[[], None]) -> None:
    """Have the running event loop call something after so many seconds, for half of what Twisted's own way costs."""
    asyncio.get_running_loop().call_later(after_s, call)


class Turns:
    """Pieces of work that wait, each on somebody's account; `later` calls something after so many seconds.

    Work that returns False had nothing to do, and took no turn.
    """

    def __init__(
        self, later: Callable[[float, Callable[[], None]], object], clock: Callable[[], float], hurries_s: float = 0.0
    ) -> None:
        """Begin without any; for the first `hurries_s` some are done before each pause."""
        self._later, self._clock = later, clock
        self._hurries_until_s = clock() + hurries_s
        self._waiting: dict[Hashable, deque[Callable[[], object]]] = {}  # the next in turn comes first
        self._began_s: float | None = None
        self._in_a_row = 0

    def wait(self, who: Hashable, work: Callable[[], object]) -> bool:
        """Have `work` done when it is its turn; tell whether there was room."""
        theirs = self._waiting.setdefault(who, deque())
        if len(theirs) >= MOST_WAITING:
            return False
        theirs.append(work)
        if self._began_s is None:
            self._do_one()
        return True

    def _do_one(self) -> None:
        """Do what is next, and look again once the loop has gone round."""
        self._began_s = self._clock()
        self._later(0, self._gone_round)
        while self._waiting:
            who = next(iter(self._waiting))
            theirs = self._waiting.pop(who)
            work = theirs.popleft()
            if theirs:
                self._waiting[who] = theirs
            if work() is not False:
                return

    def _gone_round(self) -> None:
        """Pause for as long as this turn of the loop took, unless the next is to follow at once."""
        assert self._began_s is not None
        now_s = self._clock()
        self._in_a_row = (self._in_a_row + 1) % IN_A_ROW
        follows = self._in_a_row > 0 and now_s < self._hurries_until_s
        self._later(0 if follows else now_s - self._began_s, self._next)

    def _next(self) -> None:
        self._began_s = None
        if self._waiting:
            self._do_one()
