"""Actions offered on a phone with a borrowed seat."""

import pytest
from playwright.sync_api import Page

from clocks.journal.tenure import Tenure
from tests.browser.engines import expect
from tests.browser.scripted import ScriptedServer, asked, open_page, wait_mode, wait_until

TOOK = "This phone has Ann’s seat on loan. To settle anything, the director must agree to that."


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server with Ann's clock running and her seat lent to another phone."""
    server = ScriptedServer()
    server.tenure = Tenure(owners=(5, None), lent_at=(1, None))
    server.begin("left")
    return server


def test_a_borrowed_seat_may_press_but_not_double_or_propose(phone: Page, server: ScriptedServer) -> None:
    double = phone.locator(".actions[data-seat=left] button.double")
    expect(double).to_be_disabled()
    expect(double).to_contain_text("Seat on loan")
    phone.locator(".actions[data-seat=left] button.more").tap()
    sheet = phone.locator("dialog.sheet")
    expect(sheet).to_contain_text(TOOK)
    expect(sheet.get_by_role("button", name="Call the director …")).to_be_visible()
    expect(sheet.get_by_role("button", name="The game is over …")).to_have_count(0)
    expect(sheet.get_by_role("button", name="Correct the score …")).to_have_count(0)
    phone.keyboard.press("Escape")
    phone.tap(".half[data-seat=left] .pad")
    wait_mode(phone, "left", "wait")
    expect(phone.locator(".actions[data-seat=left] button.undo")).to_be_hidden()
    assert asked(server, "do") == [("hit",)]
    server.play("right", "double")
    wait_mode(phone, "left", "asked")
    expect(phone.locator(".half[data-seat=left] .panel button")).to_have_text(["Call the director"])


def test_a_borrowed_seat_may_not_answer_but_call_the_director(phone: Page, server: ScriptedServer) -> None:
    server.play("right", "propose", what="game", winner="right", points=1)
    half = phone.locator(".half[data-seat=left]")
    expect(half.locator(".foot")).to_have_text(TOOK)
    expect(half.locator(".panel button")).to_have_text(["Call the director"])
    half.get_by_role("button", name="Call the director").tap()
    expect(half.locator(".panel button")).to_have_count(0)
    assert asked(server, "do", "seat") == [("call", "left")]


def test_a_borrowed_seat_that_stops_proposes_no_result(phone: Page) -> None:
    phone.get_by_role("button", name="Stop").click()
    expect(phone.get_by_role("button", name="To retrieve fallen dice")).to_be_visible()
    expect(phone.get_by_role("button", name="Single game")).to_have_count(0)


def test_a_granted_seat_may_answer(phone: Page, server: ScriptedServer) -> None:
    server.play("right", "propose", what="game", winner="right", points=1)
    expect(phone.locator(".half[data-seat=left] .foot")).to_have_text(TOOK)
    server.tenure = Tenure()
    server.version += 1
    server.broadcast()
    expect(phone.locator(".half[data-seat=left] .panel button")).to_have_text(["Agree", "Ask the director"])


@pytest.fixture
def casual() -> ScriptedServer:
    """A match without a director; Bob's seat is lent to another phone."""
    server = ScriptedServer(director=False)
    server.tenure = Tenure(owners=(None, 5), lent_at=(None, 1))
    server.begin("left")
    return server


def test_the_other_player_is_asked_at_once_whose_phone_it_is(page: Page, casual: ScriptedServer) -> None:
    open_page(page, casual)
    question = page.get_by_text("Another phone has Bob’s seat now. Is that right?")
    expect(question).to_be_visible()
    expect(page.locator(".half[data-seat=left] .digits")).to_be_visible()
    page.get_by_role("button", name="Yes", exact=True).click()
    wait_until(page, lambda: asked(casual, "do", "seat", "by") == [("grant-seat", "right", "left")], "it is granted")


def test_a_no_puts_the_question_away(page: Page, casual: ScriptedServer) -> None:
    open_page(page, casual)
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.get_by_text("Is that right?")).to_be_hidden()
    assert casual.heard == []


def test_a_yes_is_taken_at_once_and_sent_when_it_counts(page: Page) -> None:
    server = ScriptedServer(director=False)
    server.tenure = Tenure(owners=(None, 5), lent_at=(None, server.now() - 117_000))
    server.begin("left")
    open_page(page, server)
    page.get_by_role("button", name="Yes", exact=True).click()
    noted = "Noted. Within two minutes Bob’s new phone may do everything, unless the old one comes back."
    expect(page.locator(".message").get_by_text(noted)).to_be_visible()
    expect(page.locator(".message button").filter(visible=True)).to_have_count(0)
    assert server.heard == []
    wait_until(page, lambda: asked(server, "do", "seat", "by") == [("grant-seat", "right", "left")], "it is granted")


def test_in_a_tournament_a_yes_asks_the_director(page: Page) -> None:
    server = ScriptedServer()
    server.tenure = Tenure(owners=(None, 5), lent_at=(None, 1))
    server.begin("left")
    open_page(page, server)
    expect(page.get_by_text("Another phone has Bob’s seat now. Is that right?")).to_be_visible()
    page.get_by_role("button", name="Yes, tell the director").click()
    wait_until(page, lambda: asked(server, "do", "note") == [("call", "Bob has a new phone")], "the director is called")
    expect(page.get_by_text("Is that right?")).to_be_hidden()
