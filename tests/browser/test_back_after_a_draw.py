"""Back and reload after a draw show what was drawn, and send nothing again."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.engines import every_engine, expect
from tests.browser.product import Product
from tests.browser.windows import Windows

MAKE = """
from clocks.models import Player, Tournament
back, new = Tournament.objects.get_or_create(slug="back-{number}", defaults={{"name": "Back"}})
for name in ("Ann", "Bob", "Chi", "Dov"):
    Player.objects.create(tournament=back, name=name)
"""
IDS = "(buttons) => buttons.map(({ value }) => value)"


def made(windows: Windows, product: Product, number: str) -> tuple[Page, str]:
    """A director's page and the address of a tournament with four players."""
    product.manage("shell", "--no-imports", "--command", MAKE.format(number=number))
    return windows.director(), f"{product.address}/director/back-{number}"


def store(page: Page, button: str) -> None:
    """Press the button of a preview once its script runs."""
    expect(page.get_by_role("button", name=button)).to_be_visible()
    page.wait_for_function("document.readyState === 'complete'")
    page.get_by_role("button", name=button).click()


@every_engine
def test_back_after_an_import_or_a_list_leads_to_what_was_stored(
    windows: Windows, product: Product, request: pytest.FixtureRequest
) -> None:
    page, address = made(windows, product, f"import-{request.node.callspec.params['windows']}")
    page.goto(f"{address}/players/")
    page.get_by_label("One player per line").fill("Eva")
    page.get_by_role("button", name="Preview the list").click()
    store(page, "Add 1 player")
    expect(page.locator(".flash")).to_have_text("1 player added.")
    page.go_back()
    expect(page.get_by_text("5 players in this list")).to_be_visible()
    page.goto(f"{address}/rounds/new/")
    page.get_by_role("button", name="Create the round").click()
    page.get_by_label("Or paste the lines").fill("Ann,Bob")
    page.get_by_role("button", name="Preview the draw").click()
    store(page, "Import 1 match")
    expect(page.locator(".flash")).to_have_text("1 match of Round 1 drawn.")
    for again in (page.go_back, page.reload):
        again()
        # Firefox takes the page that leads to itself out of its history.
        expect(page.locator("h1")).to_have_text(re.compile("^(Round 1|Import the draw)$"))
    page.goto(f"{address}/rounds/1/")
    expect(page.locator(".listing tbody tr")).to_have_count(1)


def test_back_after_a_first_draw_says_that_the_round_is_drawn(windows: Windows, product: Product) -> None:
    page, address = made(windows, product, "first")
    page.goto(f"{address}/draw/")
    page.get_by_role("button", name="Preview the draw").click()
    pairs = page.locator("[name=pick]")
    drawn = pairs.evaluate_all(IDS)
    page.reload()
    assert pairs.evaluate_all(IDS) == drawn
    page.get_by_role("button", name="Draw 2 matches").click()
    expect(page.locator(".flash")).to_have_text("2 matches of Round 1 drawn.")
    for again in (page.go_back, page.reload):
        again()
        expect(page.get_by_role("heading", name="Round 1 is already drawn")).to_be_visible()
    page.get_by_role("link", name="Back to the round").click()
    expect(page.locator(".listing tbody tr")).to_have_count(2)
