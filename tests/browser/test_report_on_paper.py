"""Printed report of a tournament of many rounds: one page, no broken word."""

import pytest

from tests.browser.broken_words import BROKEN
from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.test_record_on_paper import MARGINS_MM, PAPERS_MM, pages
from tests.browser.windows import Windows

# Rounds of one match, each with stops for every reason of a player, a call, and two rulings with long notes.
MAKE = """
from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.commands import parse_command
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.models import Round, Tournament
from clocks.tournament.tables import add_table
tournament = Tournament.objects.create(slug="{slug}", name="The Wilhelmina Memorial Open of the Northern Countries")
names = ["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"]
setup = Setup.parse({{"rules": "custom", "length": 25, "names": names, "options": {{"reserve_ms": 35999000}}}})
reasons = "concession break dice contest dice-picked-up score other".split()
note = "Both were asked, and the neighbours at tables 3 and 4, who had seen the dice on the edge of the checkers. " * 2
at = now_ms() - 20_000_000
def ask(by, do, **more):
    global at
    at += 41_700
    command = parse_command({{"do": do, **more}})
    answer = desk.submit_and_wait(Request(match.pk, command, by, at, claimed_at=at - 4_180, credit_ms=180))
    assert answer.ok, (do, answer.words)
for number in range({rounds}):
    section = "Consolation" if number > 7 else "Main event"
    name = f"{{section}}, round of the last {{number + 1}}"
    round_ = Round.objects.create(tournament=tournament, number=number + 1, name=name)
    match = desk.make_match(add_table(tournament, str(number + 1)), setup)
    match.round = round_
    match.save(update_fields=["round"])
    ask("director", "confirm")
    ask("left", "hit")
    for reason in reasons:
        ask("right", "stop", reason=reason)
        ask("director", "resume", turn_of="right")
    ask("right", "call", note="")
    ask("director", "answer", note="")
    ask("director", "propose", what="time", seat="left", by_ms=-90_000, note=note[:200])
    ask("director", "propose", what="end", winner="left", note=note[:200])
"""

SMALLEST_PT = """() => Math.min(
    ...[...document.querySelectorAll('main *')].filter((element) => element.checkVisibility())
        .map((element) => parseFloat(getComputedStyle(element).fontSize) * 72 / 96)
)"""


@pytest.mark.parametrize(("language", "rounds"), [("en", 24), ("de", 12)])
def test_a_report_takes_one_page_and_breaks_no_word(
    windows: Windows, product: Product, language: str, rounds: int
) -> None:
    product.manage("shell", "--no-imports", "--command", MAKE.format(slug=f"report-{language}", rounds=rounds))
    page = windows.director()
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(f"{product.address}/director/report-{language}/report/")
    expect(
        page.get_by_role("heading", name={"en": "Pace by round", "de": "Tempo nach Runden"}[language])
    ).to_be_visible()
    for width in (844, 1024):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate(BROKEN) == [[], 0], width
    assert {paper: pages(page, paper) for paper in PAPERS_MM} == {"A4": 1, "Letter": 1}
    page.emulate_media(media="print")
    assert round(page.evaluate(SMALLEST_PT), 2) == 7
    for paper, width_mm in PAPERS_MM.items():
        page.set_viewport_size({"width": int((width_mm - MARGINS_MM) / 25.4 * 96), "height": 1000})
        assert page.evaluate(BROKEN) == [[], 0], paper
