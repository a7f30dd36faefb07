"""From a press to the player's own screen: `python -m tests.bench.press [--json]`.

100 touches on a shared phone whose CPU is throttled to a quarter. Counts the frames from each touch until the pad shows
it, and the time until the end of that frame; the server's answer comes later. Other load on the machine distorts the
milliseconds.
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser.product import Product, running
from tests.browser.windows import PHONE, chromium

PRESSES = 100
SLOWER = 4
REST_MS = 300  # a phone may send five commands per second
FRAME_MS = 1000 / 60

# For each touch of a pad, record the milliseconds and frames until the pad shows it.
WATCH = """() => {
    window.landed = [];
    addEventListener('pointerdown', ({ timeStamp: at, target }) => {
        const half = target.closest('.half');
        if (!half) return;
        let frames = 0;
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
            if (half.dataset.mode === 'turn') wait();
            else landed.push([performance.now() - at, frames]);
        };
        const wait = () => requestAnimationFrame(() => {
            frames += 1;
            port2.postMessage(null);
        });
        wait();
    });
}"""


def measure(page: Page, presses: int) -> list[tuple[float, int]]:
    """Milliseconds and frames of each press, alternating between the two pads."""
    page.evaluate(WATCH)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    for number in range(presses):
        seat = ("left", "right")[number % 2]
        page.locator(f".half[data-seat={seat}][data-mode=turn] .pad:enabled").tap(force=True)
        page.wait_for_timeout(REST_MS)
    found: list[tuple[float, int]] = page.evaluate("landed")
    return found


def run(presses: int) -> dict[str, Any]:
    """Play a match on one phone; return the figures."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Product(Path(folder))) as product,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium())
        page = browser.new_page(**PHONE)
        page.goto(product.newmatch(length=11)["url"])
        page.get_by_role("button", name="One phone between us").tap()
        for seat in ("left", "right"):
            page.locator(f".half[data-seat={seat}]").get_by_role("button", name="I confirm").tap()
        page.locator(".half[data-seat=right][data-mode=ready] [data-first=left]:enabled").tap()
        page.locator(".half[data-seat=left][data-mode=turn] .pad:enabled").wait_for()
        found = measure(page, presses)
        browser.close()
    times, frames = (sorted(column) for column in zip(*found, strict=True))
    return {
        "presses": len(found),
        "median_frames": statistics.median(frames),
        "p95_frames": frames[int(0.95 * len(frames))],
        "most_frames": frames[-1],
        "median_ms": round(statistics.median(times), 1),
        "p95_ms": round(times[int(0.95 * len(times))], 1),
        "most_ms": round(times[-1], 1),
        "within_17_ms": sum(ms <= FRAME_MS for ms in times),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.press", description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=PRESSES)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    chosen = parser.parse_args()
    found = run(chosen.presses)
    if chosen.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name.replace('_', ' '):<16}{value}")


if __name__ == "__main__":
    main()
