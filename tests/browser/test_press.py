"""Presses on the clock page: phone.md 1 to 15."""

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text
from tests.browser.scripted import ScriptedServer, asked, open_page, press, wait_mode, wait_until

SIZES = [(390, 844), (844, 390), (320, 568), (360, 640), (768, 1024)]


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server with Ann's clock running."""
    server = ScriptedServer()
    server.begin("left")
    return server


def test_2_3_9_a_press_is_seen_at_once_and_sent_again_until_answered(phone: Page, server: ScriptedServer) -> None:
    server.answering = False
    mode = phone.evaluate(
        """() => {
            const half = document.querySelector('.half[data-seat=left]');
            half.querySelector('.pad').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerId: 3 }));
            return half.dataset.mode;
        }"""
    )
    assert mode == "sent", "before the finger's event is over"
    title = phone.locator(".half[data-seat=left] .title")
    assert shown_text(title) == "⇡\nPRESSED"
    expect(title.locator(".words")).to_have_text("Sending")
    expect(phone.locator(".half[data-seat=left] .hint")).to_have_text("Still waiting for the server")
    wait_until(phone, lambda: len(server.heard) == 2, "the press is sent again")
    assert server.heard[0] == server.heard[1]
    assert abs(server.heard[0]["at"] - server.now()) < 10_000
    server.answer(server.heard[0])
    wait_mode(phone, "left", "wait")
    assert shown_text(title) == "WAIT"


def test_the_next_turn_can_be_ended_before_the_last_press_is_answered(phone: Page, server: ScriptedServer) -> None:
    server.answering = False
    press(phone)
    wait_mode(phone, "left", "sent")
    server.play("left", "hit")
    wait_mode(phone, "left", "wait")
    server.play("right", "hit")
    wait_mode(phone, "left", "turn")
    press(phone)
    wait_mode(phone, "left", "sent")
    wait_until(phone, lambda: asked(server, "turn_number")[-1] == (3,), "the second press arrives")


def test_4_10_11_the_pad_is_large_and_works_everywhere_without_gestures(phone: Page) -> None:
    dead = phone.evaluate(
        """() => {
            const pad = document.querySelector('.half[data-seat=left] .pad');
            const box = pad.parentElement.getBoundingClientRect();
            const corner = 20;  // the rounded corners belong to the table
            let dead = 0;
            for (let x = 0; x < 20; x++) for (let y = 0; y < 20; y++) {
                const left = box.left + corner / 2 + (box.width - corner) * x / 19;
                const top = box.top + corner / 2 + (box.height - corner) * y / 19;
                if (document.elementFromPoint(left, top) !== pad) dead += 1;
            }
            return dead;
        }"""
    )
    assert dead == 0
    style = phone.eval_on_selector(
        ".half[data-seat=left] .pad",
        "pad => { const style = getComputedStyle(pad); return [style.touchAction, style.userSelect]; }",
    )
    prevented = phone.eval_on_selector(
        ".half[data-seat=left] .pad",
        "pad => !pad.dispatchEvent(new Event('contextmenu', { bubbles: true, cancelable: true }))",
    )
    assert (style, prevented) == (["none", "none"], True)
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        box = phone.locator(".half[data-seat=left]").bounding_box()
        assert box is not None
        assert box["width"] * box["height"] >= 0.7 * width * height, (width, height)


def test_5_a_finger_resting_on_the_glass_does_not_swallow_the_press(own_page: Page, server: ScriptedServer) -> None:
    open_page(own_page, server)
    touch = own_page.context.new_cdp_session(own_page)
    resting = {"x": 60, "y": 70, "id": 1}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [resting]})
    touch.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [resting, {"x": 200, "y": 500, "id": 2}]}
    )
    wait_mode(own_page, "left", "wait")
    assert asked(server, "do", "seat") == [("hit", "left")]


def test_6_a_touch_and_its_click_are_one_press(phone: Page, server: ScriptedServer) -> None:
    phone.tap(".half[data-seat=left] .pad")
    wait_mode(phone, "left", "wait")
    phone.wait_for_timeout(400)  # a late click would send a second frame or show a notice
    assert len(server.heard) == 1
    assert phone.locator(".half[data-seat=left] .notice").is_hidden()


def test_6_a_key_or_a_click_alone_is_one_press(phone: Page, server: ScriptedServer) -> None:
    phone.focus(".half[data-seat=left] .pad")
    for number, one_press in enumerate(
        (
            lambda: phone.keyboard.press("Space"),
            lambda: phone.keyboard.press("Enter"),
            lambda: phone.eval_on_selector(".half[data-seat=left] .pad", "pad => pad.click()"),
        )
    ):
        one_press()
        wait_mode(phone, "left", "wait")
        assert len(server.heard) == number + 1
        server.play("right", "hit")
        wait_mode(phone, "left", "turn")


def test_1_7_ten_taps_send_one_press_when_the_first_finger_lands(phone: Page, server: ScriptedServer) -> None:
    for _ in range(10):
        press(phone)
    wait_mode(phone, "left", "wait")
    assert asked(server, "do", "seat", "turn_number") == [("hit", "left", 1)]


def test_8_a_press_out_of_turn_changes_nothing_and_says_whose_clock_runs(phone: Page, server: ScriptedServer) -> None:
    server.play("left", "hit")
    wait_mode(phone, "left", "wait")
    before = server.version
    press(phone)
    notice = phone.locator(".half[data-seat=left] .notice")
    notice.wait_for(state="visible")
    assert shown_text(notice) == "Bob’s clock is running"
    assert (server.heard, server.version) == ([], before)


def test_9_the_claim_is_the_instant_of_the_touch(phone: Page, server: ScriptedServer) -> None:
    server.answering = False
    claimed, landed, handled = phone.evaluate(
        """() => {
            const clock = document.querySelector('match-clock');
            const pad = document.querySelector('.half[data-seat=left] .pad');
            const event = new PointerEvent('pointerdown', { bubbles: true, pointerId: 3 });
            const until = performance.now() + 300;
            while (performance.now() < until);  // the page was busy when the finger landed
            // Read before the press, with which the shown time may move on towards the server's.
            const [landed, handled] = [clock.source.sync.serverAt(event.timeStamp), clock.now()];
            pad.dispatchEvent(event);
            return [clock.source.outbox.entries[0].frame.at, Math.round(landed), Math.round(handled)];
        }"""
    )
    assert claimed == landed
    assert handled - landed >= 299


def test_12_going_back_asks_before_it_leaves_without_the_network_too(phone: Page, server: ScriptedServer) -> None:
    phone.wait_for_function("performance.getEntriesByType('resource').some(({ name }) => /leaving\\./.test(name))")
    phone.tap(".half[data-seat=left] .pad")
    wait_mode(phone, "left", "wait")
    phone.route("**/leaving.*js", lambda route: route.abort())
    phone.evaluate("history.back()")
    leave = phone.get_by_role("dialog", name="Leave the clock?")
    leave.get_by_text("To come back, scan the card on the table.").wait_for()
    phone.get_by_role("button", name="Stay").click()
    assert (len(server.sockets), server.connections) == (1, 1)


WRONG_CONTROLS = """() => {
    const shown = (element) => element.getClientRects().length > 0;
    const all = (kind) => [...document.querySelectorAll(kind)].filter(shown);
    const measured = (kind) => all(kind).map((element) => element.getBoundingClientRect());
    const [boxes, pads] = ['.actions button', '.pad'].map(measured);
    const gap = (a, b) => Math.max(a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom);
    const wrong = boxes.length && pads.length ? [] : ['nothing'];
    boxes.forEach((box, i) => {
        if (box.width < 48 || box.height < 48) wrong.push(['small', box.width, box.height]);
        boxes.slice(i + 1).forEach((other) => gap(box, other) < 7.9 && wrong.push(['close', gap(box, other)]));
        pads.forEach((pad) => gap(box, pad) < 0 && wrong.push(['over a pad']));
    });
    return wrong;
}"""


@pytest.mark.parametrize("seats", ["left", "left right"])
def test_13_controls_are_large_enough_apart_and_clear_of_the_pads(
    page: Page, server: ScriptedServer, seats: str
) -> None:
    open_page(page, server, seats)
    wrong = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        wrong[width, height] = page.evaluate(WRONG_CONTROLS)
    assert wrong == {size: [] for size in SIZES}


def test_14_the_first_tap_on_stop_stops_and_a_reason_may_follow(phone: Page, server: ScriptedServer) -> None:
    phone.get_by_role("button", name="Stop").click()
    wait_mode(phone, "left", "stopped")
    phone.get_by_role("dialog", name="Both clocks are stopped. Why?").wait_for()
    assert asked(server, "do", "reason", "seat") == [("stop", None, "left")]
    phone.get_by_role("button", name="To retrieve fallen dice").click()
    phone.get_by_text("Ann stopped both clocks to retrieve fallen dice.").wait_for()
    assert asked(server, "do", "reason", "seat")[1:] == [("stop", "dice", "left")]
    phone.get_by_role("button", name="Start Ann’s clock").click()
    wait_mode(phone, "left", "turn")
    phone.get_by_role("button", name="Stop").click()
    phone.get_by_role("button", name="Close").click()
    phone.get_by_role("button", name="Start Ann’s clock").click()
    wait_mode(phone, "left", "turn")
    assert asked(server, "do")[2:] == [("resume",), ("stop",), ("resume",)]


def test_14_a_sheet_under_a_finger_ignores_taps_at_first(phone: Page, server: ScriptedServer) -> None:
    server.play("left", "hit")
    wait_mode(phone, "left", "wait")
    phone.evaluate(
        """() => {
            const half = document.querySelector('.half[data-seat=left]');
            window.taken = new Promise((done) => new MutationObserver(() => {
                const take = half.querySelector('.panel button.primary');
                if (!take) return;
                const finger = { bubbles: true, pointerId: 7, pointerType: 'touch' };
                take.dispatchEvent(new PointerEvent('pointerdown', finger));
                take.click();
                done([take.disabled, 'rests' in take.dataset]);
            }).observe(half, { subtree: true, childList: true }));
        }"""
    )
    server.play("right", "double")
    assert phone.evaluate("window.taken") == [True, True]
    assert server.heard == []
    phone.get_by_role("button", name="Take").click()
    wait_mode(phone, "left", "wait")
    assert asked(server, "do") == [("take",)]


def test_15_the_last_press_is_undone_with_the_other_players_consent(phone: Page, server: ScriptedServer) -> None:
    before = server.match.clock.reserve_ms
    press(phone)
    wait_mode(phone, "left", "wait")
    phone.get_by_role("button", name="Undo").click()
    phone.get_by_role("button", name="Ask to undo").click()
    wait_mode(phone, "left", "stopped")
    server.play("right", "agree")
    phone.get_by_role("button", name="Start Ann’s clock").click()
    wait_mode(phone, "left", "turn")
    assert (asked(server, "do", "what"), server.match.clock.reserve_ms) == (
        [("hit", None), ("propose", "undo"), ("resume", None)],
        before,
    )
