"""The way to and from a socket: by ASGI, or under Daphne past it, straight to and from the connection.

There a frame is encoded and framed once, whatever the number of sockets it goes to, and all that one turn of the event
loop has for a socket leaves in a single write. Daphne's own way costs more than everything else that happens to a hit:
it encodes and frames for each socket, and takes two more system calls and a turn of the loop for each write.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.tcp import Connection

from clocks.serving.frames import PING, Frame, framed

Send = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]

MOST_BEHIND = 1_000_000  # bytes that may wait for a reader, besides the largest frame that it was sent
PAYLOAD = 8  # bytes of a ping

logger = logging.getLogger(__name__)


class Transport:
    """The way out of one socket, over ASGI: what any server and the tests offer. Frames leave in their order."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._messages: deque[tuple[dict[str, Any], int]] = deque()  # with their sizes in bytes
        self._unsent = self._largest = 0  # bytes: of all these, and of the largest frame there was
        self._sending: asyncio.Task[None] | None = None

    def put(self, frame: Frame) -> None:
        """Send a frame. Whoever reads so slowly that too much waits is dropped."""
        size = len(frame.framed)
        self._largest = max(self._largest, size)
        self._hand_over({"type": "websocket.send", "text": frame.text}, size)
        if self._unsent > MOST_BEHIND + self._largest:
            self._forget()
            self.drop()

    def close(self, code: int) -> None:
        """Close the socket with a code of 3000 to 4999, which is all that Daphne lets an application send."""
        self._hand_over({"type": "websocket.close", "code": code}, 0)

    def ping(self, ponged: Callable[[], None]) -> bool:
        """Send a control ping and have `ponged` called when it is answered; False where that is not possible."""
        return False

    def hear(self, heard: Callable[[str | None], None]) -> bool:
        """Have `heard` called with each message as it arrives (None: a binary one), past ASGI's queue.

        False where that is not possible, or not yet, because something that came before is still in the queue.
        """
        return False

    def drop(self) -> None:
        """End the connection at once, where that is possible: nobody is there."""

    def release(self) -> None:
        """Let go of whatever leads back to the socket, which has ended."""

    def is_open(self) -> bool:
        """Tell whether anybody is known to be there still; callable from any thread."""
        return True

    def _hand_over(self, message: dict[str, Any], size: int) -> None:
        self._messages.append((message, size))
        self._unsent += size
        if self._sending is None:
            self._sending = asyncio.ensure_future(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._messages and self.is_open():
                message, size = self._messages.popleft()
                await self._send(message)
                self._unsent = max(0, self._unsent - size)
        except Exception:
            logger.exception("a frame could not be sent")
        finally:
            self._forget()
            self._sending = None

    def _forget(self) -> None:
        """Send nothing of what waits."""
        self._messages.clear()
        self._unsent = 0


class DaphneTransport(Transport):
    """Transport of a socket that Daphne serves: frames, messages and control pings bypass ASGI, which has no pings."""

    def __init__(self, send: Send, protocol: WebSocketProtocol) -> None:
        super().__init__(send)
        self._protocol = protocol
        self._waiting: list[bytes] = []
        self._payload: bytes | None = None  # of the ping that is to be answered
        self._ponged: Callable[[], None] | None = None

    def put(self, frame: Frame) -> None:
        self._put(frame.framed)

    def is_open(self) -> bool:
        return bool(self._protocol.state == self._protocol.STATE_OPEN)

    def _put(self, framed: bytes) -> None:
        if not self._waiting:
            _soon_leaving(self)
        self._waiting.append(framed)

    def ping(self, ponged: Callable[[], None]) -> bool:
        # Scripts neither see nor delay it; what is in it cannot be guessed, so no answer can come before it arrives.
        self._payload, self._ponged = secrets.token_bytes(PAYLOAD), ponged
        self._protocol.onPong = self._on_pong
        self._put(framed(PING, self._payload))
        return True

    def _on_pong(self, payload: bytes) -> None:
        if payload == self._payload and self._ponged is not None:
            self._payload = None
            self._ponged()

    def hear(self, heard: Callable[[str | None], None]) -> bool:
        if not self._protocol.application_queue.empty():
            return False
        self._protocol.onMessage = lambda payload, binary: heard(None if binary else payload.decode())
        return True

    def release(self) -> None:
        for name in ("onPong", "onMessage"):
            self._protocol.__dict__.pop(name, None)
        self._ponged = None

    def drop(self) -> None:
        self._protocol.transport.abortConnection()

    def leave(self) -> None:
        """Write what waits."""
        data, self._waiting = b"".join(self._waiting), []
        protocol = self._protocol
        transport = protocol.transport
        if protocol.state != protocol.STATE_OPEN or not transport.connected:
            return
        waits = write_at_once(transport, data)
        if not waits:
            return
        self._largest = max(self._largest, waits)
        if behind(transport) > MOST_BEHIND + self._largest:
            transport.abortConnection()  # it does not read, and what it is sent would pile up for ever

    def close(self, code: int) -> None:
        if self._waiting:
            self.leave()
        # Autobahn's `sendClose`, which Daphne uses, refuses codes such as 1012 to an application.
        self._protocol.sendCloseFrame(code=code)


def _holds_back(transport: Connection) -> bool:
    """Tell whether anything that was written before has not left yet: it lies in either of Twisted's two buffers."""
    return bool(transport.dataBuffer or transport._tempDataLen)


def write_at_once(transport: Any, data: bytes) -> int:
    """Write past Twisted's buffer, unless something is still in it; return how many bytes the connection has not taken.

    What it has taken only part of must end before anything else begins.
    """
    if isinstance(transport, Connection) and transport.connected and not transport.TLS and not _holds_back(transport):
        written = transport.writeSomeData(data)
        if written == len(data):
            return 0
        data = data[written:] if isinstance(written, int) else data
    transport.write(data)
    return len(data)


def behind(transport: Any) -> int:
    """Return how many bytes a connection has not taken yet."""
    connection = getattr(transport, "transport", transport)  # what TLS wraps
    return len(connection.dataBuffer) - int(connection.offset) + int(connection._tempDataLen)


def transport_of(send: Send) -> Transport:
    """Return the way out of the socket whose `send` this is."""
    protocol = getattr(send, "args", (None,))[0]
    if isinstance(protocol, WebSocketProtocol):
        return DaphneTransport(send, protocol)
    return Transport(send)


_leaving: list[DaphneTransport] = []


def _soon_leaving(transport: DaphneTransport) -> None:
    """Have what waits for a socket leave at the end of this turn of the event loop."""
    if not _leaving:
        asyncio.get_running_loop().call_soon(_leave)
    _leaving.append(transport)


def _leave() -> None:
    transports = _leaving[:]
    _leaving.clear()
    for transport in transports:
        try:
            transport.leave()
        except Exception:
            logger.exception("a socket could not be written to")
