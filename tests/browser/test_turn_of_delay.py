"""The turn of delay into reserve, the last seconds, and a press that lands."""

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect
from tests.browser.scripted import ScriptedServer, open_page, press, wait_mode, wait_until

FELT = """
window.felt = [];
Object.defineProperty(Navigator.prototype, 'vibrate', { value: (pattern) => felt.push(pattern), configurable: true });
"""
SPENDS = ".half[data-seat={}][data-spends]"
ANIMATED = "(element, pseudo) => getComputedStyle(element, pseudo).animationName"


def clock(page: Page, *, ago_ms: int, first: str = "left", **setup: object) -> ScriptedServer:
    server = ScriptedServer(**setup)
    server.begin(first, ago_ms=ago_ms)
    open_page(page, server)
    return server


def test_the_turn_of_delay_into_reserve_is_felt_once(own_page: Page) -> None:
    own_page.add_init_script(FELT)
    clock(own_page, ago_ms=7_000)  # of a delay of 12 s
    expect(own_page.locator("[data-spends]")).to_have_count(0)
    own_page.locator(SPENDS.format("left")).wait_for()
    assert own_page.evaluate("felt") == [[30]]
    expect(own_page.locator(".half[data-seat=left] .gauge")).to_have_css("opacity", "0")
    press(own_page)
    wait_mode(own_page, "left", "wait")
    expect(own_page.locator("[data-spends]")).to_have_count(0)


def test_a_page_that_opens_in_the_reserve_gives_no_sign(own_page: Page) -> None:
    own_page.add_init_script(FELT)
    clock(own_page, ago_ms=20_000)
    own_page.locator(SPENDS.format("left")).wait_for()
    assert own_page.evaluate("felt") == []


def test_the_opponents_turn_of_delay_is_seen_and_not_felt(own_page: Page) -> None:
    own_page.add_init_script(FELT)
    clock(own_page, ago_ms=9_000, first="right")
    own_page.locator(SPENDS.format("right")).wait_for()
    assert own_page.evaluate("felt") == []


def test_without_a_delay_the_reserve_never_begins(page: Page) -> None:
    clock(page, ago_ms=20_000, rules="aba-2003-standard")
    wait_mode(page, "left", "turn")
    expect(page.locator("[data-spends]")).to_have_count(0)


@pytest.mark.parametrize(("motion", "names"), [("no-preference", ["low", "breathes"]), ("reduce", ["none", "none"])])
def test_the_last_ten_seconds_breathe_unless_motion_is_reduced(page: Page, motion: str, names: list[str]) -> None:
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    clock(page, ago_ms=14 * 60_000 + 12_000 - 9_000)
    half = page.locator(".half[data-seat=left]")
    expect(half.locator(".tenths")).not_to_be_empty()
    found = [half.locator(".digits").evaluate(ANIMATED), half.evaluate(ANIMATED, "::after")]
    assert found == names
    assert half.evaluate("one => getComputedStyle(one, '::after').content") == '""'


@pytest.mark.parametrize(("motion", "shrinks"), [("no-preference", True), ("reduce", False)])
def test_a_press_lands_in_the_frame_that_follows_it(own_page: Page, motion: str, shrinks: bool) -> None:
    own_page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    server = clock(own_page, ago_ms=4_000)
    server.answering = False
    own_page.evaluate(
        """() => addEventListener('pointerdown', ({ target }) => requestAnimationFrame(() => {
            const half = target.closest('.half');
            const [first] = half.getAnimations()[0].effect.getKeyframes();
            window.landed = [half.dataset.mode, Number(first.opacity) < 1, first.scale !== undefined];
        }))"""
    )
    press(own_page)
    wait_until(own_page, lambda: bool(own_page.evaluate("window.landed")), "a frame follows")
    assert own_page.evaluate("landed") == ["sent", True, shrinks]
