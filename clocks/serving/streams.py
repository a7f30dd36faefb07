"""Answers that do not end: how far behind their reader is, and how to drop one who does not read."""

from typing import Any

from daphne.http_protocol import WebRequest

from clocks.serving.transport import behind


def unread(send: Any) -> int:
    """Return how many bytes of an answer the connection has not taken yet; 0 where that is unknown."""
    request = _request(send)
    transport = getattr(request and request.channel, "transport", None)
    return behind(transport) if transport is not None else 0


def drop(send: Any) -> None:
    """End the connection of an answer at once, whatever still waits to be written."""
    request = _request(send)
    if request is not None and request.channel is not None:
        request.channel.transport.abortConnection()


def _request(send: Any) -> Any:
    """Return Daphne's request behind ASGI's `send`; None under another server."""
    protocol = getattr(send, "args", (None,))[0]
    return protocol if isinstance(protocol, WebRequest) else None
