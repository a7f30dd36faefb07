"""Matches entered by the players, shown to the director and struck out."""

import json

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect
from tests.browser.fed_screens import Feed, board, now_ms, open_console
from tests.browser.product import Product
from tests.browser.windows import DIRECTOR, Phone, Windows

MAKE = """
import json
from clocks.models import *
from clocks.tournament.tables import add_table
paper = Tournament.objects.create(slug="paper", name="Paper Open", paper_draw=True)
Round.objects.create(tournament=paper, number=1, length=7, rules="us-2013")
Player.objects.create(tournament=paper, name="Ann")
print(json.dumps(add_table(paper, "4").code))
"""


def test_players_enter_their_match_and_the_director_strikes_it_out(windows: Windows, product: Product) -> None:
    code = json.loads(product.manage("shell", "--no-imports", "--command", MAKE))
    phone = windows.phone(f"{product.address}/t/{code}/")
    page = phone.page
    expect(page.get_by_text("14:00 each, delay 12 s")).to_be_visible()
    page.get_by_label("Points").fill("5")
    expect(page.get_by_text("10:00 each, delay 12 s")).to_be_visible()
    page.get_by_label("One player").fill("Ann")
    page.get_by_label("The other player").fill("Bob")
    page.get_by_role("button", name="Enter the match").click()
    Phone(page).sit("I am Ann")
    director = windows.director()
    director.goto(f"{product.address}/director/paper/")
    line = director.locator(".line[data-kind=entered]")
    expect(line).to_contain_text("Entered by the players · not in the list of players: Bob")
    line.get_by_role("button", name="Strike out").click()
    line.get_by_role("button", name="Strike out the match").click()
    expect(director.get_by_text("Ann – Bob has been struck out. Table 4 is free")).to_be_visible()
    expect(director.locator(".cell")).to_have_count(0)
    expect(page.get_by_role("alertdialog", name="The director has released this phone.")).to_be_visible()
    page.get_by_role("link", name="Go to the table").click()
    expect(page.get_by_role("heading", name="Who plays here?")).to_be_visible()


@pytest.mark.browser_context_args(**DIRECTOR)
def test_the_console_follows_start_times_and_drops_removed_matches(page: Page) -> None:
    feed = Feed([board(1, "setup"), board(2, "over")])
    open_console(page, feed)
    late = page.locator(".line[data-kind=not-started]")
    expect(late).to_have_count(1)
    feed.tell({"t": "starts", "now": now_ms(), "starts": {"Round 1": now_ms() + 60_000}, "lateness": []})
    expect(late).to_have_count(0)
    feed.tell({"t": "starts", "now": now_ms(), "starts": {"Round 1": now_ms() - 901_000}, "lateness": [[15, "match"]]})
    expect(late).to_have_count(1)
    page.locator(".cell", has_text="over").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    feed.tell({"t": "gone", "now": now_ms(), "matches": [2]})
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".cell-table")).to_have_text(["1"])
    assert feed.errors == []
