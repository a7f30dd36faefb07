"""Tables that play by themselves: two sockets with real device cookies at each, all in one thread beside the browser.

A table hits at its pace. One that `calls` calls the director after a few hits, one that `lapses` lets Right's time run
out; both go on as soon as the director has ruled. Once all may finish, each ends with a game of three points.
"""

import asyncio
import http.client
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

from tests.bench.phone import Phone
from tests.bench.play import SEATS, new_id

PACE_S = 1.5
PING_S = 4.0
LONGEST_S = 120.0

Frame = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """What a table plays: after how many hits it calls, whether Right lapses, who wins the last game."""

    calls_after: int | None = None
    lapses: bool = False
    winner: str = "left"


def sit_down(port: int, codes: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Let a new phone take each seat of these tables, by the form of the table's page.

    Returns the device cookies by code: Left's and Right's, each `name=value`.
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
    """Return the cookie that a page sets."""
    connection.request(method, path, body, dict(headers))
    answer = connection.getresponse()
    answer.read()
    cookie = answer.headers.get("Set-Cookie")
    assert answer.status in (200, 302) and cookie, (method, path, answer.status)
    return cookie


class Playing:
    """One table and both its phones. `said` are the commands that were accepted, `(seat, do)`, in order."""

    def __init__(self, port: int, code: str, cookies: Sequence[str], part: Part) -> None:
        self.code = code
        self.part = part
        self.said: list[tuple[str, str]] = []
        self.match: Frame = {"v": 0}
        self._answers: dict[str, asyncio.Future[Frame]] = {}
        self._news = asyncio.Event()
        self.phones = [Phone(port, f"/ws/table/{code}/", cookie) for cookie in cookies]
        for phone in self.phones:
            phone.hear = self._ear(phone)

    def _ear(self, phone: Phone) -> Callable[[bytes], None]:
        def hear(text: bytes) -> None:
            frame = json.loads(text)
            if frame["t"] == "probe":
                phone.send(text)
            elif frame["t"] in ("ack", "refused"):
                self._answers.pop(frame["id"]).set_result(frame)
            elif frame["t"] == "match" and frame["v"] > self.match["v"]:
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
        frame = {"t": "do", "match": self.match["match"], "id": id_, "do": do, "seat": seat, **arguments}
        self.phones[SEATS.index(seat)].send(json.dumps(frame).encode())
        told = await answer
        assert told["t"] == "ack", (self.match["table"], frame, told)
        self.said.append((seat, do))
        await self.until(lambda match: match["v"] >= told["v"])

    async def play(self, finish: asyncio.Event) -> None:
        """Play the match to its end."""
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

    async def ping(self) -> None:
        """Keep both phones present, as their pages do."""
        while True:
            for phone in self.phones:
                phone.send(b'{"t":"ping","c":0}')
            await asyncio.sleep(PING_S)


class Players:
    """All tables in a thread of their own, for as long as the `with` lasts."""

    def __init__(self, port: int, parts: Mapping[str, Part]) -> None:
        self.tables = {
            code: Playing(port, code, cookies, parts[code]) for code, cookies in sit_down(port, parts).items()
        }
        self._port = port
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
        for table in self.tables.values():
            for phone in table.phones:
                await phone.open(self._port)
        pings = [asyncio.create_task(table.ping()) for table in self.tables.values()]
        async with asyncio.timeout(LONGEST_S), asyncio.TaskGroup() as group:
            for table in self.tables.values():
                group.create_task(table.play(self._finish))
        for ping in pings:
            ping.cancel()

    def finish(self) -> None:
        """Let every table end its match, and wait for that."""
        self._loop.call_soon_threadsafe(self._finish.set)
        self._played.result(LONGEST_S)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._played.done():
            self._played.result()  # what went wrong at a table tells more than what the browser waited for in vain
        else:
            assert self._task is not None
            self._loop.call_soon_threadsafe(self._task.cancel)
            self._thread.join()
