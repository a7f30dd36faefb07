"""Geometry of every state and sheet of the clock page, at every size."""

import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.endings import endings, open_ending
from tests.browser.geometry import GEOMETRY, LOOK, OUT_OF_SIGHT, SCROLLED_IN, WRONG_IN
from tests.browser.scripted import ScriptedServer, open_page
from tests.browser.states import STATES, Prepare, match, running, then

SIZES = [(320, 568), (360, 640), (390, 664), (390, 844), (412, 915), (844, 390), (768, 1024), (1024, 768), (1440, 900)]
# States that show every fault which narrower windows, larger letters or more room around them cause in any state.
FULLEST = (
    *("setup", "ready", "resumed with the other turn", "checking", "the other is low", "the other’s phone is silent"),
    *("called", "agree?", "hold", "flag"),
)
QUESTIONS = ("asked", "stopped", "called", "agree?", "proposed", "declined", "disputed", "flag", "the other’s flag")
SIZES_OF_PHONES = [(320, 568), (390, 844), (568, 320), (844, 390)]
MORE_SIZES = [(568, 320), (640, 360), (667, 375), (1366, 768), (1920, 1080)]
SIZES_OF_ALL = [*SIZES_OF_PHONES, (1024, 768), (1440, 900)]  # for every state; others are for what takes most room
A_FEW_SIZES = [(320, 568), (390, 844), (844, 390), (1024, 768)]
SMALLEST = [(320, 568), (568, 320)]
# Android's, one similar to Apple's, and Linux's, which is the widest: what fits in it fits in the others, but for a few
# px of height. So many states are measured in the others only on the smallest phones.
*NARROWER, WIDEST = FONTS = ["Roboto", "Inter", "DejaVu Sans"]
LAYOUTS = {"own": "left", "shared": "left right", "watch": ""}
LONG_NAMES = ["Bartholomew Featherstoneh", "Wilhelmina Schwarzenegger"]  # 25 letters each
LONGEST_MS = (9 * 3600 + 59 * 60 + 59) * 1000
LOOK_UNSCROLLED = f"(fonts) => [...({LOOK})(fonts), ...({OUT_OF_SIGHT})(fonts)]"
OF_SHORT_TIME = ("low", "the other is low", "checking", "flag", "the other’s flag")
UNIFIED = {"rules": "unified-2001"}
CASUAL = {"director": False}
# Scripts that show each banner over a clock, as if its frame had arrived.
BANNERS = {
    "message": """() => {
        const clock = document.querySelector('match-clock');
        const now = clock.now();
        const until = now + 600_000;
        clock.source.tell('message', { t: 'message', id: 7, text: 'Lunch at one.', at: now, now, until });
    }""",
    "seat request": """() => {
        const clock = document.querySelector('match-clock');
        const until = clock.now() + 600_000;
        clock.source.tell('asks', { t: 'asks', asks: [{ id: 3, match: 1, seats: ['left'], at: 0, until }] });
    }""",
}
OF_ONE_SEAT = {**BANNERS, "loss": "() => window.geometry.showLoss()"}
# Texts of a sheet's elements that are wholly visible without scrolling.
IN_SIGHT = """(selector) => [...document.querySelectorAll(selector)].filter((element) => {
    const frame = element.closest('.body').getBoundingClientRect();
    const { top, bottom } = element.getBoundingClientRect();
    return top >= frame.top - 1 && bottom <= frame.bottom + 1;
}).map(({ textContent }) => textContent)"""
# Texts that are wider than their element.
WIDER = """(selector) => [...document.querySelectorAll(selector)].filter((element) =>
    element.scrollWidth > element.clientWidth + 1).map(({ textContent }) => textContent)"""
# Times that a sheet covers in part.
BELOW_SHEET = """() => [...document.querySelectorAll('.half:has(.sheet)')].filter((half) => {
    const range = document.createRange();
    range.selectNodeContents(half.querySelector('.digits'));
    const [time, sheet] = [range, half.querySelector('.sheet')].map((one) => one.getBoundingClientRect());
    const wide = Math.min(time.right, sheet.right) - Math.max(time.left, sheet.left);
    return wide > 1 && Math.min(time.bottom, sheet.bottom) - Math.max(time.top, sheet.top) > 1;
}).map((half) => half.querySelector('.digits').textContent)"""
# States and settings from which every sheet can be reached.
OF_SHEETS: dict[str, tuple[Prepare, dict[str, Any]]] = {
    "ready": (STATES["ready"], {}),
    "turn": (running(), {}),
    "turn, Unified": (running(), UNIFIED),
    "turn, casual": (running(), {**UNIFIED, **CASUAL}),
    "pressed": (then(("left", "hit")), {}),
    "stopped": (STATES["stopped"], {}),
    "forfeit, casual": (STATES["hold"], CASUAL),
    "over, casual": (then(("left", "propose", {"what": "end", "winner": "left"}), ("right", "agree")), CASUAL),
}


@pytest.fixture(scope="module", autouse=True)
def fonts_of_ci() -> None:
    """Fail in CI if a font is missing; `.ci/packages` installs them."""
    missing = [family for family in FONTS if not _installed(family)]
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"fonts are missing: {', '.join(missing)}")


def _installed(family: str) -> bool:
    try:
        return bool(subprocess.run(["fc-list", family], capture_output=True, check=True).stdout.strip())
    except (FileNotFoundError, subprocess.CalledProcessError):
        return False


@pytest.fixture(params=LAYOUTS)
def layout(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def clock(page: Page, layout: str) -> Iterator[Page]:
    """The page of a layout, ready to show and measure states."""
    page.emulate_media(reduced_motion="reduce")
    errors = open_page(page, ScriptedServer(), LAYOUTS[layout], watch=layout == "watch")
    page.evaluate(GEOMETRY)
    yield page
    assert errors == []


def long_states() -> dict[str, Any]:
    """Every state with long names and a cube, and 9:59:59 unless it needs less time."""
    return {
        name: match(prepare, names=LONG_NAMES, cube=16, reserve_ms=None if name in OF_SHORT_TIME else LONGEST_MS)
        for name, prepare in STATES.items()
    }


def sheet_states() -> dict[str, Any]:
    """States from which sheets are opened, with the same long names and times."""
    return {
        name: match(prepare, names=LONG_NAMES, reserve_ms=LONGEST_MS, **setting)
        for name, (prepare, setting) in OF_SHEETS.items()
    }


def wrong_at(
    page: Page, sizes: list[tuple[int, int]], script: str, given: object, *, lying: int = 500
) -> dict[str, Any]:
    """Layout faults found by a script, by window size.

    In landscape windows higher than `lying`, a shared phone is measured a second time with its page unrotated.
    """
    wrong = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        if found := page.evaluate(script, given):
            wrong[f"{width}x{height}"] = found
        if width > height > lying and page.locator("match-clock[data-layout=shared]").count():
            page.evaluate("document.querySelector('match-clock').setAttribute('data-angle', '0')")
            if found := page.evaluate(script, given):
                wrong[f"{width}x{height} lying"] = found
    return wrong


def test_every_state_fits_every_screen_in_every_font(clock: Page) -> None:
    states = {name: match(prepare) for name, prepare in STATES.items()}
    assert wrong_at(clock, A_FEW_SIZES, WRONG_IN, [states, [WIDEST], None]) == {}
    assert wrong_at(clock, SMALLEST, WRONG_IN, [long_states(), FONTS, None]) == {}


def test_long_names_and_a_clock_of_hours_fit_too(clock: Page) -> None:
    states = long_states()
    large = sorted({*SIZES_OF_ALL} - {*SMALLEST})  # the smallest are measured in every font above
    assert wrong_at(clock, large, WRONG_IN, [states, [WIDEST], None]) == {}
    fullest = {name: states[name] for name in FULLEST}
    others = sorted({*SIZES, *MORE_SIZES} - {*SIZES_OF_ALL})
    assert wrong_at(clock, others, WRONG_IN, [fullest, [WIDEST], None]) == {}


def test_the_frames_of_forced_colours_cut_no_word(clock: Page) -> None:
    clock.emulate_media(forced_colors="active")
    assert wrong_at(clock, SMALLEST, WRONG_IN, [long_states(), [WIDEST], None]) == {}


def test_a_lost_connection_fits_every_screen(clock: Page) -> None:
    clock.evaluate("window.geometry.lose()")
    assert wrong_at(clock, A_FEW_SIZES, WRONG_IN, [long_states(), FONTS[:1], None]) == {}


@pytest.mark.parametrize("layout", ["own"], indirect=True)
@pytest.mark.parametrize("left_handed", [False, True], ids=["right-handed", "left-handed"])
@pytest.mark.parametrize("banner", OF_ONE_SEAT)
def test_a_banner_cuts_no_time_on_a_small_phone_on_its_side(clock: Page, banner: str, left_handed: bool) -> None:
    if left_handed:
        clock.evaluate("document.querySelector('match-clock').dataset.leftHanded = 'left'")
    wrong = below_a_banner(clock, banner, (568, 320), long_states())
    # Words scale with the height of the page: 17 px here, instead of at least 20.
    found = {state: [words for words in faults if " is read at 17" not in words] for state, faults in wrong.items()}
    assert {state: faults for state, faults in found.items() if faults} == {}


@pytest.mark.parametrize("layout", ["own"], indirect=True)
@pytest.mark.parametrize("banner", OF_ONE_SEAT)
def test_a_banner_leaves_every_state_its_room_on_the_smallest_phone(clock: Page, banner: str) -> None:
    assert below_a_banner(clock, banner, (320, 568), long_states()) == {}


@pytest.mark.parametrize("layout", ["shared"], indirect=True)
@pytest.mark.parametrize("size", [(320, 568), (568, 320)])
@pytest.mark.parametrize("banner", BANNERS)
def test_a_banner_leaves_both_times_and_a_question_their_room(clock: Page, banner: str, size: tuple[int, int]) -> None:
    states = {name: match(STATES[name], names=LONG_NAMES, reserve_ms=LONGEST_MS) for name in QUESTIONS}
    states |= {f"{name}, short": match(STATES[name]) for name in ("turn", "wait")}
    assert below_a_banner(clock, banner, size, states) == {}


def below_a_banner(clock: Page, banner: str, size: tuple[int, int], states: dict[str, Any]) -> dict[str, list[str]]:
    """Layout faults of states while a banner is shown."""
    clock.evaluate("match => window.geometry.show(match)", match(running(), names=LONG_NAMES))
    clock.evaluate(OF_ONE_SEAT[banner])
    shown = clock.locator(".message").filter(visible=True)
    shown.first.wait_for()
    # A silent phone last, because the notice that it is back would cover the next state.
    ordered = dict(sorted(states.items(), key=lambda state: "silent" in state[0]))
    wrong = wrong_at(clock, [size], WRONG_IN, [ordered, [WIDEST], None])
    assert shown.count() > 0
    return wrong.get("x".join(map(str, size)), {})


def test_the_start_of_the_round_fits_every_screen(clock: Page) -> None:
    line = "The round has started. Please start your clock."
    clock.evaluate("(line) => { document.querySelector('match-clock').state.startLine = line; }", line)
    states = {name: match(STATES[name], names=LONG_NAMES, reserve_ms=LONGEST_MS) for name in ("setup", "ready")}
    assert wrong_at(clock, SIZES + MORE_SIZES, WRONG_IN, [states, [WIDEST], None]) == {}


def test_what_was_declined_fits_where_no_panel_says_it(clock: Page) -> None:
    conceded = ("left", "propose", {"what": "offer", "winner": "right", "outcome": "gammon"})
    conceding = (conceded, ("right", "decline"), ("director", "decline"))
    running_on = match(then(*conceding), names=LONG_NAMES, reserve_ms=LONGEST_MS)
    owed = then(("left", "hit"), conceded, ("right", "decline"))
    ready = match(STATES["ready"], names=LONG_NAMES, reserve_ms=LONGEST_MS)
    wrong = {}
    for name, shown in {
        "running": running_on,
        "owed": match(owed, names=LONG_NAMES, rules="unified-2001", reserve_ms=LONGEST_MS),
        "between games": {**ready, "declined": running_on["declined"]},
    }.items():
        both = [{**shown, "declined": None}, shown]
        clock.evaluate("both => both.forEach((match) => window.geometry.show(match))", both)
        assert clock.locator(".notice").filter(visible=True).count() > 0
        wrong[name] = wrong_at(clock, SIZES, LOOK, [WIDEST])
    assert wrong == {"running": {}, "owed": {}, "between games": {}}


@pytest.mark.parametrize("layout", ["shared"], indirect=True)
@pytest.mark.parametrize("names", [["Ann", "Bob"], LONG_NAMES], ids=["short names", "long names"])
@pytest.mark.parametrize("rules", ["us-2013", "unified-2001"])
def test_a_flag_and_a_result_are_read_without_scrolling(clock: Page, rules: str, names: list[str]) -> None:
    states = {name: match(STATES[name], rules=rules, names=names) for name in ("flag", "the other’s flag", "over")}
    sizes = [size for size in [*SIZES, (667, 375)] if size != (320, 568)]
    lying = 380 if names == LONG_NAMES else 300
    assert wrong_at(clock, sizes, SCROLLED_IN, [states, [WIDEST]], lying=lying) == {}


@pytest.mark.parametrize("layout", ["own", "shared"], indirect=True)
def test_no_sheet_covers_a_running_clock_or_cuts_what_it_says(clock: Page) -> None:
    states = sheet_states()
    assert wrong_at(clock, SMALLEST[:1], WRONG_IN, [states, FONTS, "left"]) == {}
    assert wrong_at(clock, [*A_FEW_SIZES[1:], (1440, 900)], WRONG_IN, [states, [WIDEST], "left"]) == {}


@pytest.mark.parametrize("layout", ["own", "shared"], indirect=True)
def test_the_sheet_that_asks_why_covers_no_running_clock(clock: Page) -> None:
    runs, stopped = (
        match(prepare, names=LONG_NAMES, reserve_ms=LONGEST_MS) for prepare in (running(), then(("left", "stop")))
    )
    clock.evaluate("both => both.forEach((match) => window.geometry.show(match))", [runs, stopped])
    clock.get_by_role("dialog", name="Both clocks are stopped. Why?").wait_for()
    assert wrong_at(clock, SIZES, LOOK, FONTS) == {}


@pytest.mark.parametrize("layout", ["own", "shared"], indirect=True)
def test_no_sheet_lies_on_a_clock_of_hours(clock: Page) -> None:
    stopped = match(STATES["stopped"], names=LONG_NAMES, reserve_ms=LONGEST_MS, cube=16)
    clock.evaluate("match => window.geometry.show(match)", stopped)
    clock.locator(".actions[data-seat=left] .more").click()
    assert wrong_at(clock, SIZES + MORE_SIZES, BELOW_SHEET, None) == {}


@pytest.mark.parametrize("layout", ["own", "shared"], indirect=True)
def test_the_first_results_are_in_sight_on_the_smallest_phone(clock: Page, layout: str) -> None:
    clock.set_viewport_size({"width": 320, "height": 568})
    results = ["Single game", "Gammon", "Backgammon"] if layout == "own" else ["Single game"]
    clock.evaluate("match => window.geometry.show(match)", match(running("right")))
    clock.locator(".actions[data-seat=left] .more").click()
    clock.get_by_role("button", name="The game is over …").click()
    assert clock.evaluate(IN_SIGHT, ".wins button > span") == results * 2
    both = [match(running()), match(then(("left", "stop")))]
    clock.evaluate("both => both.forEach((match) => window.geometry.show(match))", both)
    clock.get_by_role("dialog", name="Both clocks are stopped. Why?").wait_for()
    for family in FONTS:
        clock.evaluate("family => window.geometry.useFont(family)", family)
        assert clock.evaluate(IN_SIGHT, ".wins button > span") == results * 2, family


def test_titles_are_whole_and_questions_are_read_at_twice_the_text_size(clock: Page) -> None:
    clock.evaluate("document.documentElement.style.setProperty('font-size', '32px')")
    states = {name: match(prepare) for name, prepare in STATES.items()}
    wrong = wrong_at(clock, SIZES_OF_PHONES, WRONG_IN, [states, [WIDEST], None])
    told = [
        (size, state, words)
        for size, found in wrong.items()
        for state, faults in found.items()
        for words in faults
        if "(words) is broken" in words or "px to be read in" in words
    ]
    assert told == []


@pytest.mark.parametrize("layout", ["own"], indirect=True)
def test_the_other_players_card_is_whole_at_twice_the_text_size(clock: Page) -> None:
    clock.evaluate("document.documentElement.style.setProperty('font-size', '32px')")
    states = long_states() | {f"{name}, short": match(prepare) for name, prepare in STATES.items()}
    wrong = wrong_at(clock, [*MORE_SIZES[:3], (844, 390)], WRONG_IN, [states, [WIDEST], None])
    wrong.get("568x320", {}).pop("hold", None)  # a penalty below a long name
    cut = [words for found in wrong.values() for faults in found.values() for words in faults if "is cut" in words]
    assert cut == []


@pytest.mark.parametrize("layout", ["own", "shared"], indirect=True)
def test_the_reasons_are_whole_at_twice_the_text_size(clock: Page) -> None:
    clock.evaluate("document.documentElement.style.setProperty('font-size', '32px')")
    both = [match(running()), match(then(("left", "stop")))]
    clock.evaluate("both => both.forEach((match) => window.geometry.show(match))", both)
    clock.get_by_role("dialog", name="Both clocks are stopped. Why?").wait_for()
    wrong = wrong_at(clock, SIZES_OF_PHONES, LOOK, FONTS)
    assert [(size, words) for size, found in wrong.items() for words in found if "broken" in words] == []
    assert wrong_at(clock, SIZES_OF_PHONES, WIDER, ".wins button") == {}


@pytest.mark.parametrize("layout", ["own"], indirect=True)
@pytest.mark.parametrize("director", [True, False], ids=["tournament", "casual"])
def test_the_question_about_a_loan_covers_no_running_clock(clock: Page, director: bool) -> None:
    runs = match(running(), names=LONG_NAMES, reserve_ms=LONGEST_MS, director=director)
    clock.evaluate("match => window.geometry.show(match)", {**runs, "lent_at": [None, 1]})
    clock.get_by_role("button", name="Yes").wait_for()
    assert wrong_at(clock, [*SIZES, (640, 360), (667, 375)], LOOK, FONTS) == {}


@pytest.mark.parametrize("seats", ["left", "right", "left right"], ids=["winner", "loser", "both"])
def test_the_end_of_a_match_fits_every_screen_and_its_result_is_in_sight(page: Page, seats: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    wrong = {}
    for name, (server, summary) in endings().items():
        if seats == "right" and name not in ("short", "to 25"):
            continue  # the loser sees the same lines as the winner
        open_ending(page, server, seats, summary)
        page.locator(".ways-on b:not(:empty), .ways-on .primary").first.wait_for()
        page.evaluate(GEOMETRY)
        most = name == "to 25"
        wrong[name] = wrong_at(page, SIZES if most else A_FEW_SIZES, LOOK_UNSCROLLED, [WIDEST])
        wrong[f"{name}, lying"] = wrong_at(page, [(844, 390), *(MORE_SIZES if most else [])], LOOK, [WIDEST], lying=380)
        if most:
            wrong[f"{name}, in other fonts"] = wrong_at(page, SMALLEST, LOOK, NARROWER)
    assert {what: found for what, found in wrong.items() if found} == {}
