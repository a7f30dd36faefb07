"""Geometry of states and sheets in Firefox and WebKit."""

from typing import Any

import pytest

from tests.browser.endings import endings
from tests.browser.engines import OTHERS
from tests.browser.geometry import GEOMETRY, LOOK, WRONG_IN
from tests.browser.product import Product
from tests.browser.states import STATES, match, running, then
from tests.browser.test_geometry import FONTS, LONG_NAMES, long_states, sheet_states, wrong_at
from tests.browser.windows import Windows

SIZES = [(320, 568), (390, 664), (844, 390), (1024, 768)]
WIDEST = FONTS[-1:]  # the others are measured in Chromium: what differs here is not the font
SEATS = {"own": "I am Ann", "shared": "One phone between us"}


class Table:
    """A clock in another engine, ready to show and measure states."""

    def __init__(self, windows: Windows, product: Product, layout: str) -> None:
        self._made = product.newmatch(length=7)
        phone = windows.phone(self._made["url"] + ("watch/" if layout == "watch" else ""))
        if layout in SEATS:
            phone.sit(SEATS[layout])
        phone.shows("left", "setup")
        self.page = phone.page
        self.page.evaluate(GEOMETRY)

    def frame(self, shown: dict[str, Any]) -> dict[str, Any]:
        """The frame of a state, for this match."""
        return {**shown, "match": self._made["match"], "code": self._made["code"]}

    def wrong(self, states: dict[str, Any], fonts: list[str], seat: str | None = None) -> dict[str, Any]:
        """Layout faults of states, or of the sheets of a seat over them."""
        frames = {name: self.frame(shown) for name, shown in states.items()}
        return wrong_at(self.page, SIZES, WRONG_IN, [frames, fonts, seat])


@pytest.mark.timeout(600)
@pytest.mark.parametrize("windows", OTHERS, indirect=True)
@pytest.mark.parametrize("layout", ["own", "shared", "watch"])
def test_every_state_and_sheet_fits_every_screen(windows: Windows, product: Product, layout: str) -> None:
    table = Table(windows, product, layout)
    wrong = {
        "states": table.wrong({name: match(prepare) for name, prepare in STATES.items()}, FONTS),
        "long names and times": table.wrong(long_states(), WIDEST),
        "sheets": table.wrong(sheet_states(), WIDEST, "left") if layout in SEATS else {},
    }
    assert {what: found for what, found in wrong.items() if found} == {}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("windows", OTHERS, indirect=True)
@pytest.mark.parametrize("layout", SEATS)
def test_a_lost_server_and_the_question_why_fit_every_screen(windows: Windows, product: Product, layout: str) -> None:
    table = Table(windows, product, layout)
    page = table.page
    both = [table.frame(match(prepare, names=LONG_NAMES)) for prepare in (running(), then(("left", "stop")))]
    page.evaluate("both => both.forEach((match) => window.geometry.show(match))", both)
    page.get_by_role("dialog", name="Both clocks are stopped. Why?").wait_for()
    wrong = {"reason": wrong_at(page, SIZES, LOOK, FONTS)}
    page.evaluate("window.geometry.lose()")
    wrong["lost"] = table.wrong(long_states(), WIDEST)
    assert {what: found for what, found in wrong.items() if found} == {}


ANSWER = """(summary) => {
    window.fetch = async (url) => new Response(JSON.stringify(url.includes('/summary/') ? summary : {}));
}"""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("windows", OTHERS, indirect=True)
@pytest.mark.parametrize("layout", SEATS)
def test_the_end_of_a_match_fits_every_screen(windows: Windows, product: Product, layout: str) -> None:
    table = Table(windows, product, layout)
    page, wrong = table.page, {}
    running_again = table.frame(match(running()))
    for name, (server, summary) in endings().items():
        page.evaluate(ANSWER, summary)
        page.evaluate("match => window.geometry.show(match)", running_again)
        page.evaluate("match => window.geometry.show(match)", table.frame(server.snapshot()))
        page.locator(".ending .times-used").wait_for()
        wrong[name] = wrong_at(page, SIZES, LOOK, WIDEST)
    assert {what: found for what, found in wrong.items() if found} == {}
