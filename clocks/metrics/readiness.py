"""Whether this process can do its work now, part by part: what a load balancer asks before it sends anybody here."""

import logging
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import DatabaseError, connection

from clocks import desk
from clocks.live import abroad
from clocks.live.flag_watch import watch
from clocks.models import Match

WRITER_S = 5.0

logger = logging.getLogger(__name__)


def parts() -> dict[str, bool]:
    """Return for each part of the server whether it works; what fails is in the log."""
    tried: dict[str, Callable[[], bool]] = {
        "database": _database,
        "layer": _layer,
        "writer": _writer,
        "clock": watch.disciplined,
    }
    return {name: _works(name, works) for name, works in tried.items()}


def _works(name: str, works: Callable[[], bool]) -> bool:
    try:
        if works():
            return True
        logger.error("not ready: %s", name)
    except Exception:
        logger.exception("not ready: %s", name)
    return False


def _database() -> bool:
    try:
        Match.objects.values_list("pk").first()
    except DatabaseError:
        connection.close()
        raise
    return True


def _layer() -> bool:
    """Send something through Redis and hear it; without Redis there is nothing to lose."""
    if not abroad.several_processes():
        return True
    return bool(async_to_sync(_heard)())


async def _heard() -> bool:
    layer = get_channel_layer("default")
    channel = await layer.new_channel("ready")
    await layer.send(channel, {"type": "ready"})
    return bool((await layer.receive(channel))["type"] == "ready")


def _writer() -> bool:
    """Tell whether the desk makes progress: a batch takes milliseconds, even on a slow disk."""
    return desk.busy_s() < WRITER_S
