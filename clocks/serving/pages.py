"""HTTP connections: deadlines, and limits on bodies and idle connections.

Twisted's own deadline restarts with each byte, so a slow client could hold a connection for ever. Here a request must
be complete by a fixed time. If too many connections are waiting for a request, the one that waits longest is closed.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any
from urllib.parse import unquote

from daphne.http_protocol import HTTPFactory, WebRequest
from twisted.internet.interfaces import IAddress
from twisted.web.http import HTTPChannel, Request

from clocks.host.ratelimit import client_key
from clocks.serving.asgi import Scope
from clocks.serving.opening import HURRY_S, Turns, later
from clocks.serving.refusal import closed_with

Door = Callable[[Scope], int | None]

LARGEST_BODY = 1_000_000  # bytes; ten times the largest draw to import
HEAD_S, BODY_S = 10, 30  # deadlines for the first request's head, and for a body
NEXT_S = 30  # deadline for the next head: browsers keep connections alive
LINGER_S = 1  # time for the client to read a 413 response, or to answer a close frame
MOST_WAITING = 1_000
LEAST_WAITING = 64

# Headers to drop: Daphne would trust a root path from any client, and fail on an invalid subprotocol.
REMOVED = (b"daphne-root-path", b"sec-websocket-protocol")

TOO_LARGE = b"This is larger than a megabyte, which is more than this clock takes. Send less.\n"
REFUSED = (
    b"HTTP/1.1 413 Content Too Large\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(TOO_LARGE), TOO_LARGE)
)


class ClockRequest(WebRequest):  # type: ignore[misc]  # Daphne has no types
    """Request for a page or a WebSocket.

    Django parses forms. Twisted would parse them too, and disconnect without a response if it failed.
    """

    channel: Any

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, parsePOSTFormSubmission=False, **options)

    def process(self) -> Any:
        """Pass a page request on at once, and queue a WebSocket handshake."""
        for name in REMOVED:
            self.requestHeaders.removeHeader(name)
        if not self.requestHeaders.hasHeader(b"Upgrade"):
            return super().process()
        if self._is_turned_away():
            return None
        # A client with a cookie may have a seat, so it does not wait behind clients of its address without one.
        who = client_key(getattr(self.client, "host", "")), self.requestHeaders.hasHeader(b"Cookie")
        if not self.channel.factory.opening.wait(who, self._open):
            self.channel.transport.abortConnection()
        return None

    def _is_turned_away(self) -> bool:
        """Reject a handshake if `door` returns a close code. True if it was rejected."""
        key = self.requestHeaders.getRawHeaders(b"Sec-WebSocket-Key")
        code = self.channel.factory.door(self._scope()) if key else None
        if key and code is not None:
            self.channel.turn_away(closed_with(key[0], code))
        return code is not None

    def _scope(self) -> Scope:
        """ASGI scope of a handshake, as far as `door` needs it."""
        headers = self.requestHeaders.getAllRawHeaders()
        return {
            "type": "websocket",
            "path": unquote(self.path.decode("latin1")),
            "headers": [(name.lower(), value) for name, values in headers for value in values],
            "client": [getattr(self.client, "host", ""), getattr(self.client, "port", 0)],
        }

    def _open(self) -> bool:
        """Become a WebSocket. False if the client has gone."""
        if self.channel is None:
            return False
        if self._is_turned_away():  # the limit of its address may have been reached meanwhile
            return True
        super().process()
        if self.transport is None and self.channel is not None:  # a ClockSocket has the connection now
            channel, self.channel = self.channel, None
            channel.requests.clear()  # the channel and its requests would form a cycle
            channel.factory.no_longer_waits(channel)
        return True


class ClockChannel(HTTPChannel):  # type: ignore[misc]  # see pyproject.toml
    """HTTP connection: one request after the other, until one becomes a WebSocket."""

    factory: "ClockFactory"
    persistent: bool
    _refused = _reads_body = _turned_away = False
    _body = 0  # bytes of the body received so far

    def connectionMade(self) -> None:
        """Wait for the first request."""
        super().connectionMade()
        self.factory.waits(self)

    def resetTimeout(self) -> None:
        """Keep the deadline: bytes that arrive do not extend it."""

    def allHeadersReceived(self) -> None:
        """Reject a body with too large a Content-Length before any of it is read."""
        if (self.length or 0) > LARGEST_BODY:
            self._refuse()
            return
        super().allHeadersReceived()
        if self.length != 0:
            self._reads_body, self._body = True, 0
            self.setTimeout(BODY_S)

    def rawDataReceived(self, data: bytes) -> None:
        """Read a part of a body, or of the next request.

        Rejects a body of undeclared size once it is too large.
        """
        if self._refused:
            return
        if self._turned_away:
            self.loseConnection()
            return
        if self._reads_body:
            if self._body > LARGEST_BODY:
                self._refuse()
                return
            self._body += len(data)
        super().rawDataReceived(data)

    def allContentReceived(self) -> None:
        """Process a request without a deadline; the next head is due within NEXT_S."""
        self._reads_body = False
        self.factory.no_longer_waits(self)
        self.setTimeout(NEXT_S)  # Twisted stores it, and sets it again after the response
        super().allContentReceived()

    def requestDone(self, request: Request) -> None:
        """Wait for the next request, unless the server is stopping."""
        self.persistent = self.persistent and not self.factory.stops
        if self.persistent:
            self.factory.waits(self)
        super().requestDone(request)

    def connectionLost(self, reason: Any) -> None:
        """Forget the connection."""
        self.factory.no_longer_waits(self)
        super().connectionLost(reason)

    def turn_away(self, answer: bytes) -> None:
        """Answer a handshake with a close frame, and wait a moment for the client's.

        If the connection closed at once, the client's close frame would be answered with a reset.
        """
        self._turned_away = True
        self.write(answer)
        self.setTimeout(LINGER_S)
        self.factory.waits(self)

    def _refuse(self) -> None:
        """Answer 413, read no more, and close after a moment."""
        self._refused = True
        self.transport.write(REFUSED)
        self.transport.pauseProducing()
        self.setTimeout(LINGER_S)


class ClockFactory(HTTPFactory):  # type: ignore[misc]  # Daphne has no types
    """Builds HTTP connections. If too many wait for a request, closes the oldest.

    Requests normally arrive at once. A waiting connection is a browser's spare one, which it can replace, or a client's
    that never meant to send a request.
    """

    def __init__(self, server: Any, files: int, door: Door) -> None:
        super().__init__(server)
        self.door = door
        self.timeOut = HEAD_S
        self._most_waiting = max(LEAST_WAITING, min(MOST_WAITING, files // 4))
        self._waiting: dict[ClockChannel, None] = {}  # connections without a request, oldest first
        self.opening = Turns(later, monotonic, HURRY_S)
        self.stops = False

    def buildProtocol(self, addr: IAddress) -> ClockChannel:
        """Build a connection."""
        channel = ClockChannel()
        channel.factory = self
        channel.callLater = self.reactor.callLater
        channel.timeOut = self.timeOut
        channel.requestFactory = ClockRequest
        return channel

    def waits(self, channel: ClockChannel) -> None:
        """Record that a connection waits for a request; if too many do, close the oldest."""
        self._waiting[channel] = None
        if len(self._waiting) > self._most_waiting:
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            oldest.transport.abortConnection()

    def stop_waiting(self) -> None:
        """Close waiting connections now, and the others after their next response."""
        self.stops = True
        for channel in list(self._waiting):
            channel.loseConnection()

    def no_longer_waits(self, channel: ClockChannel) -> None:
        """Record that a connection has its request, or is lost."""
        self._waiting.pop(channel, None)
