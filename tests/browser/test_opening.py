"""Question before each game about who moves first, and its answer."""

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text
from tests.browser.scripted import ScriptedServer, asked, open_page, press, wait_mode, wait_until


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server before the first game."""
    server = ScriptedServer()
    server.play("director", "confirm")
    return server


def test_who_moves_first_is_asked_by_name_and_the_other_player_answers(page: Page, server: ScriptedServer) -> None:
    """US 2013, 3.3: the player with the lower die starts the opponent's clock."""
    open_page(page, server)
    half = page.locator(".half[data-seat=left]")
    expect(half.locator(".title")).to_have_text("Who moves first?")
    expect(half.locator(".hint")).to_have_text("Tap whoever rolled higher.")
    half.get_by_role("button", name="Ann moves first").tap()
    expect(half.locator(".notice")).to_be_visible()
    expect(half.locator(".notice")).to_have_text("Now Bob taps the same on the other phone.")
    half.get_by_role("button", name="Bob moves first").tap()
    wait_mode(page, "left", "wait")
    assert (asked(server, "do", "seat", "turn_number"), server.match.turn) == ([("hit", "left", 0)], "right")


def test_on_a_shared_phone_either_half_takes_either_name(page: Page, server: ScriptedServer) -> None:
    open_page(page, server, "left right")
    page.locator(".half[data-seat=left]").get_by_role("button", name="Ann moves first").tap()
    wait_mode(page, "left", "turn")
    assert (asked(server, "do", "seat", "turn_number"), server.match.turn) == ([("hit", "right", 0)], "left")


def test_a_second_tap_on_the_opening_ends_no_turn(page: Page, server: ScriptedServer) -> None:
    open_page(page, server)
    page.clock.install()
    server.play("right", "hit")  # Bob taps, and Ann taps as her page shows it
    wait_mode(page, "left", "turn")
    page.clock.run_for(1400)
    press(page)
    page.clock.run_for(200)
    press(page)
    wait_mode(page, "left", "wait")
    assert (asked(server, "do", "turn_number"), server.match.turn_number) == ([("hit", 1)], 2)


def test_two_claims_of_who_moves_first_that_cross_are_one(page: Page, server: ScriptedServer) -> None:
    open_page(page, server)
    server.answering = False
    press(page)
    wait_until(page, lambda: bool(server.heard), "Ann's claim arrives")
    server.play("right", "hit")
    server.answer(server.heard[0])
    wait_mode(page, "left", "turn")
    entries = "document.querySelector('match-clock').source.outbox.entries"
    wait_until(page, lambda: page.evaluate(entries) == [], "the claim is answered")
    assert page.locator(".half[data-seat=left] .notice").is_hidden()
    assert server.match.turn_number == 1


def test_on_a_shared_phone_both_claims_of_the_opening_are_one(page: Page, server: ScriptedServer) -> None:
    open_page(page, server, "left right")
    server.answering = False
    press(page, "left")
    press(page, "right")
    wait_until(page, lambda: bool(server.heard), "the first claim arrives")
    server.answer(server.heard[0])
    wait_mode(page, "right", "turn")
    press(page, "right")
    assert asked(server, "do", "seat", "turn_number") == [("hit", "left", 0)]


def test_the_mixing_of_the_dice_is_told_before_the_first_game_only(page: Page, server: ScriptedServer) -> None:
    """US 2013, 3.2, and the same paragraph of the other books."""
    open_page(page, server)
    aside = page.locator(".half[data-seat=left] .aside").filter(visible=True)
    first = "Before each game either player may ask for the dice to be mixed."
    assert shown_text(aside) == first
    server.play("right", "hit")
    server.play("left", "propose", what="game", winner="right", points=1)
    server.play("right", "agree")
    wait_mode(page, "left", "ready")
    expect(page.locator(".half[data-seat=left] .aside")).to_be_hidden()
