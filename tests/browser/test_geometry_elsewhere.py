"""Geometry of states, sheets and endings in Firefox and WebKit."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.browser.endings import endings
from tests.browser.engines import OTHERS
from tests.browser.geometry import GEOMETRY, LOOK, WRONG_IN
from tests.browser.product import Product
from tests.browser.states import STATES, match, running, then
from tests.browser.test_geometry import (
    FONTS,
    FULLEST,
    LONG_NAMES,
    NARROWER,
    WIDEST,
    long_states,
    sheet_states,
    wrong_at,
)
from tests.browser.windows import Windows

PHONES = [(320, 568), (844, 390)]  # where there is least room
SIZES = [*PHONES, (1024, 768)]
SEATS = {"own": "I am Ann", "shared": "One phone between us"}
Sizes = list[tuple[int, int]]
# Replaces `fetch` by the server's answers about a finished match.
ANSWER = """(summary) => {
    window.fetch = async (url) => new Response(JSON.stringify(url.includes('/summary/') ? summary : {}));
}"""


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

    def wrong(
        self, states: dict[str, Any], fonts: Sequence[str] = (WIDEST,), seat: str | None = None, sizes: Sizes = SIZES
    ) -> dict[str, Any]:
        """Layout faults of states, or of the sheets of a seat over them."""
        frames = {name: self.frame(shown) for name, shown in states.items()}
        return wrong_at(self.page, sizes, WRONG_IN, [frames, fonts, seat])

    def wrong_in_states(self) -> Iterator[tuple[str, dict[str, Any]]]:
        states = {name: match(prepare) for name, prepare in STATES.items()}
        long = long_states()
        yield "long names and times", self.wrong(long)
        yield "states", self.wrong(states, sizes=PHONES)
        fullest = {name: long[name] for name in FULLEST}
        yield "states in other fonts", self.wrong(fullest, NARROWER, sizes=PHONES[:1])

    def wrong_at_a_seat(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield layout faults of parts that only players see; loses the server last."""
        yield "sheets", self.wrong(sheet_states(), seat="left")
        both = [self.frame(match(prepare, names=LONG_NAMES)) for prepare in (running(), then(("left", "stop")))]
        self.page.evaluate("both => both.forEach((match) => window.geometry.show(match))", both)
        self.page.get_by_role("dialog", name="Both clocks are stopped. Why?").wait_for()
        yield "the question why", wrong_at(self.page, SIZES, LOOK, FONTS)
        running_again = self.frame(match(running()))
        for name, (server, summary) in endings().items():
            self.page.evaluate(ANSWER, summary)
            self.page.evaluate("match => window.geometry.show(match)", running_again)
            self.page.evaluate("match => window.geometry.show(match)", self.frame(server.snapshot()))
            self.page.locator(".ending .times-used").wait_for()
            yield f"end: {name}", wrong_at(self.page, SIZES, LOOK, [WIDEST])
        self.page.evaluate("window.geometry.lose()")
        yield "a lost server", self.wrong(long_states(), sizes=PHONES)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("windows", OTHERS, indirect=True)
@pytest.mark.parametrize("layout", ["own", "shared", "watch"])
def test_every_state_sheet_and_ending_fits_every_screen(windows: Windows, product: Product, layout: str) -> None:
    table = Table(windows, product, layout)
    wrong = dict(table.wrong_in_states())
    if layout in SEATS:
        wrong |= dict(table.wrong_at_a_seat())
    assert {what: found for what, found in wrong.items() if found} == {}
