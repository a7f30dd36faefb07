"""Clients of a hall during a flood: boards, director, newcomers, a seated phone."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import orjson

from tests.bench.lines import Target, answer_of, get
from tests.bench.measure import Meter
from tests.bench.phone import Phone
from tests.bench.play import MatchBoard, Place, new_id
from tests.bench.server import Server

EVERY_S = 1.0  # pause between hits of a board
PING_S = 2.5
STOP_S = 0.2  # pause between a resume and the next stop
NEWCOMER_S = 0.25


class Director:
    """Director's page that keeps stopping and resuming one clock."""

    def __init__(self, port: int, slug: str, cookie: str) -> None:
        self.phone = Phone(port, f"/ws/director/{slug}/", cookie)
        self.phone.hear, self.phone.lost = self._hear, self._lost
        self.boards: asyncio.Future[list[dict[str, Any]]] = asyncio.get_running_loop().create_future()
        self.delays_s: list[float] = []
        self._asked: tuple[str, float, asyncio.Future[dict[str, Any]]] | None = None

    async def rule(self, match: int, do: str, **arguments: str) -> dict[str, Any]:
        """Send a command and return its answer; record the delay of a stop."""
        id_, answer = new_id(), asyncio.get_running_loop().create_future()
        self._asked = (id_, time.perf_counter(), answer)
        self.phone.send(orjson.dumps({"t": "do", "id": id_, "do": do, "match": match, **arguments}))
        answered: dict[str, Any] = await answer
        if do == "stop":
            self.delays_s.append(time.perf_counter() - self._asked[1])
        self._asked = None
        return answered

    def waits_s(self) -> float:
        """Age of the unanswered command in seconds; 0 if there is none."""
        return time.perf_counter() - self._asked[1] if self._asked else 0.0

    async def find_clock(self) -> int:
        """Resume the first stopped clock that can be resumed; return its match."""
        for board in await self.boards:
            if board["status"] == "stopped" and (await self.rule(board["match"], "resume"))["t"] == "ack":
                return int(board["match"])
        raise RuntimeError("no clock of this tournament can be resumed")

    async def work(self, match: int) -> None:
        """Stop and resume the match's clock until cancelled."""
        while True:
            await self.rule(match, "stop", reason="director")
            await self.rule(match, "resume")
            await asyncio.sleep(STOP_S)

    def _hear(self, text: bytes) -> None:
        if text.startswith(b'{"t":"boards"'):
            self.boards.set_result(orjson.loads(text)["boards"])
        elif self._asked and not self._asked[2].done() and self._asked[0].encode() in text[:200]:
            self._asked[2].set_result(orjson.loads(text))

    def _lost(self, error: Exception) -> None:
        if self._asked and not self._asked[2].done():
            self._asked[2].set_exception(error)


class Asking:
    """Requests a page repeatedly; records durations and counts failures."""

    def __init__(self, target: Target, path: str, cookie: str = "") -> None:
        self._target, self._request = target, get(target, path, cookie)
        self._took_s: list[float] = []
        self._since = 0.0
        self.refused = 0

    async def work(self) -> None:
        """Request the page until cancelled."""
        while True:
            self._since, status = time.perf_counter(), 0
            with suppress(OSError):
                status, _ = await answer_of(self._target, self._request)
            self._took_s.append(time.perf_counter() - self._since)
            self.refused += status != 200
            self._since = 0.0
            await asyncio.sleep(NEWCOMER_S)

    def begin(self) -> None:
        """Reset the figures."""
        self._took_s.clear()
        self.refused = 0

    def took_s(self, now: float) -> list[float]:
        """Durations of all requests, including the pending one so far (0 if none)."""
        return [*self._took_s, now - self._since if self._since else 0.0]


class Hall:
    """All clients that a flood must not slow down, and their figures."""

    def __init__(
        self, server: Server, boards: Sequence[MatchBoard], director: Director, target: Target, seat: Place
    ) -> None:
        self.server, self.boards, self.director, self.target = server, boards, director, target
        self._newcomers, self._seats = Asking(target, "/"), Asking(target, f"/t/{seat.code}/clock/", seat.cookies[0])
        self._skipped = 0
        self._meter = Meter(server)

    async def play(self, match: int) -> None:
        """Run all clients until cancelled."""
        await asyncio.gather(
            self.director.work(match),
            self._newcomers.work(),
            self._seats.work(),
            *(self._board(number) for number in range(len(self.boards))),
        )

    async def _board(self, number: int) -> None:
        board = self.boards[number]
        await asyncio.sleep(EVERY_S * number / len(self.boards))
        for turn in _forever():
            if board.waits():
                self._skipped += 1
            else:
                board.hit()
            if turn % round(PING_S / EVERY_S) == 0:
                board.ping()
            await asyncio.sleep(EVERY_S)

    def begin(self) -> None:
        """Reset the figures."""
        self._newcomers.begin()
        self._seats.begin()
        self.director.delays_s.clear()
        for board in self.boards:
            board.delays_s.clear()
        self._skipped = 0
        self._meter = Meter(self.server)

    def felt(self) -> dict[str, float]:
        """Figures since `begin`; pending requests count with their age."""
        now = time.perf_counter()
        _, server_cpu, load_cpu = self._meter.read()
        hits = sorted(delay for board in self.boards for delay in [*board.delays_s, board.waits_s(now)] if delay)
        pages, own = self._newcomers.took_s(now), self._seats.took_s(now)
        stops = [*self.director.delays_s, self.director.waits_s()]
        return {
            "hits": len(hits),
            "hit_p50_ms": round(hits[len(hits) // 2] * 1000, 1),
            "hit_p99_ms": round(hits[int(len(hits) * 0.99)] * 1000, 1),
            "hit_max_ms": round(hits[-1] * 1000, 1),
            "hits_overdue": self._skipped,
            "stops": len(stops),
            "stop_max_ms": round(max(stops) * 1000, 1),
            "pages": len(pages),
            "pages_refused": self._newcomers.refused,
            "page_max_ms": round(max(pages) * 1000, 1),
            "seats_pages": len(own),
            "seats_pages_refused": self._seats.refused,
            "seats_page_max_ms": round(max(own) * 1000, 1),
            "server_cpu": round(server_cpu, 2),
            "load_cpu": round(load_cpu, 2),
        }


def _forever() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1
