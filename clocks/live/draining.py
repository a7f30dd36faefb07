"""How a process lets its sockets go: before it ends, and when it can store nothing while another one may."""

import asyncio
import logging
import random

from clocks.desk import outage
from clocks.host.server_time import now_ms
from clocks.live import protocol
from clocks.live.hub import hub
from clocks.serving.frames import Frame

BACK_AFTER_MS = (500, 2_500)  # spread, so that a whole hall does not come back in one instant
LOOK_S = 1.0

_running: set[asyncio.Task[None]] = set()  # a task that nobody holds may be collected

logger = logging.getLogger(__name__)


def send_away() -> None:
    """Tell every socket to come back in a moment, and close it. In the event loop's thread."""
    for socket in hub.sockets():
        after_ms = random.randint(*BACK_AFTER_MS)
        socket.push(Frame(protocol.encode({"t": "restart", "after_ms": after_ms})))
        socket.close(protocol.RESTARTING)


def begin() -> None:
    """Begin to look, where another process may take over. Call in the event loop's thread."""
    _running.add(asyncio.ensure_future(_send_away_when_nothing_is_stored()))


async def _send_away_when_nothing_is_stored() -> None:
    """Send everybody away, once, whenever this process has stored nothing for too long: another one may. For ever."""
    looks = 0
    while True:
        await asyncio.sleep(LOOK_S)
        # Not at the first look: a process that stood still deals with that in its first batch.
        looks = looks + 1 if outage.heartbeat.lost_at(now_ms()) else 0
        if looks == 2:
            logger.warning("nothing can be stored here: %d sockets are sent away", len(hub.sockets()))
            send_away()
