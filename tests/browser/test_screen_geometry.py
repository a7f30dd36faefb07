"""Geometry of the hall screen and the director's page.

Measured in the browser: no text is cut off or overlaps another, and nothing overflows its board or the window.
"""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.fed_screens import Feed, board, boards, open_console, open_hall

SIZES = [(320, 568), (390, 844), (844, 390), (1024, 768), (1280, 800), (1366, 768), (1440, 900), (1920, 1080)]
# Number of boards, theme and window sizes. 32 boards have every name in every state, and themes differ only in colours.
SHOWN = [(12, "dark", SIZES), (64, "dark", SIZES), (32, "light", SIZES[1:4]), (300, "dark", [(390, 844), (1440, 900)])]

# Collects text that is clipped, overlaps other text or leaves its board or line. Measures the glyphs only.
WRONG = """([selector, most]) => {
    const wrong = [];
    const say = (node, words) => wrong.length < 8 && wrong.push(`${words}: ${node.textContent.trim().slice(0, 60)}`);
    const within = (box, frame, by = 1) => box.left >= frame.left - by && box.right <= frame.right + by &&
        box.top >= frame.top - by && box.bottom <= frame.bottom + by;
    for (const card of [...document.querySelectorAll(selector)].slice(0, most)) {
        if (!card.checkVisibility()) continue;
        const frame = card.getBoundingClientRect();
        if (frame.left < -1 || frame.right > innerWidth + 1) say(card, 'out of the window');
        const texts = [];
        const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const text = walker.currentNode;
            const parent = text.parentElement;
            if (!text.data.trim() || parent.closest('.unseen, [hidden]') || !parent.checkVisibility()) continue;
            const range = document.createRange();
            range.selectNodeContents(text);
            const size = parseFloat(getComputedStyle(parent).fontSize);
            for (const line of range.getClientRects()) {
                const ink = Math.min(line.height, size * 0.75);
                const box = new DOMRect(line.x, line.y + (line.height - ink) / 2, line.width, ink);
                if (!within(box, frame)) say(parent, 'out of its board');
                for (let up = parent; up !== card; up = up.parentElement) {
                    if (getComputedStyle(up).overflowX !== 'visible' && !within(box, up.getBoundingClientRect())) {
                        say(parent, 'cut off');
                        break;
                    }
                }
                for (const other of texts) {
                    const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
                    const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
                    if (wide > 1 && high > 1) say(parent, `on “${other.text.data.trim()}”`);
                }
                texts.push({ text, box });
            }
        }
        if (!texts.length) say(card, 'empty');
    }
    if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page is wider than the window');
    return wrong;
}"""


def wrong_with(page: Page, selector: str, most: int = 1000) -> list[str]:
    """Layout faults of the visible texts."""
    found: list[str] = page.evaluate(WRONG, [selector, most])
    return found


@pytest.fixture(scope="module")
def hall(browser: Browser) -> Any:
    """A hall screen and its feed."""
    page = browser.new_page(has_touch=False, is_mobile=False)
    feed = Feed()
    open_hall(page, feed)
    yield page, feed
    page.close()


@pytest.mark.parametrize(("number", "theme", "sizes"), SHOWN, ids=[str(number) for number, *_ in SHOWN])
def test_no_text_of_the_halls_screen_is_cut_or_lies_on_another(
    hall: tuple[Page, Feed], number: int, theme: Any, sizes: list[tuple[int, int]]
) -> None:
    page, feed = hall
    page.emulate_media(color_scheme=theme)
    feed.show(boards(number))
    wrong: dict[str, list[str]] = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for show, selector in (("boards", ".board"), ("names", ".hall-names li")):
            page.get_by_role("combobox", name="Show").select_option(show)
            page.locator(selector).first.wait_for()
            if found := wrong_with(page, selector):
                wrong[f"{width}x{height} {show}"] = found
            high = page.evaluate("document.documentElement.scrollHeight - innerHeight")
            if width > 844 and high > 0:
                wrong[f"{width}x{height} {show} high"] = [str(high)]
    assert (wrong, feed.errors) == ({}, [])


ALL_LAID_OUT = ".console .cell { content-visibility: visible }"  # also lays out boards out of sight


# Writes a delay and an expected end into the foot of each running board.
EXPECTED_ENDS = """() => {
    for (const foot of document.querySelectorAll('.cell[data-status=running] .cell-foot')) {
        foot.querySelector('.cell-state').textContent = 'delay 9:59';
        foot.querySelector('.cell-notes').textContent = 'until about 03:28';
    }
}"""


@pytest.fixture(scope="module")
def console(browser: Browser) -> Any:
    """A director's page and its feed."""
    page = browser.new_page(has_touch=False, is_mobile=False)
    feed = Feed()
    open_console(page, feed)
    page.evaluate("css => document.adoptedStyleSheets.push(Object.assign(new CSSStyleSheet(), {}))", "")
    page.evaluate("css => document.adoptedStyleSheets[0].replaceSync(css)", ALL_LAID_OUT)
    yield page, feed
    page.close()


@pytest.mark.parametrize(("number", "theme", "sizes"), SHOWN, ids=[str(number) for number, *_ in SHOWN])
def test_no_text_of_the_directors_page_is_cut_or_lies_on_another(
    console: tuple[Page, Feed], number: int, theme: Any, sizes: list[tuple[int, int]]
) -> None:
    page, feed = console
    page.emulate_media(color_scheme=theme)
    states = [("called", 1), ("over", 0), ("away", 1), ("awaited", 1)]
    shown = [*boards(number), *(board(number + n, *state) for n, state in enumerate(states, 1))]
    feed.show(shown)
    page.locator(".cell").nth(number + 1).wait_for()
    wrong: dict[str, list[str]] = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(EXPECTED_ENDS)
        for selector in (".cell", ".line", ".line-buttons button", ".bar-title", ".stop-all", ".filter"):
            if found := wrong_with(page, selector):
                wrong[f"{width}x{height} {selector}"] = found
        page.locator(".cell").nth(1).click()
        for selector in (".drawer-side", ".drawer-head", ".drawer-facts", ".due", ".drawer-links", ".rulings button"):
            if found := wrong_with(page, selector):
                wrong[f"{width}x{height} {selector}"] = found
        page.keyboard.press("Escape")
    assert (wrong, feed.errors) == ({}, [])
