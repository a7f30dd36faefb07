"""The director's page: mark of the open board, and new versions."""

import json
import re
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from tests.browser.console import cell_of, open_board
from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.windows import DIRECTOR, Windows


def test_the_open_board_is_marked_and_a_new_version_announced(windows: Windows, product: Product) -> None:
    first, second = (product.newmatch("--table", table, "--tournament", "renewed") for table in ("1", "2"))
    page: Page = windows.director(**DIRECTOR)
    versions: list[dict[str, Any]] = [{}, {"version": "another"}, {}]
    routes: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        told = versions[len(routes)]
        routes.append(route)

        def changed(text: str | bytes) -> None:
            frame = json.loads(text)
            route.send(json.dumps(frame | told) if frame["t"] == "boards" else text)

        server.on_message(changed)

    page.route_web_socket(re.compile("/ws/director/"), through)
    page.goto(f"{product.address}/director/renewed/")
    expect(page.locator(".cell")).to_have_count(2)
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
    news = page.get_by_text("A new version of the clock is available.")
    expect(news).to_be_hidden()
    routes[0].close(code=1012)
    expect(news).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("button", name="Reload").click()
    expect(page.locator(".cell")).to_have_count(2)
    expect(news).to_be_hidden()
