"""Two measurements of a server: against the relay, and at the pace of a hall."""

import argparse
from collections.abc import Sequence
from statistics import median
from typing import Any

from tests.bench.measure import Alarm, Pace, closed_loop, join, leave, steady
from tests.bench.play import MatchBoard, Place, RelayBoard
from tests.bench.server import Server
from tests.bench.viewers import Viewer


async def compare(server: Server, relay: Server, places: Sequence[Place], chosen: argparse.Namespace) -> dict[str, Any]:
    """Run closed loops on relay and server in turn; return median hits and CPU use."""
    alarm = Alarm()
    relay_boards = [RelayBoard(relay.port, number, alarm.ring) for number in range(len(places))]
    boards = [MatchBoard(server.port, place, alarm.ring) for place in places]
    await join(relay_boards, relay.port)
    await join(boards, server.port)
    limits: list[Pace] = []
    paces: list[Pace] = []
    for _ in range(chosen.rounds):
        limits.append(await closed_loop(relay_boards, relay, chosen.warm, chosen.seconds, alarm))
        paces.append(await closed_loop(boards, server, chosen.warm, chosen.seconds, alarm))
    await leave([*relay_boards, *boards])
    limit = median(pace.per_second for pace in limits)
    reached = median(pace.per_second for pace in paces)
    return {
        "per_second": round(reached),
        "relay": round(limit),
        "ratio": round(reached / limit, 3),
        "boards": len(places),
        "rounds": [[round(pace.per_second) for pace in paces], [round(pace.per_second) for pace in limits]],
        "server_cpu": round(median(pace.server_cpu for pace in paces), 2),
        "load_cpu": round(median(pace.load_cpu for pace in paces), 2),
        "relay_cpu": round(median(pace.server_cpu for pace in limits), 2),
        "relay_load_cpu": round(median(pace.load_cpu for pace in limits), 2),
    }


async def hall(
    server: Server, places: Sequence[Place], watched_by: Sequence[tuple[str, str]], every_s: float, seconds: float
) -> dict[str, Any]:
    """Hit every `every_s` on each board; return the delays from press to snapshot.

    `watched_by` lists pages that watch the whole tournament, each as path and cookie.
    """
    alarm = Alarm()
    boards = [MatchBoard(server.port, place, alarm.ring) for place in places]
    before_mb = server.memory_mb()
    await join(boards, server.port)
    viewers = [Viewer(server.port, path, cookie) for path, cookie in watched_by]
    for viewer in viewers:
        await viewer.open()
    figures = await steady(boards, server, every_s, seconds, alarm)
    figures |= {"viewers": len(viewers), "kb_a_socket": round((server.memory_mb() - before_mb) * 500 / len(boards), 1)}
    for viewer in viewers:
        viewer.close()
    await leave(boards)
    return figures
