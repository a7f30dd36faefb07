"""Accessibility of the clock page by axe-core, every state (phone.md 46).

To be quick, one page serves each layout: states arrive as snapshots, and the window is resized. In each further size
and in the second theme, only the rules that depend on these run again.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from clocks.journal.tenure import Tenure
from clocks.live import protocol
from tests.browser.endings import SUMMARY, open_ending, over
from tests.browser.geometry import GEOMETRY
from tests.browser.scripted import ScriptedServer, open_page
from tests.browser.states import STATES, match, running, show
from tests.browser.test_axe import AXE, DRAWN, LOOK, TAGS
from tests.browser.test_geometry import FULLEST

SIZES = [(320, 568), (844, 390)]  # where least has room; on a desk, test_axe looks at a watched table
BY_SIZE = ["target-size", "scrollable-region-focusable"]
BY_THEME = ["color-contrast"]
LOOK_AT_ALL = f"""async ([states, tags, rules]) => {{
    const look = {LOOK};
    const found = {{}};
    for (const [name, match] of Object.entries(states)) {{
        window.geometry.show(match);
        window.geometry.wake();
        const wrong = await look([tags, rules]);
        if (wrong.length) found[name] = wrong;
    }}
    return found;
}}"""


class Eye:
    """Runs axe on one page repeatedly and keeps the violations."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: dict[str, Any] = {}
        page.evaluate(AXE)

    def look(self, name: str) -> None:
        """Check the current state of the page."""
        self._turn(name, lambda rules: self.page.evaluate(LOOK, [TAGS, rules]))

    def look_at_all(self, states: dict[str, Any]) -> None:
        """Show and check each of these states."""
        self.page.evaluate(GEOMETRY)
        self._turn("", lambda rules: self.page.evaluate(LOOK_AT_ALL, [states, TAGS, rules]))

    def _turn(self, name: str, look: Callable[[list[str] | None], Any]) -> None:
        """Run all rules once, then the ones that depend on size and theme."""
        self.page.set_viewport_size({"width": 390, "height": 844})
        self._note(name, look, None)
        self.page.emulate_media(color_scheme="light")
        self._note(f"{name} light", look, BY_THEME)
        self.page.emulate_media(color_scheme="dark")
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            self._note(f"{name} {width}x{height}", look, BY_SIZE)

    def _note(self, name: str, look: Callable[[list[str] | None], Any], rules: list[str] | None) -> None:
        for _ in range(2):
            self.page.evaluate(DRAWN)
        if found := look(rules):
            self.found[name] = found


@pytest.mark.parametrize("seats", ["left", "left right", ""], ids=["one seat", "both seats", "watching"])
def test_46_no_state_of_the_clock_has_a_barrier_in_any_theme_or_size(page: Page, seats: str) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    errors = open_page(page, ScriptedServer(), seats, watch=not seats)
    eye = Eye(page)
    # A shared and a watched clock are made of the same parts.
    eye.look_at_all({name: match(STATES[name]) for name in (STATES if seats == "left" else FULLEST)})
    if seats == "left right":
        page.locator(".actions[data-seat=left]").get_by_role("button", name="Menu").click()
        eye.look("menu")
    assert (eye.found, errors) == ({}, [])


def test_46_nothing_shown_over_the_clock_has_a_barrier(page: Page) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    server = ScriptedServer()
    server.begin("right", ago_ms=4_000)
    open_page(page, server)
    eye = Eye(page)
    server.tell_seen(0, 10_000)
    page.get_by_role("button", name="Press for Bob").wait_for()
    eye.look("press for the other")
    ask = {"id": 3, "match": server.id, "seats": ["left"], "at": server.now(), "until": server.now() + 60_000}
    server.sockets[0].send(protocol.asks(server.now(), [ask]))
    server.sockets[0].send(protocol.message(server.now(), 7, "Lunch at one.", server.now(), server.now() + 60_000))
    page.get_by_role("button", name="Answer …").click()
    eye.look("another phone asks")
    page.keyboard.press("Escape")
    for label in ("Stop", "Double", "More"):
        show(page, server, running())
        page.set_viewport_size({"width": 390, "height": 844})
        page.get_by_role("button", name=label, exact=True).click()
        eye.look(label)
        page.keyboard.press("Escape")
    server.answering = False
    page.locator(".half[data-seat=left] .pad").click()
    eye.look("sent")
    server.close(1012)
    server.alive = False
    page.wait_for_selector("match-clock[data-link=reconnecting]")
    eye.look("reconnecting")
    server.alive = True
    page.wait_for_selector("match-clock[data-link=open]")
    server.close(4409)
    page.get_by_role("alertdialog").wait_for()
    eye.look("taken over")
    assert eye.found == {}


def test_46_the_winners_sheets_have_no_barrier(page: Page) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    open_ending(page, over(), "left", SUMMARY)
    eye = Eye(page)
    for label in ("More", "Take back the end …"):
        page.get_by_role("button", name=label, exact=True).click()
        eye.look(label)
    assert eye.found == {}


@pytest.mark.parametrize("director", [True, False], ids=["tournament", "casual"])
def test_46_the_question_about_a_seat_on_loan_has_no_barrier(page: Page, director: bool) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    server = ScriptedServer(director=director)
    server.tenure = Tenure(owners=(None, 5), lent_at=(None, server.now()))
    server.begin("left")
    open_page(page, server)
    page.get_by_text("Another phone has Bob’s seat now. Is that right?").wait_for()
    eye = Eye(page)
    eye.look("asked")
    if not director:
        page.get_by_role("button", name="Yes", exact=True).click()
        page.get_by_text("Noted. Within two minutes").wait_for()
        eye.look("noted")
    assert eye.found == {}
