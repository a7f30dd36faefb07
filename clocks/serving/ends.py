"""How connections under Daphne end: each is heard of as it happens.

Daphne itself looks through all connections every second for applications that have ended, and every two seconds for
whoever is late; with 8,000 phones each look keeps a press waiting for some 10 ms. What may be late here has deadlines
of its own (`pages.py`).
"""

import asyncio
import logging
from functools import partial
from typing import Any

from daphne.server import Server
from twisted.internet import reactor

from clocks.serving.extension import with_connection

logger = logging.getLogger(__name__)


class EndsHeard(Server):  # type: ignore[misc]  # the library has no types
    """Daphne that never looks through its connections."""

    def application_checker(self) -> None:
        """Look for nothing: `_ended` hears of it."""

    def timeout_checker(self) -> None:
        """Look for nothing: no time limit of Daphne's is in use."""

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Start the application of a connection."""
        queue = super().create_application(protocol, with_connection(scope, protocol))
        known = self.connections.get(protocol)
        if known is not None:
            known["application_instance"].add_done_callback(partial(self._ended, protocol))
        return queue

    def _ended(self, protocol: Any, application: "asyncio.Task[None]") -> None:
        """Let go of an application that has ended; where it failed, answer for it."""
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
        """Note that a connection has gone: its application may take a moment to end, and is ended then."""
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
