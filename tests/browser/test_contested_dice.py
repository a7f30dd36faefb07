"""Contested stops, resumes by one player, and full delays, as pages show them."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_texts
from tests.browser.fed_screens import Feed, board, open_console
from tests.browser.scripted import ScriptedServer, choose, last_command, open_page, panel, wait_mode
from tests.browser.windows import DIRECTOR

HINT = ".half[data-seat=left] .hint"


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server with Bob's clock running."""
    server = ScriptedServer(rules="modern")
    server.begin("right", ago_ms=5_000)
    return server


def test_the_other_player_contests_picked_up_dice_with_one_tap(page: Page, server: ScriptedServer) -> None:
    errors = open_page(page, server)
    server.play("right", "stop", reason="dice-picked-up")
    page.get_by_text("Bob stopped both clocks to move with them stopped").first.wait_for()
    choose(page, "I contest that")
    expect(page.get_by_text("Ann contests that the dice were picked up.").first).to_be_visible()
    assert last_command(server, page) == {"do": "stop", "reason": "contest"}
    expect(page.locator(HINT)).to_have_text("The director has been called.")
    expect(page.locator(".half[data-seat=left] .title")).to_contain_text("Stopped for 0:0")
    assert panel(page)[1] == "Agree on whose clock resumes, or wait for the director."
    server.play("director", "answer")
    expect(page.locator(HINT)).to_have_text("The director has answered the call.")
    choose(page, "Start Ann’s clock")
    page.get_by_text("Ann’s clock resumes.").first.wait_for()
    server.play("right", "agree")
    wait_mode(page, "left", "turn")
    assert errors == []


def test_the_claimer_sees_the_contest_and_for_how_long_it_has_been(page: Page, server: ScriptedServer) -> None:
    server.tournament = "casual"
    open_page(page, server, "right")
    server.play("right", "stop", reason="dice-picked-up")
    server.play("left", "stop", reason="contest")
    expect(page.locator(".half[data-seat=right] .title")).to_contain_text("Stopped for 0:0")
    assert shown_texts(page.locator(".half[data-seat=right] .lines p")) == [
        "Ann contests that the dice were picked up.",
        "Agree on whose clock resumes.",
    ]


@pytest.mark.browser_context_args(**DIRECTOR)
def test_the_director_sees_the_contest_and_since_when_the_clocks_stand(page: Page) -> None:
    contested = board(1, "contested")
    contested["stop"]["at"] -= 65_000
    feed = Feed([contested])
    open_console(page, feed)
    line = page.locator("[data-lane] li").first
    expect(line).to_contain_text("contests that the dice were picked up")
    expect(line).to_contain_text(re.compile(r"1[2-9]:\d\d"))
    assert feed.errors == []


@pytest.mark.parametrize("seat", ["left", "right"])
def test_both_phones_say_who_resumed_with_the_other_turn(page: Page, server: ScriptedServer, seat: str) -> None:
    open_page(page, server, seat)
    server.play("right", "stop")
    server.play("right", "resume", turn_of="left")
    expect(page.locator(f".half[data-seat={seat}] .hint")).to_have_text("Bob resumed with Ann’s turn.")
    server.play("left", "hit")
    expect(page.locator(f".half[data-seat={seat}] .hint")).not_to_contain_text("resumed")


def test_a_full_delay_is_asked_for_and_begins_when_the_other_agrees(page: Page, server: ScriptedServer) -> None:
    errors = open_page(page, server, "right")
    server.play("right", "stop", reason="dice")
    choose(page, "Ask for a full delay")
    page.get_by_text("Bob’s clock resumes with a full delay.").first.wait_for()
    server.play("left", "agree")
    wait_mode(page, "right", "turn")
    assert (server.match.clock.used_ms, errors) == (0, [])
