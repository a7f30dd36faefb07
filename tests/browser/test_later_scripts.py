"""Scripts that a clock page loads once it is shown, on a bad network."""

from playwright.sync_api import Page, Route, expect

from tests.browser.scripted import ScriptedServer, open_page


def test_a_script_that_fails_to_load_is_loaded_later(page: Page) -> None:
    server = ScriptedServer()
    server.begin()
    asked: list[str] = []

    def lose_the_first(route: Route) -> None:
        asked.append(route.request.url)
        route.abort() if len(asked) == 1 else route.fallback()

    page.route("**/phone/menus.js*", lose_the_first)
    open_page(page, server)
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("heading", name="More")).to_be_visible(timeout=20_000)
    assert len(asked) > 1
