"""What the director's page marks and says beside its boards: the open board."""

from playwright.sync_api import expect

from tests.browser.product import Product
from tests.browser.test_director_page import cell_of, console, open_board
from tests.browser.windows import Windows


def test_the_open_board_is_marked_wherever_it_stands_and_no_other_is(windows: Windows, product: Product) -> None:
    first, second = (product.newmatch("--table", table, "--tournament", "marked") for table in ("1", "2"))
    page = console(windows, product, "marked")
    marked = page.locator("[data-open]")
    find = page.get_by_role("searchbox")
    open_board(page, first)
    find.fill("2")
    expect(page.locator(".cell")).to_have_count(1)
    expect(marked).to_have_count(0)
    find.fill("")
    expect(cell_of(page, first)).to_have_attribute("data-open", "")
    open_board(page, second)
    expect(marked).to_have_count(1)
    page.keyboard.press("Escape")
    expect(marked).to_have_count(0)
