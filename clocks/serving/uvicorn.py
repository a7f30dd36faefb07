"""The same product on uvicorn with uvloop, for a deployment behind a proxy.

A proxy holds off what `pages.py` and `turns.py` hold off where Daphne stands alone: half-sent requests, and a thousand
sockets at once. What only the server itself can know is here as well: control pings that no script delays, and the end
of whoever sends too many frames or does not read.
"""

from collections.abc import Callable
from typing import Any

from uvicorn import Config, Server
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from clocks.serving.files import raise_limit
from clocks.serving.memory import give_back_large_buffers
from clocks.serving.server import BACKLOG
from clocks.serving.sockets import LARGEST_FRAME, TOO_MANY, frames_of_a_socket
from clocks.serving.transport import PingedTransport, Send, Transport

LAST_REQUESTS_S = 5


class UvicornTransport(PingedTransport):
    """The way out of a socket that uvicorn serves: frames go by plain ASGI."""

    def is_open(self) -> bool:
        protocol = self._protocol
        return not (protocol.disconnected or protocol.close_sent or protocol.transport.is_closing())

    def _put(self, framed: bytes) -> None:
        if self.is_open():
            self._protocol.transport.write(framed)

    def _hear_pongs(self, hear: Callable[[bytes], None] | None) -> None:
        self._protocol.on_pong = hear

    def hear(self, heard: Callable[[str | None], None]) -> bool:
        if not self._protocol.queue.empty():
            return False
        self._protocol.heard = heard
        return True

    def release(self) -> None:
        super().release()
        self._protocol.heard = None

    def drop(self) -> None:
        self._protocol.transport.abort()


class ClockSockets(WebSocketsSansIOProtocol):
    """A socket's connection: control frames and fragments are counted as well."""

    on_pong: Callable[[bytes], None] | None = None
    heard: Callable[[str | None], None] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._frames = frames_of_a_socket()

    def transport_for(self, send: Send) -> Transport:
        """Return the way out of this socket."""
        return UvicornTransport(send, self)

    def handle_text(self, event: Any) -> None:
        """Take a text frame in."""
        if self._may_send():
            super().handle_text(event)

    def handle_cont(self, event: Any) -> None:
        """Take the rest of a frame in."""
        if self._may_send():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping."""
        if self._may_send():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        """Take the answer to a ping in."""
        if self._may_send() and self.on_pong is not None:
            self.on_pong(bytes(event.data))

    def send_receive_event_to_app(self) -> None:
        """Hand a whole message over: a text at once, if somebody hears it."""
        if self.heard is None or self.close_sent or self.curr_msg_data_type != "text":
            super().send_receive_event_to_app()
            return
        try:
            text = b"".join(self.frames).decode()
        except UnicodeDecodeError:
            super().send_receive_event_to_app()
            return
        self.frames = []
        self.heard(text)

    def _may_send(self) -> bool:
        """Count a frame; end the connection of whoever sends too many."""
        if self._frames.take(self.loop.time()):
            return True
        if not self.close_sent:
            self.conn.send_close(TOO_MANY)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
        return False


class ClockUvicorn(Server):
    """Uvicorn, which says when it listens, and lets the application say goodbye before it closes every socket."""

    def __init__(self, application: Any, host: str, port: int, ready: Callable[[], None]) -> None:
        """Prepare to serve `application`; `ready` is called once it listens."""
        raise_limit()
        give_back_large_buffers()
        self._ready = ready
        super().__init__(
            Config(
                application,
                host=host,
                port=port,
                loop="uvloop",
                lifespan="on",
                ws=ClockSockets,
                ws_max_size=LARGEST_FRAME,
                ws_ping_interval=None,  # every socket is pinged by the application
                ws_per_message_deflate=False,
                proxy_headers=False,  # `config/proxies.py` believes whom it should
                server_header=False,
                log_config=None,
                access_log=False,
                backlog=BACKLOG,
                timeout_graceful_shutdown=LAST_REQUESTS_S,
            )
        )

    async def startup(self, sockets: Any = None) -> None:
        """Begin, listen, and say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: Any = None) -> None:
        """Let the application end first: uvicorn would have closed its sockets by then."""
        await self.lifespan.shutdown()
        await super().shutdown(sockets)
