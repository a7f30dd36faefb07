"""Play under floods: `python -m tests.bench.floods [FLOOD ...] [--json]`.

Phones play, a director stops and resumes a clock, newcomers request the home page and a seated phone its clock page.
Meanwhile each flood of `attacks.py` runs for a few seconds from the same address. Each flood is compared with a quiet
period of the same run:

- the p99 of a hit is at most three times the quiet one, or 25 ms if that is more;
- a director's stop is answered within 250 ms, the pages of newcomers and seated phones within a second;
- at most 2 MB are written;
- during the flood `stops`, the journal gets no more commands than the limit of one phone;
- within 60 s after the flood, server memory is back to at most 1.2 times what it was before.

The server's soft limit is 1,024 open files, a common default. Exits with 1 if a limit is exceeded.
"""

import argparse
import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from clocks.live.command_limit import COMMANDS
from tests.bench.attacks import FLOODS
from tests.bench.hall import Director, Hall
from tests.bench.lines import Target
from tests.bench.measure import Alarm, join, leave
from tests.bench.play import MatchBoard, Place
from tests.bench.product import Backend, inside, make_boards, serve_product
from tests.bench.server import PROJECT, Server, cores, data_home
from tests.bench.viewers import sign_in

TIMES, HIT_MS, STOP_MS, PAGE_MS, MEMORY, MEMORY_S, WRITTEN_MB = 3, 25.0, 250.0, 1000.0, 1.2, 60, 2.0
CASUAL = 100  # the attacker's casual matches
MAKE_CASUAL = f"""
import json
from django.conf import settings
from tests.server.house import make_match, sit_down
made = [make_match() for _ in range({CASUAL})]
name = settings.DEVICE_COOKIE_NAME
print(json.dumps([
    [one.table.code, *(f"{{name}}={{sit_down(one, seat)[1]}}" for seat in ("left", "right"))] for one in made
]))
"""
OWN_COMMANDS = """
import json
from clocks.models import JournalEntry
sent = JournalEntry.objects.filter(match__table__code="{code}").exclude(command=None)
print(json.dumps(sent.exclude(device=None).exclude(event="seat_taken").count()))
"""
WARM_S, SETTLE_S = 3.0, 0.5


def stored_mb(database: Path) -> float:
    """Size of a SQLite database in MB, including pages in its WAL."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as line:
        (pages,), (size,) = (line.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    return float(pages * size / 1e6)


async def flood(name: str, hall: Hall, seconds: float, memory_s: float, database: Path) -> dict[str, Any]:
    """Measure a quiet period, a period with the flood, then how memory recovers."""
    hall.begin()
    await asyncio.sleep(seconds)
    quiet, before_mb, stored = hall.felt(), hall.server.memory_mb(), stored_mb(database)
    attacker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.attacks", name),
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    hall.begin()
    did = asyncio.create_task(attacker.communicate(json.dumps(vars(hall.target) | {"seconds": seconds}).encode()))
    done, _ = await asyncio.wait([did], timeout=seconds + 20)
    flooded, most_mb = hall.felt(), hall.server.memory_mb()
    if not done:
        attacker.kill()
    seen = json.loads((await did)[0] or b"{}")
    written_mb = round(stored_mb(database) - stored, 2)
    after_s, after_mb = await _memory_after(hall.server, before_mb, memory_s)
    return {
        "did": seen,
        "quiet": quiet,
        "flooded": flooded,
        "memory": {"before_mb": round(before_mb), "flooded_mb": round(most_mb), "after_mb": after_mb, "s": after_s},
        "written_mb": written_mb,
        "broken": broken(quiet, flooded, after_mb / before_mb, written_mb),
    }


async def _memory_after(server: Server, before_mb: float, most_s: float) -> tuple[float, int]:
    """Seconds until memory is near `before_mb` (stops after `most_s`), and MB then."""
    begin = time.monotonic()
    while True:
        await asyncio.sleep(SETTLE_S)
        passed = time.monotonic() - begin
        if server.memory_mb() <= before_mb * MEMORY or passed > most_s:
            return round(passed, 1), round(server.memory_mb())


def broken(
    quiet: Mapping[str, float], flooded: Mapping[str, float], memory: float, written_mb: float = 0.0
) -> list[str]:
    """Messages about the limits that a flood exceeded."""
    most_hit = max(TIMES * quiet["hit_p99_ms"], HIT_MS)
    checks = {
        f"hit p99 {flooded['hit_p99_ms']} > {most_hit:.1f} ms": flooded["hit_p99_ms"] > most_hit,
        f"stop {flooded['stop_max_ms']} > {STOP_MS:.0f} ms": flooded["stop_max_ms"] > STOP_MS,
        f"page {flooded['page_max_ms']} > {PAGE_MS:.0f} ms": flooded["page_max_ms"] > PAGE_MS,
        f"{flooded['pages_refused']} pages refused": flooded["pages_refused"] > 0,
        f"own page {flooded['seats_page_max_ms']} > {PAGE_MS:.0f} ms": flooded["seats_page_max_ms"] > PAGE_MS,
        f"{flooded['seats_pages_refused']} own pages refused": flooded["seats_pages_refused"] > 0,
        f"memory {memory:.2f} > {MEMORY}": memory > MEMORY,
        f"{written_mb} > {WRITTEN_MB} MB written": written_mb > WRITTEN_MB,
    }
    return [words for words, is_so in checks.items() if is_so]


async def measure(
    server: Server, places: Sequence[Place], own: Target, cookie: str, chosen: argparse.Namespace, database: Path
) -> Any:
    """Run each flood in turn while the hall plays."""
    boards = [MatchBoard(server.port, place, Alarm().ring) for place in places]
    await join(boards, server.port)
    director = Director(server.port, "demo", cookie)
    await director.phone.open(server.port)
    match = await director.find_clock()
    hall = Hall(server, boards, director, own, places[0])
    playing = asyncio.create_task(hall.play(match))
    await asyncio.sleep(WARM_S)
    figures = {}
    for name in chosen.floods or FLOODS:
        figures[name] = await flood(name, hall, chosen.seconds, chosen.memory_seconds, database)
        if playing.done():
            playing.result()
        if not chosen.json:
            print(row(name, figures[name]), flush=True)
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
    await leave(boards)
    return figures


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Start the product on its own core, with a demo tournament, and measure it."""
    server_core, load_core = cores()
    os.sched_setaffinity(0, {load_core})
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data_home()) as folder:
        environment = Backend("SQLite", {"DATABASE_URL": None, "CHANNEL_REDIS_URL": None}).environment(folder)
        *places, own = make_boards(chosen.boards + 1, environment)
        demo = [sys.executable, "manage.py", "demo", "--tables", str(chosen.tables)]
        subprocess.run(demo, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL, check=True)
        casual = inside(environment, MAKE_CASUAL)
        with serve_product(server_core, environment, files=1024) as server:
            cookie = sign_in(server.port, environment)
            target = Target(server.port, chosen.seconds, "demo", own.code, own.cookies[0], casual)
            figures = asyncio.run(measure(server, places, target, cookie, chosen, Path(folder) / "clock.sqlite3"))
            written = server.written()
        stored = inside(environment, OWN_COMMANDS.format(code=own.code))
    if "stops" in figures and (words := too_many(stored, chosen.seconds)):
        figures["stops"]["broken"].append(words)
        print(words, file=sys.stderr)
    return {"floods": figures, "tracebacks": written.count("Traceback"), "log_lines": written.count("\n")}


def too_many(stored: int, seconds: float) -> str:
    """Message if more commands of a phone were stored than its limit, else ""."""
    most = int(COMMANDS.burst + COMMANDS.per_s * (seconds + 1))  # one second for the first socket
    return f"{stored} > {most} commands of one phone stored" if stored > most else ""


SHOWN = ("hit_p99_ms", "stop_max_ms", "page_max_ms", "seats_page_max_ms")


def row(name: str, one: Mapping[str, Any]) -> str:
    """One line of the table: figures of a flood."""
    quiet, flooded, memory = one["quiet"], one["flooded"], one["memory"]
    pairs = [f"{quiet[key]:>6} {flooded[key]:>8}" for key in SHOWN]
    mb = f"{one['written_mb']:>5} | "
    mb += f"{memory['before_mb']:>4} {memory['flooded_mb']:>4} {memory['after_mb']:>4} {memory['s']:>5} s"
    return f"{name:<13}{' | '.join(pairs)} | {mb} | {'; '.join(one['broken']) or 'holds'} {one['did']}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.floods", description=__doc__.splitlines()[0])
    parser.add_argument("floods", nargs="*", metavar="FLOOD", help=f"of {', '.join(FLOODS)} (all)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--boards", type=int, default=60, help="boards that hit once a second (60)")
    parser.add_argument("--tables", type=int, default=300, help="tables of the tournament (300)")
    parser.add_argument("--seconds", type=float, default=6.0, help="seconds of each stretch (6)")
    words = "how long the server has for giving its memory back (60)"
    parser.add_argument("--memory-seconds", type=float, default=MEMORY_S, help=words)
    chosen = parser.parse_args()
    if unknown := set(chosen.floods) - set(FLOODS):
        parser.error(f"no such flood: {', '.join(sorted(unknown))}")
    if not chosen.json:
        print(
            "             hit p99, ms     | stop, ms        | page, ms        | own page, ms    | written, memory, MB |"
        )
    figures = run(chosen)
    print(json.dumps(figures) if chosen.json else f"{figures['tracebacks']} tracebacks in the server’s log")
    return int(any(one["broken"] for one in figures["floods"].values()) or figures["tracebacks"] > 0)


if __name__ == "__main__":
    sys.exit(main())
