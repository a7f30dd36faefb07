"""Drain sockets before the process ends, or while only other processes can store."""

import asyncio
import logging
import random

from clocks.desk import outage
from clocks.host.server_time import now_ms
from clocks.live import protocol
from clocks.live.hub import hub
from clocks.serving.frames import Frame

BACK_AFTER_MS = (500, 2_500)  # jitter, so that a hall does not reconnect all at once
LOOK_S = 1.0

_running: set[asyncio.Task[None]] = set()  # unreferenced tasks may be garbage-collected

logger = logging.getLogger(__name__)


def send_away() -> None:
    """Tell every socket to reconnect soon, and close it. In the event loop's thread."""
    for socket in hub.sockets():
        after_ms = random.randint(*BACK_AFTER_MS)
        socket.push(Frame(protocol.encode({"t": "restart", "after_ms": after_ms})))
        socket.close(protocol.RESTARTING)


def begin() -> None:
    """Start the storage check. Call in the event loop's thread."""
    _running.add(asyncio.ensure_future(_send_away_when_nothing_is_stored()))


async def _send_away_when_nothing_is_stored() -> None:
    """Drain once in each storage outage of this process. Runs for ever."""
    looks = 0
    while True:
        await asyncio.sleep(LOOK_S)
        # Not at the first check: after a pause of the whole process, its next batch ends the outage.
        looks = looks + 1 if outage.heartbeat.lost_at(now_ms()) else 0
        if looks == 2:
            logger.warning("nothing can be stored here: %d sockets are sent away", len(hub.sockets()))
            send_away()
