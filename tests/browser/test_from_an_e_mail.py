"""From a list in an e-mail to the first running clock, with the clicks counted."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.engines import expect
from tests.browser.hands import Hands, told
from tests.browser.phones_of_a_day import DayOfPhones
from tests.browser.product import Product, running
from tests.browser.test_a_directors_day import DOCUMENT, FAMILY, GIVEN
from tests.browser.windows import DIRECTOR, Windows

WHAT = "From an e-mailed list of 32 to the first running clock"
MOST_CLICKS = MOST_KEYS = 10
PLAYERS = [(given, f"{family}sen") for family in FAMILY[:2] for given in GIVEN]
COUNTRIES = ("DEN", "NOR", "SWE", "GER")


def e_mail() -> str:
    """Entries of 32 players, one of them twice, as people send them."""
    lines = [f"{n}. {last}, {first} ({COUNTRIES[n % 4]}) {1400 + 7 * n}" for n, (first, last) in enumerate(PLAYERS, 1)]
    first, last = PLAYERS[4]
    twice = f"33. {last}, {first.replace('s', 'z')} ({COUNTRIES[5 % 4]}) 1435"
    return "\n".join(
        ["Hi Dora,", "", "here is everybody for Saturday:", "", *lines, twice, "", "See you there!", "Bob"]
    )


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    """Empty product of its own, with its first sign-in link."""
    with running(Product(tmp_path)) as product:
        yield product


def test_an_e_mailed_list_plays_after_few_clicks(browser: Browser, product: Product) -> None:
    windows = Windows(browser, product)
    page = windows.open(**DIRECTOR)
    page.goto(product.manage("directorlink").strip())
    hands = Hands(page)
    page.get_by_role("button", name="Sign in here").click()
    for label, words in (("Your name", "Dora Diaz"), ("Name of the tournament", "Saturday Open")):
        page.get_by_label(label).fill(words)
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Saturday Open")).to_be_visible()
    with hands.doing(WHAT):
        hands.click("Add players", "link")
        hands.click(page.get_by_label("One player per line"))
        page.keyboard.insert_text(e_mail())
        hands.click("Preview the list")
        expect(page.get_by_text("33 players in this list")).to_be_visible()
        hands.click("Accept 1 suggestion")
        hands.click("Add 32 players")
        hands.click("Draw the first round", "link")
        hands.click("Preview the draw")
        hands.click("Draw 16 matches")
    expect(page.get_by_text("16 matches of Round 1 drawn.")).to_be_visible()
    page.goto(f"{product.address}/director/saturday-open/cards/")
    code = page.locator(".paper").first.get_attribute("data-code")
    assert code is not None
    with DayOfPhones(product.port) as phones:
        phones.all([code], lambda table: table.begin())
        page.goto(f"{product.address}/director/saturday-open/")
        expect(page.locator(".cell[data-status=running]")).to_have_count(1)
    assert windows.troubles == []
    windows.close()
    effort = hands.most(WHAT)
    assert effort.clicks <= MOST_CLICKS and effort.keys <= MOST_KEYS
    assert told(DOCUMENT, "From an e-mail to the first clock") == {WHAT: (effort.clicks, effort.keys)}
