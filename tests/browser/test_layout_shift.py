"""Nothing moves as a page opens: cumulative layout shift on a slow network."""

import pytest
from playwright.sync_api import Page

from clocks.engine.clock import Seat
from clocks.lag.late_presses import LatePress
from clocks.live import protocol
from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.records import Record, players_phone, record_of
from tests.browser.scripted import ScriptedServer, open_page, wait_mode
from tests.browser.test_joining import MOST_SHIFT, SHIFT, slow
from tests.browser.windows import DIRECTOR, Windows

# Each page, and what is on it once it is complete.
PAGES = {
    "first page": (lambda record: "/", "main"),
    "practice": (lambda record: "/practice/", "main"),
    "end of a match": (lambda record: record.clock, ".ending"),
    "player's record": (lambda record: record.players, ".story"),
    "director's record": (lambda record: record.directors, ".story"),
    "director's report": (lambda record: f"/director/{record.slug}/report/", ".report-part"),
    "director's what if": (lambda record: f"/director/{record.slug}/what-if/?rules=us-2013", ".small-charts svg"),
}


def reader_of(windows: Windows, record: Record, name: str, size: dict[str, int]) -> Page:
    """A page with an empty cache, on a slow network, that may read this."""
    if not name.startswith("director's"):
        page = players_phone(windows, record, viewport=size)
    else:
        page = windows.open(**{**DIRECTOR, "viewport": size})
        page.context.add_cookies(windows.director().context.cookies())
    slow(page)
    return page


@pytest.mark.parametrize("size", [(390, 844), (1024, 768)], ids=["phone", "tablet"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_moves_as_a_page_opens(windows: Windows, product: Product, name: str, size: tuple[int, int]) -> None:
    record = record_of(product, "games")
    path, complete = PAGES[name]
    page = reader_of(windows, record, name, {"width": size[0], "height": size[1]})
    page.goto(product.address + path(record), wait_until="commit")
    page.locator(complete).first.wait_for()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(SHIFT) < MOST_SHIFT


# Notes each layout shift that no touch explains, and what moved.
WATCH = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
            if (!hadRecentInput) shifts.push([value, sources.map(({ node }) => node?.className ?? '').join(', ')]);
        }
    }).observe({ type: 'layout-shift' });
}"""
SHIFTS = "() => new Promise((told) => requestAnimationFrame(() => setTimeout(() => told(window.shifts), 50)))"


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (844, 390), (1024, 768)])
@pytest.mark.parametrize("seats", ["left", "left right"], ids=["own", "shared"])
def test_nothing_moves_on_a_running_clock(page: Page, seats: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    server = ScriptedServer(options={"delay_ms": 2_000})
    open_page(page, server, seats)
    server.begin()
    wait_mode(page, "left", "turn")
    page.wait_for_selector(".message.late", state="attached")
    page.evaluate(WATCH)
    half = page.locator(".half[data-seat=left]")
    expect(half.locator(".delay .time")).to_have_text("0 s")  # from the delay into the reserve
    half.locator(".pad").click()
    wait_mode(page, "left", "wait")
    server.play("right", "hit")
    wait_mode(page, "left", "turn")
    expect(half.locator(".delay .time")).to_have_text("1 s")  # what moves now, no touch explains
    server.late = LatePress(Seat.RIGHT, server.now(), 55_250, 250, 55_000)
    server.version += 1
    server.broadcast()
    expect(page.locator(".message.late")).to_be_visible()
    server.sockets[0].send(protocol.message(server.now(), 7, "Lunch at one.", server.now(), server.now() + 60_000))
    expect(page.get_by_text("Lunch at one.").first).to_be_visible()
    page.locator(".actions[data-seat=left]").get_by_role("button", name="Menu" if " " in seats else "More").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    shifts = page.evaluate(SHIFTS)
    assert sum(value for value, _ in shifts) < MOST_SHIFT, shifts
