"""Scripts that a clock page loads once it is shown, on a bad network."""

from collections.abc import Callable

import pytest

from tests.browser.engines import every_engine, expect
from tests.browser.product import Product
from tests.browser.proxy import UNAVAILABLE, Network
from tests.browser.windows import Phone, Windows


def on_files(name: str, act: Callable[[], bytes | None]) -> Callable[[str], bytes | None]:
    """Answer requests for scripts of this name with `act()`; None passes them on.

    The service worker, which would cache them, is never served.
    """

    def instead(path: str) -> bytes | None:
        if path == "/sw.js":
            return UNAVAILABLE
        return act() if f"/phone/{name}." in path else None

    return instead


def join(windows: Windows, product: Product, network: Network) -> Phone:
    """Phone in Ann's seat of a new match, on a network whose faults are not errors."""
    windows.server_is_down = True
    phone = windows.phone(f"{network.address}/t/{product.newmatch()['code']}/")
    phone.page.get_by_role("button", name="I am Ann").tap()
    return phone


def heading_is_shown(phone: Phone, name: str) -> None:
    expect(phone.page.get_by_role("heading", name=name)).to_be_visible()


@every_engine
def test_a_script_that_was_unavailable_is_loaded_later(windows: Windows, product: Product, network: Network) -> None:
    failures = [UNAVAILABLE]
    network.instead = on_files("menus", lambda: failures.pop() if failures else None)
    phone = join(windows, product, network)
    phone.tap("More")
    heading_is_shown(phone, "More")
    assert failures == []


def test_a_script_whose_request_was_swallowed_is_requested_again(
    windows: Windows, product: Product, network: Network
) -> None:
    swallowed = [b""]
    network.instead = on_files("menus", lambda: swallowed.pop() if swallowed else None)
    phone = join(windows, product, network)
    phone.tap("More")
    heading_is_shown(phone, "More")
    assert swallowed == []


@every_engine
def test_scripts_are_loaded_once_a_stopped_server_is_back(windows: Windows, product: Product, network: Network) -> None:
    def stop() -> bytes:
        network.refusing = True
        network.cut()
        return b""

    network.instead = on_files("menus", stop)
    phone = join(windows, product, network)
    expect(phone.page.locator("match-clock")).to_have_attribute("data-link", "reconnecting")
    phone.tap("More")
    network.instead = lambda path: None
    network.refusing = False
    heading_is_shown(phone, "More")


@every_engine
@pytest.mark.parametrize(
    ("file", "way", "heading"),
    [
        ("about", ["Rules of this match"], "US 2013"),
        ("leaving", ["This phone …", "Leave the clock …"], "Leave the clock?"),
    ],
    ids=["rules", "leaving"],
)
def test_a_sheet_that_was_unavailable_opens_when_asked_for_again(
    windows: Windows, product: Product, network: Network, file: str, way: list[str], heading: str
) -> None:
    network.instead = on_files(file, lambda: UNAVAILABLE)
    phone = join(windows, product, network)
    phone.tap("More", *way, seat="left")
    phone.says("That needs the network. Try again once it is back.")
    network.instead = lambda path: None
    phone.tap(way[-1], seat="left")
    heading_is_shown(phone, heading)
