"""Queue of messages to an ASGI server, with their size in bytes."""

import asyncio
import logging
from collections import deque

from clocks.serving.asgi import Message, Send

logger = logging.getLogger(__name__)


class AsgiQueue:
    """Messages to one client, sent in order by a task that ends when there are none.

    `unsent`, in bytes, includes the message that is being sent. An error discards the rest.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._messages: deque[tuple[Message, int]] = deque()
        self._sending: asyncio.Task[None] | None = None
        self.unsent = 0  # bytes

    def put(self, message: Message, size: int = 0) -> None:
        """Queue a message of this size in bytes; never blocks."""
        self._messages.append((message, size))
        self.unsent += size
        if self._sending is None:
            self._sending = asyncio.ensure_future(self._send_all())

    def clear(self) -> None:
        """Discard the queue."""
        self._messages.clear()
        self.unsent = 0

    def cancel(self) -> None:
        """Discard the queue and the message that is being sent."""
        self.clear()
        if self._sending is not None:
            self._sending.cancel()

    async def _send_all(self) -> None:
        try:
            while self._messages:
                message, size = self._messages.popleft()
                await self._send(message)
                self.unsent = max(0, self.unsent - size)
        except Exception:
            logger.exception("a client could not be written to")
        finally:
            self.clear()
            self._sending = None
