"""A player enters by phone at the poster's address; the director admits them."""

import pytest

from tests.browser.engines import expect, shown_text
from tests.browser.product import Product
from tests.browser.windows import Windows

OPEN = (
    "from clocks.models import Tournament; Tournament.objects.create(slug='enter', name='Summer Open', entry_open=True)"
)


@pytest.fixture(autouse=True)
def tournament(product: Product) -> None:
    product.manage("shell", "--no-imports", "--command", OPEN)


def test_a_player_enters_by_the_poster_and_is_admitted(windows: Windows, product: Product) -> None:
    director = windows.director()
    director.goto(f"{product.address}/director/enter/cards/entry/")
    address = shown_text(director.locator(".poster .typed"))
    phone = windows.phone(f"http://{address}").page
    phone.get_by_label("Your first and last name").fill("Jørgen Møller")
    phone.get_by_label("Club or town").fill("Aarhus")
    phone.get_by_role("button", name="Enter").tap()
    expect(phone.get_by_role("status")).to_contain_text("You have entered.")
    phone.get_by_text("Change my entry").tap()
    phone.get_by_label("Country").fill("Denmark")
    phone.get_by_role("button", name="Enter").tap()
    expect(phone.get_by_role("heading", name="Jørgen Møller")).to_be_visible()
    director.goto(f"{product.address}/director/enter/players/")
    expect(director.locator(".waiting-players li")).to_have_text(["Jørgen Møller · Aarhus · Denmark Admit Decline"])
    director.get_by_role("button", name="Admit Jørgen Møller").click()
    expect(director.get_by_text("Jørgen Møller is in the list.")).to_be_visible()
    expect(director.locator("th.players")).to_have_text(["Jørgen Møller"])
    phone.reload()
    expect(phone.get_by_role("status")).to_have_text("Jørgen Møller is in the list of players.")
