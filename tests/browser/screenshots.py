"""Make the screenshots for docs: `python -m tests.browser.screenshots`.

They show a real server with two phones and a director, as in the tests.
"""

import io
import re
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.bench.server import PROJECT
from tests.browser.engines import expect
from tests.browser.picture_sheets import show_states
from tests.browser.product import Product, running
from tests.browser.served import arguments
from tests.browser.windows import Phone, Windows, chromium

FOLDER = PROJECT / "docs" / "screenshots"
COLOURS = 96  # palette size: looks the same at a third of the bytes
TABLES = 30
FRAMES = 16  # frames of the animation, half of them before the press
GAP = 12  # between the phones, in px
# In a hall most phones use dark mode, and the director's laptop light mode.
DARK = {"color_scheme": "dark", "device_scale_factor": 2}


def save(page: Page, name: str, folder: Path = FOLDER) -> None:
    """Save a screenshot of a page with a reduced palette."""
    picture = Image.open(io.BytesIO(page.screenshot(animations="allow"))).convert("RGB")
    palette = picture.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    folder.mkdir(parents=True, exist_ok=True)
    palette.save(folder / f"{name}.png", optimize=True)


def seated(windows: Windows, product: Product, *options: str, rules: str, length: int) -> tuple[Phone, Phone]:
    """Phones of Ann and Bob, who have confirmed a match at table 12."""
    made = product.newmatch("--tournament", "hall", "--table", "12", "--replace", *options, rules=rules, length=length)
    ann, bob = (windows.phone(made["url"], **DARK) for _ in range(2))
    for phone, who in ((ann, "I am Ann"), (bob, "I am Bob")):
        phone.sit(who)
        phone.tap("Confirm")
        phone.until_quality_is_known()
    ann.shows("left", "ready")
    return ann, bob


def stop(ann: Phone, bob: Phone) -> None:
    """Stop the clocks, because the next match replaces this one at its table."""
    ann.tap("Stop", "To retrieve fallen dice")
    bob.shows("right", "stopped")


def show_turn_and_wait(windows: Windows, product: Product) -> None:
    """Take screenshots of both phones while Ann's delay runs."""
    options = ("--score", "3", "2", "--option", "reserve_ms=[441000, 408000]")
    ann, bob = seated(windows, product, *options, rules="us-2013", length=7)
    bob.hit("right")
    ann.shows("left", "turn")
    bob.shows("right", "wait")
    expect(ann.half("left").locator(".delay .time")).to_have_text("9 s")
    save(ann.page, "phone-turn")
    save(bob.page, "phone-wait")
    stop(ann, bob)


def show_press(windows: Windows, product: Product, folder: Path = FOLDER) -> None:
    """Animate one press: Bob ends his turn, and the clock runs on Ann's phone."""
    options = ("--score", "3", "2", "--option", "reserve_ms=[441000, 408000]")
    ann, bob = seated(windows, product, *options, rules="us-2013", length=7)
    ann.hit("left")
    bob.shows("right", "turn")
    frames, shown_at = [], []
    for number in range(FRAMES):
        if number == FRAMES // 2:
            bob.hit("right")
        pictures = [Image.open(io.BytesIO(phone.page.screenshot(animations="allow"))) for phone in (ann, bob)]
        shown_at.append(time.monotonic())
        frames.append(_beside(pictures))
    durations = [int(1000 * (later - at)) for at, later in pairwise(shown_at)] + [1_500]
    first = frames[0].quantize(COLOURS, dither=Image.Dither.NONE)
    rest = [frame.quantize(palette=first, dither=Image.Dither.NONE) for frame in frames[1:]]
    first.save(folder / "press.gif", save_all=True, append_images=rest, duration=durations, loop=0, optimize=True)
    stop(ann, bob)


def _beside(pictures: list[Image.Image]) -> Image.Image:
    """Two phones side by side, at half size."""
    small = [picture.convert("RGB").resize((picture.width // 4, picture.height // 4)) for picture in pictures]
    both = Image.new("RGB", (small[0].width * 2 + GAP, small[0].height), "white")
    both.paste(small[0], (0, 0))
    both.paste(small[1], (small[0].width + GAP, 0))
    return both


def show_shared(windows: Windows, product: Product) -> None:
    """Take a screenshot of a shared phone."""
    made = product.newmatch("--score", "3", "2", "--option", "reserve_ms=[441000, 408000]", length=7)
    phone = windows.phone(made["url"], **DARK)
    phone.sit("One phone between us")
    for seat in ("left", "right"):
        phone.tap("Confirm", seat=seat)
    phone.until_quality_is_known()
    phone.hit("right")
    expect(phone.half("left").locator(".delay .time")).to_have_text("9 s")
    save(phone.page, "phone-shared")


def show_flag(windows: Windows, product: Product) -> None:
    """Take a screenshot of a fallen flag's consequence before anybody agreed to it."""
    options = ("--score", "6", "3", "--option", "reserve_ms=[725000, 1000]")
    ann, bob = seated(windows, product, *options, rules="unified-2001", length=9)
    ann.hit("left")
    bob.shows("right", "flag")
    expect(bob.page.locator("[data-rests]")).to_have_count(0)
    save(bob.page, "phone-flag")


def show_director(windows: Windows, product: Product) -> None:
    """Take a screenshot of the director's page during play."""
    product.manage("demo", "--tables", str(TABLES))
    page = windows.director(color_scheme="light")
    page.get_by_role("link", name=re.compile("Demo Open")).click()
    expect(page.locator(".cell")).to_have_count(TABLES)
    expect(page.locator("[data-rests]")).to_have_count(0)
    save(page, "director")


def main() -> None:
    """Take all screenshots; fail if a page reports an error."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        running(Product(Path(folder))) as product,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=arguments())
        windows = Windows(browser, product)
        for show in (show_press, show_turn_and_wait, show_shared, show_flag, show_director):
            show(windows, product)
        windows.close()
        show_states(browser, FOLDER)
        browser.close()
    if windows.troubles:
        sys.exit("\n".join(windows.troubles))


if __name__ == "__main__":
    main()
