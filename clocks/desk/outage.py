"""Server heartbeat, and stopping clocks after an outage.

An outage is more than 3 s in which no server process could store anything. The desk commits every second, and each
commit is a heartbeat. During a gap no press could count: the server was not running (crash and restart, SIGSTOP, a
laptop asleep), its database was unreachable or its disk full. Before anything else, the desk then stops every running
clock as of the last heartbeat. While a clock runs, heartbeats are also stored (`SignOfLife`).
"""

import logging
import os
import secrets
import socket
import threading

from django.db import connection
from django.db.models import Max

from clocks.desk.figures import figures
from clocks.desk.requests import Request
from clocks.engine.closed_sets import Official, Reason, Status
from clocks.engine.commands import Stop
from clocks.models import Match, SignOfLife

OUTAGE_MS = 3_000
SIGN_MS = 1_000
RESENT_MS = 2_500  # longer than the phones' resend interval, so a phone whose command failed has sent it again

_PROCESS = f"{socket.gethostname()[:40]} {os.getpid()} {secrets.token_hex(4)}"
_RECORD = (
    f"INSERT INTO {SignOfLife._meta.db_table} (process, at) VALUES (%s, %s)"
    " ON CONFLICT (process) DO UPDATE SET at = excluded.at"
)

logger = logging.getLogger(__name__)


class Heartbeat:
    """Heartbeat of this process.

    Before `start` (management commands, tests) there are no outages.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._beat_at: int | None = None
        self._lost_at: int | None = None
        self._sign_at = 0
        self._failed_at: int | None = None
        self._failing_since = 0

    @property
    def beats(self) -> bool:
        """True if this process is a server, so that its heartbeats count."""
        return self._beat_at is not None

    def start(self, now: int) -> None:
        """Start the heartbeat; stored heartbeats tell how long the server was down before."""
        with self._lock:
            self._beat_at, self._lost_at = now, 0

    def stop(self) -> None:
        """Stop the heartbeat."""
        with self._lock:
            self._beat_at = self._lost_at = self._failed_at = None

    def beat(self, now: int, commands: bool) -> None:
        """Record a commit of decisions made at `now`; `commands` is false if it was empty."""
        with self._lock:
            self._notice(now)
            if commands:
                self._failed_at = None
            if self._beat_at is not None:
                self._beat_at = now

    def failed(self, now: int) -> None:
        """Record that commands could not be stored.

        A stored heartbeat does not disprove that: on a full disk one may still fit.
        """
        with self._lock:
            if not self._fails(now):
                self._failing_since = now if self._beat_at is None else self._beat_at
            self._failed_at = now

    def _fails(self, now: int) -> bool:
        return self._failed_at is not None and now - self._failed_at <= RESENT_MS

    def lost_at(self, now: int) -> int | None:
        """Last heartbeat before a gap not handled yet (0: before `start`), or None."""
        with self._lock:
            self._notice(now)
            return self._lost_at

    def recovered(self, now: int) -> None:
        """Mark the gap as handled."""
        with self._lock:
            self._lost_at = self._failed_at = None
            if self._beat_at is not None:
                self._beat_at = max(self._beat_at, now)

    def _notice(self, now: int) -> None:
        if self._beat_at is None or self._lost_at is not None:
            return
        since = min(self._beat_at, self._failing_since) if self._fails(now) else self._beat_at
        if now - since > OUTAGE_MS:
            self._lost_at = since

    def give_sign(self, now: int) -> None:
        """Store a heartbeat each second while a clock runs, except in an outage."""
        if self.beats and self._lost_at is None and now - self._sign_at >= SIGN_MS and not self._fails(now):
            self._sign_at = now
            if any_runs():
                record(now)


heartbeat = Heartbeat()


def began_at(lost_at: int, now: int) -> int | None:
    """Time as of which a gap stops all clocks; None if another process was alive."""
    last = max(lost_at, last_sign_of_life())
    return None if last > 0 and now - last <= OUTAGE_MS else last


def record(now: int) -> None:
    """Store a heartbeat, in the caller's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_RECORD, [_PROCESS, now])


def running() -> list[int]:
    """Return the ids of matches whose clock is running."""
    return list(Match.objects.filter(status=Status.RUNNING).order_by("pk").values_list("pk", flat=True))


def any_runs() -> bool:
    """True if any clock is running."""
    return Match.objects.filter(status=Status.RUNNING).exists()


def last_sign_of_life() -> int:
    """Time of the last stored heartbeat of any server process; 0 if there is none."""
    return SignOfLife.objects.aggregate(at=Max("at"))["at"] or 0


def stops_after(lost_at: int | None, now: int) -> list[Request]:
    """Requests to stop every running clock after an outage, as of its beginning."""
    began = None if lost_at is None else began_at(lost_at, now)
    if began is None:
        return []
    return [Request(match_id, Stop(Reason.OUTAGE), Official.SERVER, began) for match_id in running()]


def tell(stops: list[Request], now: int) -> None:
    """Log and count an outage, once its stops are stored."""
    if stops:
        began = stops[0].at
        since = f"for {now - began} ms" if began else "of a server before this one"
        logger.warning("no sign of life %s: %d clocks are stopped", since, len(stops))
        if began:
            figures.outages_ms += (now - began) * len(stops)
