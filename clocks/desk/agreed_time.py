"""Clock shared by all processes.

It follows PostgreSQL's clock (with SQLite, the system's). When a server starts, it is moved past the last stored
heartbeat if that is later. If the database's clock jumps, the processes keep their shared time, so that no player's
clock jumps, and a process that starts later adopts it from them.
"""

import logging
import time

from django.db import connection

from clocks.desk import outage
from clocks.host import server_time
from clocks.host.server_time import now_ms

STEP_MS = 1_000  # more than clocks drift in a minute; a larger difference means that a clock was set or stopped
LOOK_S = 0.02

logger = logging.getLogger(__name__)


def begin() -> None:
    """Adopt the shared time, no earlier than the last stored heartbeat.

    Call before a server's first batch.
    """
    if connection.vendor == "postgresql":
        ahead_ms = server_time.ahead_ms(server_time.database_ms)
        if not _is_kept(now_ms() + ahead_ms):
            heard = _next_sign_of_life()
            if heard is not None:
                logger.warning("the database's clock was set: the time is that of the processes that are alive")
                ahead_ms = heard - now_ms()
        server_time.move(ahead_ms)
    stored, now = outage.last_sign_of_life() + outage.SIGN_MS, now_ms()
    if stored > now + outage.SIGN_MS:
        logger.warning("the system's clock was set back: the time goes on %d ms ahead of it", stored - now)
        server_time.move(stored - now)


def keep() -> None:
    """Follow the database's clock, except for a jump that no heartbeat confirms."""
    ahead_ms = server_time.ahead_ms(server_time.database_ms)
    if abs(ahead_ms) > STEP_MS and not _is_kept(now_ms() + ahead_ms):
        logger.warning("the database's clock was set by %d ms and is not followed", ahead_ms)
        return
    server_time.move(ahead_ms)


def _is_kept(theirs_ms: int) -> bool:
    """True if a live process uses this time."""
    return abs(outage.last_sign_of_life() - theirs_ms) <= outage.OUTAGE_MS


def _next_sign_of_life() -> int | None:
    """Wait for another process's heartbeat and return its time.

    None if no other process is alive or no clock is running.
    """
    last, until = outage.last_sign_of_life(), time.monotonic() + 1.5 * outage.SIGN_MS / 1000
    while outage.any_runs() and time.monotonic() < until:
        if (heard := outage.last_sign_of_life()) > last:
            return heard
        time.sleep(LOOK_S)
    return None
