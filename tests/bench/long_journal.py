"""Cost of a million-hit journal for opening a board, for a console and for a hit."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from tests.bench.measure import Alarm, join, leave, steady
from tests.bench.phone import Phone
from tests.bench.play import MatchBoard, Place
from tests.bench.product import make_boards
from tests.bench.rig import SQLITE, Rig
from tests.bench.server import PROJECT, Server
from tests.bench.viewers import Viewer, console_and_hall

HITS, BOARDS, PLAYING = 1_000_000, 500, 20
ROUNDS = 4
OPENINGS, EVERY_S, SECONDS = 50, 0.5, 5.0
FRESH_S = 1.1  # longer than the server caches a console's first frame (1 s)


class House(NamedTuple):
    """A server, boards to open, boards in play, and the console's path and cookie."""

    server: Server
    looked_at: Sequence[Place]
    playing: Sequence[Place]
    console: tuple[str, str]


def compare(rig: Rig) -> dict[str, Any]:
    """Compare servers with a long and a short journal, in alternating rounds."""
    hits = rig.scaled(HITS)
    short, looked_at = rig.places(rig.scaled(BOARDS))
    long, _ = rig.places(rig.scaled(BOARDS))
    environments = [SQLITE.environment(str(folder)) for folder in (short, long)]
    played = [
        _lengthen(one, environment) for one, environment in zip((2 * len(looked_at), hits), environments, strict=True)
    ]
    playing = [make_boards(PLAYING, environment) for environment in environments]
    with rig.serve(short) as one, rig.serve(long) as two:
        houses = [
            House(server, looked_at, places, console_and_hall(server.port, environment)[0])
            for server, places, environment in zip((one, two), playing, environments, strict=True)
        ]
        figures = asyncio.run(_in_turns(houses))
    return {"hits": played[1], "boards": len(looked_at) + PLAYING, **figures}


def _lengthen(hits: int, environment: Mapping[str, str]) -> int:
    """Add this many hits, spread over all matches; return the actual number."""
    command = [sys.executable, "-m", "tests.bench.lengthen", str(hits)]
    return int(subprocess.run(command, cwd=PROJECT, env=environment, check=True, stdout=subprocess.PIPE).stdout)


async def _in_turns(houses: Sequence[House]) -> dict[str, float]:
    taken: list[dict[str, list[float]]] = [{"board": [], "console": [], "hit": []} for _ in houses]
    for _ in range(ROUNDS):
        for house, times in zip(houses, taken, strict=True):
            times["board"] += [await _open(house, place) for place in house.looked_at[:OPENINGS]]
            times["console"].append(await _console(house))
            times["hit"].append(await _hit(house))
    figures = {}
    for part in taken[0]:
        empty_ms, long_ms = (median(times[part]) for times in taken)
        figures |= {f"{part}_empty_ms": round(empty_ms, 2), f"{part}_long_ms": round(long_ms, 2)}
        figures[f"{part}_ratio"] = round(long_ms / empty_ms, 2)
    return figures


async def _open(house: House, place: Place) -> float:
    """Milliseconds from opening a board's socket to the phone's first snapshot."""
    phone = Phone(house.server.port, f"/ws/table/{place.code}/", place.cookies[0])
    shown = asyncio.Event()
    phone.hear = lambda text: shown.set() if b'"t":"match"' in text[:40] else None
    began = time.perf_counter()
    await phone.open(house.server.port)
    await asyncio.wait_for(shown.wait(), 20)
    passed = time.perf_counter() - began
    phone.close()
    return passed * 1000


async def _console(house: House) -> float:
    await asyncio.sleep(FRESH_S)
    viewer = Viewer(house.server.port, *house.console)
    began = time.perf_counter()
    await viewer.open()
    passed = time.perf_counter() - began
    viewer.close()
    return passed * 1000


async def _hit(house: House) -> float:
    """Median delay of a hit, in milliseconds."""
    alarm = Alarm()
    boards = [MatchBoard(house.server.port, place, alarm.ring) for place in house.playing]
    await join(boards, house.server.port)
    figures = await steady(boards, house.server, EVERY_S, SECONDS, alarm)
    await leave(boards)
    return float(figures["p50_ms"])
