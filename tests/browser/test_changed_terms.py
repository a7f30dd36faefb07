"""Proposals that change while a finger is on the button."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from clocks.models import CASUAL
from tests.browser.engines import expect
from tests.browser.fed_screens import Feed, board, open_console
from tests.browser.scripted import ScriptedServer, asked, choose, open_page, panel, wait_mode, wait_until

RESTS = "button => [button.textContent, button.disabled, 'rests' in button.dataset]"
THREE_POINTS = {"what": "game", "winner": "right", "points": 3}


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server on which Bob proposes to Ann to undo his press."""
    server = ScriptedServer()
    server.begin("left")
    server.play("right", "propose", what="undo")
    return server


def yes(phone: Page) -> Locator:
    """Button by which Ann agrees."""
    return phone.locator(".half[data-seat=left] .panel button.primary")


def at_the_change(page: Page, inside: str, button: str, change: Callable[[], None]) -> Any:
    """Tap a button as `change` redraws it; return its [label, disabled, rests]."""
    page.evaluate(
        """([inside, button]) => {
            const place = document.querySelector(inside);
            const before = place.querySelector(button);
            window.tapped = new Promise((done) => new MutationObserver((_news, watch) => {
                const now = place.querySelector(button);
                if (!now || now === before) return;
                watch.disconnect();
                now.click();
                done([now.textContent, now.disabled, 'rests' in now.dataset]);
            }).observe(place, { subtree: true, childList: true, attributes: true }));
        }""",
        [inside, button],
    )
    change()
    return page.evaluate("window.tapped")


def other_terms(server: ScriptedServer) -> None:
    """Withdraw Bob's proposal, and propose three points for him."""
    server.play("right", "decline")
    server.play("right", "propose", **THREE_POINTS)


def test_a_tap_as_the_terms_change_settles_nothing_and_a_later_one_does(phone: Page, server: ScriptedServer) -> None:
    expect(yes(phone)).to_be_enabled()
    half = ".half[data-seat=left]"
    assert at_the_change(phone, half, ".panel button.primary", lambda: other_terms(server))[1:] == [True, True]
    phone.get_by_text("3 points").wait_for()
    assert (server.heard, server.match.score) == ([], (0, 0))
    expect(yes(phone)).to_be_enabled()
    assert "rests" not in yes(phone).evaluate("button => Object.keys(button.dataset)")
    choose(phone, "Agree")
    wait_mode(phone, "left", "ready")
    assert asked(server, "do", "proposal") == [("agree", 2)]


def test_the_same_terms_proposed_again_ignore_taps_too(phone: Page, server: ScriptedServer) -> None:
    expect(yes(phone)).to_be_enabled()
    kept = server.broadcast
    server.broadcast = lambda: None  # type: ignore[method-assign]
    server.play("right", "decline")
    server.broadcast = kept  # type: ignore[method-assign]

    def again() -> None:
        server.play("right", "propose", what="undo")

    assert at_the_change(phone, ".half[data-seat=left]", ".panel button.primary", again) == ["Agree", True, True]
    choose(phone, "Agree")
    wait_until(phone, lambda: bool(server.heard), "the answer arrives")
    assert asked(server, "do", "proposal") == [("agree", 2)]


def test_an_agreement_in_flight_is_refused_if_the_terms_have_changed(phone: Page, server: ScriptedServer) -> None:
    server.answering = False
    choose(phone, "Agree")
    wait_until(phone, lambda: bool(server.heard), "the yes is under way")
    server.play("right", "decline")
    server.play("right", "propose", **THREE_POINTS)
    server.answer(server.heard[0])
    phone.get_by_text("The proposal has changed. Read it again before you answer.").first.wait_for()
    assert (asked(server, "do", "proposal"), server.match.score) == ([("agree", 1)], (0, 0))
    assert panel(phone)[0] == "Bob wins a backgammon"


def test_an_agreement_waiting_for_the_network_keeps_its_number(phone: Page, server: ScriptedServer) -> None:
    server.answering = False
    choose(phone, "Agree")
    wait_until(phone, lambda: bool(server.heard), "the yes is under way")
    server.close(1012)
    other_terms(server)
    wait_until(phone, lambda: len(server.heard) > 1, "it is sent again on a new socket")
    server.answering = True
    server.answer(server.heard[-1])
    phone.get_by_text("The proposal has changed. Read it again before you answer.").first.wait_for()
    assert {(frame["id"], frame["proposal"]) for frame in server.heard} == {(server.heard[0]["id"], 1)}


def test_buttons_ignore_taps_as_the_other_player_agrees_to_a_flag(page: Page) -> None:
    server = ScriptedServer()
    server.begin("right", ago_ms=3_600_000)
    server.play("server", "expire")
    open_page(page, server)
    expect(yes(page)).to_be_enabled()
    half = ".half[data-seat=left]"
    found = at_the_change(page, half, ".panel button.primary", lambda: server.play("right", "agree"))
    assert found == ["I agree", True, True]
    choose(page, "I agree")
    wait_mode(page, "left", "over")
    assert asked(server, "do", "proposal") == [("agree", 2)]


def test_a_shared_phone_answers_what_each_half_shows(page: Page) -> None:
    server = ScriptedServer(director=False)
    server.tournament = CASUAL
    server.devices = (1, 1)
    server.begin("left")
    open_page(page, server, "left right")
    server.play("right", "propose", what="undo")
    page.locator(".half[data-seat=right]").get_by_role("button", name="Withdraw").click()
    wait_until(page, lambda: server.match.proposal is None, "it is withdrawn")
    server.play("right", "propose", **THREE_POINTS)
    page.locator(".half[data-seat=left]").get_by_role("button", name="Agree").click()
    wait_mode(page, "left", "ready")
    assert asked(server, "do", "seat", "proposal") == [("decline", "right", 1), ("agree", "left", 2)]


# --- the director's page -------------------------------------------------------------------------------------------


class Table:
    """Board of the director's page on which Ann has proposed a score."""

    def __init__(self) -> None:
        self.frame = board(1, "stopped", rules="us-2013", length=7, score=[0, 0], names=["Ann", "Bob"], options={})
        self.frame["stop"]["at"] -= 120_000
        self.propose(1, [0, 6])
        self.feed = Feed([self.frame])

    def propose(self, number: int, score: list[int] | None, **more: Any) -> dict[str, Any]:
        """Frame of this board with another proposal, or none if `score` is None."""
        proposal = {"what": "score", "score": score, "crawford": None, "by": "left", "agreed": [], "disputed": False}
        self.frame = {**self.frame, "v": self.frame["v"] + 1, "called": False, **more}
        self.frame["proposal"] = score and {**proposal, "number": number}
        return self.frame


LINE = ".line[data-kind=proposal]"


def test_the_lane_sends_its_number_and_ignores_taps_when_terms_change(page: Page) -> None:
    table = Table()
    open_console(page, table.feed)
    line, button = page.locator(LINE), ".line-buttons button.primary"
    agree = line.get_by_role("button", name="Agree")
    expect(agree).to_be_enabled()
    found = at_the_change(page, "[data-lane]", button, lambda: table.feed.tell(table.propose(2, [6, 0])))
    assert found == ["Agree", True, True]
    table.feed.tell(table.propose(2, None))
    expect(line).to_have_count(0)
    found = at_the_change(page, "[data-lane]", button, lambda: table.feed.tell(table.propose(3, [0, 6])))
    assert found == ["Agree", True, True]
    assert [frame for frame in table.feed.heard if frame["t"] == "do"] == []
    agree.click()
    wait_until(page, lambda: any(frame["t"] == "do" for frame in table.feed.heard), "the answer arrives")
    (frame,) = [frame for frame in table.feed.heard if frame["t"] == "do"]
    assert (frame["do"], frame["proposal"]) == ("agree", 3)


def test_the_drawer_sends_its_number_and_ignores_taps_when_terms_change(page: Page) -> None:
    table = Table()
    open_console(page, table.feed)
    page.locator(".cell").first.click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_role("button", name="Agree")).to_be_enabled()
    button = ".due button.primary"
    found = at_the_change(page, "[data-drawer]", button, lambda: table.feed.tell(table.propose(2, [6, 0])))
    assert found == ["Agree", True, True]
    expect(drawer.locator(".changes .after").first).to_have_text("6–0")
    drawer.get_by_role("button", name="Agree").click()
    wait_until(page, lambda: any(frame["t"] == "do" for frame in table.feed.heard), "the answer arrives")
    drawer.get_by_label("Note for the record (required to decline)").fill("As seen.")
    drawer.get_by_role("button", name="Decline").click()
    wait_until(page, lambda: sum(frame["t"] == "do" for frame in table.feed.heard) == 2, "the other answer arrives")
    frames = [(frame["do"], frame["proposal"]) for frame in table.feed.heard if frame["t"] == "do"]
    assert frames == [("agree", 2), ("decline", 2)]


def test_the_drawer_closes_when_the_next_match_is_at_its_table(page: Page) -> None:
    feed = Feed([board(1, "over"), board(2, "running")])
    open_console(page, feed)
    page.locator(".cell").first.click()
    drawer = page.get_by_role("dialog")
    expect(drawer).to_be_visible()
    feed.tell({**board(3, "running"), "table": "1"})
    expect(page.locator(".cell[data-match='3']")).to_be_visible()
    expect(drawer).to_be_hidden()
    assert feed.errors == []


def test_a_turn_that_ends_keeps_the_directors_reason_for_a_stop(page: Page) -> None:
    first = board(1, "running")
    feed = Feed([first])
    open_console(page, feed)
    page.locator(".cell").first.click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("combobox", name="Why").select_option(label="break")
    feed.tell({**first, "v": first["v"] + 1000, "turn": "right", "turn_number": first["turn_number"] + 1})
    expect(drawer.locator(".due-words")).to_have_text(f"{first['names'][1]}’s clock is running.")
    drawer.get_by_role("button", name="Stop both clocks").click()
    wait_until(page, lambda: any(frame["t"] == "do" for frame in feed.heard), "the command arrives")
    (frame,) = [frame for frame in feed.heard if frame["t"] == "do"]
    assert (frame["do"], frame["reason"]) == ("stop", "break")
