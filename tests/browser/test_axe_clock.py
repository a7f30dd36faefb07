"""Every state of the clock page looked over by axe-core, in both themes and at every size (phone.md 46).

One page for each layout: the states come as snapshots, the sizes by turning the same window, so that it stays quick. At
each size and in the second theme only those rules are asked again that can answer differently there.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from clocks.live import protocol
from tests.browser.scripted import ScriptedServer, open_page, wait_until
from tests.browser.test_axe import AXE, DRAWN, LOOK, TAGS

SIZES = [(320, 568), (844, 390), (1440, 900)]
BY_SIZE = ["target-size", "scrollable-region-focusable"]
BY_THEME = ["color-contrast"]
Prepare = Callable[[ScriptedServer], None]


def running(first: str = "left", ago_ms: int = 4_000) -> Prepare:
    return lambda server: server.begin(first, ago_ms=ago_ms)


def then(
    *plays: tuple[str, str] | tuple[str, str, dict[str, object]], first: str = "left", ago_ms: int = 4_000
) -> Prepare:
    """Return what begins a match and lets these be done."""

    def prepare(server: ScriptedServer) -> None:
        server.begin(first, ago_ms=ago_ms)
        for by, do, *more in plays:
            server.play(by, do, **(more[0] if more else {}))  # type: ignore[arg-type]

    return prepare


ENDED = {"what": "game", "winner": "right", "points": 2}
STATES: dict[str, Prepare] = {
    "setup": lambda server: None,
    "ready": lambda server: server.play("director", "confirm"),
    "turn": running(),
    "wait": running("right"),
    "low": running(ago_ms=13 * 60_000 + 30_000),
    "the other is low": running("right", 13 * 60_000 + 30_000),
    "checking": running(ago_ms=14 * 60_000 + 12_050),
    "asked": then(("right", "double"), first="right"),
    "waiting for a take": then(("left", "double")),
    "stopped": then(("left", "stop", {"reason": "dice"})),
    "stopped by the director": then(("director", "stop", {"reason": "director"})),
    "called": then(("right", "call", {"note": "Which game is this?"})),
    "agree?": then(("right", "propose", ENDED)),
    "proposed": then(("left", "propose", ENDED)),
    "disputed": then(("right", "propose", ENDED), ("left", "decline")),
    "hold": then(
        ("left", "propose", {"what": "dice-penalty", "against": "right"}),
        ("right", "agree"),
        ("left", "resume", {"turn_of": "left"}),
        ("left", "hit"),
    ),
    "flag": then(("server", "expire"), ago_ms=900_000),
    "the other’s flag": then(("server", "expire"), first="right", ago_ms=900_000),
    "over": then(("right", "propose", {"what": "game", "winner": "left", "points": 7}), ("left", "agree")),
}


class Eye:
    """Looks at one page again and again and keeps what axe finds."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: dict[str, list[list[str]]] = {}
        page.evaluate(AXE)

    def look(self, name: str) -> None:
        """Look at the page as it is: all rules once, then what size and theme can change."""
        self.page.set_viewport_size({"width": 390, "height": 844})
        self._ask(name, None)
        self.page.emulate_media(color_scheme="light")
        self._ask(f"{name}, light", BY_THEME)
        self.page.emulate_media(color_scheme="dark")
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            self._ask(f"{name}, {width}x{height}", BY_SIZE)

    def _ask(self, name: str, rules: list[str] | None) -> None:
        for _ in range(2):
            self.page.evaluate(DRAWN)
        found = self.page.evaluate(LOOK, [TAGS, rules])
        if found:
            self.found[name] = found


def show(page: Page, shown: ScriptedServer, prepare: Prepare) -> None:
    """Let the page of `shown` show a match in another state, as if all of it had happened to its match."""
    other = ScriptedServer()
    prepare(other)
    shown.match = other.match
    shown.version += 100
    shown.broadcast()
    wait_until(
        page,
        lambda: page.evaluate("document.querySelector('match-clock').match.v") == shown.version,
        "the page has taken the state",
    )


@pytest.mark.parametrize("seats", ["left", "left right", ""], ids=["one seat", "both seats", "watching"])
def test_46_no_state_of_the_clock_has_a_barrier_in_any_theme_or_size(page: Page, seats: str) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    server = ScriptedServer()
    open_page(page, server, seats, watch=not seats)
    eye = Eye(page)
    for name, prepare in STATES.items():
        show(page, server, prepare)
        eye.look(name)
    assert eye.found == {}


def test_46_nor_what_comes_over_the_clock(page: Page) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    server = ScriptedServer()
    server.begin("right", ago_ms=4_000)
    open_page(page, server)
    eye = Eye(page)
    server.tell_seen(0, 10_000)
    page.get_by_role("button", name="Press for Bob").wait_for()
    eye.look("press for the other")
    ask = {
        "id": 3,
        "match": server.id,
        "seats": ["left"],
        "phone": 9,
        "at": server.now(),
        "until": server.now() + 60_000,
    }
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
