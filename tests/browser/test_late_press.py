"""Late presses: their cost is shown on both phones, and one tap asks for it back."""

import re

import pytest
from playwright.sync_api import Page

from clocks.engine.clock import Seat
from clocks.journal.tenure import Tenure
from clocks.lag.late_presses import LatePress
from clocks.live import protocol
from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.scripted import ScriptedServer, open_page, press, wait_mode
from tests.browser.states import show, then

NOTE = "Late press: arrived 55 s late, 0:55 was charged"


def late(server: ScriptedServer, seat: str = "left", *, ago_ms: int = 0) -> None:
    """Mark the last press of a seat as late."""
    server.late = LatePress(Seat(seat), server.now() - ago_ms, 55_250, 250, 55_000)
    server.version += 1
    server.broadcast()


def played(**setup: object) -> ScriptedServer:
    """A match in which Ann (left) has just ended her turn."""
    server = ScriptedServer(**setup)
    server.begin()
    server.play("left", "hit")
    return server


def line(page: Page) -> str:
    notice = page.locator(".message.late")
    notice.wait_for()
    return shown_text(notice.locator("p"))


TIME = {"do": "propose", "what": "time", "by": "left", "seat": "left", "by_ms": 55_000, "note": NOTE}
CALL = {"do": "call", "seat": "left", "note": NOTE}


ASKED = [
    ({"rules": "modern"}, "Ask for it back", TIME),
    ({"rules": "us-2013"}, "Ask the director for it", CALL),
    ({"rules": "michigan-2002"}, "Ask the director for it", CALL),  # lost time stays lost
]


def test_the_charged_player_asks_for_the_time_back_in_one_tap(page: Page) -> None:
    server = ScriptedServer()
    open_page(page, server)
    for setup, button, frame in ASKED:
        show(page, server, then(("left", "hit")), **setup)
        server.heard.clear()
        ask_for_it_back(page, server, button, frame)


def test_the_players_of_a_casual_match_ask_each_other(page: Page) -> None:
    server = played(director=False)
    open_page(page, server)
    ask_for_it_back(page, server, "Ask for it back", TIME)


def ask_for_it_back(page: Page, server: ScriptedServer, button: str, frame: dict[str, object]) -> None:
    """Mark Ann's last press as late; she asks for the time by this button."""
    late(server)
    assert line(page) == "Your press arrived 55 s late; 0:55 was charged."
    page.get_by_role("button", name=button, exact=True).click()
    page.locator(".message.late").wait_for(state="hidden")
    wait_mode(page, "left", "stopped")
    assert [{name: heard[name] for name in frame} for heard in server.heard] == [frame]
    server.late = None


def test_the_other_phone_shows_the_charge_without_a_request(page: Page) -> None:
    server = played(director=False)
    open_page(page, server, "right")
    late(server)
    assert line(page) == "Ann’s press arrived 55 s late; 0:55 was charged."
    assert shown_texts(page.locator(".message.late button:visible")) == ["OK"]
    late(server, ago_ms=30_000)
    page.locator(".message.late").wait_for(state="hidden")


def test_one_phone_for_both_says_whose_press_it_was(page: Page) -> None:
    server = played(director=False)
    open_page(page, server, "left right")
    late(server)
    assert line(page) == "Ann’s press arrived 55 s late; 0:55 was charged."
    page.get_by_role("button", name="Ask for it back").click()
    wait_mode(page, "right", "stopped")
    page.locator(".half[data-seat=right]").get_by_role("button", name="Agree").click()
    expect(page.locator(".half[data-seat=right] .panel")).not_to_contain_text("Agree")
    assert server.match.clock.reserve_ms[0] > server.match.clock.reserve_ms[1]


def test_a_late_press_of_the_old_phone_is_not_told_at_the_new_one(page: Page) -> None:
    server = played(director=False)
    server.tenure = Tenure(owners=(5, None), lent_at=(server.now() + 1_000, None))
    open_page(page, server)
    late(server)
    page.wait_for_selector(".message.late", state="attached")
    server.tenure = Tenure()
    server.version += 1
    server.broadcast()
    page.wait_for_function("version => document.querySelector('match-clock').match.v === version", arg=server.version)
    expect(page.locator(".message.late")).to_be_hidden()
    page.reload()
    page.wait_for_selector(".message.late", state="attached")
    expect(page.locator(".message.late")).to_be_hidden()


def test_a_dismissed_late_press_stays_dismissed_after_a_reload(page: Page) -> None:
    server = played()
    late(server)
    open_page(page, server)
    line(page)
    page.get_by_role("button", name="OK").click()
    page.locator(".message.late").wait_for(state="hidden")
    page.reload()
    page.wait_for_selector(".message.late", state="attached")
    expect(page.locator(".message.late")).to_be_hidden()
    late(server)
    line(page)


def test_a_late_press_is_hidden_once_credited_or_the_match_is_over(page: Page) -> None:
    server = played()
    late(server)
    open_page(page, server)
    line(page)
    server.late = None
    server.version += 1
    server.broadcast()
    page.locator(".message.late").wait_for(state="hidden")
    late(server)
    line(page)
    server.play("director", "propose", what="end", winner="left")
    page.locator(".message.late").wait_for(state="hidden")


def test_the_clock_keeps_running_visibly_while_a_press_is_sent(page: Page) -> None:
    server = ScriptedServer(options={"delay_ms": 3_000})
    server.begin()
    open_page(page, server)
    server.alive = False
    press(page)
    wait_mode(page, "left", "sending")
    half = page.locator(".half[data-seat=left]")
    before = shown_text(half.locator(".digits"))
    expect(half.locator(".delay .time")).to_have_text("0 s", timeout=10_000)
    expect(half.locator(".digits")).not_to_have_text(before, timeout=10_000)
    page.wait_for_selector("match-clock[data-link=reconnecting]")
    expect(half.locator(".title")).to_contain_text("No connection")
    hint = half.locator(".hint")
    expect(hint).to_be_visible()
    expect(hint).to_have_text(
        re.compile(
            r"^For 0:\d\d\. Your press is kept and will be sent; until then your clock runs\. "
            r"What you see here may be wrong\.$"
        )
    )
    server.alive = True
    wait_mode(page, "left", "wait")


@pytest.mark.parametrize("seats", ["left", "left right"])
def test_one_banner_at_a_time_stands_over_the_clock(page: Page, seats: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    server = played()
    open_page(page, server, seats)
    late(server)
    line(page)
    server.sockets[0].send(protocol.message(server.now(), 7, "Lunch at one.", server.now(), server.now() + 60_000))
    expect(page.get_by_text("Lunch at one.").first).to_be_visible()
    expect(page.locator(".message.late")).to_be_hidden()
    page.get_by_role("button", name="OK").first.click()
    expect(page.locator(".message.late")).to_be_visible()
    expect(page.get_by_text("Lunch at one.").filter(visible=True)).to_have_count(0)
