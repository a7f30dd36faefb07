"""Two phones per table for a whole day, in a thread."""

import asyncio
import http.client
import threading
from collections.abc import Awaitable, Callable, Iterable
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

from tests.bench.play import SEATS
from tests.browser.two_phones import TwoPhones

PING_S = 3.0
LONGEST_S = 60.0


class TablePhones(TwoPhones):
    """Phones of a table and their current match; they take their seats for each match."""

    def __init__(self, port: int, code: str) -> None:
        super().__init__(port, code)
        self._cookies = ["", ""]
        self._token = ""

    async def open(self) -> None:
        """Take both seats, and connect both phones unless they are connected."""
        await self.sit()
        if not self.phones:
            await self.connect(self._cookies)

    async def sit(self) -> None:
        """Take both seats through the form on the table's page."""
        await asyncio.to_thread(self._sit)

    def _sit(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        if not self._token:
            self._token = self._answer(connection, "GET", f"/t/{self.code}/", "")
        for index, seat in enumerate(SEATS):
            body = urlencode({"seat": seat, "csrfmiddlewaretoken": self._token.split("=")[1]})
            self._cookies[index] = self._answer(connection, "POST", f"/t/{self.code}/seat/", self._cookies[index], body)
        connection.close()

    def _answer(self, connection: http.client.HTTPConnection, method: str, path: str, own: str, body: str = "") -> str:
        """Send a request; return the cookie in the response, as `name=value`."""
        headers = {"Cookie": "; ".join(filter(None, (self._token, own)))}
        connection.request(method, path, body, headers | {"Content-Type": "application/x-www-form-urlencoded"})
        answer = connection.getresponse()
        answer.read()
        cookie = answer.headers.get("Set-Cookie")
        assert answer.status in (200, 302) and cookie, (method, path, answer.status)
        return cookie.split(";")[0]

    async def begin(self) -> None:
        """Take both seats of the waiting match, confirm it, and start Right's clock."""
        await self.open()
        await self.until(lambda frame: frame["status"] == "setup")
        for seat in SEATS:
            await self.do(seat, "confirm")
        await self.do("left", "hit")

    async def call(self) -> None:
        """Call the director."""
        await self.do("right", "call", note="dice off the board")

    async def end(self, winner: str = "left") -> None:
        """End the match by agreeing on a score; works while the clocks are stopped."""
        length = self.match["length"]
        score = [length, 0] if winner == "left" else [0, length]
        await self.do("left", "propose", what="score", score=score)
        await self.do("right", "agree")
        await self.until(lambda frame: frame["status"] == "over")


class DayOfPhones:
    """Phones of all tables; use as a context manager."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._tables: dict[str, TablePhones] = {}

    def __enter__(self) -> Self:
        self._thread.start()
        self._pings = asyncio.run_coroutine_threadsafe(self._keep_present(), self._loop)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pings.cancel()
        asyncio.run_coroutine_threadsafe(self._hang_up(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _keep_present(self) -> None:
        while True:
            for table in self._tables.values():
                table.ping()
            await asyncio.sleep(PING_S)

    async def _hang_up(self) -> None:
        for table in self._tables.values():
            table.close()

    def at(self, code: str) -> TablePhones:
        """Phones of the table with this code."""
        if code not in self._tables:
            self._tables[code] = TablePhones(self._port, code)
        return self._tables[code]

    def all(self, codes: Iterable[str], do: Callable[[TablePhones], Awaitable[Any]]) -> None:
        """Run `do` concurrently for the phones of all these tables; wait for completion."""
        tables = [self.at(code) for code in codes]

        async def together() -> None:
            async with asyncio.timeout(LONGEST_S):
                await asyncio.gather(*(do(table) for table in tables))

        asyncio.run_coroutine_threadsafe(together(), self._loop).result()
