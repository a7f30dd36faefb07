"""Two phones on a faulty network: phone.md 9, 17 and 31 to 37."""

import json
import random
import re
import time
from typing import Any

from websockets.sync.client import connect

from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.proxy import Network
from tests.browser.windows import Phone, Windows


def seat(windows: Windows, product: Product, network: Network, *options: str) -> tuple[dict[str, Any], Phone, Phone]:
    """Create a match; seat Ann directly, Bob through the network; start Bob's clock."""
    made = product.newmatch(*options, length=7)
    ann, bob = windows.phone(made["url"]), windows.phone(f"{network.address}/t/{made['code']}/")
    ann.sit("I am Ann")
    bob.sit("I am Bob")
    for phone in (ann, bob):
        phone.tap("Confirm")
    ann.shows("left", "ready")
    ann.hit("left")
    bob.shows("right", "turn")
    return made, ann, bob


def hits(phone: Phone) -> list[tuple[Any, ...]]:
    """(id, turn number, claimed time) of every hit that a phone sent."""
    return [(frame["id"], frame["turn_number"], frame["at"]) for frame in phone.sent if frame.get("do") == "hit"]


def until_linked(phone: Phone, state: str) -> None:
    expect(phone.page.locator("match-clock")).to_have_attribute("data-link", state, timeout=30_000)


def test_31_34_37_a_phone_in_a_black_hole_is_pressed_for_and_comes_back(
    windows: Windows, product: Product, network: Network
) -> None:
    made, ann, bob = seat(windows, product, network)
    windows.server_is_down = True  # expect connection errors on Bob's page
    network.dead = True
    bob.hit("right")
    bob.shows("right", "sending")
    until_linked(bob, "reconnecting")
    bob.says(re.compile(r"^For 0:\d\d\. Your press is kept and will be sent;"))
    card = ann.half("right")
    expect(card.locator(".lines")).to_have_text("Bob’s phone is offline.")
    card.get_by_role("button", name="Press for Bob").tap()
    card.get_by_role("button", name="Yes, press for Bob").tap()
    ann.shows("left", "turn")
    network.dead = False
    until_linked(bob, "open")
    bob.shows("left", "turn")
    bob.says("Already switched.")
    windows.server_is_down = False
    assert len(set(hits(bob))) == 1
    assert [frame["code"] for frame in bob.refusals()] == ["stale"]
    said = product.snapshot(made["code"])
    assert [said[name] for name in ("status", "turn", "turn_number", "hits")] == ["running", "left", 2, [1, 1]]


def test_34_36_a_press_kept_through_a_reload_arrives_once(windows: Windows, product: Product, network: Network) -> None:
    options = ("--table", "36", "--tournament", "network", "--option", "delay_ms=0")
    made, ann, bob = seat(windows, product, network, *options)
    director = windows.director()
    director.goto(f"{product.address}/director/network/")
    windows.server_is_down = True
    network.dead = True
    network.cut()
    bob.hit("right")
    bob.shows("right", "sending")
    began = time.monotonic()
    ann.until(lambda: time.monotonic() - began > 2.5, "a press that is late beyond its credit")
    network.dead = False
    bob.page.reload()
    ann.shows("left", "turn")
    bob.shows("right", "wait")
    windows.server_is_down = False
    ((one, *_),) = {(id_,) for id_, _, _ in hits(bob)}
    acks = [frame for frame in bob.frames if frame["t"] == "ack" and frame["id"] == one]
    said = product.snapshot(made["code"])
    late = said["late"]
    assert (len(acks), said["hits"], late["seat"], late["late_ms"] > 2_000) == (1, [1, 1], "right", True)

    bob.page.get_by_text(re.compile(r"^Your press arrived \d+ s late; 0:0\d was charged\.$")).wait_for()
    ann.page.get_by_text(re.compile(r"^Bob’s press arrived \d+ s late; 0:0\d was charged\.$")).wait_for()
    line = director.locator(f".line[data-match='{made['match']}'][data-kind='late']")
    expect(line).to_contain_text("Bob’s phone was delayed by")
    line.get_by_role("button", name=re.compile("^Give back")).click()
    ann.until(lambda: product.snapshot(made["code"])["late"] is None, "the time is given back")
    given = late["charged_ms"]
    assert product.snapshot(made["code"])["reserve_ms"][1] - said["reserve_ms"][1] == given
    for phone in (ann, bob):
        phone.page.locator(".message.late").wait_for(state="hidden")


def test_9_35_lost_doubled_and_swapped_frames_leave_the_page_correct(
    windows: Windows, product: Product, network: Network
) -> None:
    made, ann, bob = seat(windows, product, network)
    bob.page.evaluate("window.same = true")
    spoilt: list[str] = []

    def lose_once(*kinds: str) -> None:
        wanted = list(kinds)

        def deal(frame: dict[str, Any]) -> int:
            if frame["t"] in wanted:
                wanted.remove(frame["t"])
                spoilt.append(f"lost {frame['t']}")
                return 0
            return 2

        network.deal = deal

    lose_once("ack", "match")  # Bob's ack and snapshot are lost, so the phone resends his press
    bob.hit("right")
    ann.shows("left", "turn")
    bob.shows("right", "wait")
    first = hits(bob)
    assert (len(first) >= 2, len(set(first)), spoilt) == (True, 1, ["lost ack", "lost match"])

    lose_once("match")  # Ann's stop never reaches Bob, but the next snapshot corrects that
    ann.tap("Stop", "To retrieve fallen dice")
    ann.shows("left", "stopped")
    ann.tap("Start Ann’s clock")
    ann.shows("left", "turn")
    bob.shows("left", "turn")

    network.deal = lambda frame: 1
    # The snapshot with the stop and its reason is delivered after the next one.
    network.behind_the_next = lambda frame: (
        (frame["t"], frame.get("status")) == ("match", "stopped") and (frame["stop"]["reason"] != "other")
    )
    ann.tap("Stop", "To verify score or cube")
    ann.shows("left", "stopped")
    ann.tap("Start Ann’s clock")
    ann.shows("left", "turn")
    told = product.snapshot(made["code"])["v"]
    bob.until(lambda: [f["v"] for f in bob.frames if f["t"] == "match"][-1] == told - 1, "the older frame comes last")
    bob.shows("left", "turn")
    assert bob.page.evaluate("[window.same, document.querySelector('match-clock').match.v]") == [True, told]


SAMPLE = """() => {
    const clock = document.querySelector('match-clock');
    window.samples = [];
    const look = () => {
        const { v, turn, since, used_ms, turn_reserve_ms } = clock.match;
        const digits = (seat) => document.querySelector(`.half[data-seat=${seat}] .digits`).textContent;
        const texts = ['left', 'right'].map(digits);
        const waits = clock.source.outbox.entries.length > 0;
        const rtt = clock.source.sync.best?.rtt ?? null;
        const told = { v, turn, since, used_ms, turn_reserve_ms };
        window.samples.push({ shown: clock.now(), wall: Date.now(), ...told, texts, waits, rtt });
    };
    setInterval(() => requestAnimationFrame(look), 50);
}"""


def figure(ms: float) -> str:
    """Format a reserve between ten seconds and an hour, as a phone shows it."""
    seconds = -int(-ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


def server_ahead_ms(product: Product, code: str) -> float:
    """Offset of server time from this machine's in ms, to correct the samples."""
    best = (1e9, 0.0)
    with connect(f"ws://127.0.0.1:{product.port}/ws/table/{code}/") as socket:
        for number in range(20):
            before = time.time() * 1000
            socket.send(json.dumps({"t": "ping", "c": number}))
            while (frame := json.loads(socket.recv(timeout=10)))["t"] != "pong":
                pass
            after = time.time() * 1000
            best = min(best, (after - before, frame["now"] - (before + after) / 2))
    return best[1]


def worst(samples: list[dict[str, Any]], ahead_ms: float, rtt_ms: float, texts: list[str]) -> float:
    """Greatest error of the shown time in ms, corrected for this machine's own delay.

    Appends to `texts` each figure that differs from the shown time.
    """
    wrong = 0.0
    for one in samples:
        if one["rtt"] is None:
            continue
        excess = max(0.0, one["rtt"] - rtt_ms)
        wrong = max(wrong, abs(one["shown"] - one["wall"] - ahead_ms) - excess / 2)
        if one["since"] is None or one["waits"]:
            continue
        index = ("left", "right").index(one["turn"])
        left = one["turn_reserve_ms"][index] - one["used_ms"] - (one["shown"] - one["since"])
        may_be = {figure(min(left + slack, one["turn_reserve_ms"][index])) for slack in (0, 60, 120)}
        if one["texts"][index] not in may_be:
            texts.append(f"{one['texts'][index]} instead of {may_be}")
    return wrong


def expect_the_servers_time(phones: list[Phone], ahead_ms: float, rtt_ms: float, bound_ms: float) -> None:
    """Play some turns; the times shown meanwhile are wrong by less than `bound_ms`."""
    ann, bob = phones
    for phone in phones:
        phone.shows("left", "ready")
        phone.until_quality_is_known()
        phone.page.evaluate(SAMPLE)
    ann.hit("left")
    for _ in range(3):
        bob.shows("right", "turn")
        bob.hit("right")
        ann.shows("left", "turn")
        ann.hit("left")
    bob.shows("right", "turn")
    for phone in phones:
        samples, texts = phone.page.evaluate("window.samples"), []
        assert len(samples) > 20
        assert (worst(samples, ahead_ms, rtt_ms, texts) < bound_ms, texts) == (True, []), rtt_ms


def test_17_two_phones_behind_a_slow_network_show_the_servers_time(
    windows: Windows, product: Product, network: Network
) -> None:
    chance = random.Random(17)
    network.one_way_ms = lambda: chance.uniform(150, 250)
    made = product.newmatch("--option", "delay_ms=0", length=7)
    ann, bob = phones = [windows.phone(f"{network.address}/t/{made['code']}/") for _ in range(2)]
    for phone, name in zip(phones, ("Ann", "Bob"), strict=True):
        phone.sit(f"I am {name}")
        phone.tap("Confirm")
    ahead_ms = server_ahead_ms(product, made["code"])
    expect_the_servers_time(phones, ahead_ms, rtt_ms=400, bound_ms=250)
    ann.tap("Stop")
    won = ann.page.get_by_role("group", name="Ann wins")
    won.get_by_role("button", name="Single game 1 point").tap()
    bob.tap("Agree")
    ann.shows("left", "ready")
    network.one_way_ms = lambda: 25.0
    for phone in phones:
        phone.page.reload()  # so that it measures anew
    expect_the_servers_time(phones, ahead_ms, rtt_ms=50, bound_ms=100)
