"""Killing the server: no acknowledged press is lost, and the phones reconnect."""

import time

import pytest

from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.test_lost_server import UNCOUNTED
from tests.browser.windows import Phone, Windows


@pytest.fixture
def product(product_of_file: Product) -> Product:
    """Product of this file: other tests write records without a journal."""
    return product_of_file


def acked(phone: Phone) -> int:
    """Number of this phone's presses that the server has acknowledged."""
    ids = {frame["id"] for frame in phone.sent if frame["t"] == "do" and frame["do"] == "hit"}
    return sum(frame["t"] == "ack" and frame["id"] in ids for frame in phone.frames)


def test_phones_come_back_by_themselves_after_the_server_was_killed(windows: Windows, product: Product) -> None:
    made = product.newmatch("--option", "delay_ms=1000")
    ann, bob = windows.phone(made["url"]), windows.phone(made["url"])
    ann.sit("I am Ann")
    bob.sit("I am Bob")
    ann.tap("Confirm")
    bob.tap("Confirm")
    bob.hit("right")
    for _ in range(3):
        ann.shows("left", "turn")
        ann.hit("left")
        bob.shows("right", "turn")
        bob.hit("right")
    ann.shows("left", "turn")
    expect(ann.half("left").locator(".digits")).to_have_text("5:58")
    assert (acked(ann), acked(bob)) == (3, 4)

    windows.server_is_down = True
    product.kill()
    for phone in (ann, bob):
        expect(phone.page.locator("match-clock")).to_have_attribute("data-link", "reconnecting")
        phone.says("Reconnecting")
    ann.hit("left")
    ann.shows("left", "sending")
    last_sign = product.last_sign_of_life()
    ann.until(lambda: time.time_ns() // 1_000_000 - last_sign > 3_500, "an outage that counts as one")
    product.start()
    for phone in (ann, bob):
        expect(phone.page.locator("match-clock")).to_have_attribute("data-link", "open", timeout=30_000)
        phone.shows("left", "stopped")
        phone.says("The server was away. Nobody was charged for it.")
    ann.says(UNCOUNTED)
    windows.server_is_down = False

    said = product.snapshot(made["code"])
    assert [said[name] for name in ("status", "turn", "hits", "turn_number")] == ["stopped", "left", [3, 4], 7]
    assert said["stop"]["reason"] == "outage"
    # Ann is charged at most the time until the last heartbeat, which comes every second.
    assert 356_000 <= said["reserve_ms"][0] < 360_000
    assert said["reserve_ms"][1] == 360_000

    bob.tap("Start Ann’s clock")
    ann.shows("left", "turn")
    ann.hit("left")
    bob.shows("right", "turn")
    after = product.snapshot(made["code"])
    assert [after[name] for name in ("status", "turn", "hits", "turn_number")] == ["running", "right", [4, 4], 8]
    assert "all as their journals say" in product.manage("verify")
