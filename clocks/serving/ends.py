"""Clean up connections when they close.

Daphne scans all connections for finished applications every second, and for timeouts every two; with 8,000 phones each
scan delays presses by some 10 ms. Here each application has a callback, and requests have deadlines (`pages.py`).
"""

import asyncio
import logging
from functools import partial
from typing import Any

from daphne.server import Server
from twisted.internet import reactor

from clocks.serving.asgi import Scope
from clocks.serving.extension import with_connection

logger = logging.getLogger(__name__)


class ScanlessServer(Server):  # type: ignore[misc]  # Daphne has no types
    """Daphne without its periodic scans of all connections."""

    def application_checker(self) -> None:
        """Do nothing: `_ended` is called when an application finishes."""

    def timeout_checker(self) -> None:
        """Do nothing: we use none of the timeouts that this would check."""

    def create_application(self, protocol: Any, scope: Scope) -> Any:
        """Start the application of a connection."""
        queue = super().create_application(protocol, with_connection(scope, protocol))
        known = self.connections.get(protocol)
        if known is not None:
            known["application_instance"].add_done_callback(partial(self._ended, protocol))
        return queue

    def _ended(self, protocol: Any, application: "asyncio.Task[None]") -> None:
        """Forget a finished application. If it raised, log the error and tell the client."""
        known = self.connections.get(protocol, {})
        known.pop("application_instance", None)
        gone = "disconnected" in known
        error = None if application.cancelled() else application.exception()
        if error is not None:
            logger.error("an application failed: %s", error, exc_info=error)
            if known and not gone:
                protocol.handle_exception(error)
        if gone:
            self._forget(protocol)

    def protocol_disconnected(self, protocol: Any) -> None:
        """Give the application of a lost connection a moment to finish, then cancel it."""
        known = self.connections.get(protocol)
        if known is None or "disconnected" in known:
            return
        super().protocol_disconnected(protocol)
        application = known.get("application_instance")
        if application is None:
            self._forget(protocol)
        else:
            known["limit"] = reactor.callLater(self.application_close_timeout, application.cancel)

    def _forget(self, protocol: Any) -> None:
        limit = self.connections.pop(protocol, {}).get("limit")
        if limit is not None and limit.active():
            limit.cancel()
