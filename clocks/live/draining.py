"""Drain sockets before the process ends, or while only other processes can store."""

import asyncio
import logging
import math
import random
from collections.abc import Iterable

from channels.db import database_sync_to_async
from django.db import Error

from clocks.desk import outage
from clocks.host.process_lock import process_lock
from clocks.host.server_time import now_ms
from clocks.live import protocol
from clocks.live.hub import hub
from clocks.live.updates import Subscriber
from clocks.serving.frames import Frame

BACK_AFTER_MS = (500, 2_500)  # jitter, so that a hall does not reconnect all at once
LOOK_S = 1.0
HANDED_OVER_MS = (50, 250)  # shorter, because sockets are handed over a group at a time
PAUSE_S, AT_LEAST, WITHIN_S = 0.1, 10, 10.0  # between groups; fewest sockets in one; for all groups

_running: set[asyncio.Task[None]] = set()  # unreferenced tasks may be garbage-collected

logger = logging.getLogger(__name__)


def send_away() -> None:
    """Tell every socket to reconnect soon, and close it. In the event loop's thread."""
    _close(hub.sockets(), BACK_AFTER_MS)


async def hand_over() -> None:
    """Send the sockets away a few at a time if there are other processes.

    Opening a socket costs as much as a dozen presses (`serving/opening.py`): opening all at once would delay presses.
    """
    if not await _has_others():
        return
    sockets = hub.sockets()  # a table's sockets are consecutive
    at_once = max(AT_LEAST, math.ceil(len(sockets) * PAUSE_S / WITHIN_S))
    for first in range(0, len(sockets), at_once):
        _close(sockets[first : first + at_once], HANDED_OVER_MS)
        await asyncio.sleep(PAUSE_S)


async def _has_others() -> bool:
    try:
        others: int = await asyncio.wait_for(database_sync_to_async(process_lock.others)(), LOOK_S)
    except (Error, TimeoutError):
        return False
    return others > 0


def _close(sockets: Iterable[Subscriber], after_ms: tuple[int, int]) -> None:
    for socket in sockets:
        socket.push(Frame(protocol.encode({"t": "restart", "after_ms": random.randint(*after_ms)})))
        socket.close(protocol.RESTARTING)


def begin() -> None:
    """Start the storage check. Call in the event loop's thread."""
    _running.add(asyncio.ensure_future(_send_away_when_nothing_is_stored()))


async def _send_away_when_nothing_is_stored() -> None:
    """Drain once in each storage outage of this process. Runs forever."""
    looks = 0
    while True:
        await asyncio.sleep(LOOK_S)
        # Two checks in a row, because after a pause of the whole process its next batch ends the outage.
        looks = looks + 1 if outage.heartbeat.lost_at(now_ms()) else 0
        if looks == 2:
            logger.warning("nothing can be stored here: %d sockets are sent away", len(hub.sockets()))
            send_away()
