"""The director's console, hall, overlay and printed cards in every engine."""

import re
import zlib
from contextlib import suppress
from typing import Any

import pytest

from tests.browser.console import cell_of
from tests.browser.engines import ENGINES, every_engine, expect
from tests.browser.product import Product
from tests.browser.test_hall import make_tables
from tests.browser.windows import DIRECTOR, Windows

BOARDS = 60
HALLS: dict[Product, dict[str, dict[str, Any]]] = {}  # matches of `hall`, by product


@pytest.fixture
def hall(product: Product) -> dict[str, dict[str, Any]]:
    """Match of each engine, beside 60 others; made once per product."""
    if product not in HALLS:
        make_tables(product, "sixty", BOARDS)
        more = enumerate(ENGINES, BOARDS + 1)
        HALLS[product] = {
            name: {**product.newmatch("--table", str(table), "--tournament", "sixty"), "table": str(table)}
            for table, name in more
        }
    return HALLS[product]


@every_engine
def test_sixty_boards_are_ruled_by_mouse_and_keyboard(
    windows: Windows, product: Product, hall: dict[str, dict[str, Any]]
) -> None:
    made = hall[windows.browser.browser_type.name]
    page = windows.director()
    page.goto(f"{product.address}/director/sixty/")
    expect(page.locator(".cell")).to_have_count(BOARDS + len(hall))
    page.keyboard.press("/")
    page.keyboard.type(made["table"])
    page.keyboard.press("Enter")
    expect(cell_of(page, made)).to_be_focused()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name=f"Table {made['table']}")
    drawer.get_by_role("button", name="Confirm for both").click()
    expect(cell_of(page, made)).to_have_attribute("data-status", "ready")

    drawer.get_by_role("button", name="Score", exact=True).click()
    form = drawer.locator("form")
    form.get_by_label("Ann").fill("2")
    form.get_by_label("Reason for the record").fill("as on the sheet")
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)
    expect(cell_of(page, made).locator(".cell-score")).to_contain_text("2–0")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(cell_of(page, made)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".cell").nth(int(made["table"]) - 2)).to_be_focused()
    assert product.snapshot(made["code"])["score"] == [2, 0]


@every_engine
def test_hall_and_overlay_show_a_match_that_is_played(windows: Windows, product: Product) -> None:
    slug = f"hall-of-{windows.browser.browser_type.name}"
    made = product.newmatch("--table", "1", "--tournament", slug, length=7)
    hall = windows.open(**DIRECTOR)
    hall.goto(f"{product.address}/hall/{slug}/")
    overlay = windows.open(viewport={"width": 1280, "height": 720})
    overlay.goto(f"{product.address}/t/{made['code']}/overlay/")
    expect(overlay.locator(".overlay-name")).to_have_text(["Ann", "Bob"])
    phone = windows.phone(made["url"])
    phone.sit("One phone between us")
    for seat in ("left", "right"):
        phone.tap("Confirm", seat=seat)
    phone.hit("left")
    board = hall.locator(".board")
    expect(board).to_have_attribute("data-status", "running")
    expect(board.locator(".board-seat[data-turn] .board-name")).to_have_text("Bob")
    expect(board.locator(".board-time")).to_have_text(["14:00", "14:00"])
    expect(overlay.locator(".overlay-seat.on-turn .overlay-name")).to_have_text("Bob")
    assert hall.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def pages(pdf: bytes) -> list[tuple[int, int]]:
    """Width and height of each page of a PDF, in points."""
    parts = [pdf]
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        with suppress(zlib.error):
            parts.append(zlib.decompressobj().decompress(stream))
    boxes = re.findall(rb"/MediaBox ?\[ ?0 0 ([0-9.]+) ([0-9.]+) ?\]", b"\n".join(parts))
    return [(round(float(wide)), round(float(high))) for wide, high in boxes]


@pytest.mark.usefixtures("hall")
@every_engine
def test_each_card_is_printed_on_one_page_of_a4(windows: Windows, product: Product) -> None:
    page = windows.director()
    page.goto(f"{product.address}/director/sixty/cards/?paper=a4&tables=1-3")
    expect(page.locator(".paper")).to_have_count(3)
    printed = pages(page.pdf(prefer_css_page_size=True))
    assert [(abs(wide - 595) <= 1, abs(high - 842) <= 1) for wide, high in printed] == [(True, True)] * 3


@pytest.mark.parametrize("windows", ["webkit"], indirect=True)
@pytest.mark.usefixtures("hall")
def test_a_card_has_one_page_where_the_printer_sets_the_margins(windows: Windows, product: Product) -> None:
    """Safari before 18.2 ignores `@page`, and makes the page smaller to fit."""
    page: Any = windows.director()
    page.goto(f"{product.address}/director/sixty/cards/?paper=a4&tables=1-3")
    expect(page.locator(".paper")).to_have_count(3)
    assert len(pages(page.pdf(printers_margins=True))) == 3
