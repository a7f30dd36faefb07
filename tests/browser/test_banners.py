"""Banners of a clock page, one over each clock, and brief notices."""

import json

import pytest
from playwright.sync_api import Page

from clocks.live import protocol
from tests.browser.engines import expect, shown_text
from tests.browser.scripted import ScriptedServer, open_page, wait_until
from tests.browser.test_geometry import SIZES

# Times, and buttons that close a sheet, on which a notice lies.
COVERED = """() => {
    const boxes = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
        .map((one) => [one, one.getBoundingClientRect()]);
    const notices = boxes('.notice');
    return boxes('.digits, .delay .time, .away').filter(([, box]) => notices.some(([, notice]) =>
        Math.min(box.right, notice.right) > Math.max(box.left, notice.left) + 1 &&
        Math.min(box.bottom, notice.bottom) > Math.max(box.top, notice.top) + 1)).map(([one]) => one.textContent);
}"""

ADVISE = """() => import('/static/clocks/phone/about.js')
    .then(({ adviseOnSleep }) => adviseOnSleep(document.querySelector('match-clock')))"""
# Whether all entries of the open sheet ignored taps, when they first did.
RESTING = """() => {
    const body = document.querySelector('.sheet .body');
    const entries = [...body.querySelectorAll('button')];
    window.rested = [];
    new MutationObserver(() => window.rested[0] ??= entries.every((entry) => entry.disabled))
        .observe(body, { attributes: true, attributeFilter: ['data-rests'], subtree: true });
}"""


def test_a_message_waits_with_its_twin_behind_the_advice_on_the_screen(page: Page) -> None:
    server = ScriptedServer()
    errors = open_page(page, server, "left right")
    banners = page.locator(".message").filter(visible=True)
    page.evaluate("window.dispatchEvent(new Event('pointerup'))")
    expect(banners).to_have_count(1)
    now = server.now()
    message = {"t": "message", "id": 5, "text": "Lunch is served.", "at": now, "now": now, "until": now + 600_000}
    for socket in server.sockets:
        socket.send(json.dumps(message))
    page.wait_for_selector(".twin:not([hidden])", state="attached")
    assert "The screen may turn off" in shown_text(banners)
    banners.get_by_role("button", name="OK").click()
    expect(banners.locator("p")).to_have_text(["Lunch is served."] * 2)
    assert errors == []


@pytest.mark.parametrize("seats", ["left", "left right"])
def test_a_new_version_waits_behind_a_message_that_comes_later(page: Page, seats: str) -> None:
    server = ScriptedServer()
    server.begin("left")
    errors = open_page(page, server, seats)
    page.set_viewport_size({"width": 320, "height": 568})
    server.program = "two"
    server.close(1012)
    expect(page.locator(".renewal")).to_be_visible()
    server.sockets[-1].send(protocol.message(server.now(), 7, "Lunch at one.", server.now(), server.now() + 60_000))
    expect(page.get_by_text("Lunch at one.")).to_have_count(1 + (seats == "left right"))
    expect(page.locator(".renewal")).to_be_hidden()
    page.get_by_role("button", name="OK").first.click()
    expect(page.get_by_text("Lunch at one.").filter(visible=True)).to_have_count(0)
    expect(page.locator(".renewal")).to_be_visible()
    assert errors == []


@pytest.mark.parametrize("seats", ["left", "left right"])
def test_the_answers_to_a_request_are_in_sight_on_the_smallest_phone(page: Page, seats: str) -> None:
    server = ScriptedServer()
    server.begin("left")
    errors = open_page(page, server, seats)
    page.set_viewport_size({"width": 320, "height": 568})
    now = server.now()
    ask = {"id": 3, "match": server.id, "seats": seats.split(), "at": now, "until": now + 600_000}
    for socket in server.sockets:
        socket.send(json.dumps({"t": "asks", "now": now, "asks": [ask]}))
    page.get_by_role("button", name="Answer …").click()
    expect(page.get_by_role("dialog", name="Another phone wants this seat" if seats == "left" else "")).to_be_visible()
    for name in ("Keep it", "Hand it over"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=0.98)
    assert errors == []


def test_a_message_leaves_room_for_who_moves_first_on_the_smallest_phone(page: Page) -> None:
    server = ScriptedServer(names=("Wilhelmina-Aurora Lindqvi", "Bartholomew Fitzgeraldson"))
    server.play("director", "confirm")
    open_page(page, server, "left right")
    page.set_viewport_size({"width": 320, "height": 568})
    server.sockets[0].send(protocol.message(server.now(), 7, "Lunch at one.", server.now(), server.now() + 60_000))
    expect(page.get_by_text("Lunch at one.")).to_have_count(2)
    answers = page.get_by_role("button", name="moves first")
    expect(answers).to_have_count(4)
    for answer in answers.all():
        expect(answer).to_be_in_viewport(ratio=0.98)
        box = answer.bounding_box()
        assert box and (box["width"] > 110, box["height"] > 44) == (True, True), box


def test_a_message_takes_no_more_than_its_words_on_the_smallest_phone(page: Page) -> None:
    server = ScriptedServer()
    server.begin("left")
    open_page(page, server)
    page.set_viewport_size({"width": 320, "height": 568})
    text = "Lunch is served in the small hall. Please finish the game that you play first."
    server.sockets[0].send(protocol.message(server.now(), 7, text, server.now(), server.now() + 60_000))
    banner = page.locator(".message").filter(visible=True)
    expect(banner.locator("p")).to_have_text(text)
    words, box = banner.locator("p").bounding_box(), banner.bounding_box()
    assert words and box and box["height"] - max(words["height"], 48) <= 9, (words, box)


@pytest.mark.parametrize("seats", ["left", "left right"])
def test_a_message_leaves_a_stop_its_reason_on_the_smallest_phone(page: Page, seats: str) -> None:
    server = ScriptedServer()
    server.begin("left")
    server.play("right", "stop", reason="score")
    open_page(page, server, seats)
    page.set_viewport_size({"width": 320, "height": 568})
    server.sockets[0].send(protocol.message(server.now(), 7, "Lunch at one.", server.now(), server.now() + 60_000))
    shown = len(seats.split())
    expect(page.get_by_text("Lunch at one.").filter(visible=True)).to_have_count(shown)
    reasons = page.get_by_text("stopped both clocks to verify score or cube")
    expect(reasons).to_have_count(shown)
    for reason in reasons.all():
        expect(reason).to_be_in_viewport(ratio=0.98)
    hold = page.locator(".hold").bounding_box()
    assert hold and hold["height"] > hold["width"], hold


def test_a_message_waits_for_an_open_sheet_on_the_smallest_phone(page: Page) -> None:
    server = ScriptedServer()
    server.begin("left")
    open_page(page, server, "left right")
    message = page.get_by_text("Lunch at one.").filter(visible=True)
    for width, height in ((320, 568), (568, 320)):
        page.set_viewport_size({"width": width, "height": height})
        server.sockets[0].send(protocol.message(server.now(), 7, "Lunch at one.", server.now(), server.now() + 60_000))
        expect(message).to_have_count(2)
        page.locator(".actions[data-seat=left]").get_by_role("button", name="Menu").click()
        expect(page.get_by_role("dialog", name="Ann")).to_be_visible()
        expect(message).to_have_count(0)
        page.keyboard.press("Escape")
        expect(message).to_have_count(2)


@pytest.mark.parametrize("seats", ["left", "left right"])
def test_a_notice_covers_no_time_and_no_button_that_closes_a_sheet(page: Page, seats: str) -> None:
    server = ScriptedServer()
    server.begin("left")
    open_page(page, server, seats)
    page.locator(".actions[data-seat=left] .more").click()
    words = "No connection, so nothing was sent. Tell your opponent and try again."
    page.evaluate("words => document.querySelector('match-clock').say(words, 60_000)", words)
    expect(page.locator(".half[data-seat=left] .notice")).to_have_text(words)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".half[data-seat=left] .notice")).to_be_in_viewport(ratio=0.98)
        assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("seats", ["left", "left right"])
def test_the_advice_on_the_screen_waits_for_an_open_sheet(page: Page, seats: str) -> None:
    open_page(page, ScriptedServer(), seats)
    page.locator(".actions[data-seat=left] .more").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    before = sheet.bounding_box()
    page.evaluate(ADVISE)
    advice = page.get_by_text("The screen may turn off.")
    assert (advice.is_visible(), sheet.bounding_box()) == (False, before)
    page.keyboard.press("Escape")
    expect(advice).to_be_visible()


def test_entries_of_a_sheet_that_a_banner_moves_take_no_tap_at_first(page: Page) -> None:
    server = ScriptedServer()
    open_page(page, server, "left")
    page.locator(".actions[data-seat=left] .more").click()
    entry = page.get_by_role("dialog").get_by_role("button", name="This phone …")
    expect(entry).to_be_enabled()
    before = entry.bounding_box()
    page.evaluate(RESTING)
    server.sockets[0].send(protocol.message(server.now(), 7, "Lunch at one.", server.now(), server.now() + 60_000))
    expect(page.get_by_text("Lunch at one.")).to_be_visible()
    wait_until(page, lambda: bool(page.evaluate("window.rested.length")), "the entries rest")
    assert (page.evaluate("window.rested"), entry.bounding_box() != before) == ([True], True)
    expect(entry).to_be_enabled()
    entry.click()
    expect(page.get_by_role("dialog", name="This phone")).to_be_visible()
