"""Send buffer of a connection under Daphne, with backpressure."""

from typing import Any

from twisted.internet.interfaces import IPullProducer, IPushProducer
from twisted.internet.tcp import Connection
from zope.interface import implementer

CHUNK = 64 * 1024  # bytes passed to Twisted at a time, so that `unsent` falls as the client reads


@implementer(IPullProducer, IPushProducer)
class SendBuffer:
    """Bytes not yet sent on a connection.

    `write` sends at once: with Twisted's own `write`, each message would take two more system calls and another
    iteration of the event loop. Bytes that the system does not accept wait here until Twisted asks its producer for
    more. Without TLS it asks a pull producer whenever it has sent everything; with TLS it would ask without a pause, so
    there this is a push producer, which Twisted pauses above 64 KiB.
    """

    __slots__ = ("_at_once", "_is_plain", "_paused", "_transport", "_unsent")

    def __init__(self, transport: Any) -> None:
        """Become the producer of `transport`, in place of the HTTP parser."""
        self._transport, self._unsent = transport, bytearray()
        self._is_plain = isinstance(transport, Connection) and not transport.TLS
        transport.unregisterProducer()
        transport.registerProducer(self, not self._is_plain)
        self._at_once = self._paused = False  # Twisted may still have older bytes to send

    def write(self, data: bytes) -> None:
        """Send bytes, after those already written."""
        if self._paused:
            self._unsent += data
        elif self._transport.connected:
            written = self._transport.writeSomeData(data) if self._at_once else 0
            if written != len(data):
                self._unsent += data[written:] if isinstance(written, int) else data  # after an error, Twisted retries
                self._send_more()

    def unsent(self) -> int:
        """Number of bytes buffered here; Twisted may hold up to CHUNK more."""
        return len(self._unsent)

    def flush(self) -> None:
        """Pass everything to Twisted, before the connection is closed."""
        if self._unsent:
            self._transport.write(bytes(self._unsent))
            self._unsent.clear()

    def resumeProducing(self) -> None:
        """Resume sending. Twisted calls this when it can take more."""
        self._paused, self._at_once = False, self._is_plain
        self._send_more()

    def pauseProducing(self) -> None:
        """Buffer all further bytes."""
        self._paused = True

    def stopProducing(self) -> None:
        """Discard the buffer: the connection is lost."""
        self._paused = False
        self._unsent.clear()

    def _send_more(self) -> None:
        while self._unsent and not self._paused:
            chunk = bytes(self._unsent[:CHUNK])
            del self._unsent[:CHUNK]
            self._paused = self._is_plain
            self._transport.write(chunk)
