"""Cost of backups during play, and whether each can be restored in full.

    python -m tests.bench.copies [--postgresql] [--json]

500 boards hit once a second, first alone, then with a backup every ten seconds. Each backup is then restored to another
data folder (or database) and verified, and its journal is compared with the original.
"""

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests import services
from tests.bench.measure import Alarm, join, leave, steady
from tests.bench.play import MatchBoard, Place
from tests.bench.product import Backend, make_boards, serve_product
from tests.bench.server import PROJECT, Server, cores, data_home

DIGEST = (
    "import hashlib\n"
    "from clocks.models import JournalEntry\n"
    "columns = 'pk', 'match_id', 'seq', 'event', 'command_id'\n"
    "rows = JournalEntry.objects.order_by('pk').values_list(*columns)[:{number}]\n"
    "print(hashlib.sha256(repr(list(rows)).encode()).hexdigest())"
)


def options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.copies", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--postgresql", action="store_true", help="on a PostgreSQL and a Redis of its own")
    parser.add_argument("--boards", type=int, default=500, help="each hits once a second (500)")
    parser.add_argument("--copies", type=int, default=6, help="how many are taken (6)")
    parser.add_argument("--pause", type=float, default=10.0, help="seconds from one to the next (10)")
    return parser.parse_args(arguments)


@contextlib.contextmanager
def places_of_data(on_postgresql: bool) -> Iterator[tuple[Backend, Backend]]:
    """Yield the backend to play on and the backend to restore to."""
    if not on_postgresql:
        plain = Backend("sqlite", {"DATABASE_URL": None, "CHANNEL_REDIS_URL": None})
        yield plain, plain
        return
    with services.postgresql(durable=True, beside=data_home()) as server, services.redis() as layer:
        played, restored = (
            Backend("postgresql", {"DATABASE_URL": server.url_of(name), "CHANNEL_REDIS_URL": layer.url})
            for name in (server.new_database(), server.new_database())
        )
        yield played, restored


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Run a management command and return its output."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=PROJECT, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


async def played(server: Server, places: list[Place], take: Any, chosen: argparse.Namespace) -> dict[str, Any]:
    """Hit once a second on each board, alone and then during backups; return delays."""
    alarm = Alarm()
    boards = [MatchBoard(server.port, place, alarm.ring) for place in places]
    await join(boards, server.port)
    alone = await steady(boards, server, 1.0, chosen.pause, alarm)
    taking = asyncio.create_task(take())
    beside = await steady(boards, server, 1.0, chosen.pause * chosen.copies, alarm)
    took_s = await taking
    await leave(boards)
    return {"alone": alone, "beside_copies": beside, "copy_s": [round(seconds, 1) for seconds in took_s]}


async def each_so_often(environment: dict[str, str], folder: Path, chosen: argparse.Namespace) -> list[float]:
    """Make backups, on any core; return the seconds each took, including its checks."""
    took_s = []
    for _ in range(chosen.copies):
        began = time.perf_counter()
        every_core = lambda: os.sched_setaffinity(0, range(os.cpu_count() or 1))  # noqa: E731
        command = (sys.executable, "manage.py", "backup", "--to", str(folder))
        running = await asyncio.create_subprocess_exec(
            *command, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL, preexec_fn=every_core
        )
        if await running.wait():
            raise RuntimeError("a copy was not taken, or its journal disagrees")
        took_s.append(time.perf_counter() - began)
        await asyncio.sleep(max(0.0, chosen.pause - took_s[-1]))
    return took_s


def restored(copy: Path, own: dict[str, str], there: dict[str, str]) -> int:
    """Restore a backup elsewhere and compare journals; return the number of entries."""
    manage(there, "restore", str(copy), "--yes", "--over-play")
    said = manage(there, "verify")
    entries = int(said.split(", ")[1].split()[0])
    code = DIGEST.format(number=entries)
    there_and_here = [manage(one, "shell", "--no-imports", "-c", code) for one in (there, own)]
    if there_and_here[0] != there_and_here[1]:
        raise RuntimeError(f"{copy} is not what was played up to a moment")
    return entries


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Measure, restore every backup, and return the figures."""
    server_core, load_core = cores()
    os.sched_setaffinity(0, {load_core})
    with (
        tempfile.TemporaryDirectory(prefix="bench-", dir=data_home()) as folder,
        places_of_data(chosen.postgresql) as (here, elsewhere),
    ):
        data, copies, other = (Path(folder) / name for name in ("data", "copies", "other"))
        for each in (data, copies, other):
            each.mkdir()
        own, there = here.environment(str(data)), elsewhere.environment(str(other))
        places = make_boards(chosen.boards, own)
        with serve_product(server_core, own) as server:
            figures = asyncio.run(played(server, places, lambda: each_so_often(own, copies, chosen), chosen))
        os.sched_setaffinity(0, {server_core, load_core})
        manage(there, "migrate", "-v", "0")
        taken = sorted(copies.glob("clock-*.zip"))
        figures["entries"] = [restored(copy, own, there) for copy in taken]
        figures["copy_mb"] = round(taken[-1].stat().st_size / 1e6, 1)
        manage(own, "verify")
    return {"backend": here.name, **figures}


def table(figures: dict[str, Any]) -> str:
    """Figures as readable text."""
    lines = [f"Copies on {figures['backend']}: each restored elsewhere, verified, and compared with the journal"]
    for name, late in (("alone", figures["alone"]), ("beside copies", figures["beside_copies"])):
        lines.append(
            f"  {name:<14} {late['hits']:>7,} hits   p50 {late['p50_ms']} ms   p99 {late['p99_ms']} ms   "
            f"worst {late['max_ms']} ms   server CPU {late['server_cpu']:.0%}"
        )
    lines.append(
        f"  {len(figures['entries'])} copies, each in {figures['copy_s']} s, the last of {figures['copy_mb']} MB"
    )
    lines.append(f"  journal entries in each: {figures['entries']}")
    return "\n".join(lines)


if __name__ == "__main__":
    chosen = options(sys.argv[1:])
    figures = run(chosen)
    print(json.dumps(figures) if chosen.json else table(figures))
