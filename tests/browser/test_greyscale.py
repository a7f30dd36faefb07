"""States without colour and in forced colours: phone.md 21 and 26."""

import io
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Locator, Page

from tests.browser.engines import expect
from tests.browser.scripted import ScriptedServer, open_page, wait_mode

FAR_APART = 48  # difference of two grey levels (of 255) that is obvious side by side
SHARE = 0.01  # minimum share of differing pixels
WORDS = """() => ['.title .words', '.icon', '.hint', '.link-words'].map((part) => {
    const found = [...document.querySelectorAll(`.bar ${part}, .half[data-seat=left] ${part}`)];
    return found.map((one) => one.textContent).join('|');
})"""
UNSYNCED = """() => {
    const clock = document.querySelector('match-clock');
    Object.defineProperty(clock.source.sync, 'probes', { get: () => [], set() {} });
    clock.refresh();
}"""
# Width of a half's border and outline together, in px, and style of the border.
FRAME = """half => {
    const { borderTopWidth, borderTopStyle, outlineWidth, outlineStyle } = getComputedStyle(half);
    return [parseFloat(borderTopWidth) + (outlineStyle === 'none' ? 0 : parseFloat(outlineWidth)), borderTopStyle];
}"""
BEFORE = {"low": 13 * 60_000 + 30_000, "flag": 900_000}


def server_in(state: str) -> ScriptedServer:
    """Scripted server for this state; the test itself makes pages offline or unsynced."""
    server = ScriptedServer()
    server.begin("right" if state == "wait" else "left", ago_ms=BEFORE.get(state, 30_000))
    if state == "pause":
        server.play("left", "stop", reason="break")
    if state == "flag":
        server.play("server", "expire")
    return server


def picture(page: Page) -> Image.Image:
    """Greyscale screenshot of the page, with equal reserves and hidden delays."""
    page.evaluate("document.querySelectorAll('.time, .copy').forEach((one) => { one.style.opacity = 0; })")
    page.evaluate("document.querySelectorAll('.digits').forEach((one) => { one.textContent = '0:00'; })")
    return Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("L")


def differing(one: Image.Image, other: Image.Image) -> float:
    """Share of pixels that are clearly lighter or darker."""
    histogram = ImageChops.difference(one, other).histogram()
    return sum(histogram[FAR_APART:]) / sum(histogram)


def test_21_every_state_is_recognised_in_greyscale(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    pictures: dict[str, dict[str, Image.Image]] = {"dark": {}, "light": {}}
    words = {}
    for state in ("turn", "wait", "pause", "low", "flag", "offline", "syncing"):
        server = server_in(state)
        open_page(page, server)
        wait_mode(page, "left", {"pause": "stopped", "wait": "wait", "flag": "flag"}.get(state, "turn"))
        page.wait_for_function("document.querySelector('match-clock').source.sync.synced")
        if state == "offline":
            server.alive = False
            server.close(1012)
            page.wait_for_selector("match-clock[data-link=reconnecting]")
        if state == "syncing":
            page.evaluate(UNSYNCED)
        low = page.locator(".half[data-seat=left][data-low]").count() == 1
        words[state] = [*page.evaluate(WORDS), low]
        for scheme, seen in pictures.items():
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            seen[state] = picture(page)
    # Offline and syncing are shown by words at the top and by the border; all others are recognised from afar.
    alike = {
        (scheme, *pair)
        for scheme, seen in pictures.items()
        for pair in combinations(seen, 2)
        if differing(*(seen[name] for name in pair)) < SHARE and not {"offline", "syncing"} & set(pair)
    }
    same_words = {pair for pair in combinations(words, 2) if words[pair[0]] == words[pair[1]]}
    assert (alike, same_words) == (set(), set())


def test_26_in_forced_colours_the_running_half_is_framed(page: Page) -> None:
    page.emulate_media(forced_colors="active")
    frames, ratios = {}, {}
    for state in ("turn", "wait", "pause", "low", "flag"):
        open_page(page, server_in(state))
        half = page.locator(".half[data-seat=left]")
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            frames[state, scheme] = half.evaluate(FRAME)
            ratios[state, scheme] = contrast(half.locator(".digits").screenshot(animations="disabled"))
    assert {look: ratio for look, ratio in ratios.items() if ratio < 7} == {}
    for scheme in ("dark", "light"):
        turn, wait, flag = (frames[state, scheme] for state in ("turn", "wait", "flag"))
        assert (scheme, turn, wait[0], flag[1]) == (scheme, [8, "solid"], 4, "double")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_26_in_forced_colours_a_switch_shows_whether_it_is_on(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme, forced_colors="active", reduced_motion="reduce")  # type: ignore[arg-type]
    open_page(page, server_in("wait"))
    page.locator(".actions[data-seat=left] .more").click()
    page.get_by_role("button", name="This phone …").click()
    switch = page.get_by_role("switch", name="Left-handed")
    looks = []
    for _ in range(2):
        shot = switch.locator("i").screenshot(animations="disabled")
        looks.append(Image.open(io.BytesIO(shot)).convert("L"))
        switch.click()
    assert differing(*looks) > 0.3


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_26_in_forced_colours_the_first_answer_stands_out(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme, forced_colors="active")  # type: ignore[arg-type]
    server = server_in("wait")
    server.play("right", "double")
    open_page(page, server)
    take, decline = (page.get_by_role("button", name=name, exact=True) for name in ("Take", "Pass"))
    expect(take).to_be_enabled()
    assert abs(ground(take) - ground(decline)) > FAR_APART


def ground(button: Locator) -> float:
    """Median grey level of a button."""
    shot = button.screenshot(animations="disabled")
    return ImageStat.Stat(Image.open(io.BytesIO(shot)).convert("L")).median[0]


def contrast(digits: bytes) -> float:
    """WCAG 2 contrast of the two most common colours in a screenshot (PNG)."""
    shades = Image.open(io.BytesIO(digits)).convert("RGB").getcolors(1 << 24) or []
    common = [colour for count, colour in sorted(shades, reverse=True)[:2]]
    light, dark = sorted((luminance(colour) for colour in common), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: object) -> float:
    """Relative luminance of an sRGB colour."""
    assert isinstance(colour, tuple)
    red, green, blue = (part / 255 for part in colour)
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
