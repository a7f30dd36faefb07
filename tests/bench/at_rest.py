"""Idle sockets: memory per socket, and frames sent to each."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from tests.bench.measure import Alarm, join, leave
from tests.bench.play import MatchBoard, Place
from tests.bench.rig import Rig, must_hold
from tests.bench.server import Server

FEW, MANY = 1_000, 3_000  # boards of two sockets each; the difference gives the memory per socket
PING_S = 10.0  # how often a page pings while no clock runs
SETTLE_S, WATCH_S = 12.0, 20.0


def sockets_at_rest(rig: Rig) -> dict[str, Any]:
    """Measure memory per added socket, and frames and CPU time of all idle sockets."""
    few, many = rig.scaled(FEW), rig.scaled(MANY)
    must_hold(2 * many)
    with rig.serve_boards(many) as (server, places):
        return asyncio.run(_rest(server, places[:few], places[few:]))


async def _rest(server: Server, first: Sequence[Place], others: Sequence[Place]) -> dict[str, Any]:
    alarm = Alarm()
    boards = [MatchBoard(server.port, place, alarm.ring) for place in first]
    await join(boards, server.port)
    pings = [asyncio.create_task(_ping(boards[:]))]
    await alarm.sleep(SETTLE_S)
    before_mb = server.memory_mb()
    more = [MatchBoard(server.port, place, alarm.ring) for place in others]
    await join(more, server.port)
    pings.append(asyncio.create_task(_ping(more)))
    boards += more
    await alarm.sleep(SETTLE_S)
    added_mb = server.memory_mb() - before_mb
    texts = _count_texts(boards)
    pinged = sum(phone.pings for board in boards for phone in board.phones)
    cpu_s = server.cpu_s()
    await alarm.sleep(WATCH_S)
    cpu_s = server.cpu_s() - cpu_s
    pinged = sum(phone.pings for board in boards for phone in board.phones) - pinged
    for task in pings:
        task.cancel()
    await leave(boards)
    sockets, tens = 2 * len(boards), WATCH_S / 10
    return {
        "sockets": sockets,
        "kb_a_socket": round(added_mb * 1000 / (2 * len(more)), 1),
        "frames_in_10_s": round((texts() + pinged) / sockets / tens, 2),
        "control_pings_in_10_s": round(pinged / sockets / tens, 2),
        "server_cpu": round(cpu_s / WATCH_S, 3),
        "server_mb": round(server.memory_mb()),
    }


async def _ping(boards: Sequence[MatchBoard]) -> None:
    """Ping from these boards' phones like pages, evenly spread, until cancelled."""
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    for number in itertools.count():
        await asyncio.sleep(began_s + number * PING_S / len(boards) - loop.time())
        boards[number % len(boards)].ping()


def _count_texts(boards: Sequence[MatchBoard]) -> Callable[[], int]:
    """Start counting text frames; return a function that returns the count so far."""
    count = 0

    def counting(hear: Callable[[bytes], None]) -> Callable[[bytes], None]:
        def heard(text: bytes) -> None:
            nonlocal count
            count += 1
            hear(text)

        return heard

    for board in boards:
        for phone in board.phones:
            phone.hear = counting(phone.hear)
    return lambda: count
