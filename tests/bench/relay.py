"""Relay that only forwards frames between the two sockets of a table."""

from collections.abc import Awaitable, Callable
from typing import Any

Send = Callable[[dict[str, Any]], Awaitable[None]]
TABLES: dict[str, dict[str, Send]] = {}


async def application(scope: dict[str, Any], receive: Callable[[], Awaitable[dict[str, Any]]], send: Send) -> None:
    """Serve `/<table>/<seat>` (seat `0` or `1`): relay frames to the other seat."""
    _, table, seat = scope["path"].split("/")
    sockets = TABLES.setdefault(table, {})
    sockets[seat] = send
    other = "1" if seat == "0" else "0"
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await sockets[other]({"type": "websocket.send", "text": message["text"]})
    del sockets[seat]
