"""Two phones at each table for a whole day, in a thread beside the browser: a test says what they do, and waits."""

import asyncio
import http.client
import json
import threading
from collections.abc import Awaitable, Callable, Iterable
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

from tests.bench.phone import Phone
from tests.bench.play import SEATS, new_id

PING_S = 3.0
LONGEST_S = 60.0

Frame = dict[str, Any]


class TablePhones:
    """The phones of one table and the match that they see; they sit down anew for each match."""

    def __init__(self, port: int, code: str) -> None:
        self.code = code
        self.match: Frame = {"match": 0, "v": 0}
        self._port = port
        self._cookies = ["", ""]
        self._token = ""
        self._phones: list[Phone] = []
        self._seated = 0
        self._answers: dict[str, asyncio.Future[Frame]] = {}
        self._news = asyncio.Event()

    async def open(self) -> None:
        """Sit down, once, and open a socket for each seat."""
        await self.sit()
        if not self._phones:
            self._phones = [Phone(self._port, f"/ws/table/{self.code}/", cookie) for cookie in self._cookies]
            for phone in self._phones:
                phone.hear = self._ear(phone)
                await phone.open(self._port)

    async def sit(self) -> None:
        """Let each phone take its seat by the form of the table's page."""
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
        """Return the cookie that a page sets."""
        headers = {"Cookie": "; ".join(filter(None, (self._token, own)))}
        connection.request(method, path, body, headers | {"Content-Type": "application/x-www-form-urlencoded"})
        answer = connection.getresponse()
        answer.read()
        cookie = answer.headers.get("Set-Cookie")
        assert answer.status in (200, 302) and cookie, (method, path, answer.status)
        return cookie.split(";")[0]

    def _ear(self, phone: Phone) -> Callable[[bytes], None]:
        def hear(text: bytes) -> None:
            frame = json.loads(text)
            if frame["t"] == "probe":
                phone.send(text)
            elif frame["t"] in ("ack", "refused"):
                self._answers.pop(frame["id"]).set_result(frame)
            elif frame["t"] == "match" and (frame["match"], frame["v"]) > (self.match["match"], self.match["v"]):
                self.match = frame
                self._news.set()

        return hear

    async def until(self, condition: Callable[[Frame], bool]) -> Frame:
        """Wait until the last snapshot is so, and return it."""
        while not (self.match["v"] and condition(self.match)):
            self._news.clear()
            await self._news.wait()
        return self.match

    async def do(self, seat: str, do: str, **arguments: Any) -> None:
        """Send a command from a seat's phone; it must be accepted, and its snapshot arrive."""
        id_ = new_id()
        answer = self._answers[id_] = asyncio.get_running_loop().create_future()
        match = self.match["match"]
        frame = {"t": "do", "match": match, "id": id_, "do": do, "seat": seat, **arguments}
        self._phones[SEATS.index(seat)].send(json.dumps(frame).encode())
        told = await answer
        assert told["t"] == "ack", (self.match["table"], frame, told)
        await self.until(lambda frame: (frame["match"], frame["v"]) >= (match, told["v"]))

    async def begin(self) -> None:
        """Sit down at the match that waits here, confirm it, and start the right player's clock."""
        await self.open()
        await self.until(lambda frame: frame["status"] == "setup")
        for seat in SEATS:
            await self.do(seat, "confirm")
        await self.do("left", "hit")

    async def call(self) -> None:
        """Call the director."""
        await self.do("right", "call", note="dice off the board")

    async def end(self, winner: str = "left") -> None:
        """Let both agree that somebody has won by all points to none; clocks that are stopped stay so."""
        length = self.match["length"]
        score = [length, 0] if winner == "left" else [0, length]
        await self.do("left", "propose", what="score", score=score)
        await self.do("right", "agree")
        await self.until(lambda frame: frame["status"] == "over")

    def close(self) -> None:
        """Hang up both phones."""
        for phone in self._phones:
            phone.close()

    def ping(self) -> None:
        """Keep both phones present, as their pages do."""
        for phone in self._phones:
            phone.send(b'{"t":"ping","c":0}')


class DayOfPhones:
    """The phones of all tables, for as long as the `with` lasts."""

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
        """Return the phones of a table."""
        if code not in self._tables:
            self._tables[code] = TablePhones(self._port, code)
        return self._tables[code]

    def all(self, codes: Iterable[str], do: Callable[[TablePhones], Awaitable[Any]]) -> None:
        """Let the phones of these tables do something, all at once, and wait until they have."""
        tables = [self.at(code) for code in codes]

        async def together() -> None:
            async with asyncio.timeout(LONGEST_S):
                await asyncio.gather(*(do(table) for table in tables))

        asyncio.run_coroutine_threadsafe(together(), self._loop).result()
