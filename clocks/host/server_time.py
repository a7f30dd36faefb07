"""Server time: milliseconds since 1970, never backwards.

A monotonic clock is anchored to the wall clock at start, so a step of the system clock has no effect. With several
processes, `desk/agreed_time.py` moves the anchor towards the database's clock.
"""

import threading
import time
from collections.abc import Callable

from django.db import connection

MS = 1_000_000  # nanoseconds


def _steady_ns() -> int:
    """Nanoseconds of a monotonic clock; on Linux it includes system sleep."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic_ns()


class Timebase:
    """Monotonic clock anchored to the wall clock."""

    def __init__(self, steady_ns: Callable[[], int], wall_ns: Callable[[], int]) -> None:
        self._steady_ns = steady_ns
        self._anchor_ns = wall_ns() - steady_ns()
        self._last_ms = 0
        self._lock = threading.Lock()

    def now_ms(self) -> int:
        """Server time in milliseconds; never decreases."""
        now = (self._steady_ns() + self._anchor_ns) // MS
        if now < self._last_ms:
            return self._last_ms
        self._last_ms = now
        return now

    def ahead_ms(self, ask_ms: Callable[[], float], tries: int = 5) -> int:
        """Milliseconds by which another clock, which `ask_ms` reads, is ahead.

        Uses the sample with the shortest round trip, taken as the time half-way through it.
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
        """Move the anchor by `ms`. After a move back, the clock stands still for `-ms`."""
        with self._lock:
            self._anchor_ns += ms * MS


_timebase = Timebase(_steady_ns, time.time_ns)
now_ms = _timebase.now_ms
ahead_ms = _timebase.ahead_ms
move = _timebase.move


def database_ms() -> float:
    """PostgreSQL's clock, shared by all processes, in milliseconds since 1970."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000")
        return float(cursor.fetchone()[0])
