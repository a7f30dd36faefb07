"""When a phone was heard, as far as that contradicts a press which is said to have been delayed.

What waited in a dead network arrives all at once when that is back. So a sign that came within the same second as the
press says nothing about when the press was made; an answer to a ping does, because the ping was sent before it.
"""

BURST_MS = 1_000
SETTLED_MS = 3_000  # a phone that has come back sends what it kept well within this


class Signs:
    """The signs of one phone, by one socket (`opened_at`; `earlier`: its last sign before that) or by all of them.

    Instants are the server's, in milliseconds; 0 where nothing was heard.
    """

    __slots__ = ("_before", "_burst_at", "_earlier", "_last", "_opened_at")

    def __init__(self, opened_at: int = 0, earlier: int = 0) -> None:
        self._opened_at = opened_at
        self._earlier = earlier
        self._before = self._burst_at = self._last = 0

    def heard(self, at: int) -> None:
        """Note that a frame came."""
        if at - self._burst_at >= BURST_MS:
            self._before = max(self._before, self._last)
            self._burst_at = at
        self._last = at

    def answered(self, pinged_at: int) -> None:
        """Note that a ping was answered which was sent at `pinged_at`."""
        self._before = max(self._before, pinged_at)

    def last(self, now: int) -> int:
        """Return the last sign before what arrives at `now` and what arrives with it."""
        return self._before if now - self._burst_at < BURST_MS else max(self._before, self._last)

    def last_before(self, claimed_at: int, now: int) -> int:
        """Return the last sign that bears on a press made at `claimed_at`, as its phone says, which arrives at `now`.

        By a socket that was opened since, the phone may just have come back: what it sends at first does not count.
        """
        last = self.last(now)
        returned = claimed_at < self._opened_at and last < self._opened_at + SETTLED_MS
        return self._earlier if returned else last
