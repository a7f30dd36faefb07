"""Signs of life of a phone, which disprove a claim that its press was delayed.

Frames delayed by a dead network arrive together when the network returns. A sign within the same second as the press
therefore proves nothing; an answer to a ping does, because the ping was sent before.
"""

BURST_MS = 1_000
SETTLED_MS = 3_000  # more than a returning phone needs to send its kept commands


class Signs:
    """Signs of life of one phone, on one socket or on all.

    Instants are server milliseconds; 0 if there was none. For one socket, `opened_at` is when it was opened, and
    `earlier` is the last sign before that.
    """

    __slots__ = ("_answered", "_before", "_burst_at", "_earlier", "_last", "_opened_at")

    def __init__(self, opened_at: int = 0, earlier: int = 0) -> None:
        self._opened_at = opened_at
        self._earlier = earlier
        self._answered = self._before = self._burst_at = self._last = 0

    def heard(self, at: int) -> None:
        """Record a frame."""
        if at - self._burst_at >= BURST_MS:
            self._before = max(self._before, self._last)
            self._burst_at = at
        self._last = at

    def answered(self, pinged_at: int) -> None:
        """Record the answer to a ping sent at `pinged_at`."""
        self._answered = max(self._answered, pinged_at)
        self._before = max(self._before, pinged_at)

    def last(self, now: int) -> int:
        """Return the last sign before the burst of frames that arrives at `now`."""
        return self._before if now - self._burst_at < BURST_MS else max(self._before, self._last)

    def last_before(self, claimed_at: int, now: int) -> int:
        """Last sign relevant to a press that arrives at `now` and claims `claimed_at`.

        If the socket was opened after `claimed_at`, the phone may just have returned: its first frames do not count.
        """
        return self._unless_returned(claimed_at, self.last(now))

    def answered_before(self, claimed_at: int) -> int:
        """Last answer relevant to a press on another socket.

        Frames prove nothing there: they may have waited in a connection that the phone has given up.
        """
        return self._unless_returned(claimed_at, self._answered)

    def _unless_returned(self, claimed_at: int, last: int) -> int:
        returned = claimed_at < self._opened_at and last < self._opened_at + SETTLED_MS
        return self._earlier if returned else last
