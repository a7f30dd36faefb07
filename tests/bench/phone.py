"""Minimal WebSocket client: text frames, pings, close."""

import asyncio
import base64
import os
from collections.abc import Callable

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
FINAL, MASKED = 0x80, 0x80


class Dropped(Exception):
    """The server closed a socket, rejected its handshake or sent an unsupported frame."""


class Phone(asyncio.Protocol):
    """One WebSocket. Once open, calls `hear` with the bytes of each text frame."""

    __slots__ = ("_left_over", "_mask", "_opened", "_request", "_transport", "dropped", "hear", "lost", "pings")

    def __init__(self, port: int, path: str, cookie: str = "") -> None:
        """Prepare the handshake; `cookie` is `name=value`."""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            f"Origin: http://127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        ]
        if cookie:
            lines.append(f"Cookie: {cookie}")
        self._request = "\r\n".join([*lines, "", ""]).encode()
        self._left_over = b""
        self._mask = os.urandom(4)
        self._transport: asyncio.Transport | None = None
        self._opened: asyncio.Future[None] | None = None
        self.hear: Callable[[bytes], None] = _ignore
        self.lost: Callable[[Exception], None] = _ignore
        self.dropped: Dropped | None = None  # why it was closed, or its handshake rejected
        self.pings = 0  # WebSocket pings received

    async def open(self, port: int) -> None:
        """Connect and complete the handshake; raise `Dropped` if it fails."""
        loop = asyncio.get_running_loop()
        self._opened = loop.create_future()
        await loop.create_connection(lambda: self, "127.0.0.1", port)
        await self._opened

    def send(self, text: bytes) -> None:
        """Send `text` as a single masked frame."""
        self._send(TEXT, text)

    def close(self) -> None:
        """Close the connection and ignore anything still arriving."""
        self.hear = self.lost = _ignore
        if self._transport:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self._drop(f"the connection was lost: {exc}")

    def data_received(self, data: bytes) -> None:
        if self._left_over:
            data = self._left_over + data
        at = 0
        if self._opened:
            head = data.find(b"\r\n\r\n")
            if head < 0:
                self._left_over = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self._drop(f"the handshake was answered {data[:60]!r}")
                return
            if not self._opened.done():  # done if the caller has given up
                self._opened.set_result(None)
            self._opened = None
            at = head + 4
        self._left_over = data[self._frames(data, at) :]

    def _frames(self, data: bytes, at: int) -> int:
        """Process the complete frames in `data[at:]`; return the offset of the remainder."""
        size = len(data)
        while size - at >= 2:
            length = data[at + 1]
            body = at + 2
            if length == 126:
                if size - at < 4:
                    break
                length = data[at + 2] << 8 | data[at + 3]
                body = at + 4
            elif length == 127:
                if size - at < 10:
                    break
                length = int.from_bytes(data[at + 2 : at + 10])
                body = at + 10
            end = body + length
            if end > size:
                break
            kind = data[at]
            if kind == FINAL | TEXT:
                self.hear(data[body:end])
            elif kind == FINAL | PING:
                self.pings += 1
                self._send(PONG, data[body:end])
            elif kind == FINAL | CLOSE:
                self._drop(f"the server closed the socket with {int.from_bytes(data[body : body + 2])}")
                return size
            else:
                self._drop(f"a frame began with {kind:#x}")
                return size
            at = end
        return at

    def _send(self, kind: int, body: bytes) -> None:
        size = len(body)
        head = (
            bytes((FINAL | kind, MASKED | size))
            if size < 126
            else bytes((FINAL | kind, MASKED | 126, size >> 8, size & 255))
        )
        mask = int.from_bytes((self._mask * (size // 4 + 1))[:size])
        masked = (int.from_bytes(body) ^ mask).to_bytes(size)
        self._transport.write(b"".join((head, self._mask, masked)))  # type: ignore[union-attr]

    def _drop(self, why: str) -> None:
        """Disconnect and report why."""
        self.dropped = Dropped(why)
        if self._opened and not self._opened.done():
            self._opened.set_exception(self.dropped)
        lost = self.lost
        self.close()
        lost(self.dropped)


def _ignore(_: object) -> None:
    """Discard a frame or an error."""
