"""Quarantine of clients whose requests for a match keep failing.

Keyed by match and client, so that nobody can block the opponent by sending requests that fail.
"""

import time
from collections import OrderedDict
from collections.abc import Callable

from clocks.desk.requests import Reply, Request
from clocks.engine.refusals import Why
from clocks.engine.words import Words
from clocks.host.ratelimit import RateLimiter

AT_ONCE, EACH_S = 3, 5  # failing requests: burst, and seconds until one more is allowed
SUSPECT_S = 600.0  # store a failing client's requests singly for this long: bisecting a full batch costs six batches
WORDS = Words("The server failed at the last commands from here. Try again in %(seconds)s seconds.", seconds=EACH_S)
REFUSED = Reply(False, 0, Why.BAD_MESSAGE, WORDS)

Asker = tuple[int, int | None, int | None]  # match, phone, user


class Quarantine:
    """Clients whose requests failed recently. Used in the desk's thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._faults = RateLimiter(burst=AT_ONCE, per_s=1 / EACH_S, clock=clock)
        self._suspects: OrderedDict[Asker, float] = OrderedDict()  # time of each client's last failure, earliest first

    def add(self, request: Request) -> bool:
        """Count a failed request; True if its client's requests are rejected from now on."""
        now, who = self._clock(), _asker(request)
        self._faults.take(who)
        self._suspects[who] = now
        self._suspects.move_to_end(who)
        while now - next(iter(self._suspects.values())) > SUSPECT_S:
            self._suspects.popitem(last=False)
        return self.refuses(request)

    def refuses(self, request: Request) -> bool:
        """True if too many requests from this client have failed."""
        return not self._faults.has_left(_asker(request))

    def suspects(self, request: Request) -> bool:
        """True if a request from this client failed recently, so this one is stored alone."""
        return bool(self._suspects) and self._clock() - self._suspects.get(_asker(request), -SUSPECT_S) < SUSPECT_S


def _asker(request: Request) -> Asker:
    return request.match_id, request.device_id, request.user_id
