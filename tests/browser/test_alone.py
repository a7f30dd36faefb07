"""Offline play on a shared phone behind a real proxy."""

import json
import re
from typing import Any

from tests.browser.engines import expect, shown_texts
from tests.browser.product import Product
from tests.browser.proxy import Deal, Network
from tests.browser.windows import KEEPING, KEEPS, PHONE, Phone, Windows

MAY_FALL_BACK = (
    "localStorage.getItem('clock:' + document.querySelector('match-clock').dataset.code + ':alone') !== null"
)


def playing(
    windows: Windows, product: Product, network: Network, *options: str, length: int = 7, set_forward: bool = False
) -> tuple[dict[str, Any], Phone]:
    """A match on a shared phone behind the network; Ann's clock runs.

    With `set_forward`, the page's clock can be set forward.
    """
    made = product.newmatch(*options, length=length)
    phone = Phone(windows.open(**PHONE, **KEEPING))
    if set_forward:
        phone.page.clock.install()
    phone.page.goto(f"{network.address}/t/{made['code']}/")
    phone.sit_between()
    phone.hit("right")
    phone.shows("left", "turn")
    phone.page.evaluate(KEEPS)
    phone.page.wait_for_function(MAY_FALL_BACK)
    return made, phone


def linked(phone: Phone) -> None:
    """Wait until the phone is online and has handed over all offline commands."""
    phone.page.wait_for_selector("match-clock[data-link=open]", timeout=40_000)


def lose(windows: Windows, network: Network) -> None:
    windows.server_is_down = True
    network.dead = True
    network.cut()


def play(phone: Phone, *seats: str) -> None:
    """Press in turn, and wait for each change of turn."""
    for seat in seats:
        phone.hit(seat)
        phone.shows("right" if seat == "left" else "left", "turn")


def journal(product: Product, match: int) -> list[tuple[str, dict[str, Any]]]:
    """(event, data) of each entry in a match's journal."""
    of = f"JournalEntry.objects.filter(match={match}).order_by('seq').values_list('event', 'data')"
    code = f"import json; from clocks.models import JournalEntry; print(json.dumps(list({of})))"
    return [(event, data) for event, data in json.loads(product.manage("shell", "-c", code).splitlines()[-1])]


def losing_the_first(acks: list[int]) -> Deal:
    """Network rule that loses the first ack; `acks` collects all acks."""

    def deal(frame: dict[str, Any]) -> int:
        if frame["t"] == "ack":
            acks.append(frame["v"])
        return 0 if frame["t"] == "ack" and len(acks) == 1 else 1

    return deal


def test_cuts_at_any_moment_and_during_the_hand_over_lose_nothing(
    windows: Windows, product: Product, network: Network
) -> None:
    made, phone = playing(windows, product, network)
    seats = ["left", "right"]
    for number in range(2):
        lose(windows, network)
        play(phone, *seats)
        network.dead = False
        acks: list[int] = []
        network.deal = losing_the_first(acks)
        phone.until(lambda acks=acks: bool(acks), "the first answer is lost", 30_000)
        network.cut()
        play(phone, *seats)
        linked(phone)
        assert product.snapshot(made["code"])["turn_number"] == 1 + 4 * (number + 1)
    network.deal = lambda frame: 1
    windows.server_is_down = False
    assert phone.refusals() == []
    assert [event for event, _ in journal(product, made["match"])].count("hit") == 9


def test_a_directors_ruling_meanwhile_wins_and_the_phone_says_so(
    windows: Windows, product: Product, network: Network
) -> None:
    made, phone = playing(windows, product, network, "--table", "8", "--tournament", "alone")
    director = windows.director()
    director.goto(f"{product.address}/director/alone/")
    lose(windows, network)
    phone.says("Offline")
    play(phone, "left")
    cell = director.locator(f".cell[data-match='{made['match']}']").first
    expect(cell).to_contain_text("On the phone since", timeout=20_000)
    cell.click()
    drawer = director.get_by_role("dialog")
    expect(drawer).to_contain_text("On the phone since")
    drawer.get_by_role("button", name="Stop both clocks").click()
    phone.until(lambda: product.snapshot(made["code"])["status"] == "stopped", "the director has stopped the clocks")
    play(phone, "right")
    network.dead = False
    linked(phone)
    windows.server_is_down = False
    phone.says(re.compile("What was played here after that does not count."))
    phone.shows("left", "stopped")
    assert product.snapshot(made["code"])["turn_number"] == 1


def test_a_flag_that_falls_offline_falls_on_the_server_after_reconnecting(
    windows: Windows, product: Product, network: Network
) -> None:
    options = ("--option", "reserve_ms=[5000, 60000]", "--option", "delay_ms=0")
    made, phone = playing(windows, product, network, *options)
    lose(windows, network)
    phone.shows("left", "flag")
    assert product.snapshot(made["code"])["status"] == "running"
    network.dead = False
    linked(phone)
    windows.server_is_down = False
    phone.shows("left", "flag")
    phone.until(lambda: product.snapshot(made["code"])["flagged"] == "left", "the flag has fallen")


def test_a_phone_that_keeps_the_time_by_itself_is_not_left(
    windows: Windows, product: Product, network: Network
) -> None:
    _made, phone = playing(windows, product, network)
    lose(windows, network)
    phone.says("Offline")
    phone.tap("Menu", "This phone …", "Leave the clock …", seat="left")
    leave = phone.page.get_by_role("dialog", name="Leave the clock?")
    expect(leave.locator("p")).to_have_text("That needs the network. Try again once it is back.")
    expect(leave.get_by_role("button", name="Leave", exact=True)).to_have_count(0)
    phone.tap("Stay")
    play(phone, "left", "right")


def agree_on_a_gammon(phone: Phone) -> None:
    """Bob stops the clocks and enters a gammon for Ann; Ann agrees."""
    phone.tap("Stop", seat="right")
    won = phone.page.get_by_role("group", name="Ann wins")
    won.get_by_role("button", name="Gammon 2 points").tap()
    phone.tap("Agree", seat="left")


def ending(phone: Phone) -> list[list[str]]:
    """Read the end in both halves: how it was won, games, rows of the times."""
    expect(phone.half("left").locator(".final-score")).to_be_visible()
    expect(phone.half("right").locator(".times-used")).to_be_visible()
    rows = phone.half("right").locator(".times-used tr").all()
    won, games = (shown_texts(phone.half("left").locator(each)) for each in (".final p", ".games-played li"))
    return [won, games, *(shown_texts(row.locator("th, td")) for row in rows)]


def test_a_match_that_ends_offline_shows_what_the_server_will_show(
    windows: Windows, product: Product, network: Network
) -> None:
    made, phone = playing(windows, product, network, length=1)
    play(phone, "left")
    lose(windows, network)
    phone.says("Offline")
    play(phone, "right", "left")
    agree_on_a_gammon(phone)
    phone.shows("left", "over")
    offline = ending(phone)
    assert offline[:4] == [
        ["1–0", "By a gammon"],
        [],
        ["", "Ann", "Bob"],
        ["Turns", "2", "2"],
    ]
    network.dead = False
    phone.until(lambda: product.snapshot(made["code"])["status"] == "over", "the match was handed over", 40_000)
    linked(phone)
    windows.server_is_down = False
    phone.page.reload()
    assert ending(phone) == offline


def test_a_match_that_ended_offline_is_still_over_after_a_reload(
    windows: Windows, product: Product, network: Network
) -> None:
    _made, phone = playing(windows, product, network, length=1)
    play(phone, "left")
    lose(windows, network)
    phone.says("Offline")
    phone.page.reload()
    phone.shows("right", "turn")
    agree_on_a_gammon(phone)
    phone.shows("left", "over")
    phone.page.reload()
    phone.shows("left", "over")
    expect(phone.page.get_by_text("The match continues without this phone.")).to_have_count(0)
