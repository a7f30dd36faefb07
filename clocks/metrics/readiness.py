"""Readiness check for load balancers, part by part."""

import logging
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import DatabaseError, connection

from clocks import desk
from clocks.live import peers
from clocks.live.flag_watch import watch
from clocks.models import Match

WRITER_S = 5.0

logger = logging.getLogger(__name__)


def parts() -> dict[str, bool]:
    """Readiness of each part of the server; failures are logged."""
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
    """True if a message makes a round trip through Redis, or if Redis is not used."""
    if not peers.several_processes():
        return True
    return bool(async_to_sync(_heard)())


async def _heard() -> bool:
    layer = get_channel_layer("default")
    channel = await layer.new_channel("ready")
    await layer.send(channel, {"type": "ready"})
    return bool((await layer.receive(channel))["type"] == "ready")


def _writer() -> bool:
    """True if the desk makes progress; a batch takes milliseconds even on slow disks."""
    return desk.busy_s() < WRITER_S
