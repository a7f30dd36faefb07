"""Geometry of the pages of tables, rounds, standings and the public."""

import pytest
from playwright.sync_api import Page

from tests.browser.broken_words import BROKEN
from tests.browser.engines import shown_text
from tests.browser.product import Product
from tests.browser.test_paper_for_the_hall import MAKE_BRACKET
from tests.browser.test_screen_geometry import SIZES, wrong_with
from tests.browser.windows import Windows

MAKE = """
from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Confirm, Propose
from clocks.engine.proposals import EndMatch
from clocks.engine.setup import Setup
from clocks.models import Pairing, Round, Tournament
from clocks.tournament.tables import add_table
office, new = Tournament.objects.get_or_create(slug="office", defaults={"name": "Office", "public": True})
if new:
    round_ = Round.objects.create(tournament=office, number=1, length=25, rules="custom")
    teams = ["Bartholomew Featherstoneh / Wilhelmina Lindqvist", "Akiko Yoshida / Alexander Montgomery"]
    people = ["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"]
    options = {"reserve_ms": 35999000, "delay_ms": 12000}
    for n in range(1, 9):
        given = {"rules": "custom", "length": 25, "names": teams if n % 2 else people, "options": options}
        setup = Setup.parse(given | {"format": "doubles" if n % 2 else "singles"})
        pairing = Pairing.objects.create(round=round_, table=add_table(office, str(n)), setup=setup.to_dict())
        desk.start_pairings([pairing.table_id], by=Official.DIRECTOR)
        pairing.refresh_from_db()
        if n > 4:
            desk.submit_and_wait(Request(pairing.match_id, Propose(EndMatch(Seat.LEFT)), Official.DIRECTOR))
    later = Round.objects.create(tournament=office, number=2, length=25, rules="custom")
    Pairing.objects.create(round=later, table=add_table(office, "9"), setup=setup.to_dict())
"""
MIDDLE_OF_TEXT = """node => {
    const text = document.createRange();
    text.selectNodeContents(node);
    const { top, bottom } = text.getBoundingClientRect();
    return (top + bottom) / 2;
}"""
PAGES = {
    "/director/office/tables/": ".tile",
    "/director/office/rounds/1/": ".listing tbody tr",
    "/director/office/results/": ".listing tbody tr",
    "/director/office/rounds/1/sheet/": ".wall li",
    "/director/office/rounds/1/slips/": ".listing tbody tr",
    "/director/office/standings/": ".listing tbody tr",
    "/e/office/": ".boards-now li",
    "/e/office/results/": ".boards-now li",
    "/e/office/standings/": ".listing tbody tr",
}


@pytest.fixture
def director(windows: Windows, product: Product) -> Page:
    product.manage("shell", "--no-imports", "--command", MAKE)
    return windows.director()


def test_no_text_of_a_page_of_lines_is_cut_broken_or_lies_on_another(director: Page, product: Product) -> None:
    wrong, broken = {}, {}
    for path, selector in PAGES.items():
        director.goto(f"{product.address}{path}")
        director.locator(selector).first.wait_for()
        for width, height in SIZES:
            director.set_viewport_size({"width": width, "height": height})
            if found := wrong_with(director, selector):
                wrong[f"{path} {width}x{height}"] = found
            if (width, height) == (390, 844):
                broken[path] = director.evaluate(BROKEN)
    assert wrong == {}
    assert broken == {path: [[], 0] for path in PAGES}


def test_the_label_of_a_start_stands_in_the_middle_of_its_buttons(director: Page, product: Product) -> None:
    director.goto(f"{product.address}/director/office/rounds/2/")
    label, button = director.get_by_text("Start in"), director.get_by_role("button", name="5 min").first
    beside = {}
    for width, height in [(390, 844), (1024, 768), (1440, 900)]:
        director.set_viewport_size({"width": width, "height": height})
        beside[width] = abs(label.evaluate(MIDDLE_OF_TEXT) - button.evaluate(MIDDLE_OF_TEXT))
    assert {width: px for width, px in beside.items() if px > 1} == {}


def test_a_bracket_of_sixteen_is_whole_on_a_laptop(windows: Windows, product: Product) -> None:
    made = MAKE_BRACKET.replace("brackets", "laptop").replace("Ann {n}", "Konstantinos Papadopoulo{n}")
    product.manage("shell", "--no-imports", "--command", made)
    director = windows.director()
    director.goto(f"{product.address}/director/laptop/standings/")
    last = director.locator(".bracket rect").last
    last.wait_for()
    edges = "node => Math.round(node.getBoundingClientRect().right)"
    inner = "node => node.getBoundingClientRect().left + node.clientLeft + node.clientWidth"
    for width in (1280, 1440):
        director.set_viewport_size({"width": width, "height": 900})
        bracket = director.locator(".bracket")
        assert last.evaluate(edges) < bracket.evaluate(inner) <= width
        assert director.evaluate("document.documentElement.scrollWidth") == width


def test_a_long_word_in_a_tournaments_name_fits_on_a_phone(windows: Windows, product: Product) -> None:
    director = windows.director()
    director.goto(f"{product.address}/director/")
    director.get_by_label("Name of the tournament").fill("Herbstpokal der Backgammonfreundschaften")
    director.get_by_role("button", name="Create it").click()
    director.wait_for_url("**/director/herbstpokal-*/")
    director.goto(f"{director.url}people/")
    director.get_by_role("button", name="Create the invitation").click()
    invitation = shown_text(director.get_by_text("/director/invite/"))
    director.set_viewport_size({"width": 320, "height": 568})
    wider = {}
    for page in (f"{product.address}/director/", invitation):
        director.goto(page)
        wider[page] = director.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert set(wider.values()) == {0}, wider
