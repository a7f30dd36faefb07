"""The hall screen on the real server: pages, hidden times, stale data, message."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute

from tests.browser.engines import expect, shown_texts
from tests.browser.product import Product
from tests.browser.windows import DIRECTOR, PHONE, Windows

MODULE = "/static/clocks/hall/layout.js"
MAKE = """
from clocks import desk
from clocks.tournament.tables import add_table
from clocks.engine.setup import Setup
from clocks.models import Tournament
hall, _ = Tournament.objects.get_or_create(slug="{slug}", defaults={{"name": "Hall"}})
for number in range(1, {tables} + 1):
    setup = Setup.parse({{"rules": "us-2013", "length": 7, "names": [f"Ann {{number}}", f"Bob {{number}}"]}})
    desk.make_match(add_table(hall, str(number)), setup)
"""


def make_tables(product: Product, slug: str, tables: int) -> None:
    """Create a tournament with one match at each table."""
    product.manage("shell", "--no-imports", "--command", MAKE.format(slug=slug, tables=tables))


def screen(windows: Windows, product: Product, slug: str, **looks: Any) -> Page:
    """Hall screen of an anonymous visitor."""
    page = windows.open(**(looks or DIRECTOR))
    page.goto(f"{product.address}/hall/{slug}/")
    expect(page.locator(".board").first).to_be_visible()
    return page


def tables(page: Page) -> list[str]:
    """Names of the shown tables."""
    return shown_texts(page.locator(".board-table"))


def forward(page: Page, seconds: int) -> None:
    """Set the page's clock forward, and wait until the page has reconnected.

    After the jump, the page takes its connection for dead.
    """
    page.clock.fast_forward(seconds * 1_000)
    expect(page.locator("body")).to_have_attribute("data-link", "open")


FIELD = [1890, 940]  # the area below the head on a projector of 1920 x 1080


@pytest.mark.parametrize(
    ("boards", "pages"),
    [(0, []), (1, [1]), (48, [48]), (49, [25, 24]), (100, [34, 34, 32]), (300, [43] * 6 + [42])],
)
def test_matches_fill_as_few_even_pages_as_are_readable_from_8_m(scripts: Page, boards: int, pages: list[int]) -> None:
    script = """async ([module, count, ...field]) =>
        (await import(module)).pagesOf(Array(count).fill(0), ...field).map((page) => page.length)"""
    assert scripts.evaluate(script, [MODULE, boards, *FIELD]) == pages


@pytest.mark.parametrize("picture", [(1024, 768), (1280, 720), (1366, 768), (1920, 1080), (3840, 2160)])
def test_the_names_of_32_boards_are_read_from_8_m(scripts: Page, picture: tuple[int, int]) -> None:
    """Capitals of 23 mm on a picture 3 m wide span ten minutes of arc at 8 m.

    That is twice the limit of good eyes.
    """
    width, height = picture
    script = """async ([module, ...field]) => (await import(module)).layoutOf(...field).size"""
    size = scripts.evaluate(script, [MODULE, 32, width * 0.98, height * 0.87])
    assert size / width * 3_000 * 0.72 >= 23


def test_boards_are_as_large_as_they_can_be(scripts: Page) -> None:
    script = """async ([module, ...field]) => {
        const { columns, rows, size } = (await import(module)).layoutOf(...field);
        return [columns, rows, Math.round(size)];
    }"""
    layouts = [scripts.evaluate(script, [MODULE, count, *FIELD]) for count in (1, 12, 32, 40)]
    assert layouts == [[1, 1, 127], [4, 3, 42], [7, 5, 24], [7, 6, 21]]


def test_a_list_of_64_names_fits_on_one_page_and_300_boards_names_on_few(scripts: Page) -> None:
    script = """async ([module, ...field]) => {
        const { columns, rows } = (await import(module)).namesLayoutOf(...field);
        return columns * rows;
    }"""
    room = [scripts.evaluate(script, [MODULE, names, 25, *FIELD]) for names in (64, 600)]
    assert room[0] >= 64
    assert room[1] >= 80


def test_pages_turn_by_key_and_by_themselves_unless_paused(windows: Windows, product: Product) -> None:
    make_tables(product, "pages", 70)
    page = windows.open(**DIRECTOR)
    page.clock.install()
    page.goto(f"{product.address}/hall/pages/?show=boards")
    expect(page.locator(".board")).to_have_count(35)
    first, second = [str(n) for n in range(1, 36)], [str(n) for n in range(36, 71)]
    assert tables(page) == first
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Page 2 of 2")).to_be_visible()
    assert tables(page) == second
    forward(page, 16)
    assert tables(page) == first
    page.get_by_role("button", name="Pause").click()
    forward(page, 40)
    assert tables(page) == first
    page.get_by_role("button", name="Continue").click()
    forward(page, 16)
    assert tables(page) == second
    overflow = (
        "() => [document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
    )
    assert page.evaluate(overflow) == [0, 0]


def test_a_phone_shows_all_boards_in_one_list(windows: Windows, product: Product) -> None:
    make_tables(product, "phones", 45)
    page = screen(windows, product, "phones", **PHONE)
    expect(page.locator(".board")).to_have_count(45)
    expect(page.get_by_role("navigation", name="Pages")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


def test_hidden_times_reach_neither_the_hall_screen_nor_its_socket(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "hidden", rules="michigan-2002", length=7)
    page = windows.open(**DIRECTOR)
    frames: list[dict[str, Any]] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: frames.append(json.loads(text))))
    page.goto(f"{product.address}/hall/hidden/")
    phone = windows.phone(made["url"])
    phone.sit("One phone between us")
    for seat in ("left", "right"):
        phone.tap("Confirm", seat=seat)
    phone.hit("left")
    board = page.locator(".board")
    expect(board).to_have_attribute("data-status", "running")
    assert [text for text in shown_texts(board.locator(".board-time")) if text] == []
    expect(board.locator("[data-turn]")).to_have_count(0)
    told = [frame for frame in frames if frame["t"] == "match"]
    told += [board for frame in frames if frame["t"] == "boards" for board in frame["boards"]]
    told += [board for frame in frames if frame["t"] == "matches" for board in frame["matches"]]
    assert told[-1]["status"] == "running" or any(frame["status"] == "running" for frame in told)
    times = ("reserve_ms", "delay_ms", "turn_reserve_ms", "since", "used_ms", "flag_at")
    assert {name: frame[name] for frame in told for name in times} == dict.fromkeys(times)


def test_a_lost_connection_is_announced_and_the_clocks_stop(windows: Windows, product: Product) -> None:
    product.newmatch("--table", "1", "--tournament", "lost")
    page = windows.open(**DIRECTOR)
    routes: list[WebSocketRoute] = []
    cut = {"off": False}

    def through(route: WebSocketRoute) -> None:
        if cut["off"]:
            route.close(code=1001)
            return
        routes.append(route)
        route.connect_to_server()

    page.route_web_socket(re.compile("/ws/hall/"), through)
    page.goto(f"{product.address}/hall/lost/")
    expect(page.locator(".board")).to_be_visible()
    cut["off"] = True
    routes[-1].close(code=1001)
    old = page.get_by_role("alert")
    expect(old).to_have_text(re.compile(r"^The connection is lost\. These clocks are as they were 0:\d\d ago\.$"))
    cut["off"] = False
    expect(old).to_be_hidden()


def test_the_page_reloads_once_for_another_version(windows: Windows, product: Product) -> None:
    product.newmatch("--table", "1", "--tournament", "version")
    page = windows.open(**DIRECTOR)
    loaded: list[str] = []

    def from_another_server(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def changed(text: str | bytes) -> None:
            frame = json.loads(text)
            route.send(json.dumps(frame | {"version": "another"}) if frame["t"] == "boards" else text)

        server.on_message(changed)

    page.route_web_socket(re.compile("/ws/hall/"), from_another_server)
    page.on("load", lambda: loaded.append(page.url))
    page.goto(f"{product.address}/hall/version/")
    expect(page.locator(".board")).to_be_visible()
    assert len(loaded) == 2


def test_the_directors_message_to_all_is_shown_until_it_is_withdrawn(windows: Windows, product: Product) -> None:
    product.newmatch("--table", "1", "--tournament", "message")
    page = screen(windows, product, "message")
    tell = (
        "from django.contrib.auth.models import User; from clocks.models import *;"
        "from clocks.tournament import messages;"
        "user, _ = User.objects.get_or_create(username='dora');"
        "messages.send(Tournament.objects.get(slug='message'), user, 'Lunch at one.', [], 10)"
    )
    product.manage("shell", "--no-imports", "--command", tell)
    said = page.get_by_text("Lunch at one.")
    expect(said).to_be_visible()
    late = screen(windows, product, "message")
    expect(late.get_by_text("Lunch at one.")).to_be_visible()
    withdraw = (
        "from clocks.models import *; from clocks.tournament import messages;"
        "m = Message.objects.get(tournament__slug='message'); messages.withdraw(m, m.sent_by)"
    )
    product.manage("shell", "--no-imports", "--command", withdraw)
    expect(said).to_be_hidden()


def test_a_hall_that_does_not_exist_is_not_found(windows: Windows, product: Product) -> None:
    page = windows.open(**DIRECTOR)
    answer = page.request.get(f"{product.address}/hall/nowhere/")
    assert answer.status == 404
