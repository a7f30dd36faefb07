"""Send buffer of a connection under Daphne, with backpressure."""

from typing import Any

from twisted.internet.interfaces import IPullProducer, IPushProducer
from twisted.internet.tcp import Connection
from zope.interface import implementer

CHUNK = 64 * 1024  # bytes handed to Twisted at a time, so that `unsent` falls as the client reads


@implementer(IPullProducer, IPushProducer)
class SendBuffer:
    """Bytes that a connection has not taken yet.

    `write` sends at once: by Twisted's own `write` each message would take two more system calls and another turn of
    the event loop. What the system does not take waits here until Twisted asks its producer for more. Without TLS it
    asks a pull producer whenever it has sent everything; with TLS it would ask without a pause, so there this is a
    push producer, which Twisted pauses above 64 KiB.
    """

    __slots__ = ("_at_once", "_is_plain", "_paused", "_transport", "_unsent")

    def __init__(self, transport: Any) -> None:
        """Become the producer of `transport`, in place of the HTTP parser."""
        self._transport, self._unsent = transport, bytearray()
        self._is_plain = isinstance(transport, Connection) and not transport.TLS
        transport.unregisterProducer()
        transport.registerProducer(self, not self._is_plain)
        self._at_once = self._paused = False  # Twisted may still have to send something older

    def write(self, data: bytes) -> None:
        """Send bytes after those before them."""
        if self._paused:
            self._unsent += data
        elif self._transport.connected:
            written = self._transport.writeSomeData(data) if self._at_once else 0
            if written != len(data):
                self._unsent += data[written:] if isinstance(written, int) else data  # after an error Twisted tries it
                self._send_more()

    def unsent(self) -> int:
        """Bytes that wait here; up to CHUNK more are Twisted's."""
        return len(self._unsent)

    def flush(self) -> None:
        """Hand everything to Twisted, before the connection is closed."""
        if self._unsent:
            self._transport.write(bytes(self._unsent))
            self._unsent.clear()

    def resumeProducing(self) -> None:
        """Go on: Twisted has sent everything."""
        self._paused, self._at_once = False, self._is_plain
        self._send_more()

    def pauseProducing(self) -> None:
        """Hold back what follows."""
        self._paused = True

    def stopProducing(self) -> None:
        """Forget what waits: the connection is lost."""
        self._paused = False
        self._unsent.clear()

    def _send_more(self) -> None:
        while self._unsent and not self._paused:
            chunk = bytes(self._unsent[:CHUNK])
            del self._unsent[:CHUNK]
            self._paused = self._is_plain
            self._transport.write(chunk)
