"""Loss and return of the network on the whole clock page: phone.md 29 to 45."""

import json

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text
from tests.browser.scripted import ScriptedServer, asked, choose, open_page, press, wait_mode, wait_until


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server with Ann's clock running."""
    server = ScriptedServer()
    server.begin("left", ago_ms=4_000)
    return server


def test_31_a_black_hole_shows_reconnecting_and_only_presses_are_sent_late(phone: Page, server: ScriptedServer) -> None:
    server.alive = False
    phone.wait_for_selector("match-clock[data-link=reconnecting]")
    assert shown_text(phone.locator(".link-words")) == "Reconnecting"
    phone.get_by_role("button", name="Stop").click()
    notice = phone.locator(".half[data-seat=left] .notice")
    notice.wait_for(state="visible")
    assert shown_text(notice) == "No connection, so nothing was sent. Tell your opponent and try again."
    server.alive = True
    phone.wait_for_selector("match-clock[data-link=open]")
    assert (server.connections >= 2, server.heard) == (True, [])


def test_32_a_page_that_comes_back_asks_at_once(phone: Page, server: ScriptedServer) -> None:
    wait_until(phone, lambda: server.pings >= 8, "the burst after connecting is over")
    phone.wait_for_timeout(300)
    before = server.pings
    phone.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until(phone, lambda: server.pings > before, "a ping goes out")


def test_36_a_press_made_offline_survives_a_reload_and_is_sent_once(phone: Page, server: ScriptedServer) -> None:
    server.alive = False
    press(phone)
    wait_mode(phone, "left", "sending")
    kept = json.loads(phone.evaluate("localStorage.getItem('clock:7K3M9Q:outbox')"))
    server.alive = True
    server.answering = False
    phone.reload()
    wait_until(phone, lambda: len(server.heard) == 1, "the press arrives")
    server.answering = True
    server.answer(server.heard[0])
    wait_mode(phone, "left", "wait")
    assert [kept[0]["frame"]] == server.heard
    assert phone.evaluate("localStorage.getItem('clock:7K3M9Q:outbox')") is None


def test_an_unanswered_command_is_not_reported_as_unsent(own_page: Page, server: ScriptedServer) -> None:
    own_page.clock.install()
    errors = open_page(own_page, server)
    server.answering = False
    own_page.get_by_role("button", name="Stop").click()
    wait_until(own_page, lambda: bool(server.heard), "the command arrives")
    own_page.clock.fast_forward(11_000)
    notice = own_page.locator(".half[data-seat=left] .notice")
    expect(notice).to_have_text("The server did not answer. Look at the clock before you try again.")
    assert errors == []


def test_37_a_press_that_came_too_late_says_so(phone: Page, server: ScriptedServer) -> None:
    server.answering = False
    press(phone)
    wait_until(phone, lambda: bool(server.heard), "the press arrives")
    server.play("left", "hit")  # the other phone has pressed in place of this silent phone
    server.answering = True
    server.answer(server.heard[0])
    notice = phone.locator(".half[data-seat=left] .notice")
    notice.wait_for(state="visible")
    wait_mode(phone, "left", "wait")
    assert shown_text(notice) == "Already switched."


def test_39_a_seat_taken_over_closes_its_sheet_and_offers_to_come_back(phone: Page, server: ScriptedServer) -> None:
    phone.get_by_role("button", name="Stop").click()
    phone.get_by_role("dialog").wait_for()
    server.close(4409)
    phone.get_by_role("alertdialog", name="Another phone has taken this seat.").wait_for()
    assert phone.locator(".sheet").count() == 0
    phone.evaluate("document.querySelector('form[data-claim]').addEventListener('submit', () => {})")
    with phone.expect_request(lambda request: request.method == "POST") as claim:
        phone.get_by_role("button", name="Use here").click()
    assert claim.value.url.endswith("/t/7K3M9Q/seat/")
    assert "seat=left" in (claim.value.post_data or "")


@pytest.mark.parametrize(
    ("seats", "code", "words"),
    [
        ("left", 4409, "Another phone has taken this seat."),
        ("left right", 4403, "The director has released this phone."),
    ],
)
def test_nothing_can_be_pressed_behind_the_cover_of_a_lost_seat(
    page: Page, server: ScriptedServer, seats: str, code: int, words: str
) -> None:
    errors = open_page(page, server, seats)
    page.focus(".half[data-seat=left] .pad")
    server.close(code)
    cover = page.get_by_role("alertdialog", name=words)
    cover.wait_for()
    page.keyboard.press("Enter")
    press(page)  # a screen reader can still reach and press the pad
    reached = []
    for _ in range(2):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.closest('.table') !== null"))
    page.focus(".half[data-seat=left] .pad")
    reached.append(page.evaluate("document.activeElement.closest('.table') !== null"))
    page.keyboard.press("Escape")
    assert (set(reached), cover.evaluate("cover => cover.matches(':modal')")) == ({False}, True)
    page.reload()
    page.wait_for_selector("match-clock[data-link=open]")
    wait_mode(page, "left", "turn")
    assert (server.heard, errors) == ([], [])


FINAL = {
    4403: "The director has released this phone.",
    4404: "There is no match at this table now.",
    4401: "Please sign in to see this page.",
}


@pytest.mark.parametrize("code", FINAL)
def test_a_connection_that_ended_for_good_says_why(phone: Page, server: ScriptedServer, code: int) -> None:
    server.close(code)
    phone.get_by_role("alertdialog", name=FINAL[code]).wait_for()
    assert phone.get_by_role("link", name="Go to the table").get_attribute("href") == "/t/7K3M9Q/"


def test_a_casual_phone_without_its_seat_is_told_of_no_director_or_card(page: Page) -> None:
    server = ScriptedServer(director=False)
    open_page(page, server)
    server.close(4403)
    cover = page.get_by_role("alertdialog", name="This phone has no seat any more.")
    expect(cover.get_by_text("The seat is free, or the table has a new code.")).to_be_visible()


def test_the_next_match_at_the_table_reloads_the_clock(phone: Page, server: ScriptedServer) -> None:
    server.id = 18
    server.version = 1
    with phone.expect_navigation():  # the server redirects a phone without a seat to the table's page
        server.broadcast()
    phone.wait_for_selector("match-clock[data-link=open]")
    assert (phone.url, server.connections) == ("http://clock.test/t/7K3M9Q/clock/", 2)


def test_29_a_gap_is_shown_after_a_sleep(phone: Page, server: ScriptedServer) -> None:
    server.alive = False
    phone.evaluate("() => { const real = Date.now; Date.now = () => real() + 43_000; }")
    suspected = "document.querySelector('match-clock').source.link.suspected"
    wait_until(phone, lambda: bool(phone.evaluate(suspected)), "the page notices")
    server.ahead_ms += 43_000
    server.alive = True
    for_ann = phone.locator(".half[data-seat=left] .notice")
    for_ann.wait_for(state="visible")
    assert shown_text(for_ann) == "The screen was off for 43 s."
    assert shown_text(phone.locator(".half[data-seat=left] .digits")).startswith("13:2")


def test_30_setting_the_phones_clock_changes_nothing(phone: Page, server: ScriptedServer) -> None:
    wait_until(phone, lambda: server.pings >= 8, "the burst after connecting is over")
    for hours in (1, -2):  # an hour fast, then an hour slow
        before = server.pings
        phone.evaluate(f"() => {{ const real = Date.now; Date.now = () => real() + {hours * 3_600_000}; }}")
        wait_until(phone, lambda before=before: server.pings > before + 3, "the page measures anew")
        assert phone.locator(".half .notice").evaluate_all("all => all.every((one) => one.hidden)")
        assert shown_text(phone.locator(".half[data-seat=left] .digits")) == "14:00"


def test_42_44_the_menu_has_advice_on_sleep_and_a_switch_for_vibration(phone: Page) -> None:
    choose(phone, "More", "This phone …")
    phone.get_by_text("Set it to stay on while you play.").wait_for()  # phone.md 42: it has no wake lock
    switch = phone.get_by_role("switch", name="Vibration")
    assert switch.get_attribute("aria-checked") == "true"
    switch.click()
    phone.reload()
    phone.wait_for_selector("match-clock[data-link=open]")
    choose(phone, "More", "This phone …")
    assert switch.get_attribute("aria-checked") == "false"


def test_45_the_page_works_without_optional_browser_features(own_page: Page, server: ScriptedServer) -> None:
    own_page.add_init_script(
        """
        for (const name of ['vibrate', 'wakeLock', 'serviceWorker']) {
            Object.defineProperty(Navigator.prototype, name, { value: undefined, configurable: true });
        }
        Object.defineProperty(screen, 'orientation', { value: undefined, configurable: true });
        delete window.AudioContext;
        delete window.webkitAudioContext;
        delete Element.prototype.animate;
        Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); }, configurable: true });
        """
    )
    errors = open_page(own_page, server, "left right")
    own_page.tap(".half[data-seat=left] .pad")
    wait_mode(own_page, "right", "turn")
    own_page.tap(".half[data-seat=right] .pad")
    wait_mode(own_page, "left", "turn")
    assert (asked(server, "seat"), errors) == ([("left",), ("right",)], [])


def test_42_the_screen_stays_on_from_the_first_gesture_and_on_return(own_page: Page, server: ScriptedServer) -> None:
    own_page.add_init_script(
        """
        window.asked = 0;
        const wakeLock = { request: async () => { window.asked += 1; return { released: true }; } };
        Object.defineProperty(Navigator.prototype, 'wakeLock', { value: wakeLock, configurable: true });
        """
    )
    open_page(own_page, server)
    before = own_page.evaluate("window.asked")
    own_page.tap(".half[data-seat=left] .pad")
    wait_until(own_page, lambda: bool(own_page.evaluate("window.asked === 1")), "the page has done it")
    own_page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    wait_until(own_page, lambda: bool(own_page.evaluate("window.asked === 2")), "the page has done it")
    assert before == 0


def test_42_without_a_wake_lock_the_first_touch_says_so_once(page: Page) -> None:
    server = ScriptedServer()
    open_page(page, server)
    advice = page.locator(".message", has_text="The screen may turn off. Set it to stay on while you play.")
    page.tap(".half[data-seat=left]", position={"x": 20, "y": 20})
    advice.wait_for()
    page.get_by_role("button", name="OK").click()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(advice).to_have_count(0)


def test_42_the_advice_goes_when_the_clock_runs_and_hides_no_hint(page: Page) -> None:
    server = ScriptedServer()
    server.play("director", "confirm")
    open_page(page, server)
    page.evaluate("window.dispatchEvent(new Event('pointerup'))")
    advice = page.locator(".message", has_text="The screen may turn off.")
    advice.wait_for()
    page.locator(".half[data-seat=left] .hint", has_text="Tap whoever rolled higher.").wait_for()
    server.play("right", "hit")
    expect(advice).to_have_count(0)


ADVICE = [
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)", 5, "under Display & Brightness, set Auto-Lock"),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 5, "under Display & Brightness, set Auto-Lock"),
    ("Mozilla/5.0 (Linux; Android 14; Pixel 8)", 5, "under Display, choose the longest screen timeout"),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 0, "Set it to stay on"),
]


def test_42_the_advice_is_worded_for_the_phones_own_platform(page: Page, server: ScriptedServer) -> None:
    open_page(page, server)
    say = "phone => import('/static/clocks/phone/about.js').then(({ adviceOnSleep }) => adviceOnSleep(phone))"
    for agent, touches, words in ADVICE:
        assert words in page.evaluate(say, {"userAgent": agent, "maxTouchPoints": touches})


def test_a_brief_notice_does_not_cover_the_hint(page: Page) -> None:
    server = ScriptedServer()
    server.begin("right")
    open_page(page, server)
    press(page)
    half = page.locator(".half[data-seat=left]")
    expect(half.locator(".notice")).to_have_text("Bob’s clock is running")
    expect(half.locator(".hint")).to_be_visible()


def test_43_sound_is_unlocked_by_a_gesture_until_it_runs(own_page: Page, server: ScriptedServer) -> None:
    own_page.add_init_script(
        """
        window.resumed = 0;
        window.AudioContext = class {
            constructor() { this.state = 'suspended'; }
            async resume() { window.resumed += 1; this.state = window.resumed > 1 ? 'running' : 'interrupted'; }
        };
        """
    )
    open_page(own_page, server)
    for _ in range(4):
        own_page.evaluate("window.dispatchEvent(new Event('pointerup'))")
    assert own_page.evaluate("window.resumed") == 2
