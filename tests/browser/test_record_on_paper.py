"""Printed record of a long match: few pages, no broken words."""

import re

import pytest
from playwright.sync_api import Page, expect

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
tournament = Tournament.objects.create(slug="paper", name="The Wilhelmina Memorial Open of the Northern Countries")
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
# Visible words broken across lines, and horizontal overflow in pixels.
BROKEN = """() => {
    const broken = [];
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode;
        if (!text.parentElement.checkVisibility() || text.parentElement.closest('svg')) continue;
        for (const { index, 0: word } of text.data.matchAll(/[^\\s–-]+/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
    }
    return [broken, document.documentElement.scrollWidth - innerWidth];
}"""


@pytest.fixture
def record(windows: Windows, product: Product) -> Page:
    """Page with the record of a match of 164 entries, with long names."""
    made = product.manage("shell", "--no-imports", "--command", MAKE.format(entries=ENTRIES)).split()
    assert made[1] == str(ENTRIES)
    page = windows.director()
    page.goto(f"{product.address}/director/paper/match/{made[0]}/")
    expect(page.get_by_text(f"{ENTRIES} entries.")).to_be_visible()
    return page


def test_a_record_of_164_entries_takes_few_pages_and_breaks_no_word(record: Page) -> None:
    pages = {paper: len(re.findall(rb"/Type ?/Page\b", record.pdf(format=paper))) for paper in PAPERS_MM}
    assert {paper: number for paper, number in pages.items() if number > MOST_PAGES} == {}
    record.emulate_media(media="print")
    for paper, width_mm in PAPERS_MM.items():
        record.set_viewport_size({"width": int((width_mm - MARGINS_MM) / 25.4 * 96), "height": 1000})
        assert record.evaluate(BROKEN) == [[], 0], paper
