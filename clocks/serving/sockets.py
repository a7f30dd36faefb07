"""Sockets as Daphne serves them: every frame is counted, control frames and fragments too; none is larger than 16 KiB.

A whole text or pong, which is what phones send, is read at once; anything else is left to Autobahn, which takes ten
times as long for it.

A socket that has ended is freed at once. Autobahn and Daphne leave cycles of references behind, some 10 kB each, which
only the collector finds; while it looks through everything no clock is heard.
"""

from typing import Any

import autobahn.twisted.websocket
import autobahn.websocket.protocol
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

from clocks.host.ratelimit import TokenBucket
from clocks.serving.frames import TEXT, whole_message
from clocks.serving.transport import write_at_once

LARGEST_FRAME = 16 * 1024  # bytes; what is above the wire's own 4 KiB but below this is refused in words
FRAMES_PER_S, FRAMES_AT_ONCE = 60.0, 300.0  # twice the messages that the wire allows: pongs, and what a proxy splits
TOO_MANY = 4429  # as the wire says it (`protocol.TOO_MANY_MESSAGES`)


def _plain(value: Any, *colours: Any) -> Any:
    """Return what might be logged as it is.

    Autobahn's own way is to dress it in colours before it knows whether anybody logs it: three times for each chunk of
    bytes that comes, and that takes as long as reading a press does.
    """
    return value


for module in (autobahn.websocket.protocol, autobahn.twisted.websocket):
    vars(module).update(hltype=_plain, hlval=_plain)


def frames_of_a_socket() -> TokenBucket:
    """Return how many frames of whatever kind a client may send over a socket."""
    return TokenBucket(FRAMES_AT_ONCE, FRAMES_PER_S)


class ClockSocket(WebSocketProtocol):  # type: ignore[misc]  # Daphne has no types
    """A socket's connection. Its options are set by the factory: Autobahn's own way writes them all out, unread."""

    CONFIG_ATTRS = ()

    def __init__(self) -> None:
        super().__init__()
        self._frames = frames_of_a_socket()

    def dataReceived(self, data: bytes) -> None:
        """Take in what has arrived."""
        message = whole_message(data) if len(data) < LARGEST_FRAME and self._is_between_messages() else None
        if message is None:
            self._dataReceived(data)
            return
        kind, content = message
        if kind == TEXT and not _is_utf8(content):
            self._dataReceived(data)
        elif self._may_send():
            if kind == TEXT:
                self.onMessage(content, False)
            else:
                self.onPong(content)

    def _is_between_messages(self) -> bool:
        """Tell whether what arrives begins a message."""
        return bool(self.state == self.STATE_OPEN and not (self.data or self.current_frame or self.inside_message))

    def onFrameBegin(self) -> None:
        """Count a frame of whatever kind."""
        if self._may_send():
            super().onFrameBegin()

    def _may_send(self) -> bool:
        """Count a frame; end the connection of whoever sends too many."""
        if self._frames.take(self.factory.reactor.seconds()):
            return True
        self.sendCloseFrame(code=TOO_MANY)
        self.wasClean = True  # nothing to log: this is somebody else's mistake
        self.dropConnection(abort=False)
        return False

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        """Write what Autobahn has to say, such as its answer to a handshake, without a turn of the loop in between."""
        if self.state != self.STATE_CLOSED:
            write_at_once(self.transport, data)

    def connectionLost(self, reason: Any) -> None:
        """End, and let go of whatever leads back here."""
        super().connectionLost(reason)
        for name in ("is_open", "is_closed", "application_deferred", "handshake_deferred"):
            self.__dict__.pop(name, None)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


class ClockSocketFactory(WebSocketFactory):  # type: ignore[misc]  # Daphne has no types
    """Makes the sockets' connections."""

    protocol = ClockSocket

    def buildProtocol(self, addr: Any) -> ClockSocket:
        """Return a new connection with the options of all."""
        made: ClockSocket = super().buildProtocol(addr)
        made.__dict__.update({name: getattr(self, name) for name in WebSocketProtocol.CONFIG_ATTRS})
        return made
