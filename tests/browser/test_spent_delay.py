"""The edge of a half whose delay is used up: no word lies on it."""

import pytest
from playwright.sync_api import Page

from tests.browser.geometry import GEOMETRY
from tests.browser.scripted import ScriptedServer, open_page
from tests.browser.states import STATES, match
from tests.browser.test_geometry import FONTS, LAYOUTS, LONG_NAMES, MORE_SIZES, SIZES

# Words on the edge of a half, with how far; letters are 0.72 em high.
ON_THE_EDGE = """([states, fonts]) => Object.entries(states).flatMap(([state, match]) => {
    geometry.show(match);
    return fonts.flatMap((font) => {
        geometry.useFont(font);
        return [...document.querySelectorAll('.half[data-spends]')].flatMap((half) => {
            const { boxShadow, borderTopWidth } = getComputedStyle(half);
            const edge = parseFloat(borderTopWidth) + Number(/([\\d.]+)px inset/.exec(boxShadow)?.[1] ?? 0);
            const frame = half.getBoundingClientRect();
            const range = document.createRange();
            const texts = [...half.querySelectorAll('*')].flatMap(({ childNodes }) => [...childNodes]);
            return texts.filter(({ nodeType, data }) => nodeType === 3 && data.trim()).flatMap((text) => {
                const own = text.parentElement;
                if (!own.checkVisibility({ visibilityProperty: true }) || own.closest('.unseen')) return [];
                range.selectNodeContents(text);
                return [...range.getClientRects()].flatMap(({ top, bottom, height, width }) => {
                    const blank = Math.max(0, (height - 0.72 * parseFloat(getComputedStyle(own).fontSize)) / 2);
                    const over = edge - Math.min(top + blank - frame.top, frame.bottom - bottom + blank);
                    return width > 1 && over > 1 ? [`${state}, ${font}: ${text.data} by ${over.toFixed(1)} px`] : [];
                });
            });
        });
    });
})"""
SPENT = ("low", "the other is low", "checking", "turn")
SPENT_MS = 20_000


@pytest.mark.parametrize("layout", ["own", "shared"])
def test_no_word_lies_on_the_edge_of_a_half_whose_delay_is_spent(page: Page, layout: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    errors = open_page(page, ScriptedServer(), LAYOUTS[layout])
    page.evaluate(GEOMETRY)
    states = {name: match(STATES[name], names=LONG_NAMES, cube=16) for name in SPENT}
    wrong = {}
    for width, height in sorted(SIZES + MORE_SIZES):
        page.set_viewport_size({"width": width, "height": height})
        if found := page.evaluate(ON_THE_EDGE, [states, FONTS]):
            wrong[f"{width}x{height}"] = found
    assert (wrong, errors) == ({}, [])
