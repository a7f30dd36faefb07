"""ASGI lifespan protocol, also for Daphne, which does not support it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from twisted.internet import defer, reactor

from clocks.serving.asgi import Receive, Scope, Send

logger = logging.getLogger(__name__)

STARTUP, SHUTDOWN = {"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}
FAILED = "lifespan.startup.failed"

_lives: list["asyncio.Task[None]"] = []  # the lifespan's task under Daphne; empty before the reactor runs


class Lifespan:
    """ASGI application for startup and shutdown."""

    def __init__(self, begin: Sequence[Callable[[], object]], end: Callable[[], Awaitable[object]]) -> None:
        self._begin, self._end = begin, end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the ASGI lifespan. If startup fails, the server exits."""
        await receive()
        try:
            for begin in self._begin:
                begin()
        except Exception as error:
            logger.exception("the server cannot begin its work")
            await send({"type": FAILED, "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._end()
        await send({"type": "lifespan.shutdown.complete"})


def give_daphne_one(application: Any) -> None:
    """Run an application's lifespan with Twisted's reactor.

    Without a running reactor, as in tests, this has no effect.
    """
    told: asyncio.Queue[dict[str, str]] = asyncio.Queue()

    async def hear(message: dict[str, str]) -> None:
        if message["type"] == FAILED:
            reactor.stop()  # type: ignore[misc]

    def begin() -> None:
        told.put_nowait(STARTUP)
        _lives.append(asyncio.ensure_future(application({"type": "lifespan"}, told.get, hear)))

    def end() -> "defer.Deferred[None] | None":
        told.put_nowait(SHUTDOWN)
        return ended() if _lives else None

    reactor.callWhenRunning(reactor.callLater, 0, begin)  # Twisted calls this before asyncio's loop runs
    reactor.addSystemEventTrigger("before", "shutdown", end)  # type: ignore[arg-type]


def ended() -> "defer.Deferred[Any]":
    """Deferred that fires once the lifespan has ended, or at once if it never began."""
    return defer.Deferred.fromFuture(asyncio.gather(*_lives, return_exceptions=True))
