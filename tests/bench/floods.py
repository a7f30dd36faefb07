"""What a hall feels of one client that tries to shut the door: `python -m tests.bench.floods [FLOOD ...]` (`--json`).

While phones play, a director stops and resumes a clock and newcomers ask for the first page, each flood of
`attacks.py` runs for a few seconds, from the same address as everybody else. Quiet and flooded figures are of one run:

- 99 of 100 hits reach the other phone within three times what they take while it is quiet, or 25 ms;
- a director's stop is answered within 250 ms, a newcomer's page within a second;
- within 60 s the server holds at most 1.2 times the memory that it held before.

The server may open 1,024 files when it starts, as systems commonly allow. Ends with 1 where a limit is not kept.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import orjson

from tests.bench.attacks import FLOODS
from tests.bench.lines import Target, answer_of, get
from tests.bench.measure import Alarm, Meter, join, leave
from tests.bench.phone import Phone
from tests.bench.play import MatchBoard, Place, new_id
from tests.bench.product import Backend, make_boards, serve_product
from tests.bench.server import PROJECT, Server, cores, data_home
from tests.bench.viewers import sign_in

EVERY_S = 1.0  # between two hits of a board
PING_S = 2.5
STOP_S = 0.2  # between two rulings of the director
NEWCOMER_S = 0.25
TIMES, HIT_MS, STOP_MS, PAGE_MS, MEMORY, MEMORY_S = 3, 25.0, 250.0, 1000.0, 1.2, 60
WARM_S, SETTLE_S = 3.0, 0.5


class Director:
    """A director's page that stops and resumes one clock of the tournament over and over again."""

    def __init__(self, port: int, slug: str, cookie: str) -> None:
        self.phone = Phone(port, f"/ws/director/{slug}/", cookie)
        self.phone.hear, self.phone.lost = self._hear, self._lost
        self.boards: asyncio.Future[list[dict[str, Any]]] = asyncio.get_running_loop().create_future()
        self.delays_s: list[float] = []
        self._asked: tuple[str, float, asyncio.Future[dict[str, Any]]] | None = None

    async def rule(self, match: int, do: str, **arguments: str) -> dict[str, Any]:
        """Give a command and return its answer; the time of a stop is kept."""
        id_, answer = new_id(), asyncio.get_running_loop().create_future()
        self._asked = (id_, time.perf_counter(), answer)
        self.phone.send(orjson.dumps({"t": "do", "id": id_, "do": do, "match": match, **arguments}))
        answered: dict[str, Any] = await answer
        if do == "stop":
            self.delays_s.append(time.perf_counter() - self._asked[1])
        self._asked = None
        return answered

    def waits_s(self) -> float:
        """Return for how long an answer is waited for."""
        return time.perf_counter() - self._asked[1] if self._asked else 0.0

    async def find_clock(self) -> int:
        """Return a match whose clock may be resumed, and let it run."""
        for board in await self.boards:
            if board["status"] == "stopped" and (await self.rule(board["match"], "resume"))["t"] == "ack":
                return int(board["match"])
        raise RuntimeError("no clock of this tournament can be resumed")

    async def work(self, match: int) -> None:
        """Stop and resume until cancelled."""
        while True:
            await self.rule(match, "stop", reason="director")
            await self.rule(match, "resume")
            await asyncio.sleep(STOP_S)

    def _hear(self, text: bytes) -> None:
        if text.startswith(b'{"t":"boards"'):
            self.boards.set_result(orjson.loads(text)["boards"])
        elif self._asked and self._asked[0].encode() in text[:200]:
            self._asked[2].set_result(orjson.loads(text))

    def _lost(self, error: Exception) -> None:
        if self._asked and not self._asked[2].done():
            self._asked[2].set_exception(error)


class Hall:
    """Everybody whom a flood must not hurt: what they felt since `begin` is what `felt` returns."""

    def __init__(self, server: Server, boards: Sequence[MatchBoard], director: Director, target: Target) -> None:
        self.server, self.boards, self.director, self.target = server, boards, director, target
        self._newcomers_s: list[float] = []
        self._refused = self._skipped = 0
        self._asking_since = 0.0
        self._meter = Meter(server)

    async def play(self, match: int) -> None:
        """Hit, rule and arrive until cancelled."""
        await asyncio.gather(
            self.director.work(match), self._arrive(), *(self._board(number) for number in range(len(self.boards)))
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

    async def _arrive(self) -> None:
        while True:
            self._asking_since = time.perf_counter()
            status = 0
            with suppress(OSError):
                status, _ = await answer_of(self.target, get(self.target, "/"))
            self._newcomers_s.append(time.perf_counter() - self._asking_since)
            self._refused += status != 200
            self._asking_since = 0.0
            await asyncio.sleep(NEWCOMER_S)

    def begin(self) -> None:
        """Forget what was felt so far."""
        self._newcomers_s.clear()
        self.director.delays_s.clear()
        for board in self.boards:
            board.delays_s.clear()
        self._refused = self._skipped = 0
        self._meter = Meter(self.server)

    def felt(self) -> dict[str, float]:
        """Return what was felt since `begin`; what is still waited for counts as long as it waits already."""
        now = time.perf_counter()
        _, server_cpu, load_cpu = self._meter.read()
        hits = sorted(delay for board in self.boards for delay in [*board.delays_s, board.waits_s(now)] if delay)
        pages = [*self._newcomers_s, now - self._asking_since if self._asking_since else 0.0]
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
            "pages_refused": self._refused,
            "page_max_ms": round(max(pages) * 1000, 1),
            "server_cpu": round(server_cpu, 2),
            "load_cpu": round(load_cpu, 2),
        }


def _forever() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


async def flood(name: str, hall: Hall, seconds: float, memory_s: float) -> dict[str, Any]:
    """Measure a quiet stretch, then one with the flood, then how soon the server gives its memory back."""
    hall.begin()
    await asyncio.sleep(seconds)
    quiet, before_mb = hall.felt(), hall.server.memory_mb()
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
    after_s, after_mb = await _memory_after(hall.server, before_mb, memory_s)
    return {
        "did": seen,
        "quiet": quiet,
        "flooded": flooded,
        "memory": {"before_mb": round(before_mb), "flooded_mb": round(most_mb), "after_mb": after_mb, "s": after_s},
        "broken": broken(quiet, flooded, after_mb / before_mb),
    }


async def _memory_after(server: Server, before_mb: float, most_s: float) -> tuple[float, int]:
    """Return after how many seconds the server is back at what it held before, and what it holds then."""
    begin = time.monotonic()
    while True:
        await asyncio.sleep(SETTLE_S)
        passed = time.monotonic() - begin
        if server.memory_mb() <= before_mb * MEMORY or passed > most_s:
            return round(passed, 1), round(server.memory_mb())


def broken(quiet: Mapping[str, float], flooded: Mapping[str, float], memory: float) -> list[str]:
    """Return the limits that a flood broke."""
    most_hit = max(TIMES * quiet["hit_p99_ms"], HIT_MS)
    checks = {
        f"hit p99 {flooded['hit_p99_ms']} > {most_hit:.1f} ms": flooded["hit_p99_ms"] > most_hit,
        f"stop {flooded['stop_max_ms']} > {STOP_MS:.0f} ms": flooded["stop_max_ms"] > STOP_MS,
        f"page {flooded['page_max_ms']} > {PAGE_MS:.0f} ms": flooded["page_max_ms"] > PAGE_MS,
        f"{flooded['pages_refused']} pages refused": flooded["pages_refused"] > 0,
        f"memory {memory:.2f} > {MEMORY}": memory > MEMORY,
    }
    return [words for words, is_so in checks.items() if is_so]


async def measure(server: Server, places: Sequence[Place], own: Place, cookie: str, chosen: argparse.Namespace) -> Any:
    """Let the hall play and each flood run in turn."""
    boards = [MatchBoard(server.port, place, Alarm().ring) for place in places]
    await join(boards, server.port)
    director = Director(server.port, "demo", cookie)
    await director.phone.open(server.port)
    match = await director.find_clock()
    target = Target(server.port, chosen.seconds, "demo", own.code, own.cookies[0])
    hall = Hall(server, boards, director, target)
    playing = asyncio.create_task(hall.play(match))
    await asyncio.sleep(WARM_S)
    figures = {}
    for name in chosen.floods or FLOODS:
        figures[name] = await flood(name, hall, chosen.seconds, chosen.memory_seconds)
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
    """Start the product on a core of its own, with a tournament of 300 tables, and measure."""
    server_core, load_core = cores()
    os.sched_setaffinity(0, {load_core})
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data_home()) as folder:
        environment = Backend("SQLite", {"DATABASE_URL": None, "CHANNEL_REDIS_URL": None}).environment(folder)
        *places, own = make_boards(chosen.boards + 1, environment)
        demo = [sys.executable, "manage.py", "demo", "--tables", str(chosen.tables)]
        subprocess.run(demo, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL, check=True)
        with serve_product(server_core, environment, files=1024) as server:
            cookie = sign_in(server.port, environment)
            figures = asyncio.run(measure(server, places, own, cookie, chosen))
            written = server.written()
    return {"floods": figures, "tracebacks": written.count("Traceback"), "log_lines": written.count("\n")}


def row(name: str, one: Mapping[str, Any]) -> str:
    """Return the figures of a flood as a line for people."""
    quiet, flooded, memory = one["quiet"], one["flooded"], one["memory"]
    pairs = [f"{quiet[key]:>6} {flooded[key]:>8}" for key in ("hit_p99_ms", "stop_max_ms", "page_max_ms")]
    mb = f"{memory['before_mb']:>4} {memory['flooded_mb']:>4} {memory['after_mb']:>4} {memory['s']:>5} s"
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
        print("             hit p99, ms     | stop, ms        | page, ms        | memory, MB        |")
    figures = run(chosen)
    print(json.dumps(figures) if chosen.json else f"{figures['tracebacks']} tracebacks in the server’s log")
    return int(any(one["broken"] for one in figures["floods"].values()) or figures["tracebacks"] > 0)


if __name__ == "__main__":
    sys.exit(main())
