"""Tables that play by themselves, with two sockets each, in a thread.

A table hits every PACE_S seconds. With `calls_after`, it calls the director after that many hits; with `lapses`, Right
first runs out of time. Both resume after the director's ruling. After `finish`, each unfinished match ends with a game
of three points.
"""

import asyncio
import http.client
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

from tests.bench.play import SEATS
from tests.browser.two_phones import TwoPhones

PACE_S = 1.5
PING_S = 4.0
LONGEST_S = 120.0


@dataclass(frozen=True)
class Part:
    """Script of a table: hits before a call, whether Right lapses, last game's winner."""

    calls_after: int | None = None
    lapses: bool = False
    winner: str = "left"


def sit_down(port: int, codes: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Take each seat of these tables with a new phone, through the form on its page.

    Returns the device cookies (Left's and Right's, as `name=value`) by table code.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port)
    cookies: dict[str, tuple[str, str]] = {}
    token = ""
    for code in codes:
        if not token:
            page = _answer(connection, "GET", f"/t/{code}/", {})
            token = page.split(";")[0]
        taken = []
        for seat in SEATS:
            body = urlencode({"seat": seat, "csrfmiddlewaretoken": token.split("=")[1]})
            headers = {"Cookie": token, "Content-Type": "application/x-www-form-urlencoded"}
            taken.append(_answer(connection, "POST", f"/t/{code}/seat/", headers, body).split(";")[0])
        cookies[code] = (taken[0], taken[1])
    connection.close()
    return cookies


def _answer(
    connection: http.client.HTTPConnection, method: str, path: str, headers: Mapping[str, str], body: str = ""
) -> str:
    """Send a request; return the response's `Set-Cookie` header."""
    connection.request(method, path, body, dict(headers))
    answer = connection.getresponse()
    answer.read()
    cookie = answer.headers.get("Set-Cookie")
    assert answer.status in (200, 302) and cookie, (method, path, answer.status)
    return cookie


class Playing(TwoPhones):
    """A table and its phones. `said` lists the accepted `(seat, do)` in order."""

    def __init__(self, port: int, code: str, part: Part) -> None:
        super().__init__(port, code)
        self.part = part
        self.said: list[tuple[str, str]] = []

    async def do(self, seat: str, do: str, **arguments: Any) -> None:
        """Send a command and record it once accepted."""
        await super().do(seat, do, **arguments)
        self.said.append((seat, do))

    async def play(self, finish: asyncio.Event) -> None:
        """Play the match until it is over."""
        await self.until(lambda _: True)
        for seat in SEATS:
            await self.do(seat, "confirm")
        await self.do("left", "hit")
        if self.part.lapses:
            await self._lapse()
        while self.match["status"] != "over" and not finish.is_set():
            if sum(self.match["hits"]) == self.part.calls_after and ("left", "call") not in self.said:
                await self.do("left", "call", note=f"dice off the board at table {self.match['table']}")
                await self.until(lambda match: match["status"] == "running")
            await asyncio.sleep(PACE_S)
            await self._hit()
        if self.match["status"] != "over":
            await self.do(self.match["turn"], "propose", what="game", winner=self.part.winner, points=3)
            await self.do("left" if self.said[-1][0] == "right" else "right", "agree")

    async def _hit(self) -> None:
        await self.do(self.match["turn"], "hit", turn_number=self.match["turn_number"])

    async def _lapse(self) -> None:
        await self.until(lambda match: match["status"] == "flagged")
        match = await self.until(lambda match: match["status"] != "flagged")
        if match["status"] == "stopped":
            await self.do("right", "resume")

    async def keep_present(self) -> None:
        """Ping from both phones, like their pages."""
        while True:
            self.ping()
            await asyncio.sleep(PING_S)


class Players:
    """All tables, played in a thread; use as a context manager."""

    def __init__(self, port: int, parts: Mapping[str, Part]) -> None:
        self.tables = {code: Playing(port, code, part) for code, part in parts.items()}
        self._cookies = sit_down(port, parts)
        self._played: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def _run(self) -> None:
        try:
            asyncio.run(self._play())
            self._played.set_result(None)
        except BaseException as error:
            self._played.set_exception(error)

    async def _play(self) -> None:
        self._loop, self._task, self._finish = asyncio.get_running_loop(), asyncio.current_task(), asyncio.Event()
        for code, table in self.tables.items():
            await table.connect(self._cookies[code])
        pings = [asyncio.create_task(table.keep_present()) for table in self.tables.values()]
        async with asyncio.timeout(LONGEST_S), asyncio.TaskGroup() as group:
            for table in self.tables.values():
                group.create_task(table.play(self._finish))
        for ping in pings:
            ping.cancel()

    def finish(self) -> None:
        """Make every table end its match, and wait."""
        self._loop.call_soon_threadsafe(self._finish.set)
        self._played.result(LONGEST_S)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._played.done():
            self._played.result()  # raise the table's error, which explains more than the browser's timeout
        else:
            assert self._task is not None
            self._loop.call_soon_threadsafe(self._task.cancel)
            self._thread.join()
