"""Streaming responses: pieces shared by many clients, with backpressure.

Under our own server a piece is framed once for all clients and bypasses ASGI, like WebSocket frames (`transport.py`).
"""

from daphne.http_protocol import WebRequest

from clocks.serving.asgi import Scope, Send
from clocks.serving.asgi_queue import AsgiQueue
from clocks.serving.extension import connection_of
from clocks.serving.send_buffer import SendBuffer


class Piece:
    """Part of a response body, shared by any number of clients."""

    __slots__ = ("data", "framed")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.framed = b"%x\r\n%b\r\n" % (len(data), data)  # a chunk (RFC 9112, 7.1)


class Stream:
    """Remainder of a response body over plain ASGI, for any server and for tests."""

    def __init__(self, send: Send) -> None:
        self._queue = AsgiQueue(send)

    def write(self, piece: Piece) -> None:
        """Send a piece, after those already written; never blocks."""
        self._queue.put({"type": "http.response.body", "body": piece.data, "more_body": True}, len(piece.data))

    def unsent(self) -> int:
        """Number of bytes not sent yet."""
        return self._queue.unsent

    def drop(self) -> None:
        """Discard unsent pieces, and abort the connection if the server supports it."""
        self._queue.cancel()


class DaphneStream(Stream):
    """Remainder of a response body on our own server, bypassing ASGI."""

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


def stream_of(scope: Scope, send: Send) -> Stream:
    """Stream for the remainder of a response body, after its first part was sent."""
    request = connection_of(scope)
    return DaphneStream(send, request) if isinstance(request, WebRequest) and request.channel else Stream(send)
