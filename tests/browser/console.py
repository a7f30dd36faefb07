"""The director's page on the real server: boards, drawers and rulings."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.engines import expect, shown_texts
from tests.browser.product import Product
from tests.browser.windows import Phone, Windows

Board = dict[str, Any]


def console(windows: Windows, product: Product, slug: str, **looks: Any) -> Page:
    """Sign in, open the director's page of a tournament and wait for its boards."""
    page = windows.director(**looks)
    page.goto(f"{product.address}/director/{slug}/")
    expect(page.locator(".cell").first).to_be_visible()
    return page


def cell_of(page: Page, made: Board) -> Locator:
    return page.locator(f".cell[data-match='{made['match']}']")


def open_board(page: Page, made: Board) -> Locator:
    """Open a board's drawer from the grid; return it."""
    cell_of(page, made).click()
    return page.get_by_role("dialog")


def start(windows: Windows, page: Page, made: Board) -> Phone:
    """Confirm as director and start Bob's clock from Ann's phone; return her phone."""
    open_board(page, made).get_by_role("button", name="Confirm for both").click()
    expect(cell_of(page, made)).to_have_attribute("data-status", "ready")
    phone = windows.phone(made["url"])
    phone.sit("I am Ann")
    phone.hit("left")
    expect(cell_of(page, made)).to_have_attribute("data-status", "running")
    return phone


def rule(drawer: Locator, button: str, fill: Callable[[Locator], None], reason: str = "as seen at the table") -> None:
    """Make a ruling: open its form, fill it in, give a reason and submit it."""
    drawer.get_by_role("button", name=button, exact=True).click()
    form = drawer.locator("form")
    fill(form)
    form.get_by_label("Reason for the record").fill(reason)
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)


def changes(drawer: Locator) -> list[str]:
    """The before-and-after lines of a ruling's preview."""
    lines = shown_texts(drawer.locator(".changes:visible > div"))
    return [re.sub(r"\s+", " ", line.replace("becomes", "")) for line in lines]
