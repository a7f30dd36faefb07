"""Raw connections that send requests, handshakes and frames as bytes."""

import asyncio
import base64
import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from tests.bench.server import HOST

TEXT, CONTINUED, PING, FINAL = 0x1, 0x0, 0x9, 0x80
LONGEST_S = 60.0  # maximum duration of a flood
PATIENCE_S = 10.0


@dataclass(frozen=True)
class Target:
    """Target of a flood: server, tournament, and the attacker's own table and cookie.

    `casual` lists the attacker's casual matches, each as its table code and both phones' cookies.
    """

    port: int
    seconds: float
    slug: str
    code: str
    cookie: str
    casual: Sequence[Sequence[str]] = ()

    def ends(self) -> float:
        """End of the flood on the `time.monotonic` clock."""
        return time.monotonic() + min(self.seconds, LONGEST_S)


class Line(asyncio.Protocol):
    """Raw connection. `came` is set on data or close, `over` on close."""

    def __init__(self, keep: bool = False) -> None:
        self.came, self.over = asyncio.Event(), asyncio.Event()
        self.read, self.data = 0, b""
        self._keep = keep
        self.writable = asyncio.Event()
        self.writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self._keep or not self.read:
            self.data += data
        self.read += len(data)
        self.came.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.over.set()
        self.came.set()
        self.writable.set()

    def pause_writing(self) -> None:
        self.writable.clear()

    def resume_writing(self) -> None:
        self.writable.set()

    async def send(self, data: bytes) -> bool:
        """Send data and wait until the buffer drains; False if the connection is closed."""
        self.transport.write(data)
        await self.writable.wait()
        return not self.over.is_set()


async def line(target: Target, data: bytes = b"", keep: bool = False) -> Line:
    """Connect to the target and send `data`."""
    made = Line(keep)
    await asyncio.get_running_loop().create_connection(lambda: made, HOST, target.port)
    if data:
        made.transport.write(data)
    return made


def handshake(target: Target, path: str, cookie: str = "") -> bytes:
    """WebSocket upgrade request."""
    key = base64.b64encode(os.urandom(16)).decode()
    head = f"GET {path} HTTP/1.1\r\nHost: {HOST}:{target.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    cookies = f"Cookie: {cookie}\r\n" if cookie else ""
    return f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{cookies}\r\n".encode()


def frame(kind: int, body: bytes = b"") -> bytes:
    """Client WebSocket frame, masked with zeros."""
    size = len(body)
    length = (
        bytes((0x80 | size,))
        if size < 126
        else (b"\xfe" + size.to_bytes(2) if size < 65536 else b"\xff" + size.to_bytes(8))
    )
    return bytes((kind,)) + length + bytes(4) + body


async def answer_of(target: Target, request: bytes) -> tuple[int, str]:
    """Send a `Connection: close` request; return status (0: none) and response."""
    one = await line(target, request, keep=True)
    with suppress(TimeoutError):
        await asyncio.wait_for(one.over.wait(), PATIENCE_S)
    one.transport.abort()
    status = one.data[9:12]
    return int(status) if status.isdigit() else 0, one.data.decode(errors="replace")


def get(target: Target, path: str, cookie: str = "") -> bytes:
    """GET request for a page."""
    cookies = f"Cookie: {cookie}\r\n" if cookie else ""
    return f"GET {path} HTTP/1.1\r\nHost: {HOST}:{target.port}\r\n{cookies}Connection: close\r\n\r\n".encode()


async def form(target: Target, path: str, page: str, fields: dict[str, str]) -> bytes:
    """POST request with a form, using the CSRF token of its page."""
    _, shown = await answer_of(target, get(target, page))
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', shown)
    cookie = re.search(r"Set-Cookie:\s*((?:__Host-)?csrftoken=\w+)", shown, re.IGNORECASE)
    if token is None or cookie is None:
        raise RuntimeError(f"{page} shows no form: {shown[:300]}")
    body = urlencode({**fields, "csrfmiddlewaretoken": token[1]})
    head = f"POST {path} HTTP/1.1\r\nHost: {HOST}:{target.port}\r\nCookie: {cookie[1]}\r\nConnection: close\r\n"
    kind = "Content-Type: application/x-www-form-urlencoded\r\n"
    return f"{head}{kind}Content-Length: {len(body)}\r\n\r\n{body}".encode()
