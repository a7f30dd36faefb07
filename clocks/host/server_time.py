"""The server's time: milliseconds since 1970, from a clock that only moves forward.

A monotonic clock is anchored to the wall clock at start, so a step of the system clock moves nothing. Where several
processes share a database, `desk/agreed_time.py` moves the anchor towards that one authority.
"""

import threading
import time
from collections.abc import Callable

from django.db import connection

MS = 1_000_000  # nanoseconds


def _steady_ns() -> int:
    """Return nanoseconds of a clock that is never set, and that counts while the machine sleeps where there is one."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic_ns()


class Timebase:
    """A clock of its own; the process uses the one below."""

    def __init__(self, steady_ns: Callable[[], int], wall_ns: Callable[[], int]) -> None:
        self._steady_ns = steady_ns
        self._anchor_ns = wall_ns() - steady_ns()
        self._last_ms = 0
        self._lock = threading.Lock()

    def now_ms(self) -> int:
        """Return the server's time in milliseconds; never less than the last time it was asked."""
        now = (self._steady_ns() + self._anchor_ns) // MS
        if now < self._last_ms:
            return self._last_ms
        self._last_ms = now
        return now

    def ahead_ms(self, ask_ms: Callable[[], float], tries: int = 5) -> int:
        """Return by how many milliseconds the authority that `ask_ms` asks is ahead of this clock.

        The answer with the shortest round trip counts, as of the middle of that trip.
        """
        best: tuple[int, float] | None = None
        for _ in range(tries):
            asked = self._steady_ns()
            theirs_ms = ask_ms()
            answered = self._steady_ns()
            if best is None or answered - asked < best[0]:
                best = (answered - asked, theirs_ms * MS - (asked + answered) / 2)
        assert best is not None
        return round((best[1] - self._anchor_ns) / MS)

    def move(self, ms: int) -> None:
        """Move the anchor. A clock that was ahead stands still until its new time, because `now_ms` never goes back."""
        with self._lock:
            self._anchor_ns += ms * MS


_timebase = Timebase(_steady_ns, time.time_ns)
now_ms = _timebase.now_ms
ahead_ms = _timebase.ahead_ms
move = _timebase.move


def database_ms() -> float:
    """Return the database's clock in milliseconds since 1970: the authority of several processes (PostgreSQL)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000")
        return float(cursor.fetchone()[0])
