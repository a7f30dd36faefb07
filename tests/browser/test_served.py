"""Resetting the window that tests of a module share."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.scripted import ScriptedServer, open_page, press, wait_mode, wait_until
from tests.browser.served import forget
from tests.browser.windows import PHONE

FOUND = """() => [
    Object.keys(localStorage), Object.keys(sessionStorage), document.cookie, innerWidth, innerHeight,
    ...['print', '(prefers-color-scheme: dark)', '(prefers-reduced-motion)', '(forced-colors: active)']
        .map((query) => matchMedia(query).matches),
]"""


def opened(page: Page) -> tuple[list[Any], list[str]]:
    """Open a clock page; return the state of its window, and its errors."""
    server = ScriptedServer()
    server.begin("left")
    errors = open_page(page, server)
    found: list[Any] = page.evaluate(FOUND)
    return found, errors


def test_a_reset_window_keeps_nothing_of_the_last_test(page: Page, own_page: Page) -> None:
    before = ScriptedServer()
    before.begin("left")
    before.answering = False
    open_page(page, before)
    press(page)  # stays unanswered, so the phone stores it
    wait_mode(page, "left", "sent")
    page.evaluate("sessionStorage.setItem('mine', '1'), document.cookie = 'mine=1'")
    page.set_viewport_size({"width": 844, "height": 390})
    page.emulate_media(media="print", color_scheme="dark", reduced_motion="reduce", forced_colors="active")
    page.route("**", lambda route: route.abort())
    page.evaluate("setTimeout(() => { throw new Error('of the page before') })")
    forget(page, PHONE["viewport"])
    heard = len(before.heard)
    assert opened(page) == opened(own_page)
    wait_until(
        page, lambda: page.evaluate("document.querySelector('match-clock').source.sync.synced"), "it has been answered"
    )
    assert (len(before.heard), before.sockets) == (heard, [])
