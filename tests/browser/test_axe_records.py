"""Accessibility of the pages about played matches: record, report, What if."""

import pytest
from playwright.sync_api import Page

from clocks.engine.books.published import RULESETS
from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.records import Record, players_phone, record_of
from tests.browser.test_axe import LOOK, TAGS, Looker
from tests.browser.test_axe_clock import BY_SIZE
from tests.browser.windows import Windows

PHONE, DESK = ({"width": 390, "height": 844}, {"width": 1440, "height": 900})
WIDTHS = [320, 390, 1024]
EVERY_BOOK = "&".join(f"rules={key}" for key in RULESETS)
# Opens everything, and removes most of a long table: its rows are alike, and axe needs seconds for hundreds of them.
UNFOLDED = """() => {
    for (const folded of document.querySelectorAll('main details')) folded.open = true;
    for (const row of document.querySelectorAll('main tr:nth-child(n + 30)')) row.remove();
}"""
# Horizontal overflow in px. Not by `innerWidth`, which grows with the page on a phone.
WIDER = "(width) => document.documentElement.scrollWidth - width"
# Dash pattern and width of each selected line.
STROKES = """(path) => [...document.querySelectorAll(path)].map((line) => {
    const { strokeDasharray, strokeWidth } = getComputedStyle(line);
    return `${strokeDasharray} at ${strokeWidth}`;
})"""

# Texts of selected elements that take more than one line.
BROKEN = """(selector) => [...document.querySelectorAll(selector)].filter((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
}).map(({ textContent }) => textContent)"""


@pytest.fixture
def record(product: Product) -> Record:
    return record_of(product, "games")


def what_if(record: Record) -> str:
    """Path of the figures of this record under every rule book."""
    return f"/director/{record.slug}/what-if/?{EVERY_BOOK}"


def directors_pages(record: Record) -> list[str]:
    """Paths of the director's pages about the match of this record."""
    office = f"/director/{record.slug}"
    return [record.directors, f"{office}/report/", f"{office}/results/", what_if(record)]


def look(looker: Looker, page: Page, path: str) -> None:
    """Run axe on a page; on a desk only what depends on size."""
    page.set_viewport_size(PHONE)
    page.goto(f"{looker.address}{path}")
    page.evaluate(UNFOLDED)
    looker.look(page, path)
    page.set_viewport_size(DESK)
    if found := page.evaluate(LOOK, [TAGS, BY_SIZE]):
        looker.found[f"{path} on a desk"] = found


def test_records_and_reports_of_a_played_match_have_no_barriers(
    windows: Windows, product: Product, record: Record
) -> None:
    looker = Looker(product)
    look(looker, players_phone(windows, record), record.players)
    page = windows.director()
    for path in directors_pages(record):
        look(looker, page, path)
    assert looker.found == {}
    # The curves of every book, on the last page, differ without colour.
    curves = page.evaluate(STROKES, "figure.curves > svg > polyline.curve[class*=curve-]")
    assert len(curves) == len(set(curves)) == 1 + len(RULESETS)
    assert page.evaluate(STROKES, ".key .curve") == curves


def test_at_twice_the_text_size_no_record_is_wider_than_its_screen(
    windows: Windows, product: Product, record: Record
) -> None:
    director, player = windows.director(), players_phone(windows, record)
    wide = {}
    for page, paths in ((director, directors_pages(record)), (player, [record.players])):
        # Change the browser's own font size, which media queries in rem follow.
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
        for path in paths:
            page.goto(f"{product.address}{path}")
            assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 844})
                wide[path, width] = page.evaluate(WIDER, width)
    assert {where: over for where, over in wide.items() if over > 0} == {}


def test_no_figure_of_the_report_is_broken(windows: Windows, product: Product, record: Record) -> None:
    page = windows.director()
    page.goto(f"{product.address}/director/{record.slug}/report/")
    expect(page.locator(".report-figures dd").first).to_be_visible()
    broken = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        broken[width] = page.evaluate(BROKEN, ".report-figures dd")
    assert broken == {width: [] for width in WIDTHS}
