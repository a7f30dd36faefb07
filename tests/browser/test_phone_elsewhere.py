"""Shared phone and practice clock in every engine: play, cut off, reload."""

from tests.browser.engines import every_engine, expect
from tests.browser.product import Product
from tests.browser.proxy import Network
from tests.browser.test_alone import linked, play, playing
from tests.browser.windows import KEEPING, KEEPS, PHONE, Phone, Windows


def cut_off(windows: Windows, network: Network) -> None:
    """Break all connections, and refuse new ones."""
    windows.server_is_down = True
    network.refusing = True
    network.cut()


def come_back(network: Network) -> None:
    network.refusing = False


@every_engine
def test_a_shared_phone_goes_on_through_a_cut_and_a_hand_over(
    windows: Windows, product: Product, network: Network
) -> None:
    made, phone = playing(windows, product, network)
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
    other = windows.phone(made["url"])
    other.page.get_by_role("button", name="I am Bob").tap()
    phone.says("Another phone wants to take over Bob’s seat.")
    phone.tap("Answer …", "Hand it over")
    expect(other.page.locator("match-clock")).to_have_attribute("data-link", "open")
    other.tap("Start Bob’s clock")
    other.shows("right", "turn")
    expect(phone.page.locator("match-clock")).to_have_attribute("data-layout", "own")
    other.hit("right")
    phone.shows("left", "turn")


@every_engine
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


@every_engine
def test_a_phone_plays_in_japanese_and_in_german(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    ann, bob = (windows.phone(made["url"], locale=locale) for locale in ("ja-JP", "de-DE"))
    for phone, seat in ((ann, "left"), (bob, "right")):
        phone.page.locator(f".chairs button[value={seat}]").tap()
        phone.shows(seat, "setup")
        phone.page.locator(".panel button").filter(visible=True).first.tap()
    bob.shows("right", "ready")
    bob.hit("right")
    ann.shows("left", "turn")
    ann.says("あなたの手番")
    ann.hit("left")
    bob.shows("right", "turn")
    bob.says("Du bist dran")
    assert [phone.page.evaluate("document.documentElement.lang") for phone in (ann, bob)] == ["ja", "de"]
