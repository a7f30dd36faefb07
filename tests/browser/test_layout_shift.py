"""Nothing moves as a page opens: cumulative layout shift on a slow network."""

import pytest
from playwright.sync_api import Locator, Page

from clocks.live import protocol
from tests.browser.engines import expect, shown_text
from tests.browser.product import Product
from tests.browser.records import Record, players_phone, record_of
from tests.browser.scripted import ScriptedServer, open_page, wait_mode
from tests.browser.test_joining import MOST_SHIFT, SHIFT, slow
from tests.browser.windows import DIRECTOR, Windows

# Path of each page, and selector of an element that the complete page has.
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
    """Open a window that may read this page: empty cache, slow network."""
    if not name.startswith("director's"):
        page = players_phone(windows, record, viewport=size)
    else:
        page = windows.open(**{**DIRECTOR, "viewport": size})
        page.context.add_cookies(windows.director().context.cookies())
    slow(page)
    return page


PHONE, TABLET = (390, 844), (1024, 768)
ON_A_TABLET = ("end of a match", "director's record", "director's what if")  # pages of several columns there


@pytest.mark.parametrize(
    ("name", "size"), [*((name, PHONE) for name in PAGES), *((name, TABLET) for name in ON_A_TABLET)]
)
def test_nothing_moves_as_a_page_opens(windows: Windows, product: Product, name: str, size: tuple[int, int]) -> None:
    record = record_of(product, "games")
    path, complete = PAGES[name]
    page = reader_of(windows, record, name, {"width": size[0], "height": size[1]})
    page.goto(product.address + path(record), wait_until="commit")
    page.locator(complete).first.wait_for()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(SHIFT) < MOST_SHIFT


# Records each layout shift from now on and what moved; unless `all`, only shifts without recent input.
WATCH = """(all) => {
    window.watcher?.disconnect();
    window.shifts = [];
    window.watcher = new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
            const moved = sources.map(({ node }) => node?.className ?? '').join(', ');
            if (all || !hadRecentInput) shifts.push([value, moved]);
        }
    });
    window.watcher.observe({ type: 'layout-shift' });
}"""
SHIFTS = "() => new Promise((told) => requestAnimationFrame(() => setTimeout(() => told(window.shifts), 50)))"


SIZES = [(320, 568), (390, 844), (844, 390), (1024, 768)]
BUTTON_AT = "([x, y]) => document.elementFromPoint(x, y).closest('button')?.innerText"


def centre(button: Locator) -> list[float]:
    """Middle of a button, on the page."""
    box = button.bounding_box()
    assert box
    return [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]


def clock_of_ann(page: Page, seats: str, size: tuple[int, int]) -> ScriptedServer:
    """Open Ann's clock with all its scripts, and let it run."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    server = ScriptedServer(options={"delay_ms": 1_000})
    open_page(page, server, seats)
    server.begin()
    wait_mode(page, "left", "turn")
    page.wait_for_selector(".message.late", state="attached")
    page.wait_for_function("document.querySelector('match-clock').source.sync.synced")
    return server


def open_sheet(page: Page, *labels: str) -> None:
    """Open Ann's menu, and follow these buttons."""
    page.locator(".actions[data-seat=left] .more").click()
    for label in labels:
        page.get_by_role("button", name=label).click()
    expect(page.get_by_role("dialog")).to_be_visible()


def assert_still(page: Page) -> None:
    """Nothing has moved since WATCH."""
    shifts = page.evaluate(SHIFTS)
    assert sum(value for value, _ in shifts) < MOST_SHIFT, shifts


@pytest.mark.parametrize(
    ("seats", "size"),
    # A shared phone on its side is one that stands, turned.
    [*(("left", size) for size in SIZES), ("left right", (320, 568)), ("left right", (1024, 768))],
)
def test_nothing_moves_on_a_running_clock(page: Page, seats: str, size: tuple[int, int]) -> None:
    server = clock_of_ann(page, seats, size)
    page.evaluate(WATCH)
    left, right = (page.locator(f".half[data-seat={seat}]") for seat in ("left", "right"))
    expect(left.locator(".delay .time")).to_have_text("0 s")  # the reserve runs
    left.locator(".pad").click()
    wait_mode(page, "left", "wait")
    open_sheet(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(right.locator(".delay")).to_contain_text("0 s")
    server.play("right", "hit")
    wait_mode(page, "left", "turn")
    expect(left.locator(".delay .time")).to_have_text("0 s")
    assert_still(page)
    # A sheet gives way to a turn: the first closes, the second is folded.
    for label in ("The game is over …", "Call the director …"):
        server.play("left", "hit")
        wait_mode(page, "left", "wait")
        open_sheet(page, label)
        page.evaluate(WATCH, True)
        server.play("right", "hit")
        wait_mode(page, "left", "turn")
        expect(page.locator(".half[data-sheet=open]")).to_have_count(0)
        assert_still(page)


@pytest.mark.parametrize("size", SIZES)
def test_a_banner_takes_room_from_the_clock_but_moves_no_button(page: Page, size: tuple[int, int]) -> None:
    server = clock_of_ann(page, "left", size)
    buttons = page.locator(".actions button").filter(visible=True)
    before = [centre(button) for button in buttons.all()]
    pad = page.locator(".half[data-seat=left] .pad")
    room = pad.bounding_box()
    server.sockets[0].send(protocol.message(server.now(), 7, "Lunch at one.", server.now(), server.now() + 60_000))
    expect(page.get_by_text("Lunch at one.")).to_be_visible()
    assert [page.evaluate(BUTTON_AT, point) for point in before] == [shown_text(button) for button in buttons.all()]
    left = pad.bounding_box()
    assert room and left and left["height"] > 0.75 * room["height"]
