"""Signs of life of a phone, which disprove a claim that its press was delayed.

Only an answer to a ping is one: it was sent after the ping. Any other frame may have been sent before the press and
been delayed itself.
"""

SETTLED_MS = 3_000  # more than a returning phone usually needs to send its kept commands


class Signs:
    """Signs of life of one phone, on one socket or on all.

    Instants are server milliseconds; 0 if there was none. For one socket, `opened_at` is when it was opened, and
    `earlier` is the last sign of life before that.
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
        """Last sign of life that counts against a press claimed for `claimed_at`.

        If the socket was opened after `claimed_at`, the phone may just have returned: its first answers do not count.
        """
        returned = claimed_at < self._opened_at and self.last < self._opened_at + SETTLED_MS
        return self._earlier if returned else self.last
