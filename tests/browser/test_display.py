"""Display of the clock page: phone.md 16 to 27 and 46 to 50."""

import re
from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text
from tests.browser.scripted import ScriptedServer, open_page, press, wait_mode

FOCUSED = "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
SIZES = [(320, 568), (360, 640), (390, 844), (844, 390), (768, 1024)]


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server whose match has not begun."""
    return ScriptedServer()


@pytest.fixture
def phone(page: Page, server: ScriptedServer) -> Iterator[Page]:
    """Ann's phone after four seconds of her turn; fails if the page logs an error."""
    server.begin("left", ago_ms=4_000)
    errors = open_page(page, server)
    yield page
    assert errors == []


def digits(page: Page, seat: str) -> str:
    """Visible text of a seat's reserve."""
    return shown_text(page.locator(f".half[data-seat={seat}] .digits"))


def test_16_the_delay_is_shown_apart_while_the_reserve_stands_still(phone: Page) -> None:
    shown = phone.evaluate(
        """async () => {
            const read = () => ['left', 'right'].flatMap((seat) => ['.digits', '.delay .time'].map(
                (part) => document.querySelector(`.half[data-seat=${seat}] ${part}`).textContent));
            const first = read();
            const time = document.querySelector('.half[data-seat=left] .delay .time');
            const any = { characterData: true, childList: true, subtree: true };
            await new Promise((done) => new MutationObserver(done).observe(time, any));
            return [first, read()];
        }"""
    )
    before, after = (int(delay.removesuffix(" s")) for _, delay, _, _ in shown)
    assert (before <= 8, after) == (True, before - 1)
    assert [(mine, other, full) for mine, _, other, full in shown] == [("14:00", "14:00", "12 s")] * 2


def test_16_the_reserve_runs_once_the_delay_is_over(page: Page, server: ScriptedServer) -> None:
    server.begin("left", ago_ms=80_000)
    server.play("left", "stop", after_ms=72_500)
    open_page(page, server)
    assert (digits(page, "left"), shown_text(page.locator(".half[data-seat=left] .delay .time"))) == ("13:00", "0 s")


def test_19_tenths_below_ten_seconds(page: Page, server: ScriptedServer) -> None:
    server.begin("left", ago_ms=14 * 60_000 + 12_000 - 9_000)
    open_page(page, server)
    assert re.fullmatch(r"0:0\d\.\d", digits(page, "left"))  # the page takes a while to open


def test_19_the_box_of_the_digits_keeps_its_width(page: Page, server: ScriptedServer) -> None:
    server.begin("left", ago_ms=20_000)
    open_page(page, server)
    widths = page.evaluate(
        """() => {
            const box = document.querySelector('.half[data-seat=left] .digits');
            const range = document.createRange();
            const seen = new Set();
            for (let second = 0; second < 60; second++) {
                box.textContent = `13:${String(second).padStart(2, '0')}`;
                range.selectNodeContents(box);
                seen.add(`${range.getBoundingClientRect().width} ${box.getBoundingClientRect().width}`);
            }
            return seen.size;
        }"""
    )
    assert widths == 1


def test_20_at_local_zero_the_page_checks_and_claims_nothing(page: Page, server: ScriptedServer) -> None:
    server.begin("left", ago_ms=14 * 60_000 + 12_050)
    open_page(page, server)
    wait_mode(page, "left", "checking")
    texts = [shown_text(page.locator(f".half[data-seat=left] {part}")) for part in (".title", ".digits")]
    assert texts == ["…\nCHECKING", "0:00.0"]
    server.play("server", "expire", after_ms=14 * 60_000 + 12_250)
    wait_mode(page, "left", "flag")
    assert shown_text(page.locator(".half[data-seat=left] .title")) == "⚑\nTIME IS UP"


def test_22_low_time_warns_once_per_crossing_and_rearms_well_above(scripts: Page) -> None:
    script = """async () => {
        const { LowTime } = await import('/static/clocks/match/clocks.js');
        const low = new LowTime(60_000);
        return [70_000, 60_000, 59_000, 61_000, 59_000, 90_000, 59_000, 91_000, 60_000]
            .map((reserve) => low.check('left', reserve, true));
    }"""
    assert scripts.evaluate(script) == [None, "warn", "low", None, "low", None, "low", None, "warn"]


def test_22_a_stopped_low_clock_does_not_warn(scripts: Page) -> None:
    script = """async () => {
        const { LowTime } = await import('/static/clocks/match/clocks.js');
        const low = new LowTime(60_000);
        return [low.check('right', 5000, false), low.check('right', 5000, true)];
    }"""
    assert scripts.evaluate(script) == ["low", "warn"]


@pytest.mark.parametrize("seats", ["left", "left right", ""])
def test_25_nothing_scrolls_sideways_at_any_size_even_with_large_text(
    page: Page, server: ScriptedServer, seats: str
) -> None:
    server.begin("left")
    open_page(page, server, seats, watch=not seats)
    for (width, height), text_size in product(SIZES, ("16px", "32px")):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("size => document.documentElement.style.setProperty('font-size', size)", text_size)
        over = page.evaluate(
            """() => [...document.querySelectorAll('.table, .bar, .half, .face, .actions, .strip')]
                .filter((element) => element.scrollWidth > element.clientWidth + 1)
                .map((element) => [element.className, element.scrollWidth, element.clientWidth])"""
        )
        assert (width, text_size, over) == (width, text_size, [])


# Selectors whose text is not shown, or cut off by the window or a container, and by how many px.
HIDDEN = """(selectors) => selectors.flatMap((name) => [...document.querySelectorAll(name)].flatMap((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    const blank = Math.max(0, (text.height - 0.72 * parseFloat(getComputedStyle(element).fontSize)) / 2);
    const box = { left: text.left, right: text.right, top: text.top + blank, bottom: text.bottom - blank };
    const frames = [{ left: 0, right: innerWidth, top: 0, bottom: innerHeight }];
    for (let at = element; at; at = at.parentElement) {
        if (getComputedStyle(at).overflow !== 'visible') frames.push(at.getBoundingClientRect());
    }
    const cut = Math.max(...frames.flatMap((frame) =>
        [frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom]));
    if (!element.checkVisibility({ visibilityProperty: true }) || !text.width) return [`${name} is not shown`];
    return cut > 1.5 ? [`${name} is cut by ${cut.toFixed()} px`] : [];
}))"""
SCORE_AND_TIMES = {
    "left": [".standing b", ".small .digits", ".half:not(.small) .digits"],
    "left right": [".half .score b", ".half .copy", ".half .digits"],
    "": [".standing b", ".half .digits"],
}


@pytest.mark.parametrize("seats", SCORE_AND_TIMES)
def test_25_the_score_and_both_times_stay_at_twice_the_text_size(
    page: Page, server: ScriptedServer, seats: str
) -> None:
    server.begin("left")
    open_page(page, server, seats, watch=not seats)
    page.evaluate("document.documentElement.style.setProperty('font-size', '32px')")
    wrong = {}
    for by in ("left", "right"):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            hidden = page.evaluate(HIDDEN, SCORE_AND_TIMES[seats])
            pad = page.locator(".half[data-seat=left]").bounding_box()
            assert pad is not None
            if hidden or pad["height"] < 0.3 * height:
                wrong[f"{by} on turn, {width}x{height}"] = hidden, pad["height"]
        if by == "left":
            server.play("left", "hit")
            wait_mode(page, "left", "wait")
    assert wrong == {}


CONTRAST = """() => {
    const digits = document.querySelector('.half[data-seat=left] .digits');
    const luminance = (colour) => {
        const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
            .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    let ground = digits;
    while (/, 0\\)$|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
    const [a, b] = [getComputedStyle(digits).color, getComputedStyle(ground).backgroundColor].map(luminance);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.mark.parametrize("state", ["turn", "wait", "stopped", "flag", "low"])
def test_26_digits_stand_out_seven_to_one(page: Page, server: ScriptedServer, state: str) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    ago_ms = {"flag": 900_000, "low": 13 * 60_000 + 30_000}.get(state, 4_000)
    server.begin("right" if state == "wait" else "left", ago_ms=ago_ms)
    if state == "flag":
        server.play("server", "expire")
    if state == "stopped":
        server.play("left", "stop")
    open_page(page, server)
    wait_mode(page, "left", "turn" if state == "low" else state)
    dark = page.evaluate(CONTRAST)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    light = page.evaluate(CONTRAST)
    assert min(dark, light) >= 7


def test_27_at_most_two_writes_a_second_and_none_while_hidden(page: Page, server: ScriptedServer) -> None:
    server.begin("left", ago_ms=100_000)
    open_page(page, server)
    script = """async (seconds) => {
        let writes = 0;
        const observer = new MutationObserver((records) => { writes += records.filter(
            ({ target }) => target.closest?.('.half') ?? true).length; });
        const all = { subtree: true, childList: true, characterData: true, attributes: true };
        observer.observe(document.querySelector("match-clock"), all);
        await new Promise((done) => setTimeout(done, seconds * 1000));
        observer.disconnect();
        return writes;
    }"""
    assert page.evaluate(script, 3) <= 7  # 3 s can include four changes of a whole second
    page.evaluate(
        """() => {
            Object.defineProperty(document, 'hidden', { value: true, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )
    page.wait_for_timeout(100)
    assert page.evaluate(script, 2) == 0


def test_47_digits_are_not_live_and_the_turn_is_announced(phone: Page, server: ScriptedServer) -> None:
    server.play("left", "hit")
    wait_mode(phone, "right", "turn")
    assert shown_text(phone.locator("match-clock > [role=status]")) == "Bob’s turn"
    assert phone.locator("[role=timer][aria-live=off]").count() == 2


def test_47_a_flag_and_the_directors_stop_are_alerts(phone: Page, server: ScriptedServer) -> None:
    server.play("director", "stop")
    wait_mode(phone, "left", "stopped")
    assert shown_text(phone.locator("match-clock > [role=alert]")) == "The director stopped both clocks."


def test_a_repeated_announcement_is_read_out_again(page: Page, server: ScriptedServer) -> None:
    server.begin("right")
    errors = open_page(page, server)
    page.evaluate(
        """() => {
            window.heard = [];
            const region = document.querySelector('match-clock > [role=status]');
            new MutationObserver((records) => {
                const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
                window.heard.push(...added.map((node) => node.textContent));
            }).observe(region, { subtree: true, childList: true });
        }"""
    )
    for silent_ms in (11_000, 0, 11_000):
        server.tell_seen(0, silent_ms)
        page.wait_for_selector(f".half.small{'[data-panel]' if silent_ms else ':not([data-panel])'}")
    for _ in range(2):
        page.tap(".half[data-seat=left] .pad")
    offline, back, running = "Bob’s phone is offline.", "Bob’s phone was offline for 0:11.", "Bob’s clock is running"
    assert (page.evaluate("window.heard"), errors) == ([offline, back, offline, running, running], [])
    assert shown_text(page.locator("match-clock > [role=status]")) == running


def test_an_announcement_is_written_into_an_empty_live_region(module_page: Page) -> None:
    script = """async () => {
        const { LiveRegion } = await import('/static/clocks/browser/dom.js');
        const region = new LiveRegion(document.createElement('p'));
        const lines = () => [...region.element.children].map((line) => line.textContent);
        return [[], 'Stopped', 'Stopped', 'Gone'].map((words) => {
            if (words.length) region.say(words);
            return lines();
        });
    }"""
    assert module_page.evaluate(script) == [["", ""], ["Stopped", ""], ["", "Stopped"], ["Gone", ""]]


def test_an_announcement_is_gone_once_it_is_out_of_date(module_page: Page) -> None:
    script = """async () => {
        const { LiveRegion } = await import('/static/clocks/browser/dom.js');
        const later = [];
        const region = new LiveRegion(document.createElement('p'));
        const { setTimeout } = globalThis;
        globalThis.setTimeout = (act, ms) => later.push([act, ms]);
        region.say('Bob’s turn');
        globalThis.setTimeout = setTimeout;
        const said = region.element.textContent;
        const [[act, ms]] = later;
        act();
        return [said, ms, region.element.textContent];
    }"""
    assert module_page.evaluate(script) == ["Bob’s turn", 10_000, ""]


def test_48_a_pads_name_holds_player_turn_and_spoken_time(phone: Page, server: ScriptedServer) -> None:
    phone.get_by_role("button", name="Ann, Your turn, 14 minutes").wait_for()
    server.play("left", "hit")
    phone.get_by_role("button", name="Ann, WAIT, 14 minutes").wait_for()


def test_49_everything_is_reached_by_keyboard(phone: Page) -> None:
    names = []
    for _ in range(5):
        phone.keyboard.press("Tab")
        names.append(phone.evaluate(FOCUSED))
    rules, *others = names
    assert rules.endswith("Rules of this match")
    assert others == ["Ann, Your turn, 14 minutes", "Stop", "Double", "More"]
    phone.keyboard.press("Enter")
    phone.get_by_role("dialog", name="More").wait_for()
    assert phone.evaluate("document.activeElement.closest('.sheet') !== null")
    phone.keyboard.press("Escape")
    expect(phone.locator(".sheet")).to_have_count(0)
    assert phone.evaluate(FOCUSED) == "More"
    phone.keyboard.press("Enter")
    phone.keyboard.press("Shift+Tab")  # focus may leave the sheet for the clock
    phone.keyboard.press("Escape")
    expect(phone.locator(".sheet")).to_have_count(0)


def test_54_nothing_secret_is_readable_by_script(phone: Page, server: ScriptedServer) -> None:
    server.alive = False
    press(phone)
    read = "[{ ...localStorage }, { ...sessionStorage }].map((kept) => JSON.stringify(kept))"
    kept = [*phone.evaluate(read), phone.evaluate("location.search + location.hash")]
    assert "token" not in kept[0] and kept[1:] == ["{}", ""]
