"""Nothing moves as a page opens: cumulative layout shift on a slow network."""

import pytest
from playwright.sync_api import Page

from tests.browser.product import Product
from tests.browser.records import Record, players_phone, record_of
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
