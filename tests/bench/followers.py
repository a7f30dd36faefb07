"""Cost per hit of feed readers and failing webhooks.

Each is measured in one hall, in alternating periods without and with them. Meanwhile a player calls the director every
second, which creates feed events.
"""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from pathlib import Path
from socket import socket
from typing import Any, Protocol

from tests.bench.measure import Alarm, join, leave, steady
from tests.bench.phone import Phone
from tests.bench.play import MatchBoard, Place, new_id
from tests.bench.product import SLUG, inside
from tests.bench.rig import SQLITE, Rig, must_hold, must_keep_up
from tests.bench.server import HOST, Server

BOARDS, READERS, CALLERS = 1_000, 500, 200
CALL_S = 1.0
TURNS = 3
WEBHOOK_SHARE = 0.3  # relative length of webhook periods, so that the row takes less than a minute
SETTLE_S = 1.0  # time for the readers or receivers to start
PATIENCE_S = 30.0  # timeout for an event to reach all readers
AT_A_TIME, PAUSE_S = 5, 0.01  # reads per batch, and pause between batches in which the boards' frames are processed
EVENT = re.compile(rb"id: (\d+)\nevent: ")
OPEN_THE_FEED = f"""
from clocks.models import Tournament
print(Tournament.objects.filter(slug={SLUG!r}).update(public_feed=True))
"""
MAKE_WEBHOOKS = """
from django.contrib.auth.models import User
from clocks.models import Membership, Tournament
from clocks.webhooks import registry
by, _ = User.objects.get_or_create(username="owner")
tournament = Tournament.objects.get(slug={slug!r})
Membership.objects.get_or_create(tournament=tournament, user=by, defaults={{"role": "owner"}})
print(len([registry.make(tournament, by, url, private=True) for url in {urls!r}]))
"""
EMPTY = b"Content-Length: 0\r\nConnection: close\r\n\r\n"
ANSWERS = {
    "error": b"HTTP/1.1 500 Internal Server Error\r\n" + EMPTY,
    "redirect": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n" + EMPTY,
}
NEVER = (1 << 31) - 1  # an event number never reached


class Beside(Protocol):
    """Context manager that runs feed readers or webhook receivers during play."""

    def __call__(self, server: Server) -> AbstractAsyncContextManager[None]: ...


def feed(rig: Rig) -> dict[str, Any]:
    """Measure with many readers of the feed (server-sent events)."""
    readers = rig.scaled(READERS)
    must_hold(2 * rig.scaled(BOARDS) + readers + CALLERS)
    folder, places = rig.places(rig.scaled(BOARDS) + CALLERS)
    inside(SQLITE.environment(str(folder)), OPEN_THE_FEED)
    followers = Followers(readers)
    with rig.serve(folder) as server:
        hall = _in_turns(server, places, followers.beside, rig, rig.chosen.hall_seconds)
        figures = asyncio.run(hall)
    must_keep_up(figures["load_cpu"])
    return figures | {"readers": readers, "events_read": followers.events}


def webhooks(rig: Rig) -> dict[str, Any]:
    """Measure with webhooks that hang, answer 500, redirect, or refuse connections."""
    must_hold(2 * rig.scaled(BOARDS) + CALLERS)
    folder, places = rig.places(rig.scaled(BOARDS) + CALLERS)
    receivers = Receivers(folder / "clock.sqlite3")
    inside(SQLITE.environment(str(folder)), MAKE_WEBHOOKS.format(slug=SLUG, urls=receivers.urls))
    receivers.switch(False)
    with rig.serve(folder) as server:
        seconds = rig.chosen.hall_seconds * WEBHOOK_SHARE
        hall = _in_turns(server, places, receivers.beside, rig, seconds)
        figures = asyncio.run(hall)
    must_keep_up(figures["load_cpu"])
    return figures | {"tries": receivers.tries}


async def _in_turns(
    server: Server, places: Sequence[Place], beside: Beside, rig: Rig, seconds: float
) -> dict[str, Any]:
    """Measure alternating periods without and with `beside`, on the same boards."""
    alarm = Alarm()
    number = rig.scaled(BOARDS)
    boards = [MatchBoard(server.port, place, alarm.ring) for place in places[:number]]
    await join(boards, server.port)
    callers = asyncio.create_task(_call(server.port, places[number:]))
    every_s = rig.every_s
    quiet, busy = list[float](), list[float]()
    quiet_cpu, busy_cpu, load_cpu = 0.0, 0.0, 0.0
    await steady(boards, server, every_s, SETTLE_S, alarm)  # start every clock
    for _ in range(TURNS):
        figures = await steady(boards, server, every_s, seconds, alarm, quiet, warm_s=SETTLE_S)
        quiet_cpu += figures["server_cpu"] / TURNS
        async with beside(server):
            figures = await steady(boards, server, every_s, seconds, alarm, busy, warm_s=SETTLE_S)
        busy_cpu += figures["server_cpu"] / TURNS
        load_cpu = max(load_cpu, figures["load_cpu"])
    callers.cancel()
    await leave(boards)
    without, with_it = (sorted(delays)[int(len(delays) * 0.99)] * 1000 for delays in (quiet, busy))
    return {
        "boards": number,
        "hits": len(quiet) + len(busy),
        "quiet_p99_ms": round(without, 2),
        "p99_ms": round(with_it, 2),
        "p99_ratio": round(with_it / without, 3),
        "quiet_server_cpu": round(quiet_cpu, 3),
        "server_cpu": round(busy_cpu, 3),
        "load_cpu": load_cpu,
    }


async def _call(port: int, places: Sequence[Place]) -> None:
    """Call the director from one board after another."""
    for place in places:
        phone = Phone(port, f"/ws/table/{place.code}/", place.cookies[0])
        await phone.open(port)
        phone.send(b'{"t":"do","id":"%s","do":"call","seat":"left"}' % new_id().encode())
        await asyncio.sleep(CALL_S)
        phone.close()


class Followers:
    """Feed readers, read in small batches.

    Between batches data waits in the sockets, so the measuring process need not read from 500 connections before a
    board's frame.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.events = 0  # total number of events read
        self._read: dict[socket, bytearray] = {}

    @asynccontextmanager
    async def beside(self, server: Server) -> AsyncIterator[None]:
        """Read the feed with all readers; each must receive each event once, in order."""
        loop = asyncio.get_running_loop()
        request = f"GET /api/v1/tournaments/{SLUG}/feed HTTP/1.1\r\nHost: {HOST}:{server.port}\r\n\r\n".encode()
        for _ in range(self.number):
            one = socket()
            one.setblocking(False)
            self._read[one] = bytearray()
            await loop.sock_connect(one, (HOST, server.port))
            await loop.sock_sendall(one, request)
        reading = asyncio.create_task(self._read_in_turn())
        await self._all_have(1)
        yield
        newest = max(map(_newest, self._read.values()))
        await self._all_have(newest)
        reading.cancel()
        self._check(newest)
        for one in self._read:
            one.close()
        self._read.clear()

    async def _read_in_turn(self) -> None:
        while True:
            for number, (one, data) in enumerate(self._read.items(), 1):
                with suppress(BlockingIOError):
                    data += one.recv(1 << 16)
                if number % AT_A_TIME == 0:
                    await asyncio.sleep(PAUSE_S)

    async def _all_have(self, number: int) -> None:
        """Wait until all readers have received this event, at most PATIENCE_S."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while min(map(_newest, self._read.values())) < number:
                    await asyncio.sleep(SETTLE_S / 5)

    def _check(self, newest: int) -> None:
        for data in self._read.values():
            numbers = [int(number) for number in EVENT.findall(data)]
            if not data.startswith(b"HTTP/1.1 200") or not numbers or numbers[-1] < newest:
                raise RuntimeError(f"a reader did not get event {newest}: {bytes(data[:80])!r} … {bytes(data[-80:])!r}")
            if numbers != list(range(numbers[0], numbers[-1] + 1)):
                raise RuntimeError(f"a reader got these events: {numbers}")
            self.events += len(numbers)


def _newest(data: bytearray) -> int:
    at = data.rfind(b"\nevent: ")
    return int(data[data.rfind(b"id: ", 0, at) + 4 : at]) if at > 0 else 0


class Receivers:
    """Failing webhook receivers: hanging, answering 500, redirecting, and unreachable."""

    def __init__(self, database: Path) -> None:
        self.tries = dict.fromkeys(("hang", "error", "redirect"), 0)
        self._database = database
        self._held: list[asyncio.StreamWriter] = []  # open connections of the hanging receiver
        self._sockets = {name: _listening() for name in self.tries}
        with _listening() as nobody:
            gone = nobody.getsockname()[1]
        ports = [*(one.getsockname()[1] for one in self._sockets.values()), gone]
        self.urls = [f"http://{HOST}:{port}/" for port in ports]

    def switch(self, on: bool) -> None:
        """Enable the webhooks for future events, or disable them; discard deliveries."""
        upto = "COALESCE((SELECT MAX(number) FROM clocks_feedevent), 0)" if on else str(NEVER)
        with closing(sqlite3.connect(self._database, 20)) as connection, connection:
            connection.execute(f"UPDATE clocks_webhook SET upto = {upto}")
            connection.execute("DELETE FROM clocks_delivery")

    @asynccontextmanager
    async def beside(self, server: Server) -> AsyncIterator[None]:
        """Run the receivers; fail if any of them got no request."""
        before = dict(self.tries)
        serving = [
            await asyncio.start_server(self._answer(name), sock=one.dup()) for name, one in self._sockets.items()
        ]
        self.switch(True)
        yield
        self.switch(False)
        for one in serving:
            one.close()
        for held in self._held:
            held.transport.abort()
        self._held.clear()
        silent = [name for name, tries in self.tries.items() if tries == before[name]]
        if silent:
            raise RuntimeError(f"these receivers were told nothing: {silent}")

    def _answer(self, name: str) -> Any:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.tries[name] += 1
            if name in ANSWERS:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(ANSWERS[name])
                writer.close()
            else:
                self._held.append(writer)

        return answer


def _listening() -> socket:
    one = socket()
    one.bind((HOST, 0))
    one.listen(100)
    return one
