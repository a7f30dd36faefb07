"""Two events of one director: each console has the lane of both."""

import json
import re

from playwright.sync_api import Locator, Page

from tests.browser.console import console
from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.product import Product
from tests.browser.windows import Phone, Windows

MAIN, SIDE = "Summer Open", "Side Swiss of the evening"
# Both have the director as a member: the lane is for her own events, not for all that a superuser may see.
BEGUN = """
import json
from clocks.models import Round, Table, Tournament
from clocks.people import members
from django.contrib.auth.models import User
from tests.server.hall import begin, drawn
dora, _ = User.objects.get_or_create(username="director", defaults={"is_superuser": True, "is_staff": True})
made = {}
for slug, name, prefix, table in (("both-main", NAMES[0], "", "3"), ("both-side", NAMES[1], "B", "B3")):
    members.make_tournament(slug, name, dora)
    Tournament.objects.filter(slug=slug).update(table_prefix=prefix)
    round_ = Round.objects.create(tournament=Tournament.objects.get(slug=slug), number=1, length=3)
    (pairing,) = drawn(round_, f"{table},Ann {slug},Bob {slug}")
    made[slug] = [pairing.match.pk, pairing.table.code]
    begin(pairing.match)
print(json.dumps(made))
"""


def called(windows: Windows, product: Product, code: str, slug: str) -> Phone:
    """Ann's phone at a running clock, which calls the director."""
    phone = windows.phone(f"{product.address}/t/{code}/")
    phone.sit(f"I am Ann {slug}")
    phone.tap("More", "Call the director …", "Call the director")
    return phone


def line_of(page: Page, event: str) -> Locator:
    """Line of an event that is not settled."""
    return page.locator(".lane .line:not([data-done])", has=page.locator(".line-event", has_text=event))


def test_each_console_shows_what_needs_the_director_in_both_events(windows: Windows, product: Product) -> None:
    told = product.manage("shell", "--no-imports", "--command", f"NAMES = {[MAIN, SIDE]}\n{BEGUN}")
    made = json.loads(told.splitlines()[-1])
    main, side = console(windows, product, "both-main"), console(windows, product, "both-side")
    called(windows, product, made["both-side"][1], "both-side")
    called(windows, product, made["both-main"][1], "both-main")
    for page in (main, side):
        for event, table in ((MAIN, "Table 3"), (SIDE, "Table B3")):
            line = line_of(page, event)
            expect(line).to_have_count(1)
            expect(line).to_contain_text("Director called by Ann")
            assert shown_text(line.locator(".line-table")) == table
            assert shown_text(line.locator(".line-event")) == event
        assert "2" in shown_text(page.get_by_role("heading", name=re.compile("Needs you")))

    answer = line_of(main, SIDE).get_by_role("button", name="I’m coming")
    answer.click()  # ruled where it stands, without leaving the page of the main event
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
