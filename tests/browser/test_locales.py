"""The clock page in longer languages and right to left (phone.md 50)."""

from typing import Any

import pytest
from django.test import RequestFactory
from django.utils.translation import override
from playwright.sync_api import Page

from clocks.views.script_catalogue import words
from tests.browser.geometry import GEOMETRY
from tests.browser.product import Product
from tests.browser.scripted import ScriptedServer, open_page
from tests.browser.states import STATES, match, running
from tests.browser.test_geometry import FONTS, LAYOUTS
from tests.browser.windows import Windows

SIZES = [(320, 568), (390, 844), (844, 390), (768, 1024), (1440, 900)]

# Makes every word two fifths longer, as in German or Finnish, and adds accents.
PSEUDO = """
    const accents = (word) => word.replace(/[aeiou]/g, (letter) => 'áéíóú'['aeiou'.indexOf(letter)]);
    const more = (word) => 'ôxôxôxôxôx'.slice(0, Math.ceil(word.length * 0.4));
    const longer = (text) => text.replace(/%\\(\\w+\\)s|[A-Za-z’']+/g,
        (word) => (word.startsWith('%') ? word : accents(word) + more(word)));
    globalThis.django = {
        gettext: longer,
        ngettext: (one, many, count) => longer(count === 1 ? one : many),
    };
"""

# Text is cut off if it overflows a clipping element or the window.
CUT = """async (states) => {
    const linesCut = () => {
        const found = [];
        const walker = document.createTreeWalker(document.querySelector('match-clock'), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const { parentElement: element } = walker.currentNode;
            const text = walker.currentNode.data.trim();
            // What is there for screen readers alone is never cut: `.unseen`, and the words of a shared phone's signs.
            const unseen = element.closest('.unseen') || element.closest('.strip .word, .strip small');
            if (!text || (unseen && getComputedStyle(unseen).clipPath === 'inset(50%)')) continue;
            if (!element.checkVisibility({ visibilityProperty: true })) continue;
            const range = document.createRange();
            range.selectNodeContents(walker.currentNode);
            const { left, right, top, bottom } = range.getBoundingClientRect();
            if (right - left < 1) continue;
            for (let around = element; around; around = around.parentElement) {
                const { overflowX, overflowY } = getComputedStyle(around);
                const box = around === document.documentElement
                    ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : around.getBoundingClientRect();
                const clips = ['hidden', 'clip'].includes(overflowX);
                const acrossIsCut = clips || ['BUTTON', 'HTML'].includes(around.tagName);
                const downIsCut = overflowY === 'hidden' || overflowY === 'clip';
                // What scrolls can be reached. Letters rarely fill their line: three pixels of it may be out.
                if (overflowY === 'auto' || overflowY === 'scroll') break;
                if ((acrossIsCut && (left < box.left - 2 || right > box.right + 2))
                    || (downIsCut && (top < box.top - 3 || bottom > box.bottom + 3))) {
                    const where = [element, around].map((one) => one.className || one.tagName).join(' in ');
                    found.push(`${text} (${where}, ${[left, right, top, bottom].map(Math.round)})`);
                    break;
                }
            }
        }
        return found;
    };
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame); // the window was just turned
    const found = {};
    for (const [name, match] of Object.entries(states)) {
        window.geometry.show(match);
        const cut = linesCut();
        if (cut.length) found[name] = cut;
    }
    return found;
}"""

# Japanese lines may end at a mark, a space or punctuation, never within a phrase.
TORN = """(states) => {
    const page = 'the page as it is';
    const found = {};
    const range = document.createRange();
    for (const [name, match] of Object.entries(states ?? { [page]: null })) {
        if (match) window.geometry.show(match);
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const node = walker.currentNode;
            const element = node.parentElement;
            if (element.closest('.unseen, option, noscript')) continue;
            if (!element.checkVisibility({ visibilityProperty: true })) continue;
            const side = element.closest('[data-angle="90"], [data-angle="270"]') ? 'left' : 'top';
            for (const { 0: phrase, index } of node.data.matchAll(/[\\p{L}\\p{N}]*[぀-ヺー-ヿ㐀-鿿][\\p{L}\\p{N}]*/gu)) {
                range.setStart(node, index);
                range.setEnd(node, index + phrase.length);
                const [first, ...more] = range.getClientRects();
                if (more.some((box) => Math.abs(box[side] - first[side]) > 2)) (found[name] ??= []).push(phrase);
            }
        }
    }
    if (getComputedStyle(document.body).wordBreak !== 'keep-all') found[page] = 'the browser breaks as it likes';
    return found;
}"""

# Elements on the first line of the bar, by font, while the connection is good.
PLACES_ON_TOP = """([match, fonts]) => {
    const clock = document.querySelector('match-clock');
    window.geometry.show(match);
    clock.parts.header.connection('open', 'good');
    const middle = (part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return (top + bottom) / 2;
    };
    return Object.fromEntries(fonts.map((font) => {
        window.geometry.useFont(font);
        const parts = [...clock.querySelectorAll('.bar > *')].filter((part) => part.checkVisibility());
        const first = parts.filter((part) => Math.abs(middle(part) - middle(parts[0])) < 6);
        return [font, first.map(({ classList }) => classList[0])];
    }));
}"""


def speak(page: Page, language: str) -> None:
    """Inject the catalogue of a language before the scripts of a page run."""
    if language == "pseudo":
        page.add_init_script(PSEUDO)
        return
    with override(language):
        catalogue = words(RequestFactory().get("/"), "phone", language, "1")
    page.add_init_script(catalogue.content.decode())


def what_is_cut(page: Page, states: dict[str, Any]) -> dict[str, list[str]]:
    """Lines that are cut off, by state.

    Checks up to ten times, because a resized page may not have finished its layout.
    """
    for _ in range(10):
        if not (cut := page.evaluate(CUT, states)):
            break
    return cut


@pytest.mark.parametrize("language", ["pseudo", "de", "ja"])
def test_50_nothing_is_cut_in_a_language_that_needs_more_room(own_page: Page, language: str) -> None:
    own_page.emulate_media(reduced_motion="reduce")
    speak(own_page, language)
    states = {name: match(prepare) for name, prepare in STATES.items()}
    found: dict[str, dict[str, list[str]]] = {}
    for layout, seats in LAYOUTS.items():
        errors = open_page(own_page, ScriptedServer(), seats, watch=not seats)
        own_page.evaluate(GEOMETRY)
        if language != "pseudo":
            own_page.evaluate("language => document.documentElement.lang = language", language)
        for width, height in SIZES if language == "pseudo" else (SIZES[0], SIZES[2]):
            own_page.set_viewport_size({"width": width, "height": height})
            if cut := what_is_cut(own_page, states):
                found[f"{layout} {width}x{height}"] = cut
            if language == "ja" and (torn := own_page.evaluate(TORN, states)):
                found[f"{layout} {width}x{height}, torn"] = torn
        assert errors == []
    assert found == {}


@pytest.mark.parametrize(("language", "length"), [("es", 25), ("ja", 9)])  # the longest languages
def test_the_line_on_top_is_one_line_with_a_casual_tables_code(own_page: Page, language: str, length: int) -> None:
    own_page.set_viewport_size({"width": 320, "height": 568})
    speak(own_page, language)
    open_page(own_page, ScriptedServer())
    own_page.evaluate(GEOMETRY)
    score = [length - 4, length - 5]
    shown = {**match(running(), length=length, score=score, director=False), "table": "XWMQXW", "game": score[0]}
    places = own_page.evaluate(PLACES_ON_TOP, [shown, FONTS])
    assert places == {font: ["where", "standing", "link"] for font in FONTS}


def test_a_line_of_japanese_ends_between_phrases_on_ordinary_pages_too(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    page = windows.open(viewport={"width": 320, "height": 568}, locale="ja-JP")
    torn = {}
    for path in ("/", "/practice/", "/rules/", "/rules/us-2013/", f"/t/{made['code']}/", f"/t/{made['code']}/watch/"):
        page.goto(product.address + path)
        if found := page.evaluate(TORN):
            torn[path] = found
    assert torn == {}


@pytest.mark.parametrize("seats", LAYOUTS.values(), ids=LAYOUTS)
def test_50_seats_are_not_mirrored_where_people_read_from_the_right(page: Page, seats: str) -> None:
    server = ScriptedServer()
    server.begin("left")
    open_page(page, server, seats, watch=not seats)
    places = """async () => {
        for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
        return [...document.querySelectorAll('.half')].map((one) => {
            const { left, top, right, bottom } = one.getBoundingClientRect();
            return [one.dataset.seat, left, top, right, bottom];
        });
    }"""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.documentElement.dir = 'ltr'")
        before = page.evaluate(places)
        page.evaluate("document.documentElement.dir = 'rtl'")
        assert (width, page.evaluate(places)) == (width, before)
