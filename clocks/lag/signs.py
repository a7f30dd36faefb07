"""Answers to pings, which disprove a phone's claim that a press was delayed.

An answer was sent after its ping. Any other frame proves nothing: it may have been sent before the press and delayed
itself.
"""

SETTLED_MS = 3_000  # more than a returning phone usually needs to send its kept commands


class Signs:
    """Answers of one phone to pings, on one socket or on all.

    Timestamps are milliseconds of server time; 0 if there was none. For one socket, `opened_at` is when it was opened,
    and `earlier` is when the phone was last heard from before that.
    """

    __slots__ = ("_earlier", "_opened_at", "last")

    def __init__(self, opened_at: int = 0, earlier: int = 0) -> None:
        self._opened_at = opened_at
        self._earlier = earlier
        self.last = 0

    def answered(self, pinged_at: int) -> None:
        """Record the answer to a ping sent at `pinged_at`."""
        self.last = max(self.last, pinged_at)

    def last_before(self, claimed_at: int) -> int:
        """Time of last contact that counts against a press claimed for `claimed_at`.

        If the socket was opened after `claimed_at`, the phone may just have returned: its first answers do not count.
        """
        returned = claimed_at < self._opened_at and self.last < self._opened_at + SETTLED_MS
        return self._earlier if returned else self.last
