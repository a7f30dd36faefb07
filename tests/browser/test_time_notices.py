"""Changes of a time by a ruling or an agreement, told on each phone."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect
from tests.browser.geometry import GEOMETRY, LOOK
from tests.browser.scripted import ScriptedServer, open_page, wait_mode
from tests.browser.states import STATES
from tests.browser.test_geometry import LONG_NAMES
from tests.browser.test_locales import speak

GIVE = {"do": "propose", "what": "time", "seat": "left", "by_ms": 60_000}
GIVEN = "Ann’s time changed by +1:00"

# Height in px of each notice beyond its half.
BEYOND = """(notices) => notices.map((notice) => {
    const half = notice.closest('.half').getBoundingClientRect();
    const { top, bottom } = notice.getBoundingClientRect();
    return Math.max(0, half.top - top, bottom - half.bottom);
})"""


def shown_to_all(page: Page, words: str) -> None:
    """Expect these words on each half of a phone, and for screen readers."""
    seats = page.locator("match-clock").get_attribute("data-seats")
    notices = page.locator(".notice").filter(visible=True)
    expect(notices).to_have_text([words] * len((seats or "").split()))
    for notice in notices.all():
        expect(notice).to_be_in_viewport(ratio=0.98)
    expect(page.locator("match-clock > [role=status]")).to_have_text(words)


@pytest.mark.parametrize(
    ("seats", "state"), [("left", "ready"), ("right", "turn"), ("left right", "wait"), ("left right", "stopped")]
)
def test_each_phone_says_that_the_director_changed_a_time(page: Page, seats: str, state: str) -> None:
    server = ScriptedServer()
    STATES[state](server)
    errors = open_page(page, server, seats)
    page.wait_for_selector(".late", state="attached")  # their script is loaded
    server.play("director", **GIVE)
    shown_to_all(page, GIVEN)
    assert errors == []


@pytest.mark.parametrize("seats", ["left", "left right"])
def test_a_change_is_read_whole_below_a_long_name(page: Page, seats: str) -> None:
    server = ScriptedServer(names=LONG_NAMES)
    server.begin("right")
    open_page(page, server, seats)
    page.set_viewport_size({"width": 320, "height": 568})
    page.wait_for_selector(".late", state="attached")
    server.play("director", **GIVE)
    expect(page.locator(".half[data-seat=left] .notice")).to_be_visible()
    page.evaluate(GEOMETRY)
    assert page.evaluate(LOOK, ["DejaVu Sans"]) == []


@pytest.mark.parametrize("seats", ["left", "left right"])
@pytest.mark.parametrize("language", ["de", "es"])  # the longest sentences
def test_changes_of_both_times_are_read_whole(own_page: Page, language: str, seats: str) -> None:
    speak(own_page, language)
    own_page.set_viewport_size({"width": 320, "height": 568})
    server = ScriptedServer(names=LONG_NAMES)
    server.begin("right")
    open_page(own_page, server, seats)
    own_page.wait_for_selector(".late", state="attached")
    for seat in ("left", "right"):
        server.play("director", **GIVE | {"seat": seat})
    own_page.wait_for_function("v => document.querySelector('match-clock').match.v === v", arg=server.version)
    notices = own_page.locator(".notice").filter(visible=True)
    names = re.compile("Bartholomew.*Wilhelmina")
    expect(notices).to_have_text([names] * len(seats.split()))
    assert notices.evaluate_all(BEYOND) == [0] * len(seats.split())


def test_changes_of_both_times_at_once_are_one_line(page: Page) -> None:
    server = ScriptedServer()
    server.begin("left")
    open_page(page, server)
    page.wait_for_selector(".late", state="attached")
    server.play("director", **GIVE)
    server.play("director", **GIVE | {"seat": "right", "by_ms": -90_000})
    shown_to_all(page, f"{GIVEN} · Bob’s time changed by −1:30")


def test_an_agreed_change_of_a_time_is_told_too(page: Page) -> None:
    server = ScriptedServer(director=False)
    server.begin("left")
    open_page(page, server)
    server.play("right", **GIVE)
    page.get_by_role("button", name="Agree").click()
    shown_to_all(page, GIVEN)


NOTE_WHAT_IT_SAYS = """() => {
    window.told = [];
    document.querySelector('match-clock').say = (words) => window.told.push(words);
}"""


def test_less_than_half_a_second_is_no_change_of_a_time(page: Page) -> None:
    """Times of a phone that was offline and the server's differ by some ms."""
    server = ScriptedServer()
    server.begin("left")
    open_page(page, server, "left right")
    page.wait_for_selector(".late", state="attached")
    page.evaluate(NOTE_WHAT_IT_SAYS)
    for by_ms in (-40, 499, 2_000):
        server.play("director", **GIVE | {"by_ms": by_ms})
    page.wait_for_function("v => document.querySelector('match-clock').match.v === v", arg=server.version)
    assert page.evaluate("window.told") == ["Ann’s time changed by +0:02"]


def test_a_turn_a_stop_a_game_and_a_flag_change_no_time(page: Page) -> None:
    server = ScriptedServer()
    server.begin("left", ago_ms=60_000)
    open_page(page, server, "left right")
    page.wait_for_selector(".late", state="attached")
    page.evaluate(NOTE_WHAT_IT_SAYS)
    for by, do, more in (
        ("left", "hit", {}),
        ("director", "propose", {"what": "undo"}),
        ("director", "resume", {"turn_of": "left"}),
        ("right", "propose", {"what": "game", "winner": "left", "points": 2}),
        ("left", "agree", {}),
        ("right", "hit", {}),
    ):
        server.play(by, do, **more)
    server.play("server", "expire", after_ms=3_600_000)
    wait_mode(page, "left", "flag")
    server.play("director", "agree")
    page.wait_for_function("v => document.querySelector('match-clock').match.v === v", arg=server.version)
    assert page.evaluate("window.told") == []
