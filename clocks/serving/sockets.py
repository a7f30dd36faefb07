"""WebSocket connections under Daphne, with limits on frames of every kind.

Phones send unfragmented texts and pongs. These are parsed here; all other frames by Autobahn, which takes ten times as
long. Autobahn gets one frame at a time, so that a socket can pause between two of them.

A closed socket is freed at once. Autobahn and Daphne would leave reference cycles of some 10 kB, which only the garbage
collector finds, and a collection stops every thread.
"""

from collections.abc import Callable
from typing import Any

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

from clocks.host.ratelimit import TokenBucket
from clocks.serving.frames import TEXT, frame_size, whole_message
from clocks.serving.send_buffer import SendBuffer

LARGEST_FRAME = 16 * 1024  # bytes; above the limit of 4 KiB in `protocol`, which can then report the error
FRAMES_PER_S, FRAMES_AT_ONCE = 60.0, 300.0  # above the limit on messages, for pongs and frames split by a proxy
IN_A_ROW = 20  # most frames handled of one socket before others get their turn
CLOSE_S = 3.0  # time for a client to answer our close frame, and then again to read unsent bytes
TOO_MANY = 4429  # close code, same as `protocol.TOO_MANY_MESSAGES`


def frames_of_a_socket() -> TokenBucket:
    """Rate limit on the frames of one socket, of whatever type."""
    return TokenBucket(FRAMES_AT_ONCE, FRAMES_PER_S)


class ClockSocket(WebSocketProtocol):  # type: ignore[misc]  # Daphne has no types
    """WebSocket connection.

    If set, `heard` is called with each message (None: a binary one) instead of ASGI, and `ponged` with each pong.
    """

    CONFIG_ATTRS = ()  # the factory sets the options: Autobahn would format them all for an unused log

    outgoing: SendBuffer
    heard: Callable[[str | None], None] | None = None
    ponged: Callable[[bytes], None] | None = None

    def __init__(self) -> None:
        super().__init__()
        self._frames = frames_of_a_socket()
        self._unread = b""  # bytes of frames that are incomplete, or that came during a pause
        self._is_paused = False
        self._limit: Any = None  # delayed call that resets the connection if it does not close

    def connectionMade(self) -> None:
        """Take the connection over from the HTTP parser."""
        self.outgoing = SendBuffer(self.transport)
        super().connectionMade()

    def dataReceived(self, data: bytes) -> None:
        """Handle the frames that are complete, unless this socket is paused."""
        if self._unread or self._is_paused:
            self._unread += data
            self._read_on()
        elif not self._read_message(data):
            self._unread = data
            self._read_on()

    def _read_message(self, data: bytes) -> bool:
        """Handle `data` if it is one whole text or pong. False if it is anything else."""
        message = whole_message(data) if len(data) < LARGEST_FRAME and self._is_between_messages() else None
        if message is None:
            return False
        kind, content = message
        if kind == TEXT and not _is_utf8(content):
            return False
        if self._may_send():
            if kind == TEXT:
                self.onMessage(content, False)
            else:
                self.onPong(content)
        return True

    def _read_on(self) -> None:
        """Handle unread frames until one is incomplete or this socket is paused.

        Pauses the socket after IN_A_ROW frames, so that others get their turn.
        """
        handled = 0
        while self._unread and not self._is_paused:
            if handled == IN_A_ROW:
                self.pause(0)
                return
            handled += 1
            size = len(self._unread)
            if self.state == self.STATE_OPEN and not (self.data or self.current_frame):
                size = frame_size(self._unread)
                if len(self._unread) < size <= LARGEST_FRAME:
                    return
            data, self._unread = self._unread[:size], self._unread[size:]
            if not self._read_message(data):
                super().dataReceived(data)

    def pause(self, seconds: float) -> None:
        """Stop reading for a while, so that TCP slows down the client."""
        if not self._is_paused:
            self._is_paused = True
            self.transport.pauseProducing()
            self.factory.reactor.callLater(seconds, self._resume)

    def _resume(self) -> None:
        self._is_paused = False
        self._read_on()
        if not self._is_paused:
            self.transport.resumeProducing()

    def _is_between_messages(self) -> bool:
        """True if the next byte begins a message."""
        return bool(self.state == self.STATE_OPEN and not (self.data or self.current_frame or self.inside_message))

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        """Pass a message to `heard`, or to ASGI."""
        if self.heard is None:
            super().onMessage(payload, isBinary)
        else:
            self.heard(None if isBinary else payload.decode())

    def onPong(self, payload: bytes) -> None:
        """Pass a pong to `ponged`."""
        if self.ponged is not None:
            self.ponged(payload)

    def onFrameBegin(self) -> None:
        """Count a frame of any kind."""
        if self._may_send():
            super().onFrameBegin()

    def _may_send(self) -> bool:
        """Count a frame. False, with the connection closed, if there were too many."""
        if self._frames.take(self.factory.reactor.seconds()):
            return True
        self.sendCloseFrame(code=TOO_MANY)
        self.wasClean = True  # no log entry, because the client is at fault
        self.dropConnection(abort=False)
        return False

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        """Write Autobahn's own frames, such as pongs, in order with ours."""
        if self.state != self.STATE_CLOSED:
            self.outgoing.write(data)

    def dropConnection(self, abort: bool = False) -> None:
        """Close the connection once everything is sent, or reset it.

        Autobahn would reset it even when the client has answered our close frame, and browsers would report a lost
        connection.
        """
        reset = abort and not self.wasClean
        if not reset and self.state != self.STATE_CLOSED:
            self.outgoing.flush()
            self._limit = self.factory.reactor.callLater(CLOSE_S, self.transport.abortConnection)
        super().dropConnection(reset)

    def connectionLost(self, reason: Any) -> None:
        """Clean up, and drop references that would form cycles."""
        super().connectionLost(reason)
        if self._limit is not None and self._limit.active():
            self._limit.cancel()
        for name in ("is_open", "is_closed", "application_deferred", "handshake_deferred"):
            self.__dict__.pop(name, None)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


class ClockSocketFactory(WebSocketFactory):  # type: ignore[misc]  # Daphne has no types
    """Builds the WebSocket connections."""

    protocol = ClockSocket

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.setProtocolOptions(closeHandshakeTimeout=CLOSE_S)

    def buildProtocol(self, addr: Any) -> ClockSocket:
        """Build a connection with the shared options."""
        made: ClockSocket = super().buildProtocol(addr)
        made.__dict__.update({name: getattr(self, name) for name in WebSocketProtocol.CONFIG_ATTRS})
        return made
