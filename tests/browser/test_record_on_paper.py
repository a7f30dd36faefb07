"""Printed record of a long match: its story on one page, all entries on few."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.broken_words import BROKEN
from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.windows import Windows

ENTRIES = 164
MOST_PAGES = 5
PAPERS_MM = {"A4": 210, "Letter": 216}
MARGINS_MM = 20
MAKE = """
from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import parse_command
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.models import JournalEntry, Tournament
from clocks.tournament.tables import add_table
tournament = Tournament.objects.create(slug="{slug}", name="The Wilhelmina Memorial Open of the Northern Countries")
names = ["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"]
options = {{"reserve_ms": 35999000, "delay_ms": 12000}}
setup = Setup.parse({{"rules": "custom", "length": 25, "names": names, "options": options}})
match = desk.make_match(add_table(tournament, "Final 1"), setup)
at = now_ms() - 10_000_000
def ask(by, do, **more):
    global at
    at += 31_700
    command = parse_command({{"do": do, **more}})
    desk.submit_and_wait(Request(match.pk, command, by, at, claimed_at=at - 180, credit_ms=180))
ask("director", "confirm")
ask("left", "hit")
turn, n = "right", 0
while JournalEntry.objects.filter(match=match).count() < {entries}:
    n += 1
    left = {entries} - JournalEntry.objects.filter(match=match).count()
    if n % 12 == 0 and left > 6:
        ask(turn, "call", note="The dice lay on the edge of the checkers, and we disagree about the turn.")
        ask("director", "answer", note="Both were asked, and the neighbours at tables 3 and 4.")
        ask("director", "propose", what="time", seat=turn, by_ms=-90_000, note="Counted aloud, after a warning.")
        ask("director", "resume", turn_of=turn)
    elif n % 5 == 0 and left > 3:
        ask(turn, "stop", reason="dice")
        ask(turn, "resume")
    ask(turn, "hit")
    turn = "left" if turn == "right" else "right"
print(match.pk, JournalEntry.objects.filter(match=match).count())
"""
# A match of 21 games, each with a long think, a stop, a double and a pass. It takes 57 minutes and began an hour ago:
# with reserves of 66 minutes no flag is due yet, or the server would let it fall meanwhile.
MAKE_GAMES = """
from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.commands import parse_command
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.models import Tournament
from clocks.tournament.tables import add_table
tournament = Tournament.objects.create(slug="games", name="The Wilhelmina Memorial Open of the Northern Countries")
names = ["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"]
setup = Setup.parse({"rules": "unified-2001", "length": 11, "names": names})
match = desk.make_match(add_table(tournament, "Final 1"), setup)
at = now_ms() - 3_600_000
def ask(by, wait_ms, do, **more):
    global at
    at += wait_ms
    answer = desk.submit_and_wait(Request(match.pk, parse_command({"do": do, **more}), by, at))
    assert answer.ok, (do, answer.words)
ask("director", 0, "confirm")
for number in range(21):
    first, second = ("right", "left") if number % 2 else ("left", "right")
    ask(first, 9_000, "hit")
    ask(second, 12_000, "hit")
    ask(first, 75_000, "hit")
    ask(second, 3_000, "stop", reason="dice")
    ask(second, 20_000, "resume")
    ask(second, 4_000, "hit")
    crawford = number == 19
    if crawford:
        ask(first, 1_000, "propose", what="game", winner=first, points=1)
        ask(second, 1_000, "agree")
    else:
        ask(first, 8_000, "double")
        ask(second, 31_000, "pass")
print(match.pk)
"""


def pages(page: Page, paper: str) -> int:
    """Number of printed pages."""
    return len(re.findall(rb"/Type ?/Page\b", page.pdf(format=paper)))


def open_record(windows: Windows, product: Product, script: str, slug: str) -> Page:
    """Make a match and open its record."""
    made = product.manage("shell", "--no-imports", "--command", script).split()
    page = windows.director()
    page.goto(f"{product.address}/director/{slug}/match/{made[0]}/")
    expect(page.get_by_role("heading", name="The story")).to_be_visible()
    return page


@pytest.mark.parametrize("long", [False, True], ids=["21 games", "164 entries"])
def test_a_story_takes_one_page(windows: Windows, product: Product, long: bool) -> None:
    script, slug = (MAKE.format(entries=ENTRIES, slug="story"), "story") if long else (MAKE_GAMES, "games")
    page = open_record(windows, product, script, slug)
    assert {paper: pages(page, paper) for paper in PAPERS_MM} == {"A4": 1, "Letter": 1}


def test_a_record_of_164_entries_takes_few_pages_and_breaks_no_word(windows: Windows, product: Product) -> None:
    record = open_record(windows, product, MAKE.format(entries=ENTRIES, slug="paper"), "paper")
    record.get_by_text("Details", exact=True).click()
    expect(record.get_by_text(f"{ENTRIES} entries.")).to_be_visible()
    assert {paper: number for paper in PAPERS_MM if (number := pages(record, paper)) > MOST_PAGES} == {}
    record.emulate_media(media="print")
    for paper, width_mm in PAPERS_MM.items():
        record.set_viewport_size({"width": int((width_mm - MARGINS_MM) / 25.4 * 96), "height": 1000})
        assert record.evaluate(BROKEN) == [[], 0], paper
