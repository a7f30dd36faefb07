"""A match and the practice clock in Firefox and WebKit: play, cut off, reload."""

import pytest

from tests.browser.engines import OTHERS, expect
from tests.browser.product import Product
from tests.browser.proxy import Network
from tests.browser.test_alone import linked, play, playing
from tests.browser.windows import KEEPING, KEEPS, PHONE, Phone, Windows

elsewhere = pytest.mark.parametrize("windows", OTHERS, indirect=True)
# Code of a socket that the server closes, and whether the browser calls that a clean end.
CLOSED = """(path) => new Promise((told) => {
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}${path}`);
    socket.onclose = ({ code, wasClean }) => told([code, wasClean]);
})"""


def cut_off(windows: Windows, network: Network) -> None:
    """Break all connections, and refuse new ones."""
    windows.server_is_down = True
    network.refusing = True
    network.cut()


def come_back(network: Network) -> None:
    network.refusing = False


def ask_for_bobs_seat(phone: Phone, other: Phone) -> None:
    """Ask from the page of the table, until both phones show the request."""
    other.page.locator(".chairs button[value=right]").tap()
    expect(other.page.locator("[data-asking=waits]")).to_be_visible()
    phone.says("Another phone wants to take over Bob’s seat.")


@elsewhere
def test_a_match_goes_through_a_cut_and_a_hand_over_to_its_end(
    windows: Windows, product: Product, network: Network
) -> None:
    slug = f"cut-{windows.browser.browser_type.name}"
    made, phone = playing(windows, product, network, "--table", "1", "--tournament", slug, length=2)
    director = windows.director()
    director.goto(f"{product.address}/director/{slug}/")
    cell = director.locator(".cell")
    expect(cell).to_have_attribute("data-status", "running")
    play(phone, "left")
    cut_off(windows, network)
    play(phone, "right")
    phone.page.evaluate("location.reload()")
    phone.shows("left", "turn")
    play(phone, "left", "right", "left")
    phone.tap("Stop", seat="right")
    phone.shows("right", "stopped")
    come_back(network)
    linked(phone)
    windows.server_is_down = False
    phone.shows("right", "stopped")
    said = product.snapshot(made["code"])
    assert (said["status"], said["turn"], said["hits"]) == ("stopped", "right", [3, 3])
    expect(cell).to_have_attribute("data-status", "stopped")

    # Another phone asks for a seat, takes its request back by leaving the page, and asks again.
    other = windows.phone(made["url"], locale="ja-JP")
    ask_for_bobs_seat(phone, other)
    other.until(lambda: other.page.evaluate("document.readyState") == "complete", "the page has its script")
    other.page.goto(f"{product.address}/rules/us-2013/")
    expect(phone.page.get_by_text("wants to take over").filter(visible=True)).to_have_count(0)
    assert other.page.evaluate(CLOSED, "/ws/elsewhere/") == [4404, True]
    other.page.goto(made["url"])
    ask_for_bobs_seat(phone, other)
    phone.tap("Answer …", "Hand it over")
    expect(other.page.locator("match-clock")).to_have_attribute("data-link", "open")
    expect(phone.page.locator("match-clock")).to_have_attribute("data-layout", "own")
    assert other.page.evaluate("document.documentElement.lang") == "ja"
    other.tap("Bobのクロックを開始")
    other.shows("right", "turn")
    other.says("あなたの手番")
    other.hit("right")
    phone.shows("left", "turn")

    phone.call("A cup was in the way")
    line = director.locator(f".line[data-match='{made['match']}']")
    expect(line).to_contain_text("Director called by Ann · A cup was in the way")
    line.get_by_role("button", name="I’m coming").click()
    phone.tap("Start Ann’s clock")
    phone.tap("Double", "Double to 2")
    other.shows("right", "asked")
    other.tap("テイク")
    phone.shows("left", "turn")
    phone.tap("More", "The game is over …")
    phone.page.locator(".sheet h3", has_text="Ann wins").locator("+ .answers button").first.tap()
    other.tap("同意")
    for each in (phone, other):
        each.shows("left", "over")
    phone.says("You win")
    other.says("お疲れさまでした")
    expect(cell).to_have_attribute("data-status", "over")
    expect(cell.locator(".cell-seat", has_text="won")).to_contain_text("Ann")


@elsewhere
def test_practice_goes_on_without_a_network(windows: Windows, product: Product, network: Network) -> None:
    phone = Phone(windows.open(**PHONE, **KEEPING))
    phone.page.goto(f"{network.address}/practice/")
    phone.page.get_by_label("Rules").select_option("us-2013")
    phone.page.evaluate(KEEPS)
    cut_off(windows, network)
    phone.page.get_by_role("button", name="Go to the clock").tap()
    phone.shows("left", "ready")
    play(phone, "right", "left")
    phone.tap("Stop", seat="right")
    phone.shows("left", "stopped")
    phone.page.evaluate("location.reload()")
    phone.shows("left", "stopped")
    phone.tap("Start Black’s clock", seat="left")
    phone.shows("right", "turn")
    come_back(network)
    windows.server_is_down = False
