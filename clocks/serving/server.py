"""Daphne with this clock's limits."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from daphne.endpoints import build_endpoint_description_strings
from twisted.internet.endpoints import quoteStringArgument
from twisted.protocols.tls import TLSMemoryBIOFactory

from clocks.serving.ends import ScanlessServer
from clocks.serving.files import raise_limit
from clocks.serving.lifespan import ended
from clocks.serving.memory import give_back_large_buffers
from clocks.serving.pages import ClockFactory, Door
from clocks.serving.plain_http import OnlyHttps
from clocks.serving.sockets import LARGEST_FRAME, ClockSocketFactory

NEVER_S = 365 * 24 * 3600  # the application sends the pings (`live/socket.py`), not Daphne
AT_A_TIME = 4  # connections accepted per loop iteration; Twisted accepts 100 or more, which blocks for 0.1 s
BACKLOG = 1_024  # pending connections: all pages in a hall may reconnect at once


class ClockServer(ScanlessServer):
    """Daphne with limits on its connections."""

    def __init__(self, application: Any, endpoints: list[str], ready: Callable[[], None], door: Door) -> None:
        """Serve `application` at these endpoints; `ready` is called once they listen.

        `door` returns the close code for a WebSocket that is rejected before its connection is set up, or None.
        """
        self._files, self._door = raise_limit(), door
        self._ports: list[Any] = []
        give_back_large_buffers()
        super().__init__(
            application=application,
            endpoints=[f"{endpoint}:backlog={BACKLOG}" for endpoint in endpoints],
            ping_interval=NEVER_S,
            websocket_max_message_size=LARGEST_FRAME,
            websocket_max_frame_size=LARGEST_FRAME,
            server_name="",
            ready_callable=ready,
        )

    def listen_success(self, port: Any) -> None:
        """Accept few connections at a time, so that presses get through.

        Also redirects plain http on an https port.
        """
        super().listen_success(port)
        self._ports.append(port)
        if isinstance(port.factory, TLSMemoryBIOFactory):
            port.factory.protocol = OnlyHttps
        port.doRead = partial(_take_few, port)

    # Daphne's `run` sets its own factories; these setters replace them.

    @property
    def http_factory(self) -> ClockFactory:
        """Factory of the HTTP connections."""
        return self._http_factory

    @http_factory.setter
    def http_factory(self, made: Any) -> None:
        self._http_factory = ClockFactory(self, self._files, self._door)

    @property
    def ws_factory(self) -> ClockSocketFactory:
        """Factory of the WebSocket connections."""
        return self._ws_factory

    @ws_factory.setter
    def ws_factory(self, made: Any) -> None:
        self._ws_factory = ClockSocketFactory(self, server=self.server_name)

    def kill_all_applications(self) -> Any:
        """Stop listening; cancel running applications once the lifespan has ended.

        Daphne calls this when the shutdown begins. Until the lifespan has ended, other processes take over the sockets
        (`live/draining.py`), and a proxy must not send them back here.
        """
        for port in self._ports:
            port.stopListening()
        self.http_factory.stop_waiting()
        return ended().addCallback(lambda _: self._cancel_all())

    def _cancel_all(self) -> Any:
        """Cancel running applications.

        Daphne's own method fails on a connection whose application has finished.
        """
        running = [(at, known) for at, known in self.connections.items() if "application_instance" in known]
        self.connections: dict[Any, Any] = dict(running)
        return super().kill_all_applications()


def _take_few(port: Any) -> None:
    port.numberAccepts = AT_A_TIME
    type(port).doRead(port)


def plain_endpoints(bind: str, port: int) -> list[str]:
    """Endpoint descriptions for http, in Twisted's syntax."""
    found: list[str] = build_endpoint_description_strings(host=bind, port=port)
    return found


def secured_endpoints(bind: str, port: int, key: Path, certificate: Path) -> list[str]:
    """Endpoint descriptions for https with these files, in Twisted's syntax."""
    parts = {"interface": bind.strip("[]"), "privateKey": str(key), "certKey": str(certificate)}
    quoted = [f"{name}={quoteStringArgument(value)}" for name, value in parts.items()]  # type: ignore[no-untyped-call]
    return [f"ssl:port={port}:" + ":".join(quoted)]
