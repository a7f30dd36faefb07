"""Answers that do not end: pieces that many readers share, how far behind each of them is, and how to drop one.

A piece is framed once, whatever the number of its readers, and goes past ASGI straight to the connection where we know
that. Daphne's own way frames it for each reader, and takes two more system calls and a turn of the loop for each write.
"""

import asyncio
import logging
from collections import deque

from daphne.http_protocol import WebRequest

from clocks.serving.transport import Send, behind, write_at_once

logger = logging.getLogger(__name__)


class Piece:
    """Some bytes of an answer that any number of readers may share."""

    __slots__ = ("data", "framed")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.framed = b"%x\r\n%b\r\n" % (len(data), data)  # RFC 9112, 7.1


class Stream:
    """The rest of an answer that has begun, over ASGI: what any server and the tests offer. Nothing in it waits."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._pieces: deque[bytes] = deque()
        self._sending: asyncio.Task[None] | None = None

    def put(self, piece: Piece) -> None:
        """Send a piece after those before it."""
        self._pieces.append(piece.data)
        if self._sending is None:
            self._sending = asyncio.ensure_future(self._send_all())

    def unread(self) -> int:
        """Return how many bytes the connection has not taken yet."""
        return sum(map(len, self._pieces))

    def drop(self) -> None:
        """End the connection at once where that is possible, whatever still waits to be written."""
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
    """The rest of an answer of Daphne's."""

    def __init__(self, send: Send, request: WebRequest) -> None:
        super().__init__(send)
        self._request = request

    def put(self, piece: Piece) -> None:
        request = self._request
        if request.finished or request.channel is None:
            return
        write_at_once(request.channel.transport, piece.framed if request.chunked else piece.data)

    def unread(self) -> int:
        channel = self._request.channel
        return 0 if channel is None else behind(channel.transport)

    def drop(self) -> None:
        if self._request.channel is not None:
            self._request.channel.transport.abortConnection()


def stream_of(send: Send) -> Stream:
    """Return the rest of the answer whose `send` this is; a first part of its body has been sent."""
    protocol = getattr(send, "args", (None,))[0]
    return DaphneStream(send, protocol) if isinstance(protocol, WebRequest) else Stream(send)
