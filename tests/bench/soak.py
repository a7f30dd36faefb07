"""A tournament day in compressed time: `make soak`.

200 boards play one hit a second, for as many rounds as in a day: between rounds every match is ended, and the same
phones begin another one at the same table. Meanwhile phones leave and return, a console and a hall screen connect and
disconnect, and newcomers request the home page. The server's resource usage is sampled throughout. From the second
tenth to the last, memory and open files may grow by 5 % and delays of hits by 30 %, threads not at all.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

from tests.bench.lines import Target, answer_of, get
from tests.bench.measure import Alarm, join, leave, rest
from tests.bench.phone import Dropped, Phone
from tests.bench.play import MatchBoard, Place
from tests.bench.product import SLUG, inside, make_boards, serve_product
from tests.bench.rig import SQLITE
from tests.bench.server import Server, cores, data_home
from tests.bench.viewers import Viewer, console_and_hall

EVERY_S, PING_S = 1.0, 2.5
ROUND_MINUTES, LEAST_ROUNDS = 5, 4
LOOK_S, VIEWER_S, VISIT_S = 2.0, 10.0, 1.0
PARTS = 10
GROWTH, SLOWER = 1.05, 1.3  # maximum ratios of the last tenth to the second: usage, delay of hits
NEXT_ROUND = "from tests.bench import make; print(make.next_round())"


class Look(NamedTuple):
    """Sample of the server's resource usage and of recent hit delays."""

    at_s: float
    memory_mb: float
    threads: int
    files: int
    p50_ms: float
    p99_ms: float


class Soak:
    """Plays on a server for a long time and samples its resource usage."""

    def __init__(self, server: Server, environment: Mapping[str, str], minutes: float) -> None:
        self.server, self.environment, self.lasts_s = server, environment, 60 * minutes
        self.looks: list[Look] = []
        self.hits = self.visits = 0
        self._began = time.monotonic()
        self._boards: list[MatchBoard] = []

    def passed_s(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    async def run(self, rounds: int, places: Sequence[Place], pages: Sequence[tuple[str, str]]) -> None:
        """Play all rounds, alongside the background tasks."""
        beside = [asyncio.create_task(work) for work in (self._look(), self._view(pages), self._visit())]
        for number in range(1, rounds + 1):
            await self._round(places, number * self.lasts_s / rounds)
            if number < rounds:
                await asyncio.to_thread(inside, self.environment, NEXT_ROUND)
            for task in beside:
                if task.done():
                    task.result()
        for task in beside:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _round(self, places: Sequence[Place], until_s: float) -> None:
        """Play on these boards until `until_s`, then disconnect."""
        alarm = Alarm()
        self._boards = [MatchBoard(self.server.port, place, alarm.ring) for place in places]
        await join(self._boards, self.server.port)
        playing = [asyncio.create_task(self._play(board, n)) for n, board in enumerate(self._boards)]
        await alarm.sleep(max(0.0, until_s - self.passed_s()))
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        boards, self._boards = self._boards, []
        await rest(boards, alarm)
        self.hits += sum(board.seen for board in boards)
        await leave(boards)

    async def _play(self, board: MatchBoard, number: int) -> None:
        await asyncio.sleep(EVERY_S * number / len(self._boards))
        since_ping = 0.0
        while True:
            if not board.waits():
                board.hit()
            since_ping += EVERY_S
            if since_ping >= PING_S:
                board.ping()
                since_ping = 0.0
            await asyncio.sleep(EVERY_S)

    async def _look(self) -> None:
        """Sample the server's resource usage and the delays of hits."""
        while True:
            for board in self._boards:
                board.delays_s.clear()
            await asyncio.sleep(LOOK_S)
            delays = sorted(delay * 1000 for board in self._boards for delay in board.delays_s)
            if delays:
                p99 = delays[int(len(delays) * 0.99)]
                held = self.server.memory_mb(), self.server.threads(), self.server.files()
                self.looks.append(Look(self.passed_s(), *held, median(delays), p99))

    async def _view(self, pages: Sequence[tuple[str, str]]) -> None:
        """Connect and disconnect a console and a hall screen repeatedly."""
        while True:
            viewers = [Viewer(self.server.port, *page) for page in pages]
            for viewer in viewers:
                await viewer.open()
            await asyncio.sleep(VIEWER_S)
            for viewer in viewers:
                viewer.close()

    async def _visit(self) -> None:
        """Repeatedly request the home page, and open and leave a board."""
        target = Target(self.server.port, self.lasts_s, SLUG, "", "")
        while True:
            status, _ = await answer_of(target, get(target, "/"))
            self.visits += status == 200
            if self._boards:
                path = self._boards[self.visits % len(self._boards)].path
                watcher = Phone(self.server.port, path)
                with suppress(Dropped):
                    await watcher.open(self.server.port)
                watcher.close()
            await asyncio.sleep(VISIT_S)


def judge(looks: Sequence[Look]) -> dict[str, Any]:
    """Each figure in the second and last tenth, and whether it is within its limit."""
    ends_s = looks[-1].at_s
    parts = [[look for look in looks if int(look.at_s / ends_s * PARTS * 0.9999) == part] for part in range(PARTS)]
    early, late = parts[1], parts[-1]
    limits: dict[str, tuple[Callable[[Any], float], float]] = {
        "memory_mb": (mean, GROWTH),
        "threads": (max, 1.0),
        "files": (max, GROWTH),
        "p50_ms": (median, SLOWER),
        "p99_ms": (median, SLOWER),
    }
    figures = {}
    for name, (middle, most) in limits.items():
        second, last = (middle([getattr(look, name) for look in part]) for part in (early, late))
        each = [round(middle([getattr(look, name) for look in part]), 2) for part in parts if part]
        figures[name] = {"second_tenth": round(second, 2), "last_tenth": round(last, 2), "tenths": each}
        figures[name] |= {"at_most": most, "holds": last <= most * second}
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60, help="how long (60)")
    parser.add_argument("--boards", type=int, default=200, help="boards of the tournament (200)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args()
    server_core, load_core = cores()
    os.sched_setaffinity(0, {load_core})
    with tempfile.TemporaryDirectory(prefix="soak-", dir=data_home()) as folder:
        environment = SQLITE.environment(folder)
        rounds = max(LEAST_ROUNDS, round(chosen.minutes / ROUND_MINUTES))
        places = make_boards(chosen.boards, environment)
        with serve_product(server_core, environment) as server:
            pages = console_and_hall(server.port, environment)
            soak = Soak(server, environment, chosen.minutes)
            asyncio.run(soak.run(rounds, places, pages))
            figures = judge(soak.looks)
            disk_mb = sum(path.stat().st_size for path in Path(folder).glob("clock.sqlite3*")) / 1e6
            wrong = server.written().count("Traceback")
    summary = {"minutes": chosen.minutes, "hits": soak.hits, "visits": soak.visits, "disk_mb": round(disk_mb)}
    summary |= {"load_average": round(os.getloadavg()[0], 2), "tracebacks": wrong}
    holds = all(one["holds"] for one in figures.values()) and not wrong
    if chosen.json:
        print(json.dumps(summary | figures))
    else:
        print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in summary.items()))
        for name, one in figures.items():
            says = "holds" if one["holds"] else "GREW"
            print(f"{name:<10} {one['second_tenth']:>8} then {one['last_tenth']:>8}  {says:<6} {one['tenths']}")
    return int(not holds)


if __name__ == "__main__":
    sys.exit(main())
