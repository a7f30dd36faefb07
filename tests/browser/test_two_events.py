"""Two events with one director: each console's lane shows both."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.console import console
from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.phones_of_a_day import DayOfPhones, TablePhones
from tests.browser.product import Product
from tests.browser.windows import Windows

MAIN, SIDE = "Summer Open", "Side Swiss of the evening"
# Both have the director as a member: the lane is for her own events, not for all that a superuser may see.
BEGUN = """
import json
from clocks.models import Round, Tournament
from clocks.people import members
from django.contrib.auth.models import User
from tests.server.hall import begin, drawn
dora, _ = User.objects.get_or_create(username="director", defaults={"is_superuser": True, "is_staff": True})
made = {}
for slug, name, prefix, table in EVENTS:
    members.make_tournament(slug, name, dora)
    Tournament.objects.filter(slug=slug).update(table_prefix=prefix)
    round_ = Round.objects.create(tournament=Tournament.objects.get(slug=slug), number=1, length=3)
    (pairing,) = drawn(round_, f"{table},Ann {slug},Bob {slug}")
    made[slug] = [pairing.match.pk, pairing.table.code]
    begin(pairing.match)
print(json.dumps(made))
"""


Made = dict[str, tuple[int, str]]


@pytest.fixture(scope="module")
def shared_product(product_of_file: Product) -> Product:
    return product_of_file


def begun(product: Product, *events: tuple[str, str, str, str]) -> Made:
    """Begin a match in each event; `events` are (slug, name, letters, table).

    Returns (match id, table code) by slug.
    """
    told = product.manage("shell", "--no-imports", "--command", f"EVENTS = {events}\n{BEGUN}")
    return {slug: (match, code) for slug, (match, code) in json.loads(told.splitlines()[-1]).items()}


async def call(table: TablePhones) -> None:
    """Take both seats of a table whose clock runs, and call the director as Ann."""
    await table.open()
    await table.until(lambda frame: frame["status"] == "running")
    await table.do("left", "call", note="")


def line_of(page: Page, event: str) -> Locator:
    """Unsettled line of an event in the lane."""
    return page.locator(".lane .line:not([data-done])", has=page.locator(".line-event", has_text=event))


def test_each_console_shows_what_needs_the_director_in_both_events(windows: Windows, product: Product) -> None:
    made = begun(product, ("both-main", MAIN, "", "3"), ("both-side", SIDE, "B", "B3"))
    main, side = console(windows, product, "both-main"), console(windows, product, "both-side")
    with DayOfPhones(product.port) as phones:
        phones.all([code for _, code in made.values()], call)
        answer_both(main, side)


def answer_both(main: Page, side: Page) -> None:
    """Answer a call of each event on the page of the other one."""
    for page in (main, side):
        for event, table in ((MAIN, "Table 3"), (SIDE, "Table B3")):
            line = line_of(page, event)
            expect(line).to_have_count(1)
            expect(line).to_contain_text("Director called by Ann")
            assert shown_text(line.locator(".line-table")) == table
            assert shown_text(line.locator(".line-event")) == event
        assert "2" in shown_text(page.get_by_role("heading", name=re.compile("Needs you")))

    answer = line_of(main, SIDE).get_by_role("button", name="I’m coming")
    answer.click()  # settled in the lane, without leaving the main event's page
    for page in (main, side):
        expect(line_of(page, SIDE)).to_contain_text("You are coming")
        expect(line_of(page, SIDE)).to_contain_text("Players are waiting")
    line_of(main, SIDE).get_by_role("button", name="Resume").click()
    for page in (main, side):
        expect(line_of(page, SIDE)).to_have_count(0)
    expect(side.locator(".cell")).to_have_attribute("data-status", "running")

    line = line_of(side, MAIN)
    line.get_by_role("button", name="I’m coming").click()
    expect(line).to_contain_text("Players are waiting")
    line.get_by_role("button", name="Open").click()
    expect(side).to_have_url(re.compile("/director/both-main/"))
    drawer = side.get_by_role("dialog")
    expect(drawer).to_be_visible()
    assert "Ann both-main" in " ".join(shown_texts(drawer))


def test_a_table_in_play_in_two_events_is_named_until_a_match_is_over(windows: Windows, product: Product) -> None:
    made = begun(product, ("shared-main", "Afternoon", "", "77"), ("shared-side", "Aside", "", "77"))
    main = console(windows, product, "shared-main")
    note = main.locator("[data-shared]")
    expect(note).to_be_visible()
    words = "Table 77 is in play here and in Aside. Players may go to the wrong one."
    assert shown_text(note) == f"{words} Letters before the numbers of new tables"
    expect(note.get_by_role("link")).to_have_attribute("href", "/director/shared-main/edit/#id_table_prefix")
    over = "from tests.server.hall import win; from clocks.models import Match; win(Match.objects.get(pk={}))"
    product.manage("shell", "--no-imports", "--command", over.format(made["shared-side"][0]))
    main.reload()  # the command's process does not notify the server's pages
    expect(main.locator(".cell")).to_have_count(1)
    expect(note).to_be_hidden()


def test_events_that_the_lane_leaves_out_have_links(windows: Windows, product: Product) -> None:
    names = [f"Cup {number}" for number in range(1, 7)]  # the console of the first has four of them in its lane
    begun(product, *((f"cup-{name[-1]}", name, "", f"C{name[-1]}") for name in names))
    page = console(windows, product, "cup-1")
    note = page.locator("[data-more]")
    expect(note).to_be_visible()
    # Events of other tests may stand before and after.
    assert re.fullmatch(r"\d+ more events? in play (is|are) not shown here: (.*, )?Cup 6(, .*)?", shown_text(note))
    note.get_by_role("link", name="Cup 6").click()
    expect(page).to_have_url(re.compile("/director/cup-6/"))
    expect(page.locator(".cell")).to_contain_text("Ann cup-6")
