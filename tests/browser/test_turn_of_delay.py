"""The change from delay to reserve, the last seconds, and a press's feedback."""

import re

import pytest
from playwright.sync_api import Page

from clocks.journal.tenure import Tenure
from tests.browser.engines import expect, shown_text
from tests.browser.geometry import GEOMETRY
from tests.browser.scripted import ScriptedServer, open_page, press, wait_mode, wait_until
from tests.browser.states import STATES, match, running, show
from tests.browser.test_geometry import FONTS, LAYOUTS, LONG_NAMES, MORE_SIZES, SIZES, SIZES_OF_PHONES

FELT = """
window.felt = [];
Object.defineProperty(Navigator.prototype, 'vibrate', { value: (pattern) => felt.push(pattern), configurable: true });
"""
# Fake Web Audio API that records the frequency of each tone.
HEARD = """
window.heard = [];
window.AudioContext = class {
    state = 'running';
    currentTime = 0;
    createOscillator() {
        const frequency = { value: 0 };
        return { frequency, connect: (node) => node, start: () => heard.push(frequency.value), stop() {} };
    }
    createGain() {
        return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} };
    }
};
"""
TICK_HZ, PRESS_HZ = 520, 1250
SPENDS = ".half[data-seat={}][data-spends]"
ANIMATED = "(element, pseudo) => getComputedStyle(element, pseudo).animationName"


def clock(page: Page, *, ago_ms: int, first: str = "left", seats: str = "left", **setup: object) -> ScriptedServer:
    server = ScriptedServer(**setup)
    server.begin(first, ago_ms=ago_ms)
    open_page(page, server, seats)
    return server


def test_the_turn_of_delay_into_reserve_is_felt_and_ticks_once(own_page: Page) -> None:
    own_page.add_init_script(FELT + HEARD)
    server = clock(own_page, ago_ms=60_000)
    own_page.evaluate("window.dispatchEvent(new Event('pointerup'))")
    own_page.evaluate("import('/static/clocks/browser/voices.js').then(() => undefined)")
    show(own_page, server, running(ago_ms=8_000))  # of a delay of 12 s
    expect(own_page.locator("[data-spends]")).to_have_count(0)
    own_page.evaluate("felt.length = heard.length = 0")
    own_page.locator(SPENDS.format("left")).wait_for()
    assert own_page.evaluate("felt") == [[30]]
    expect(own_page.locator(".half[data-seat=left] .gauge")).to_have_css("opacity", "0")
    press(own_page)
    wait_mode(own_page, "left", "wait")
    expect(own_page.locator("[data-spends]")).to_have_count(0)
    assert own_page.evaluate("heard") == [TICK_HZ, PRESS_HZ]


def test_no_sign_is_given_of_another_delay_or_on_a_silent_phone(own_page: Page) -> None:
    silent = "localStorage.setItem('clock:prefs', JSON.stringify({ sound: false }));"
    own_page.add_init_script(FELT + HEARD + silent)
    server = clock(own_page, ago_ms=20_000)
    own_page.evaluate("window.dispatchEvent(new Event('pointerup'))")
    own_page.locator(SPENDS.format("left")).wait_for()
    assert own_page.evaluate("felt") == [], "the page opened in the reserve"
    show(own_page, server, running("right", ago_ms=9_000))
    expect(own_page.locator("[data-spends]")).to_have_count(0)
    own_page.locator(SPENDS.format("right")).wait_for()
    assert own_page.evaluate("felt") == [], "it was the opponent's delay"
    show(own_page, server, running(ago_ms=9_000))
    expect(own_page.locator("[data-spends]")).to_have_count(0)
    own_page.locator(SPENDS.format("left")).wait_for()
    assert own_page.evaluate("[felt, heard]") == [[[60], [30]], []], "turn and reserve are felt, but not heard"


@pytest.mark.parametrize(("theme", "first"), [("light", "left"), ("dark", "right")], ids=["own", "opponent's"])
def test_a_half_whose_reserve_runs_has_an_edge_and_no_bar(page: Page, theme: str, first: str) -> None:
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    server = clock(page, ago_ms=4_000, first=first, seats="left right")
    half = page.locator(f".half[data-seat={first}]")
    expect(half.locator(".gauge")).to_have_css("opacity", "1")
    expect(half).to_have_css("box-shadow", "none")
    show(page, server, running(first, ago_ms=60_000))
    expect(half.locator(".gauge")).to_have_css("opacity", "0")
    colour = half.evaluate("half => getComputedStyle(half).color")
    expect(half).to_have_css("box-shadow", f"{colour} 0px 0px 0px 5.6px inset")
    assert shown_text(half.locator(".digits")).startswith("13:")


# Gap in px between each line of a half, by the ink of its letters (0.72 em high), and the edge inside it.
FROM_THE_EDGE = """(half) => {
    const edge = parseFloat(getComputedStyle(half).boxShadow.match(/([\\d.]+)px inset/)[1]) + half.clientTop;
    const box = half.getBoundingClientRect();
    const range = document.createRange();
    const texts = document.createNodeIterator(half, NodeFilter.SHOW_TEXT);
    const gaps = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const own = text.parentElement;
        if (!text.data.trim() || own.closest('.unseen')) continue;
        if (!own.checkVisibility({ visibilityProperty: true })) continue;
        range.selectNodeContents(text);
        for (const { top, bottom, width } of range.getClientRects()) {
            const blank = Math.max(0, (bottom - top - 0.72 * parseFloat(getComputedStyle(own).fontSize)) / 2);
            const gap = Math.min(top + blank - box.top, box.bottom - bottom + blank) - edge;
            if (width > 1) gaps.push([text.data, gap]);
        }
    }
    return gaps;
}"""
# Words that the edge of a half covers, in each state and font.
ON_THE_EDGE = f"""([states, fonts]) => Object.entries(states).flatMap(([state, match]) => {{
    geometry.show(match);
    return fonts.flatMap((font) => {{
        geometry.useFont(font);
        return [...document.querySelectorAll('.half[data-spends]')].flatMap({FROM_THE_EDGE})
            .filter(([, gap]) => gap < -1).map(([words, gap]) => `${{state}}, ${{font}}: ${{words}} by ${{-gap}} px`);
    }});
}})"""
WIDEST = "DejaVu Sans"
SPENT = ("low", "the other is low", "checking", "turn")


def test_the_edge_of_the_reserve_leaves_the_words_of_a_card_free(page: Page) -> None:
    server = ScriptedServer(director=False)
    server.tenure = Tenure(owners=(None, 5), lent_at=(None, 1))
    server.begin("right", ago_ms=60_000)
    open_page(page, server)
    card = page.locator(SPENDS.format("right"))
    expect(card.get_by_text("Seat on loan: press and stop only")).to_be_visible()
    assert min(gap for _words, gap in card.evaluate(FROM_THE_EDGE)) >= 2


@pytest.mark.parametrize("layout", ["own", "shared"])
def test_no_word_lies_on_the_edge_of_a_half_whose_delay_is_spent(page: Page, layout: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    errors = open_page(page, ScriptedServer(), LAYOUTS[layout])
    page.evaluate(GEOMETRY)
    states = {name: match(STATES[name], names=LONG_NAMES, cube=16) for name in SPENT}
    wrong = {}
    for width, height in sorted(SIZES + MORE_SIZES):
        page.set_viewport_size({"width": width, "height": height})
        fonts = FONTS if (width, height) in SIZES_OF_PHONES else [WIDEST]
        if found := page.evaluate(ON_THE_EDGE, [states, fonts]):
            wrong[f"{width}x{height}"] = found
    assert (wrong, errors) == ({}, [])


def test_the_reserve_takes_over_without_movement_if_motion_is_reduced(page: Page) -> None:
    clock(page, ago_ms=60_000)
    half = page.locator(SPENDS.format("left"))
    fades = "gauge => getComputedStyle(gauge).transitionDuration"
    for motion, moves in (("no-preference", ["spends", "0.3s"]), ("reduce", ["none", "0s"])):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        assert [half.locator(".digits").evaluate(ANIMATED), half.locator(".gauge").evaluate(fades)] == moves


def test_the_edge_of_the_reserve_is_there_in_forced_colours(page: Page) -> None:
    page.emulate_media(forced_colors="active")
    server = clock(page, ago_ms=4_000)
    face = page.locator(".half[data-seat=left] .face")
    expect(face).to_have_css("outline-style", "none")
    show(page, server, running(ago_ms=60_000))
    expect(face).to_have_css("outline", re.compile("solid 3px"))


def test_without_a_delay_the_reserve_never_begins(page: Page) -> None:
    clock(page, ago_ms=20_000, rules="aba-2003-standard")
    wait_mode(page, "left", "turn")
    expect(page.locator("[data-spends]")).to_have_count(0)


def test_the_last_ten_seconds_breathe_unless_motion_is_reduced(page: Page) -> None:
    clock(page, ago_ms=14 * 60_000 + 12_000 - 9_000)
    half = page.locator(".half[data-seat=left]")
    expect(half.locator(".tenths")).not_to_be_empty()
    for motion, names in (("no-preference", ["low", "breathes"]), ("reduce", ["none", "none"])):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        assert [half.locator(".digits").evaluate(ANIMATED), half.evaluate(ANIMATED, "::after")] == names
        assert half.evaluate("one => getComputedStyle(one, '::after').content") == '""'


def test_a_press_lands_in_the_frame_that_follows_it(page: Page) -> None:
    server = clock(page, ago_ms=4_000)
    for motion, shrinks in (("no-preference", True), ("reduce", False)):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        server.answering = False
        page.evaluate(
            """() => addEventListener('pointerdown', ({ target }) => requestAnimationFrame(() => {
                const half = target.closest('.half');
                const [first] = half.getAnimations()[0].effect.getKeyframes();
                window.landed = [half.dataset.mode, Number(first.opacity) < 1, first.scale !== undefined];
            }), { once: true })"""
        )
        press(page)
        wait_until(page, lambda: bool(page.evaluate("window.landed")), "a frame follows")
        assert page.evaluate("landed") == ["sent", True, shrinks]
        server.answering = True
        wait_mode(page, "left", "wait")
        server.play("right", "hit")
        wait_mode(page, "left", "turn")
        page.evaluate("delete window.landed")
