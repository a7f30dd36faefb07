"""Connections that ask for pages: how long a request may take to arrive, how large it may be, how many may wait.

Twisted's own deadline restarts with each byte, so a client could hold a connection for ever by sending one now and
then. Here a request has to be complete by a fixed instant, and where too many connections wait the oldest one ends.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any
from urllib.parse import unquote

from daphne.http_protocol import HTTPFactory, WebRequest
from twisted.internet.interfaces import IAddress
from twisted.web.http import HTTPChannel, Request

from clocks.host.ratelimit import client_key
from clocks.serving.opening import HURRIES_S, Turns, later
from clocks.serving.refusal import closed_with

Door = Callable[[dict[str, Any]], int | None]

LARGEST_BODY = 1_000_000  # bytes; the largest draw that anybody imports is a tenth of that
HEAD_S, BODY_S = 10, 30  # until the first head is there; for a body
NEXT_S = 30  # until the next head is there: browsers keep connections for later
LINGER_S = 1  # for reading the answer to a body that was not read
MOST_WAITING = 1_000
LEAST_WAITING = 64

# Where a proxy says that the site is mounted; and which subprotocol a socket speaks, though there is only one.
BELIEVED = (b"daphne-root-path", b"sec-websocket-protocol")

TOO_LARGE = b"This is larger than a megabyte, which is more than this clock takes. Send less.\n"
REFUSED = (
    b"HTTP/1.1 413 Content Too Large\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(TOO_LARGE), TOO_LARGE)
)


class ClockRequest(WebRequest):  # type: ignore[misc]  # Daphne has no types
    """A request; one that becomes a socket lets go of the connection's parser, which would hold it in a cycle.

    Its form is left to Django: Twisted would read it too, and hang up without a word on one that it cannot.
    """

    channel: Any

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, parsePOSTFormSubmission=False, **options)

    def process(self) -> Any:
        """Hand the request on, without headers that Daphne believes of anybody or stumbles over; a socket in turn."""
        for name in BELIEVED:
            self.requestHeaders.removeHeader(name)
        if not self.requestHeaders.hasHeader(b"Upgrade"):
            return super().process()
        if self._is_turned_away():
            return None
        # Who shows a cookie may have a seat: it does not wait behind those from the same address who show none.
        who = client_key(getattr(self.client, "host", "")), self.requestHeaders.hasHeader(b"Cookie")
        if not self.channel.factory.opening.wait(who, self._open):
            self.channel.transport.abortConnection()
        return None

    def _is_turned_away(self) -> bool:
        """Close a socket before it is made, where the door says so."""
        key = self.requestHeaders.getRawHeaders(b"Sec-WebSocket-Key")
        code = self.channel.factory.door(self._scope()) if key else None
        if key and code is not None:
            self.channel.write(closed_with(key[0], code))
            self.channel.loseConnection()
        return code is not None

    def _scope(self) -> dict[str, Any]:
        """Return what the application is told of a handshake, as far as the door needs it."""
        headers = self.requestHeaders.getAllRawHeaders()
        return {
            "type": "websocket",
            "path": unquote(self.path.decode("latin1")),
            "headers": [(name.lower(), value) for name, values in headers for value in values],
            "client": [getattr(self.client, "host", ""), getattr(self.client, "port", 0)],
        }

    def _open(self) -> bool:
        """Become a socket; return False where whoever asked has gone."""
        if self.channel is None:
            return False
        if self._is_turned_away():  # others of the same address have opened meanwhile
            return True
        super().process()
        if self.transport is None and self.channel is not None:  # a socket has taken the connection over
            channel, self.channel = self.channel, None
            channel.requests.clear()
            channel.factory.no_longer_waits(channel)
        return True


class ClockChannel(HTTPChannel):  # type: ignore[misc]  # see pyproject.toml
    """A connection on which requests arrive one after the other, until one of them opens a socket."""

    factory: "ClockFactory"
    _refused = _reads_body = False
    _body = 0  # bytes of it so far

    def connectionMade(self) -> None:
        """Wait for a first request."""
        super().connectionMade()
        self.factory.waits(self)

    def resetTimeout(self) -> None:
        """Keep the deadline: bytes that arrive do not extend it."""

    def allHeadersReceived(self) -> None:
        """Refuse a body that says it is too large before any of it is read."""
        if (self.length or 0) > LARGEST_BODY:
            self._refuse()
            return
        super().allHeadersReceived()
        if self.length != 0:
            self._reads_body, self._body = True, 0
            self.setTimeout(BODY_S)

    def rawDataReceived(self, data: bytes) -> None:
        """Read a part of a body, or of the next request. Refuses a body of unknown size once it is too large."""
        if self._refused:
            return
        if self._reads_body:
            if self._body > LARGEST_BODY:
                self._refuse()
                return
            self._body += len(data)
        super().rawDataReceived(data)

    def allContentReceived(self) -> None:
        """Answer a complete request, without a deadline; the next one has NEXT_S."""
        self._reads_body = False
        self.factory.no_longer_waits(self)
        self.setTimeout(NEXT_S)  # Twisted notes it, and sets it again when the request is done
        super().allContentReceived()

    def requestDone(self, request: Request) -> None:
        """Wait for the next request."""
        if self.persistent:
            self.factory.waits(self)
        super().requestDone(request)

    def connectionLost(self, reason: Any) -> None:
        """Forget the connection."""
        self.factory.no_longer_waits(self)
        super().connectionLost(reason)

    def _refuse(self) -> None:
        """Answer that a body is too large, read no more, and leave a moment for the answer to be read."""
        self._refused = True
        self.transport.write(REFUSED)
        self.transport.pauseProducing()
        self.setTimeout(LINGER_S)


class ClockFactory(HTTPFactory):  # type: ignore[misc]  # Daphne has no types
    """Makes the connections, and ends the one that waits longest where too many do.

    A page's request arrives within a moment; what still waits then is a browser keeping its connection for later,
    which will open another one, or somebody who never meant to ask.
    """

    def __init__(self, server: Any, files: int, door: Door) -> None:
        super().__init__(server)
        self.door = door
        self.timeOut = HEAD_S
        self._most_waiting = max(LEAST_WAITING, min(MOST_WAITING, files // 4))
        self._waiting: dict[ClockChannel, None] = {}  # the one that has waited longest first
        self.opening = Turns(later, monotonic, HURRIES_S)

    def buildProtocol(self, addr: IAddress) -> ClockChannel:
        """Return what a new connection is read by."""
        channel = ClockChannel()
        channel.factory = self
        channel.callLater = self.reactor.callLater
        channel.timeOut = self.timeOut
        channel.requestFactory = ClockRequest
        return channel

    def waits(self, channel: ClockChannel) -> None:
        """Note that a connection waits for a request; end the one that waits longest where too many do."""
        self._waiting[channel] = None
        if len(self._waiting) > self._most_waiting:
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            oldest.transport.abortConnection()

    def no_longer_waits(self, channel: ClockChannel) -> None:
        """Note that a connection's request is there, or that it has gone."""
        self._waiting.pop(channel, None)
