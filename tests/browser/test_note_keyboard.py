"""The keyboard of a phone over a note, in every engine.

No engine here has such a keyboard: the visible part of the page is set as one would make it.
"""

import re

import pytest

from tests.browser.engines import every_engine, expect
from tests.browser.product import Product
from tests.browser.windows import Phone, Windows

HIGH = 664
KEYBOARD = 300
SEATS = {"own": ("I am Ann", "More"), "shared": ("One phone between us", "Menu")}

# What is seen of the page: all but so many pixels at the bottom.
COVER = """(px) => {
    const { clientHeight } = document.documentElement;
    Object.defineProperty(visualViewport, 'height', { value: clientHeight - px, configurable: true });
    visualViewport.dispatchEvent(new Event('resize'));
}"""
# The parts that can be tapped, and the lowest edge of the clock.
REACHED = """() => {
    const taps = (element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    };
    const half = document.querySelector('.half[data-sheet=open]');
    const parts = { field: '.note input', answer: '.sheet .primary', digits: '.digits' };
    const found = Object.entries(parts).filter(([, css]) => {
        const element = half.querySelector(css);
        return css === '.digits' ? element.checkVisibility() : taps(element);
    });
    const clock = document.querySelector('match-clock');
    const type = parseFloat(getComputedStyle(half.querySelector('.note input')).fontSize);
    return [found.map(([name]) => name), Math.round(clock.getBoundingClientRect().bottom), type >= 16];
}"""


def called(windows: Windows, product: Product, layout: str) -> Phone:
    """A phone on which Ann writes what she calls the director about."""
    slug = f"note-{layout}-{windows.browser.browser_type.name}"
    made = product.newmatch("--table", "1", "--tournament", slug)
    if layout == "own":
        windows.phone(made["url"]).sit("I am Bob")  # else a square to scan is in the place of the time
    phone = windows.phone(made["url"], viewport={"width": 390, "height": HIGH})
    seat, menu = SEATS[layout]
    phone.sit(seat)
    phone.shows("left", "setup")
    phone.tap(menu, "Call the director …", seat="left")
    phone.page.get_by_label("What is it about? (optional)").tap()
    return phone


@every_engine
@pytest.mark.parametrize("layout", SEATS)
def test_a_note_its_answer_and_the_time_stay_above_the_keyboard(
    windows: Windows, product: Product, layout: str
) -> None:
    page = called(windows, product, layout).page
    page.evaluate(COVER, KEYBOARD)
    expect(page.locator("match-clock")).to_have_attribute("style", re.compile("block-size"))
    assert page.evaluate(REACHED) == [["field", "answer", "digits"], HIGH - KEYBOARD, True]
    page.evaluate(COVER, 0)
    assert page.evaluate(REACHED)[1] > HIGH - KEYBOARD
    assert page.evaluate("document.querySelector('match-clock').getAttribute('style')") in (None, "")
