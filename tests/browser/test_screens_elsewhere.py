"""The director's console, hall, overlay and printed cards in every engine."""

import re
import zlib
from contextlib import suppress
from typing import Any

import pytest

from tests.browser.console import cell_of
from tests.browser.engines import every_engine, expect
from tests.browser.product import Product
from tests.browser.test_hall import make_tables
from tests.browser.windows import DIRECTOR, Windows

BOARDS = 60


def slug_of(windows: Windows) -> str:
    """Slug of this engine's own tournament."""
    return f"of-{windows.browser.browser_type.name}"


@every_engine
def test_sixty_boards_are_ruled_by_mouse_and_keyboard(windows: Windows, product: Product) -> None:
    slug = slug_of(windows)
    make_tables(product, slug, BOARDS)
    made = product.newmatch("--table", "61", "--tournament", slug)
    page = windows.director()
    page.goto(f"{product.address}/director/{slug}/")
    expect(page.locator(".cell")).to_have_count(BOARDS + 1)
    page.keyboard.press("/")
    page.keyboard.type("61")
    page.keyboard.press("Enter")
    expect(cell_of(page, made)).to_be_focused()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Table 61")
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
    expect(page.locator(".cell").nth(BOARDS - 1)).to_be_focused()
    assert product.snapshot(made["code"])["score"] == [2, 0]


@every_engine
def test_hall_and_overlay_show_a_match_that_is_played(windows: Windows, product: Product) -> None:
    slug = slug_of(windows) + "-hall"
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


@every_engine
def test_each_card_is_printed_on_one_page_of_a4(windows: Windows, product: Product) -> None:
    slug = slug_of(windows) + "-cards"
    make_tables(product, slug, 3)
    page = windows.director()
    page.goto(f"{product.address}/director/{slug}/cards/?paper=a4")
    expect(page.locator(".paper")).to_have_count(3)
    printed = pages(page.pdf(prefer_css_page_size=True))
    assert [(abs(wide - 595) <= 1, abs(high - 842) <= 1) for wide, high in printed] == [(True, True)] * 3


@pytest.mark.parametrize("windows", ["webkit"], indirect=True)
def test_a_card_has_one_page_where_the_printer_sets_the_margins(windows: Windows, product: Product) -> None:
    """Safari before 18.2 ignores `@page`, and makes the page smaller to fit."""
    make_tables(product, "margins", 3)
    page: Any = windows.director()
    page.goto(f"{product.address}/director/margins/cards/?paper=a4")
    expect(page.locator(".paper")).to_have_count(3)
    assert len(pages(page.pdf(printers_margins=True))) == 3
