"""Streaming responses: pieces shared by many clients, with backpressure.

Under our own server a piece is framed once for all clients and bypasses ASGI, as the frames of a socket do
(`transport.py`).
"""

import asyncio
import logging
from collections import deque
from typing import Any

from daphne.http_protocol import WebRequest

from clocks.serving.extension import connection_of
from clocks.serving.send_buffer import SendBuffer
from clocks.serving.transport import Send

logger = logging.getLogger(__name__)


class Piece:
    """Part of a response body, shared by any number of clients."""

    __slots__ = ("data", "framed")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.framed = b"%x\r\n%b\r\n" % (len(data), data)  # a chunk (RFC 9112, 7.1)


class Stream:
    """Rest of a response body over plain ASGI, for any server and for tests."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._pieces: deque[bytes] = deque()
        self._sending: asyncio.Task[None] | None = None

    def write(self, piece: Piece) -> None:
        """Send a piece, after those already written; never blocks."""
        self._pieces.append(piece.data)
        if self._sending is None:
            self._sending = asyncio.ensure_future(self._send_all())

    def unsent(self) -> int:
        """Number of bytes not sent yet."""
        return sum(map(len, self._pieces))

    def drop(self) -> None:
        """Discard unsent pieces, and abort the connection if the server supports it."""
        self._pieces.clear()
        if self._sending is not None:
            self._sending.cancel()

    async def _send_all(self) -> None:
        try:
            while self._pieces:
                await self._send({"type": "http.response.body", "body": self._pieces[0], "more_body": True})
                if self._pieces:
                    self._pieces.popleft()
        except Exception:
            logger.exception("a reader could not be written to")
            self._pieces.clear()
        finally:
            self._sending = None


class DaphneStream(Stream):
    """Rest of a response body on our own server, bypassing ASGI."""

    def __init__(self, send: Send, request: WebRequest) -> None:
        super().__init__(send)
        self._request = request
        self._outgoing = SendBuffer(request.channel.transport)

    def write(self, piece: Piece) -> None:
        self._outgoing.write(piece.framed if self._request.chunked else piece.data)

    def unsent(self) -> int:
        return self._outgoing.unsent()

    def drop(self) -> None:
        if self._request.channel is not None:
            self._request.channel.transport.abortConnection()


def stream_of(scope: dict[str, Any], send: Send) -> Stream:
    """Stream for the rest of a response body, after its first part was sent."""
    request = connection_of(scope)
    return DaphneStream(send, request) if isinstance(request, WebRequest) and request.channel else Stream(send)
