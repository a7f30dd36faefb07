"""The clock's own font: legible, and replaceable without a layout shift."""

from math import atan, degrees
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Page

from tests import numerals
from tests.browser.endings import LONG_OPTIONS
from tests.browser.engines import shown_text
from tests.browser.scripted import ScriptedServer, open_page
from tests.browser.test_joining import MOST_SHIFT, SHIFT

FONT = f"**/{numerals.FILE.name}"
TIME = ".half[data-seat=left] .digits"
FIGURES, CLOSER = 4, 0.02  # figures of the time, and their negative letter spacing in em
# Font size of the time, and width of its text, in px.
MEASURE = f"""() => {{
    const digits = document.querySelector('{TIME}');
    const range = document.createRange();
    range.selectNodeContents(digits);
    return [parseFloat(getComputedStyle(digits).fontSize), range.getBoundingClientRect().width];
}}"""
CAME = "document.fonts.ready.then((fonts) => [...fonts].map(({ status }) => status))"
LETTERS_ONLY = f"document.querySelector('{TIME}').textContent = '{FIGURES * '8'}'"
# Room beside the time and its ground, in per cent of the half.
BESIDE = f"""() => {{
    const digits = document.querySelector('{TIME}');
    const [box, half] = [digits, digits.closest('.half')].map((one) => one.getBoundingClientRect());
    return [box.left - half.left, half.right - box.right].map((room) => 100 * room / half.width);
}}"""
MM = 25.4 / 163  # millimetres of a CSS pixel on a phone of 163 dpi; larger phones have larger pixels
DISTANCE_MM, LEAST_MINUTES = 2_000, 16  # minimum height of a figure by ISO 9241-3, in minutes of arc


def open_clock(page: Page, seats: str = "left", **setup: Any) -> None:
    """Show a clock whose left time stands still."""
    server = ScriptedServer(**setup)
    server.begin("right")
    open_page(page, server, seats)


def test_the_clock_loads_its_own_font_and_uses_none_that_comes_late(page: Page) -> None:
    open_clock(page)
    assert page.evaluate(CAME) == ["loaded"]
    assert page.evaluate("[...document.fonts].map(({ display }) => display)") == ["optional"]


@pytest.mark.parametrize("size", [(320, 568), (844, 390)])
def test_without_its_font_the_figures_are_as_wide(own_page: Page, size: tuple[int, int]) -> None:
    own_page.set_viewport_size({"width": size[0], "height": size[1]})
    own_page.route(FONT, lambda route: route.fulfill(body=b"", content_type="font/woff2"))
    open_clock(own_page)
    assert own_page.evaluate(SHIFT) < MOST_SHIFT
    assert own_page.evaluate(CAME) == ["error"]
    own_page.evaluate(LETTERS_ONLY)
    em, width = own_page.evaluate(MEASURE)
    assert width / em == pytest.approx(FIGURES * (numerals.WIDTH - CLOSER), abs=0.01)


@pytest.mark.parametrize("seats", ["left", "left right"], ids=["own", "shared"])
def test_a_time_of_hours_is_legible_at_two_metres(page: Page, seats: str) -> None:
    open_clock(page, seats, rules="custom", options=LONG_OPTIONS)
    font = TTFont(numerals.FILE)
    height = font["glyf"][font.getBestCmap()[ord("0")]].yMax / font["head"].unitsPerEm
    for width, high in ((320, 568), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": high})
        assert shown_text(page.locator(TIME)) == "9:59:59"
        em, _ = page.evaluate(MEASURE)
        assert 60 * degrees(atan(height * em * MM / DISTANCE_MM)) >= LEAST_MINUTES, (width, high)


@pytest.mark.parametrize("seats", ["left", "left right"], ids=["own", "shared"])
def test_tenths_of_a_second_leave_room_at_both_edges(page: Page, seats: str) -> None:
    open_clock(page, seats, options={"reserve_ms": 5_000})
    for width, height in ((320, 568), (390, 844), (768, 1024), (1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert shown_text(page.locator(TIME)) == "0:05.0"
        assert min(page.evaluate(BESIDE)) > 3, (width, height)
