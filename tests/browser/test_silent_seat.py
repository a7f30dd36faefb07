"""Pressing for a player whose phone has been silent for ten seconds."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.engines import expect, shown_text
from tests.browser.scripted import ScriptedServer, asked, open_page, wait_mode

SILENT = (0, 10_000)
SILENT_AT_REST = (0, 11_000)


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server with Bob's clock running."""
    server = ScriptedServer()
    server.begin("right", ago_ms=4_000)
    return server


def card(phone: Page) -> Locator:
    """Bob's half on Ann's phone."""
    return phone.locator(".half[data-seat=right]")


def test_two_taps_on_a_silent_players_card_press_for_that_player(phone: Page, server: ScriptedServer) -> None:
    assert card(phone).locator("button").count() == 0
    server.tell_seen(*SILENT)
    expect(card(phone).locator(".lines")).to_have_text("Bob’s phone is offline.")
    assert shown_text(phone.locator("match-clock > [role=status]")) == "Bob’s phone is offline."
    card(phone).get_by_role("button", name="Press for Bob").tap()
    assert server.heard == []
    card(phone).get_by_role("button", name="Yes, press for Bob").tap()
    wait_mode(phone, "left", "turn")
    assert asked(server, "do", "seat", "turn_number") == [("hit", "right", 1)]
    assert card(phone).locator("button").count() == 0


def test_a_waiting_players_card_says_that_the_phone_is_offline(phone: Page, server: ScriptedServer) -> None:
    server.tell_seen(*SILENT)
    server.play("right", "hit")
    title = card(phone).locator(".title .words")
    expect(title).to_have_text("Offline")
    expect(title).to_be_visible()
    server.tell_seen(0, 0)
    expect(title).to_have_text("Waiting")


def test_the_other_player_reads_how_long_a_phone_was_away(phone: Page, server: ScriptedServer) -> None:
    server.tell_seen(*SILENT)
    expect(card(phone).locator("button")).to_be_visible()
    server.play("right", "hit")
    server.tell_seen(0, 0)
    told = re.compile(r"^Bob’s phone was offline for 0:1\d\.$")
    notice = phone.locator(".half[data-seat=left] .notice")
    expect(notice).to_have_text(told)
    expect(notice).to_be_visible()
    expect(phone.locator("match-clock > [role=status]")).to_have_text(told)
    digits, said = phone.locator(".half[data-seat=left] .digits").bounding_box(), notice.bounding_box()
    assert digits is not None and said is not None
    assert said["y"] >= digits["y"] + digits["height"]


def test_a_phone_that_is_back_ends_the_offer_and_is_reported_once(phone: Page, server: ScriptedServer) -> None:
    server.tell_seen(*SILENT)
    expect(card(phone).locator("button")).to_be_visible()
    server.tell_seen(0, 0)
    expect(card(phone).locator("button")).to_have_count(0)
    notice = phone.locator(".half[data-seat=left] .notice")
    expect(notice).to_be_visible()
    server.tell_seen(0, 0)
    server.play("right", "stop")
    wait_mode(phone, "left", "stopped")
    expect(notice).to_be_hidden()


def test_a_players_own_pad_presses_for_nobody_else(phone: Page, server: ScriptedServer) -> None:
    server.tell_seen(*SILENT)
    expect(card(phone).get_by_role("button", name="Press for Bob")).to_be_visible()
    for _ in range(3):
        phone.tap(".half[data-seat=left] .pad")
    assert server.heard == []
    pad, button = (phone.locator(found).bounding_box() for found in (".half[data-seat=left]", ".small button"))
    assert pad is not None and button is not None
    away = pad["y"] - button["y"] - button["height"]
    assert (button["width"] >= 48, button["height"] >= 48, away >= 8) == (True, True, True)


def test_the_offer_disappears_while_this_phone_is_offline(phone: Page, server: ScriptedServer) -> None:
    server.tell_seen(*SILENT)
    expect(card(phone).locator("button")).to_be_visible()
    server.close(1012)
    expect(card(phone).locator("button")).to_have_count(0)
    phone.wait_for_selector("match-clock[data-link=open]")
    expect(card(phone).locator("button")).to_be_visible()
    server.silent_ms = [0, 0]  # Bob's phone comes back before Ann's
    server.close(1012)
    phone.wait_for_selector("match-clock[data-link=reconnecting]")
    phone.wait_for_selector("match-clock[data-link=open]")
    expect(card(phone).locator("button")).to_have_count(0)


def test_a_silent_phone_is_only_pressed_for_and_only_in_its_turn(phone: Page, server: ScriptedServer) -> None:
    server.tell_seen(*SILENT)
    expect(card(phone).locator("button")).to_be_visible()
    server.play("right", "hit")
    expect(card(phone).locator("button")).to_have_count(0)
    server.play("left", "double")
    wait_mode(phone, "right", "asked")
    expect(card(phone).locator("button")).to_have_count(0)


def test_before_a_game_a_silent_phones_player_can_start_the_clock_too(page: Page) -> None:
    server = ScriptedServer()
    server.play("director", "confirm")
    server.silent_ms = list(SILENT_AT_REST)
    open_page(page, server)
    card(page).get_by_role("button", name="Press for Bob").tap()
    card(page).get_by_role("button", name="Yes, press for Bob").tap()
    wait_mode(page, "left", "turn")
    assert asked(server, "do", "seat", "turn_number") == [("hit", "right", 0)]


def test_a_refused_press_for_the_other_shows_on_the_sending_half(phone: Page, server: ScriptedServer) -> None:
    server.tell_seen(*SILENT)
    server.answering = False
    card(phone).get_by_role("button", name="Press for Bob").tap()
    card(phone).get_by_role("button", name="Yes, press for Bob").tap()
    wait_mode(phone, "right", "sent")
    expect(card(phone).locator(".title .words")).to_have_text("Pressed here")
    server.play("right", "hit")
    server.answer(server.heard[0])
    expect(phone.locator(".half[data-seat=left] .notice")).to_have_text("Already switched.")
