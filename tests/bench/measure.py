"""Measurements: a closed loop, and a hall at a steady pace."""

import asyncio
import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from tests.bench.play import Board, MatchBoard
from tests.bench.server import Server

PING_S = 2.5  # how often a phone pings while a clock runs
TOGETHER = 50  # sockets that connect concurrently
REST_S = 20  # timeout for the last hits to arrive


@dataclass(frozen=True)
class Pace:
    """Result of a closed loop: hits per second, and each side's share of a core."""

    per_second: float
    server_cpu: float
    load_cpu: float


class Lost(Exception):
    """Hits sent but not received."""


class Meter:
    """CPU usage of an optional server and of this process, since creation."""

    def __init__(self, server: Server | None) -> None:
        self._server = server
        self._begin = (time.perf_counter(), self._server_s(), time.process_time())

    def read(self) -> tuple[float, float, float]:
        """Seconds elapsed, and the shares of a core used by the server and this process."""
        wall, server, load = self._begin
        passed = time.perf_counter() - wall
        return passed, (self._server_s() - server) / passed, (time.process_time() - load) / passed

    def _server_s(self) -> float:
        return self._server.cpu_s() if self._server else 0.0


class Alarm:
    """Aborts a measurement on the first error of any board."""

    def __init__(self) -> None:
        self._raised: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def ring(self, error: Exception) -> None:
        """Record `error`; only the first one counts."""
        if not self._raised.done():
            self._raised.set_exception(error)

    async def sleep(self, seconds: float) -> None:
        """Sleep for `seconds`; raise the recorded error as soon as there is one."""
        await asyncio.wait([self._raised], timeout=seconds)
        if self._raised.done():
            self._raised.result()


async def join(boards: Sequence[Board], port: int) -> None:
    """Connect all boards, TOGETHER at a time."""
    for begin in range(0, len(boards), TOGETHER):
        await asyncio.gather(*(board.open(port) for board in boards[begin : begin + TOGETHER]))
    gc.collect()
    gc.freeze()


async def leave(boards: Sequence[Board]) -> None:
    """Disconnect all boards."""
    for board in boards:
        board.close()
    await asyncio.sleep(0)  # let the transports close
    gc.unfreeze()


async def closed_loop(boards: Sequence[Board], server: Server, warm_s: float, seconds: float, alarm: Alarm) -> Pace:
    """Hit as fast as possible on all boards; measure for `seconds` after `warm_s`."""
    gc.disable()
    for board in boards:
        board.going = True
        board.hit()
    await alarm.sleep(warm_s)
    before, meter = sum(board.counted() for board in boards), Meter(server)
    await alarm.sleep(seconds)
    passed, server_cpu, load_cpu = meter.read()
    hits = sum(board.counted() for board in boards) - before
    await rest(boards, alarm)
    gc.enable()
    return Pace(hits / passed, server_cpu, load_cpu)


async def rest(boards: Sequence[Board], alarm: Alarm) -> None:
    """Stop hitting and wait until all hits have arrived; raise `Lost` on timeout."""
    for board in boards:
        board.going = False
        board.delays_s.clear()
    begin = time.perf_counter()
    while waiting := sum(board.waits() for board in boards):
        if time.perf_counter() - begin > REST_S:
            raise Lost(f"{waiting} hits did not reach the other phone")
        await alarm.sleep(0.01)


async def steady(
    boards: Sequence[MatchBoard],
    server: Server | None,
    every_s: float,
    seconds: float,
    alarm: Alarm,
    into: list[float] | None = None,
    warm_s: float = 0.0,
) -> dict[str, float | int]:
    """Hit every `every_s` on each board, evenly spread, and ping; return the delays.

    Measures for `seconds` after a warm-up: the first `every_s`, which starts every clock, or `warm_s` if the clocks
    already run. Delays are appended to `into`. Without a server, its figures are 0.
    """
    loop = asyncio.get_running_loop()
    begin = loop.time() + 0.1
    warm_s = warm_s or every_s
    end = begin + warm_s + seconds
    skipped = 0

    def hit(board: MatchBoard, at: float) -> None:
        nonlocal skipped
        if at < end:
            loop.call_at(at + every_s, hit, board, at + every_s)
            if board.waits():
                skipped += 1
            else:
                board.hit()

    def ping(board: MatchBoard, at: float) -> None:
        if at < end:
            loop.call_at(at + PING_S, ping, board, at + PING_S)
            board.ping()

    for number, board in enumerate(boards):
        share = number / len(boards)
        loop.call_at(begin + share * every_s, hit, board, begin + share * every_s)
        loop.call_at(begin + share * PING_S, ping, board, begin + share * PING_S)
    await alarm.sleep(begin + warm_s - loop.time())
    for board in boards:
        board.delays_s.clear()
    meter = Meter(server)
    await alarm.sleep(end - loop.time())
    _, server_cpu, load_cpu = meter.read()
    delays = sorted(delay for board in boards for delay in board.delays_s)
    if into is not None:
        into += delays
    await rest(boards, alarm)
    return {
        "boards": len(boards),
        "every_s": every_s,
        "hits": len(delays),
        "p50_ms": round(median(delays) * 1000, 2),
        "p99_ms": round(delays[int(len(delays) * 0.99)] * 1000, 2),
        "max_ms": round(delays[-1] * 1000, 2),
        "hits_overdue": skipped,
        "server_cpu": round(server_cpu, 2),
        "load_cpu": round(load_cpu, 2),
        "server_mb": round(server.memory_mb()) if server else 0,
    }
