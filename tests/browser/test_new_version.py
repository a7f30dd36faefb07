"""New versions of the program: announced at once, loaded while no clock runs."""

from playwright.sync_api import Page

from tests.browser.engines import expect
from tests.browser.scripted import ScriptedServer, asked, open_page, press, wait_mode, wait_until

LOADS_LATER = "A new version of the clock will load when the clocks stop."
MARK = "window.notLoadedAnew = true"


def is_the_same_page(page: Page) -> bool:
    return page.evaluate("window.notLoadedAnew === true")


def renew(server: ScriptedServer) -> None:
    """Announce the next version as a restart does: close the sockets; pages reconnect."""
    server.program = "two"
    server.close(1012)


def test_40_a_page_is_loaded_anew_once_when_no_clock_runs(page: Page) -> None:
    server = ScriptedServer()
    server.begin("left")
    errors = open_page(page, server)
    page.evaluate(MARK)
    renew(server)
    expect(page.locator(".renewal")).to_have_text(LOADS_LATER + "Reload")
    expect(page.get_by_role("button", name="Reload")).to_be_hidden()
    press(page)
    wait_until(page, lambda: len(server.heard) == 1, "the press was sent")
    wait_mode(page, "left", "wait")
    assert is_the_same_page(page)
    assert asked(server, "do") == [("hit",)]
    server.play("right", "stop", reason="other")
    wait_until(page, lambda: server.connections == 3, "the page came anew")
    # The page is still served with the old version, so the next reload needs a tap.
    expect(page.locator(".renewal")).to_contain_text("A new version of the clock is available.")
    assert server.connections == 3
    page.evaluate(MARK)
    with page.expect_navigation():
        page.get_by_role("button", name="Reload").click()
    assert (is_the_same_page(page), errors) == (False, [])


def test_40_between_games_it_loads_at_once_but_not_under_a_finger(page: Page) -> None:
    server = ScriptedServer()
    open_page(page, server)
    page.get_by_role("button", name="More").click()
    page.evaluate(MARK)
    renew(server)
    expect(page.locator(".renewal")).to_contain_text("A new version of the clock is available.")
    assert is_the_same_page(page)
    page.get_by_role("button", name="Close").click()
    with page.expect_navigation():
        server.play("right", "confirm")
    page.wait_for_selector("match-clock[data-link=open]")
