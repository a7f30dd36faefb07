"""A phone counts down to the start of its round."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect
from tests.browser.scripted import ScriptedServer, open_page, press, wait_mode

NOW = "The round has started. Please start your clock."


@pytest.fixture
def server() -> ScriptedServer:
    server = ScriptedServer()
    server.round = "Main, round 2"
    return server


def test_a_phone_counts_down_until_the_match_begins(page: Page, server: ScriptedServer) -> None:
    errors = open_page(page, server)
    hint = page.locator(".half[data-seat=left] .hint")
    server.tell_start(server.now() + 90_500)
    expect(hint).to_have_text("The round starts in 1:30.")
    expect(hint).to_have_text("The round starts in 1:29.")
    server.play("director", "confirm")
    wait_mode(page, "left", "ready")
    expect(hint).to_have_text(re.compile(r"^The round starts in 1:2\d\.$"))
    server.tell_start(server.now() + 900)
    expect(hint).to_have_text(NOW)
    press(page)
    wait_mode(page, "left", "wait")
    expect(hint).to_have_text("Bob’s clock is running")
    assert errors == []


def test_a_start_that_is_taken_back_or_of_another_round_is_not_shown(page: Page, server: ScriptedServer) -> None:
    server.play("director", "confirm")
    open_page(page, server, "left right")
    hint = page.locator(".half[data-seat=left] .hint")
    server.tell_start(server.now() - 60_000)
    expect(hint).to_have_text(NOW)
    server.round = "Another round"
    server.tell_start(server.now() - 60_000)
    expect(hint).to_have_text("Tap whoever rolled higher.")


def test_a_call_for_the_director_is_said_before_the_start(page: Page, server: ScriptedServer) -> None:
    open_page(page, server)
    server.tell_start(server.now() + 90_500)
    hint = page.locator(".half[data-seat=left] .hint")
    expect(hint).to_contain_text("The round starts")
    server.play("left", "call")
    expect(hint).to_have_text("The director has been called.")
