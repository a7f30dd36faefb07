"""The keyboard of a phone over a note, in every engine.

No engine here has an on-screen keyboard, so the test shrinks the visual viewport as one would.
"""

import re

import pytest

from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.windows import Phone, Windows

HIGH = 664
KEYBOARD = 300
SEATS = {"own": ("I am Ann", "More"), "shared": ("One phone between us", "Menu")}

# Shrinks the visual viewport by this many pixels at the bottom.
COVER = """(px) => {
    const { clientHeight } = document.documentElement;
    Object.defineProperty(visualViewport, 'height', { value: clientHeight - px, configurable: true });
    visualViewport.dispatchEvent(new Event('resize'));
}"""
# Parts within reach, bottom edge of the clock, and whether the field's font has at least 16 px.
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
    """Open a phone on which Ann is writing a note to the director."""
    slug = f"note-{layout}-{windows.browser.browser_type.name}"
    made = product.newmatch("--table", "1", "--tournament", slug)
    if layout == "own":
        windows.phone(made["url"]).sit("I am Bob")  # or a QR code would take the place of the time
    phone = windows.phone(made["url"], viewport={"width": 390, "height": HIGH})
    seat, menu = SEATS[layout]
    phone.sit(seat)
    phone.shows("left", "setup")
    phone.tap(menu, "Call the director …", seat="left")
    phone.page.get_by_label("What is it about? (optional)").tap()
    return phone


@pytest.mark.parametrize(
    ("windows", "layout"),
    [("chromium", "own"), ("firefox", "shared"), ("webkit", "own"), ("webkit", "shared")],
    indirect=["windows"],
)
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
