"""Sockets of consoles and hall screens, which read every frame."""

import asyncio
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from http.cookiejar import CookieJar
from urllib.parse import urlencode

import orjson

from tests.bench.phone import Phone
from tests.bench.product import SLUG
from tests.bench.server import PROJECT

PING_S = 2.5


class Viewer:
    """Read-only page: reads each frame, answers probes, and pings."""

    def __init__(self, port: int, path: str, cookie: str = "") -> None:
        self.frames = self.bytes = 0
        self._port = port
        self._first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._phone = Phone(port, path, cookie)
        self._phone.hear, self._phone.lost = self._hear, self._lost
        self._pings: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect and wait for the first frame that has all boards, or the match."""
        await self._phone.open(self._port)
        await self._first
        self._pings = asyncio.create_task(self._ping())

    def close(self) -> None:
        """Disconnect."""
        if self._pings:
            self._pings.cancel()
        self._phone.close()

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_S)
            self._phone.send(b'{"t":"ping","c":%d}' % int(time.perf_counter() * 1000))

    def _lost(self, error: Exception) -> None:
        if not self._first.done():
            self._first.set_exception(error)

    def _hear(self, text: bytes) -> None:
        kind = orjson.loads(text)["t"]
        self.frames += 1
        self.bytes += len(text)
        if kind in ("boards", "match") and not self._first.done():
            self._first.set_result(None)
        elif kind == "probe":
            self._phone.send(text)


def console_and_hall(port: int, environment: Mapping[str, str]) -> tuple[tuple[str, str], tuple[str, str]]:
    """Path and cookie of a director's console and of a hall screen."""
    return (f"/ws/director/{SLUG}/", sign_in(port, environment)), (f"/ws/hall/{SLUG}/", "")


def sign_in(port: int, environment: Mapping[str, str]) -> str:
    """Sign in as director through a sign-in link; return the Cookie header."""
    command = [sys.executable, "manage.py", "directorlink"]
    made = subprocess.run(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    address = f"http://127.0.0.1:{port}{made.stdout[made.stdout.index('/director/') :].strip()}"
    jar = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    shown = browser.open(address).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', shown)
    assert token is not None, shown
    browser.open(address, urlencode({"csrfmiddlewaretoken": token[1]}).encode())
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)
