"""Geometry of all states and sheets of a seat and a watcher in Firefox and WebKit."""

from typing import Any

import pytest

from tests.browser.engines import OTHERS
from tests.browser.geometry import GEOMETRY, WRONG_IN
from tests.browser.product import Product
from tests.browser.states import STATES, match
from tests.browser.test_geometry import FONTS, long_states, sheet_states, wrong_at
from tests.browser.windows import Windows

SIZES = [(320, 568), (390, 664), (844, 390), (1024, 768)]


@pytest.mark.parametrize("windows", OTHERS, indirect=True)
@pytest.mark.parametrize("layout", ["own", "watch"])
def test_every_state_and_sheet_fits_every_screen(windows: Windows, product: Product, layout: str) -> None:
    made = product.newmatch(length=7)
    phone = windows.phone(made["url"] + ("watch/" if layout == "watch" else ""))
    if layout == "own":
        phone.sit("I am Ann")
    phone.shows("left", "setup")
    page = phone.page
    page.evaluate(GEOMETRY)
    looked_at: dict[str, tuple[dict[str, Any], str | None]] = {
        "states": ({name: match(prepare) for name, prepare in STATES.items()}, None),
        "long names and times": (long_states(), None),
    }
    if layout == "own":
        looked_at["sheets"] = sheet_states(), "left"
    wrong = {}
    for what, (states, seat) in looked_at.items():
        here = {name: {**frame, "match": made["match"], "code": made["code"]} for name, frame in states.items()}
        if found := wrong_at(page, SIZES, WRONG_IN, [here, FONTS, seat]):
            wrong[what] = found
    assert wrong == {}
