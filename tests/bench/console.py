"""Load of a director's browser: `python -m tests.bench.console [--json]`.

500 boards play, with 100 hits a second in total; Chromium shows the director's page, then the hall screen. Measured:
frames per second from the server, time to first paint and to the complete grid, load of the page's main thread, and the
error of the displayed clocks compared with the snapshots received by the phones at the tables.

The server is pinned to one core; phones, browser and this program use all of them. Other load on the machine distorts
the figures.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import orjson
from playwright.async_api import Browser, Page, async_playwright

from tests.bench.measure import Alarm, join, leave, steady
from tests.bench.play import MatchBoard, Place
from tests.bench.product import SLUG, Backend, make_boards, serve_product
from tests.bench.server import PROJECT, Server, cores
from tests.browser.windows import chromium

SAMPLES_S = 0.5
DELAY_MS = 1_000  # short, so that the reserves run most of the time
CELLS = {"director": (".cell", ".cell-time"), "hall": (".board", ".board-time")}
PARTS = ("Task", "Script", "Layout", "RecalcStyle")
READ = """([cell, time]) => {
    const shown = [...document.querySelectorAll(cell)].filter((node) => {
        const { top, bottom } = node.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
    });
    const texts = shown.map((node) => [
        node.dataset.match ?? node.querySelector('.board-table').textContent,
        ...[...node.querySelectorAll(time)].map(({ textContent }) => textContent)]);
    return [performance.timeOrigin + performance.now(), texts];
}"""
MARK = """
const looking = setInterval(() => {
    if (document.querySelectorAll('%s').length < %d) return;
    performance.mark('all');
    clearInterval(looking);
}, 20);
"""
SCROLL = "(share) => scrollTo(0, share * (document.documentElement.scrollHeight - innerHeight))"
PAINT = (
    """() => performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint')?.startTime"""
)


class ToldBoard(MatchBoard):
    """Board that keeps its left phone's snapshots, to check displayed clocks against."""

    def __init__(self, port: int, place: Place, fail: Callable[[Exception], None]) -> None:
        self.told: list[dict[str, Any]] = []
        super().__init__(port, place, fail)

    def _ear(self, seat: int) -> Callable[[bytes], None]:
        hear = super()._ear(seat)

        def keep(text: bytes) -> None:
            frame = orjson.loads(text)
            if frame["t"] == "match":
                self.told.append(frame)
            hear(text)

        return hear if seat else keep

    def reserves_at(self, at: float) -> tuple[int, int]:
        """Both reserves (ms) at a time, from the last earlier snapshot; simple delay only."""
        told = self.told[max(0, bisect_right(self.told, at, key=lambda frame: frame["now"]) - 1)]
        left, right = told["turn_reserve_ms"]
        if told["turn"] is None or told["since"] is None:
            return left, right
        used = told["used_ms"] + max(0.0, at - told["since"])
        charged = max(0, round(used) - told["turn_delay_ms"])
        return (max(0, left - charged), right) if told["turn"] == "left" else (left, max(0, right - charged))

    def wrong_by(self, at: float, texts: Sequence[str]) -> int:
        """Larger error of the two displayed clocks at `at`, in milliseconds.

        A displayed second stands for any time that rounds up to it.
        """
        pairs = zip(self.reserves_at(at), map(read, texts), strict=True)
        return max(max(0, ms - shown, shown - 999 - ms) for ms, shown in pairs)


def read(text: str) -> int:
    """Longest time displayed as this text, in milliseconds."""
    seconds = 0
    for part in text.split(":"):
        seconds = 60 * seconds + int(part)
    return seconds * 1000


class Frames:
    """Counts frames pushed to a page by the server, except pongs and probes."""

    def __init__(self, page: Page) -> None:
        self.number = 0
        self.kinds: dict[str, int] = {}
        self.bytes = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._count))

    def _count(self, text: str | bytes) -> None:
        kind = orjson.loads(text)["t"]
        if kind not in ("pong", "probe"):
            self.number += 1
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
            self.bytes += len(text)


async def look(page: Page, address: str, boards: Sequence[ToldBoard], kind: str, seconds: float) -> dict[str, Any]:
    """Open a page during play; return load times, traffic, CPU share, clock errors."""
    frames = Frames(page)
    cell = CELLS[kind][0]
    number = len(boards) if kind == "director" else 1
    await page.add_init_script(MARK % (cell, number))
    await page.goto(address)
    while (all_ms := await page.evaluate("() => performance.getEntriesByName('all')[0]?.startTime ?? null")) is None:
        await asyncio.sleep(0.1)
    first_paint = await page.evaluate(PAINT)
    await asyncio.sleep(2)
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("Performance.enable")
    frames_before, bytes_before = frames.number, frames.bytes
    by_name = {str(board.told[0]["match"]): board for board in boards}
    by_name |= {board.told[0]["table"]: board for board in boards} if kind == "hall" else {}
    passed, share = await _share(devtools, seconds)
    told, told_bytes = frames.number - frames_before, frames.bytes - bytes_before
    await page.evaluate(SCROLL, 0.5)
    await asyncio.sleep(1)
    _, share_amid = await _share(devtools, seconds)
    wrong: list[int] = []
    ends = time.monotonic() + seconds
    for turn in count():
        if time.monotonic() > ends:
            break
        await page.evaluate(SCROLL, (turn * 0.37) % 1)
        await asyncio.sleep(SAMPLES_S)
        at, shown = await page.evaluate(READ, CELLS[kind])
        await asyncio.sleep(0.1)  # meanwhile the phones receive the snapshots for that time
        wrong += [by_name[name].wrong_by(at, texts) for name, *texts in shown]
    wrong.sort()
    return {
        "first_paint_ms": round(first_paint),
        "all_boards_ms": round(all_ms),
        "frames_per_s": round(told / passed, 2),
        "kb_per_s": round(told_bytes / passed / 1000, 1),
        "frames": frames.kinds,
        "main_thread": share["Task"],
        "of_that": {name.lower(): share[name] for name in PARTS[1:]},
        "main_thread_amid_the_boards": share_amid["Task"],
        "clocks_compared": len(wrong),
        "wrong_by_p99_ms": wrong[int(len(wrong) * 0.99)] if wrong else None,
        "wrong_by_max_ms": wrong[-1] if wrong else None,
        "wrong_by_more_than_200_ms": sum(ms > 200 for ms in wrong),
    }


async def _share(devtools: Any, seconds: float) -> tuple[float, dict[str, float]]:
    """Seconds measured, and the main thread's share of them by kind of work."""
    began, before = time.monotonic(), await _busy(devtools)
    await asyncio.sleep(seconds)
    after, passed = await _busy(devtools), time.monotonic() - began
    return passed, {name: round((after[name] - before[name]) / passed, 3) for name in before}


async def _busy(devtools: Any) -> dict[str, float]:
    """Seconds of main thread time so far, by kind of work."""
    metrics = {one["name"]: float(one["value"]) for one in (await devtools.send("Performance.getMetrics"))["metrics"]}
    return {name: metrics[f"{name}Duration"] for name in PARTS}


async def measure(server: Server, places: Sequence[Place], link: str, chosen: argparse.Namespace) -> dict[str, Any]:
    """Measure each page in a browser while the boards play."""
    alarm = Alarm()
    boards = [ToldBoard(server.port, place, alarm.ring) for place in places]
    await join(boards, server.port)
    address = f"http://127.0.0.1:{server.port}"
    every = len(boards) / chosen.hits
    lasts = every + 8 * chosen.seconds + 60
    playing = asyncio.create_task(steady(boards, server, every, lasts, alarm))
    await asyncio.sleep(every + 1)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = await _signed_in(browser, f"{address}{link}")
        figures = {}
        for kind in chosen.pages:
            figures[kind] = await look(page, f"{address}/{kind}/{SLUG}/", boards, kind, chosen.seconds)
            await page.close()
            page = await browser.new_page(viewport={"width": 1920, "height": 1080})
        await browser.close()
    playing.cancel()
    await leave(boards)
    return {"boards": len(boards), "hits_per_s": chosen.hits, **figures}


async def _signed_in(browser: Browser, link: str) -> Page:
    page = await browser.new_page(viewport={"width": 1440, "height": 900})
    await page.goto(link)
    await page.get_by_role("button", name="Sign in here").click()
    await page.get_by_role("heading", name="Tournaments", exact=True).wait_for()
    return page


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Start the product on its own core and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Backend("SQLite", {"DATABASE_URL": None, "CHANNEL_REDIS_URL": None}).environment(folder)
        places = make_boards(chosen.boards, environment, delay_ms=DELAY_MS)
        server_core, _ = cores()
        with serve_product(server_core, environment) as server:
            command = [sys.executable, "manage.py", "directorlink"]
            made = subprocess.run(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
            link = made.stdout.strip()
            return asyncio.run(measure(server, places, link[link.index("/director/") :], chosen))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.console", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--boards", type=int, default=500, help="boards that run (500)")
    parser.add_argument("--hits", type=float, default=100, help="hits a second in all (100)")
    parser.add_argument("--seconds", type=float, default=15, help="seconds of each measurement (15)")
    parser.add_argument("--pages", nargs="+", choices=CELLS, default=list(CELLS), help="which to look at (both)")
    chosen = parser.parse_args()
    figures = run(chosen)
    if chosen.json:
        print(json.dumps(figures))
        return
    print(f"{figures['boards']} running boards, {figures['hits_per_s']:.0f} hits a second\n")
    for kind in chosen.pages:
        print(kind)
        for name, value in figures[kind].items():
            print(f"  {name.replace('_', ' '):28} {value}")


if __name__ == "__main__":
    main()
