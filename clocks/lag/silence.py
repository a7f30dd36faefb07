"""How long the phone between the players was silent: what it did meanwhile counts when it happened, and no earlier.

Silent means not reachable: it left a ping unanswered, or had no socket. A phone that only says nothing is not silent.
"""

PROBE_MS = 2_000  # between two pings to such a phone: of what came before one that is missed, no more was silent
SHORTEST_MS = 3_000  # a shorter gap dates nothing back: the next ping may not even have been sent
UNANSWERED_MS = 1_000  # an answer to a ping may take so long
SETTLED_MS = 3_000  # a phone that has come back sends what it kept well within this


class Silence:
    """The contact with one phone by all its sockets in this process. Instants are the server's, in milliseconds."""

    __slots__ = ("_heard_at", "_missed_at", "_returned_at", "_silent_ms", "device_id")

    def __init__(self, device_id: int) -> None:
        self.device_id = device_id
        self._heard_at = 0
        self._missed_at: int | None = None  # since when there has been no answer, or no socket
        self._returned_at = 0
        self._silent_ms: int | None = None  # before it returned; None: it was never heard here before

    def heard(self, at: int) -> None:
        """Note a frame or the answer to a ping."""
        if not self._heard_at:
            self._returned_at = at
        elif (silent_ms := at - self._there_until(at)) >= SHORTEST_MS:
            self._returned_at, self._silent_ms = at, silent_ms
        self._heard_at, self._missed_at = max(at, self._heard_at), None

    def missed(self, at: int) -> None:
        """Note a ping that is to be answered, or that the last socket has closed."""
        if self._missed_at is None:
            self._missed_at = at

    def heard_until(self, now: int) -> int | None:
        """Return until when the phone was there before what arrives at `now`: `now` itself unless it was silent.

        None where nothing is known of it.
        """
        if not self._heard_at:
            return None
        if now - self._returned_at < SETTLED_MS:
            return None if self._silent_ms is None else now - self._silent_ms
        return self._there_until(now)

    def _there_until(self, now: int) -> int:
        if self._missed_at is None or now - self._missed_at < UNANSWERED_MS:
            return now
        return max(self._heard_at, self._missed_at - PROBE_MS)
