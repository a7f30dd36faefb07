"""The way out: encoded frames to a socket, by ASGI's `send`, or under Daphne past it straight to the connection.

A frame is encoded and framed once, whatever the number of sockets it goes to, and all that one turn of the event loop
has for a socket leaves in a single write. Daphne's own way costs more than everything else that happens to a hit:
it encodes and frames for each socket, and takes two more system calls and a turn of the loop for each write.
"""

import asyncio
import logging
import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any

from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.tcp import Connection

Send = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]

FINAL_TEXT = b"\x81"  # RFC 6455, 5.2; a server does not mask

logger = logging.getLogger(__name__)


class Frame:
    """A text frame that any number of sockets may share."""

    __slots__ = ("framed", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        payload = text.encode()
        size = len(payload)
        if size < 126:
            length = size.to_bytes(1)
        elif size < 65536:
            length = b"\x7e" + size.to_bytes(2)
        else:
            length = b"\x7f" + size.to_bytes(8)
        self.framed = FINAL_TEXT + length + payload


class Line:
    """The way out of one socket, over ASGI: what any server and the tests offer."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def put(self, frame: Frame) -> None:
        """Send a frame."""
        run_now(self._send({"type": "websocket.send", "text": frame.text}))

    def close(self, code: int) -> None:
        """Close the socket with a code of 3000 to 4999, which is all that Daphne lets an application say."""
        run_now(self._send({"type": "websocket.close", "code": code}))


class DaphneLine(Line):
    """The way out of a socket that Daphne serves."""

    def __init__(self, send: Send, protocol: WebSocketProtocol) -> None:
        super().__init__(send)
        self._protocol = protocol
        self._waiting: list[bytes] = []

    def put(self, frame: Frame) -> None:
        if not self._waiting:
            _soon_leaving(self)
        self._waiting.append(frame.framed)

    def leave(self) -> None:
        """Write what waits, past Twisted's buffer unless something is still in it.

        A frame that the connection has taken only a part of must end before the next one begins.
        """
        data, self._waiting = b"".join(self._waiting), []
        protocol = self._protocol
        transport = protocol.transport
        if protocol.state != protocol.STATE_OPEN or not transport.connected:
            return
        if isinstance(transport, Connection) and not transport.TLS and not _holds_back(transport):
            written = transport.writeSomeData(data)
            if written == len(data):
                return
            data = data[written:] if isinstance(written, int) else data
        transport.write(data)

    def close(self, code: int) -> None:
        if self._waiting:
            self.leave()
        # Autobahn's `sendClose`, which Daphne uses, refuses codes such as 1012 to an application.
        self._protocol.sendCloseFrame(code=code)


def _holds_back(transport: Connection) -> bool:
    """Tell whether anything that was written before has not left yet: it lies in either of Twisted's two buffers."""
    return bool(transport.dataBuffer or transport._tempDataLen)


def line_out(send: Send) -> Line:
    """Return the way out of the socket whose `send` this is."""
    protocol = getattr(send, "args", (None,))[0]
    return DaphneLine(send, protocol) if isinstance(protocol, WebSocketProtocol) else Line(send)


_leaving: list[DaphneLine] = []


def _soon_leaving(line: DaphneLine) -> None:
    """Let a line leave at the end of this turn of the event loop."""
    if not _leaving:
        asyncio.get_running_loop().call_soon(_leave)
    _leaving.append(line)


def _leave() -> None:
    lines = _leaving[:]
    _leaving.clear()
    for line in lines:
        try:
            line.leave()
        except Exception:
            logger.exception("a socket could not be written to")


# --- ASGI ----------------------------------------------------------------------------------------------------------

_unfinished: set[asyncio.Future[None]] = set()


def run_now(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine at once in this call; only what it has to wait for becomes a task."""
    try:
        waits_for = work.send(None)
    except StopIteration:
        return
    except Exception:
        logger.exception("a frame could not be sent")
        return
    _unfinished.add(task := asyncio.ensure_future(_rest(work, waits_for)))
    task.add_done_callback(_unfinished.discard)


async def _rest(work: Coroutine[Any, Any, None], waits_for: Any) -> None:
    await _resumed(work, waits_for)


@types.coroutine
def _resumed(work: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    while True:
        sent = yield waits_for
        try:
            waits_for = work.send(sent)
        except StopIteration:
            return
