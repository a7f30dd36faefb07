"""Delays of flags after their deadlines, and of snapshots after a restart."""

import asyncio
import random
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import orjson

from clocks.engine.setup import DEFAULT_LAG_CREDIT_MS
from tests.bench.measure import Alarm, join, leave
from tests.bench.phone import Phone
from tests.bench.play import MatchBoard, Place
from tests.bench.product import run_product
from tests.bench.rig import SQLITE, Rig, must_hold
from tests.bench.server import Server

FLAG_BOARDS, RESERVE_MS, SPREAD_S = 200, 4_000, 10.0
RESTART_BOARDS = 1_000
LONGEST_S = 60.0
BACK_OFF_S, BACK_OFF_MOST_S, RESTART_S = 1.0, 8.0, 10.0  # as in static/clocks/wire/link.js


class FlagBoard(MatchBoard):
    """Board that records how late its fallen flag was announced."""

    def __init__(self, port: int, place: Place, fail: Callable[[Exception], None]) -> None:
        self.late_ms: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._falls_at = 0
        self._ahead_ms = float("-inf")  # server clock offset; the fastest frame estimates it best
        super().__init__(port, place, fail)

    def _ear(self, seat: int) -> Callable[[bytes], None]:
        hear = super()._ear(seat)

        def look(text: bytes) -> None:
            here_ms = time.perf_counter() * 1000
            frame = orjson.loads(text)
            if frame["t"] == "match":
                self._ahead_ms = max(self._ahead_ms, frame["now"] - here_ms)
                self._falls_at = frame["flag_at"] or self._falls_at
                if frame["status"] == "flagged" and not self.late_ms.done():
                    allowed_until = self._falls_at + DEFAULT_LAG_CREDIT_MS
                    self.late_ms.set_result(here_ms + self._ahead_ms - allowed_until)
            hear(text)

        return look


def flags(rig: Rig) -> dict[str, Any]:
    """Measure how late phones hear of a fallen flag, on clocks that expire in turn."""
    boards = rig.scaled(FLAG_BOARDS)
    with rig.serve_boards(boards, reserve_ms=RESERVE_MS, delay_ms=0) as (server, places):
        return asyncio.run(_flags(server, places))


async def _flags(server: Server, places: list[Place]) -> dict[str, Any]:
    alarm = Alarm()
    boards = [FlagBoard(server.port, place, alarm.ring) for place in places]
    await join(boards, server.port)
    for board in boards:
        board.hit()
        await alarm.sleep(SPREAD_S / len(boards))
    late = sorted(await asyncio.wait_for(asyncio.gather(*(board.late_ms for board in boards)), LONGEST_S))
    await leave(boards)
    return {
        "boards": len(boards),
        "p50_ms": round(median(late), 1),
        "p99_ms": round(late[int(len(late) * 0.99)], 1),
        "max_ms": round(late[-1], 1),
    }


class ReturningPhone:
    """Phone that reconnects like the page: when the server says, with backoff."""

    def __init__(self, port: int, place: Place, seat: int) -> None:
        self.there = asyncio.Event()
        self.tries = 0
        self._port, self._path, self._cookie = port, f"/ws/table/{place.code}/", place.cookies[seat]
        self._asked_s = self._restarted_by = 0.0
        self._phone: Phone | None = None
        self._coming: asyncio.Task[None] | None = None

    async def come(self) -> None:
        """Connect; retry until it succeeds."""
        self._phone = phone = Phone(self._port, self._path, self._cookie)
        phone.hear, phone.lost = self._hear, lambda error: self.leave_and_return()
        try:
            await phone.open(self._port)
        except OSError:
            self.leave_and_return()

    def leave_and_return(self) -> None:
        """Mark the connection as lost and schedule the next attempt."""
        self.there.clear()
        wait_s = self._asked_s + random.random() * min(BACK_OFF_MOST_S, BACK_OFF_S * 2**self.tries)
        if self._asked_s:
            self._restarted_by = time.monotonic() + self._asked_s + RESTART_S
        self.tries += time.monotonic() >= self._restarted_by
        self._asked_s = 0.0
        self._coming = asyncio.create_task(self._come_in(wait_s))

    async def _come_in(self, wait_s: float) -> None:
        await asyncio.sleep(wait_s)
        await self.come()

    def close(self) -> None:
        """Disconnect and do not reconnect."""
        if self._coming:
            self._coming.cancel()
        if self._phone:
            self._phone.close()

    def _hear(self, text: bytes) -> None:
        frame = orjson.loads(text)
        if frame["t"] == "match":
            self.there.set()
            self.tries = 0
        elif frame["t"] == "restart":
            self._asked_s = frame["after_ms"] / 1000
        elif frame["t"] == "probe" and self._phone:
            self._phone.send(text)


def restart(rig: Rig) -> dict[str, Any]:
    """Restart a server with running clocks; measure until all phones have snapshots."""
    boards = rig.scaled(RESTART_BOARDS)
    must_hold(2 * boards)
    folder, places = rig.places(boards)
    start = partial(run_product, rig.server_core, SQLITE.environment(str(folder)))
    return asyncio.run(_restart(start, places))


async def _restart(start: Callable[..., Server], places: list[Place]) -> dict[str, Any]:
    server = await asyncio.to_thread(start)
    try:
        await _run_all_clocks(server, places)
        phones = [ReturningPhone(server.port, place, seat) for place in places for seat in (0, 1)]
        for begin in range(0, len(phones), 50):
            await asyncio.gather(*(phone.come() for phone in phones[begin : begin + 50]))
        await asyncio.gather(*(phone.there.wait() for phone in phones))
        began = time.perf_counter()
        await asyncio.to_thread(server.stop)
        stopped_s = time.perf_counter() - began
        for phone in phones:
            phone.there.clear()
        server = await asyncio.to_thread(start, port=server.port)
        listens_s, listens_cpu_s = time.perf_counter() - began, server.cpu_s()
        await asyncio.wait_for(asyncio.gather(*(phone.there.wait() for phone in phones)), LONGEST_S)
        back_s, back_cpu_s = time.perf_counter() - began, server.cpu_s()
        for phone in phones:
            phone.close()
    finally:
        await asyncio.to_thread(server.stop)
    return {
        "boards": len(places),
        "stopped_s": round(stopped_s, 2),
        "listens_s": round(listens_s, 2),
        "all_back_s": round(back_s, 2),
        "listens_cpu_s": round(listens_cpu_s, 2),
        "all_back_cpu_s": round(back_cpu_s, 2),
    }


async def _run_all_clocks(server: Server, places: list[Place]) -> None:
    """Start the clock of every board."""
    alarm = Alarm()
    boards = [MatchBoard(server.port, place, alarm.ring) for place in places]
    await join(boards, server.port)
    for board in boards:
        board.hit()
    while any(board.waits() for board in boards):
        await alarm.sleep(0.05)
    await leave(boards)
