"""Quarantine of requests: whoever keeps asking a match for what fails is refused there for a while.

A phone in one match is kept apart from everybody else, from the other phone of that match too: nobody can keep an
opponent from pressing by sending what fails.
"""

import time
from collections import OrderedDict
from collections.abc import Callable

from clocks.desk.requests import Reply, Request
from clocks.engine.refusals import Why
from clocks.engine.words import Words
from clocks.host.ratelimit import RateLimiter

AT_ONCE, EACH_S = 3, 5  # requests that fail: so many at once, then one each so many seconds
SUSPECT_S = 600.0  # to find the one that fails in a full batch takes as long as six batches: once in so long
WORDS = Words("The server failed at the last commands from here. Try again in %(seconds)s seconds.", seconds=EACH_S)
REFUSED = Reply(False, 0, Why.BAD_MESSAGE, WORDS)

Asker = tuple[int, int | None, int | None]  # match, phone, user


class Quarantine:
    """Who asked which match for something that failed, lately. In the desk's thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._faults = RateLimiter(burst=AT_ONCE, per_s=1 / EACH_S, clock=clock)
        self._suspects: OrderedDict[Asker, float] = OrderedDict()  # when each failed last, the earliest first

    def add(self, request: Request) -> bool:
        """Count a request that failed; True if its asker is refused from now on."""
        now, who = self._clock(), _asker(request)
        self._faults.take(who)
        self._suspects[who] = now
        self._suspects.move_to_end(who)
        while now - next(iter(self._suspects.values())) > SUSPECT_S:
            self._suspects.popitem(last=False)
        return self.refuses(request)

    def refuses(self, request: Request) -> bool:
        """True if too much of what its asker asked for failed."""
        return not self._faults.has_left(_asker(request))

    def suspects(self, request: Request) -> bool:
        """True if something that its asker asked for failed lately: it is stored apart from the others."""
        return bool(self._suspects) and self._clock() - self._suspects.get(_asker(request), -SUSPECT_S) < SUSPECT_S


def _asker(request: Request) -> Asker:
    return request.match_id, request.device_id, request.user_id
