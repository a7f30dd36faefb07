"""Silence of a shared phone.

It limits how far its offline commands may be backdated. Silent means unreachable: a ping was not answered, or there was
no socket. A phone that merely sends nothing is not silent.
"""

PROBE_MS = 2_000  # ping interval, so the longest possible silence before a missed ping
SHORTEST_MS = 3_000  # shorter gaps allow no backdating: the next ping may not even have been sent
UNANSWERED_MS = 1_000  # longest wait for the answer to a ping
SETTLED_MS = 3_000  # more than a returning phone usually needs to send its kept commands
SENDING_MS = 60_000  # the most that this may take over a slow network; any other frame ends it earlier


class Silence:
    """Contact with one phone over all its sockets in this process.

    Timestamps are milliseconds of server time.
    """

    __slots__ = ("_has_sent_all", "_heard_at", "_missed_at", "_returned_at", "_silent_from", "_there_ms", "device_id")

    def __init__(self, device_id: int) -> None:
        self.device_id = device_id
        self._heard_at = 0
        self._missed_at: int | None = None  # first unanswered ping, or close of the last socket
        self._returned_at = 0
        self._silent_from: int | None = None  # start of the silence before its return; None: never heard before
        self._has_sent_all = False  # True if it has sent another frame since its return
        self._there_ms = 0  # time reachable before its return, in which it had not sent everything

    def heard(self, at: int) -> None:
        """Record a frame or the answer to a ping."""
        if not self._heard_at:
            self._returned_at = at
        elif at - (there_until := self._there_until(at)) >= SHORTEST_MS:
            if self.has_sent_all(there_until):
                self._silent_from, self._there_ms = there_until, 0
            else:  # it may still have commands from the silence before
                self._there_ms += there_until - self._returned_at
            self._returned_at, self._has_sent_all = at, False
        self._heard_at, self._missed_at = max(at, self._heard_at), None

    def sent_all(self) -> None:
        """Record a frame other than a hand-over: a page sends its kept commands first."""
        self._has_sent_all = True

    def has_sent_all(self, at: int) -> bool:
        """True if no kept commands are in transit from a phone reachable at `at`."""
        return self._has_sent_all or self._there_ms + at - self._returned_at >= SENDING_MS

    def missed(self, at: int) -> None:
        """Record a ping, unanswered so far, or the close of the last socket."""
        if self._missed_at is None:
            self._missed_at = at

    def heard_until(self, now: int) -> int | None:
        """Time until which the phone was reachable before a frame at `now`.

        That is `now` unless it was silent, and None if unknown. While its kept commands may be in transit, it is later
        by the time since its return, so that nothing is backdated by more than the silence.
        """
        if not self._heard_at:
            return None
        if now - self._returned_at < SETTLED_MS or not self.has_sent_all(now):
            there_ms = self._there_ms + now - self._returned_at
            return None if self._silent_from is None else self._silent_from + max(0, there_ms - SETTLED_MS)
        return self._there_until(now)

    def _there_until(self, now: int) -> int:
        if self._missed_at is None or now - self._missed_at < UNANSWERED_MS:
            return now
        return max(self._heard_at, self._missed_at - PROBE_MS)
