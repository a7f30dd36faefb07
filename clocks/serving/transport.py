"""Outgoing frames of a socket: by plain ASGI or, on our own server, bypassing it.

ASGI under Daphne costs more than the rest of a hit: it encodes and frames a message for each socket, and each write
takes two more system calls and an iteration of the event loop. Here a frame is encoded once for all sockets, and all
frames for a socket in one iteration leave in a single write (`send_buffer.py`).
"""

import asyncio
import logging
import secrets
from collections.abc import Callable

from clocks.serving.asgi import Scope, Send
from clocks.serving.asgi_queue import AsgiQueue
from clocks.serving.extension import connection_of
from clocks.serving.frames import PING, Frame, framed
from clocks.serving.sockets import ClockSocket

MOST_BEHIND = 1_000_000  # most unsent bytes per client, in addition to the largest frame sent to it
PAYLOAD = 8  # bytes in a ping

logger = logging.getLogger(__name__)


class Transport:
    """Outgoing frames of a socket over plain ASGI, for any server and for tests."""

    def __init__(self, send: Send) -> None:
        self._queue = AsgiQueue(send)
        self._largest = 0  # bytes of the largest frame so far

    def send(self, frame: Frame) -> None:
        """Send a frame. Drops a client that reads too slowly."""
        size = len(frame.framed)
        self._largest = max(self._largest, size)
        self._queue.put({"type": "websocket.send", "text": frame.text}, size)
        if self._queue.unsent > MOST_BEHIND + self._largest:
            self._queue.clear()
            self.drop()

    def close(self, code: int) -> None:
        """Close the socket with a code; over ASGI, Daphne allows only 3000 to 4999."""
        self._queue.put({"type": "websocket.close", "code": code})

    def ping(self, ponged: Callable[[], None]) -> bool:
        """Send a control ping, and call `ponged` when answered. False if not supported."""
        return False

    def hear(self, heard: Callable[[str | None], None]) -> bool:
        """Call `heard` with each message (None: a binary one), bypassing ASGI's queue.

        False if the server does not support this, or while the queue still holds an earlier message.
        """
        return False

    def pause(self, seconds: float) -> None:
        """Read nothing from the client for a while, if the server supports this."""

    def drop(self) -> None:
        """Abort the connection to a lost client, if the server supports this."""

    def release(self) -> None:
        """Drop references to the socket, which is closed."""

    def is_open(self) -> bool:
        """True unless the client is known to be gone. Thread-safe."""
        return True


class DaphneTransport(Transport):
    """Outgoing frames on our own server; messages and pings also bypass ASGI."""

    def __init__(self, send: Send, socket: ClockSocket) -> None:
        super().__init__(send)
        self._socket = socket
        self._frames: list[bytes] = []  # outgoing, written together at the end of this event-loop iteration
        self._payload: bytes | None = None  # payload of the unanswered ping
        self._ponged: Callable[[], None] | None = None

    def send(self, frame: Frame) -> None:
        self._send_soon(frame.framed)

    def is_open(self) -> bool:
        return bool(self._socket.state == self._socket.STATE_OPEN)

    def _send_soon(self, framed: bytes) -> None:
        if not self._frames:
            _flush_soon(self)
        self._frames.append(framed)

    def ping(self, ponged: Callable[[], None]) -> bool:
        # A random payload: a client cannot answer a ping before it arrives, and scripts never see it.
        self._payload, self._ponged = secrets.token_bytes(PAYLOAD), ponged
        self._socket.ponged = self._on_pong
        self._send_soon(framed(PING, self._payload))
        return True

    def _on_pong(self, payload: bytes) -> None:
        if payload == self._payload and self._ponged is not None:
            self._payload = None
            self._ponged()

    def hear(self, heard: Callable[[str | None], None]) -> bool:
        if not self._socket.application_queue.empty():
            return False
        self._socket.heard = heard
        return True

    def release(self) -> None:
        self._socket.heard = self._socket.ponged = self._ponged = None

    def pause(self, seconds: float) -> None:
        self._socket.pause(seconds)

    def drop(self) -> None:
        self._socket.transport.abortConnection()

    def flush(self) -> None:
        """Write the frames of this iteration of the event loop."""
        data, self._frames = b"".join(self._frames), []
        if not self.is_open():
            return
        outgoing = self._socket.outgoing
        outgoing.write(data)
        unsent = outgoing.unsent()
        if not unsent:
            return
        self._largest = max(self._largest, len(data))
        if unsent > MOST_BEHIND + self._largest:
            self.drop()

    def close(self, code: int) -> None:
        if self._frames:
            self.flush()
        # Autobahn's `sendClose`, which Daphne uses, does not let an application send codes such as 1012.
        self._socket.sendCloseFrame(code=code)


def transport_of(scope: Scope, send: Send) -> Transport:
    """Transport of a socket, for our own or any other server."""
    socket = connection_of(scope)
    return DaphneTransport(send, socket) if isinstance(socket, ClockSocket) else Transport(send)


_to_flush: list[DaphneTransport] = []


def _flush_soon(transport: DaphneTransport) -> None:
    """Flush a transport in the next iteration of the event loop."""
    if not _to_flush:
        asyncio.get_running_loop().call_soon(_flush_all)
    _to_flush.append(transport)


def _flush_all() -> None:
    transports = _to_flush[:]
    _to_flush.clear()
    for transport in transports:
        try:
            transport.flush()
        except Exception:
            logger.exception("a socket could not be written to")
