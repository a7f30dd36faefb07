"""Startup and shutdown of a server process."""

import asyncio
import faulthandler
import logging
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from clocks.backups import traces
from clocks.host import garbage
from clocks.host.checkpoints import checkpoint_regularly
from clocks.host.yielding import shorten_switch_interval
from clocks.live import broadcast, draining
from clocks.live.flag_watch import watch
from clocks.tournament import forgetting

GOODBYE_S = 0.3  # time to send the last frames
LONGEST_STOP_S = 15.0  # below the 20 s after which Compose and systemd kill the process

FORGET_S = 24 * 3600.0

logger = logging.getLogger(__name__)
_running: set[asyncio.Task[None]] = set()


def startup() -> None:
    """Start background work other than feed and webhooks, in the running event loop.

    If this raises, the server exits; otherwise it would look healthy while no flag falls.
    """
    shorten_switch_interval()
    garbage.begin()
    broadcast.listen()
    watch.start()
    _keep_running(garbage.collect_fully())
    if connection.vendor == "sqlite":
        _keep_running(checkpoint_regularly(Path(connection.settings_dict["NAME"])))
    if settings.KEEP_DAYS:
        _keep_running(_forget())


def _keep_running(work: Coroutine[Any, Any, None]) -> None:
    _running.add(asyncio.ensure_future(work))


async def _forget() -> None:
    while True:
        await asyncio.to_thread(_forget_expired)
        await asyncio.sleep(FORGET_S)


def _forget_expired() -> None:
    """Remove the names that have expired after KEEP_DAYS."""
    try:
        forgotten = forgetting.forget_expired()
        if forgotten:
            logger.info("names were removed from %d matches, as KEEP_DAYS says", forgotten)
        if traces.clear(removed=forgotten > 0).in_log:
            logger.warning("the write-ahead log still has what was removed, because something is reading the database")
    except Exception:
        logger.exception("what KEEP_DAYS says could not be forgotten; it is tried again tomorrow")
    finally:
        connection.close()


async def shutdown() -> None:
    """Tell every socket to reconnect, and allow time for sending that.

    If other processes are running, the sockets leave a few at a time.
    If something still hangs after LONGEST_STOP_S, the process writes the stacks of its threads to stderr and exits.
    """
    faulthandler.dump_traceback_later(LONGEST_STOP_S, exit=True)
    await draining.hand_over()
    draining.send_away()
    await asyncio.sleep(GOODBYE_S)
