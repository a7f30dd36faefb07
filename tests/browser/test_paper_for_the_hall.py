"""Printed pages: draw sheet, round, cards with the WiFi code."""

import io
import re
from typing import Any

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.product import Product
from tests.browser.test_screen_geometry import wrong_with
from tests.browser.windows import Windows

MAKE = """
from clocks.engine.setup import Setup
from clocks.models import Bye, Pairing, Round, Tournament, Wifi
from clocks.tournament.tables import add_table
paper = Tournament.objects.create(slug="walls", name="Paper Open")
round_ = Round.objects.create(tournament=paper, number=1, length=9)
long = ["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"]
for n in range(1, 33):
    names = long if n == 7 else [f"Ärna Nr. {n:02}", f"Zoltán Full-Name {n:02}"]
    setup = Setup.parse({"rules": "us-2013", "length": 9, "names": names})
    Pairing.objects.create(round=round_, table=add_table(paper, str(n)), setup=setup.to_dict())
Wifi.objects.create(tournament=paper, name="Hall; 2", password="pass:word,9")
"""
MAKE_BRACKET = """
from clocks.engine.setup import Setup
from clocks.models import Pairing, Round, Section, Tournament
from clocks.tournament.tables import add_table
brackets = Tournament.objects.create(slug="brackets", name="Bracket Open")
main = Section.objects.create(tournament=brackets, method="knockout", name="Main")
round_ = Round.objects.create(tournament=brackets, section=main, number=1, length=9, policy="on-request")
for n in range(1, 9):
    setup = Setup.parse({"rules": "us-2013", "length": 9, "names": [f"Ann {n}", f"Bob {n}"]})
    Pairing.objects.create(round=round_, table=add_table(brackets, str(n)), setup=setup.to_dict())
"""
MAKE_PLACES = """
from clocks.engine.setup import Setup
from clocks.models import Pairing, Round, Section, Tournament
from clocks.tournament.tables import add_table
places = Tournament.objects.create(slug="places", name="Places Open")
main = Section.objects.create(tournament=places, method="knockout", name="Main")
side = Section.objects.create(tournament=places, method="knockout", name="Consolation")
for n, section in enumerate([main, side], 1):
    round_ = Round.objects.create(tournament=places, section=section, number=n, length=9, policy="on-request")
    names = ["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"] if n == 1 else ["Chi", "Dov"]
    setup = Setup.parse({"rules": "us-2013", "length": 9, "names": names})
    table = add_table(places, str(n))
    Pairing.objects.create(round=round_, table=table, setup=setup.to_dict(), winner="left", score=[9, 2])
"""
MAKE_GROUPS = (
    MAKE_PLACES.replace("places", "groups")
    .replace("Places", "Groups")
    .replace("knockout", "circle")
    .replace("[main, side]", "[main, side, Section.objects.create(tournament=groups, method='circle', name='Last')]")
)
PAPERS_MM = {"a4": (210, 297), "letter": (215.9, 279.4)}


@pytest.fixture
def director(windows: Windows, product: Product) -> Page:
    """Signed-in director; makes a tournament with WiFi and 32 matches if missing."""
    product.manage(
        "shell",
        "--no-imports",
        "--command",
        "from clocks.models import *;Tournament.objects.filter(slug='walls').exists() or exec('''" + MAKE + "''')",
    )
    return windows.director()


def pages_of(page: Page, **options: Any) -> int:
    return len(re.findall(rb"/Type ?/Page\b", page.pdf(**options)))


def test_64_players_find_their_tables_on_one_sheet_in_two_columns(director: Page, product: Product) -> None:
    for paper, (width, height) in PAPERS_MM.items():
        director.emulate_media(media="null")
        director.goto(f"{product.address}/director/walls/rounds/1/sheet/?paper={paper}")
        columns = [shown_texts(column.locator("li span")) for column in director.locator(".wall ol").all()]
        assert [len(column) for column in columns] == [32, 32]
        assert columns[0][:2] + columns[1][-1:] == ["Ärna Nr. 01", "Ärna Nr. 02", "Zoltán Full-Name 32"]
        assert pages_of(director, prefer_css_page_size=True) == 1, paper
        director.emulate_media(media="print")
        director.set_viewport_size({"width": round(width / 25.4 * 96), "height": round(height / 25.4 * 96)})
        assert wrong_with(director, ".wall li") == [], paper
        size = director.locator(".wall li span").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
        assert size * 72 / 96 >= 12, paper  # font size in points


def test_a_round_of_32_matches_prints_on_one_page(director: Page, product: Product) -> None:
    director.goto(f"{product.address}/director/walls/rounds/1/")
    expect(director.locator(".listing tbody tr")).to_have_count(32)
    assert [pages_of(director, format=paper) for paper in ("A4", "Letter")] == [1, 1]


def test_a_bracket_prints_without_what_is_for_the_screen(windows: Windows, product: Product) -> None:
    command = (
        f"from clocks.models import *;Tournament.objects.filter(slug='brackets').exists() or exec({MAKE_BRACKET!r})"
    )
    product.manage("shell", "--no-imports", "--command", command)
    page = windows.director()
    page.goto(f"{product.address}/director/brackets/standings/")
    page.get_by_role("link", name="Brackets on paper").click()
    shown = [
        page.get_by_role("heading", name="Brackets", exact=True),
        page.get_by_role("link", name="Standings"),
        page.get_by_role("button", name="Print"),
    ]
    printed = [page.locator(".bracket-page svg"), page.get_by_role("heading", name="Bracket Open · Main")]
    for paper in ("a4", "a3", "letter"):
        page.emulate_media(media="null")
        page.goto(f"{product.address}/director/brackets/standings/?paper={paper}")
        expect(page.get_by_role("button", name="Print")).to_be_visible()
        page.emulate_media(media="print")
        assert [part.is_visible() for part in shown] == [False] * 3
        assert [part.is_visible() for part in printed] == [True] * 2
        assert pages_of(page, prefer_css_page_size=True) == 1, paper


def test_standings_print_with_the_places_of_the_tournament_first(windows: Windows, product: Product) -> None:
    command = f"from clocks.models import *;Tournament.objects.filter(slug='places').exists() or exec({MAKE_PLACES!r})"
    product.manage("shell", "--no-imports", "--command", command)
    page = windows.director()
    page.goto(f"{product.address}/director/places/standings/")
    places = page.get_by_role("region", name="Places")
    expect(places.locator("li")).to_have_text(
        ["1 Bartholomew Featherstoneh", "2 Wilhelmina-Aurora Lindqvi", "1 Chi", "2 Dov"]
    )
    page.emulate_media(media="print")
    shown = ["Brackets on paper", "Results", "Rounds", "Deutsch"]
    assert [page.get_by_role("link", name=name).first.is_visible() for name in shown] == [False] * len(shown)
    page.set_viewport_size({"width": 1047, "height": 718})  # A4 landscape in px, less its margins
    assert shown_text(page.locator("main > .head")).split() == ["Places", "Open", "Standings"]
    assert places.is_visible() and wrong_with(page, ".place-list li") == []
    assert pages_of(page, prefer_css_page_size=True) == 3


def test_tables_of_small_groups_share_a_printed_page(windows: Windows, product: Product) -> None:
    product.manage("shell", "--no-imports", "--command", MAKE_GROUPS)
    page = windows.director()
    page.goto(f"{product.address}/director/groups/standings/")
    expect(page.get_by_role("table")).to_have_count(3)
    assert pages_of(page, prefer_css_page_size=True) == 2


def test_results_print_as_a_document_with_the_standings_first(director: Page, product: Product) -> None:
    director.goto(f"{product.address}/director/walls/results/")
    standing = director.locator(".final-order")
    expect(standing).to_be_hidden()
    expect(director.get_by_role("heading", level=3)).to_have_text(["Round 1"])
    director.emulate_media(media="print")
    shown = ["Results as CSV", "Standings", "Search the records", "Rounds", "Deutsch"]
    assert [director.get_by_role("link", name=name).is_visible() for name in shown] == [False] * len(shown)
    first, table = standing.bounding_box(), director.locator(".listing").bounding_box()
    assert first is not None and table is not None and first["y"] + first["height"] < table["y"]
    director.set_viewport_size({"width": 718, "height": 1047})  # A4 portrait in px, less its margins
    assert wrong_with(director, ".listing tbody tr, .final-order li") == []
    assert [pages_of(director, format=paper) for paper in ("A4", "Letter")] == [2, 2]


@pytest.mark.parametrize("each", [1, 2, 4])
def test_the_wifi_code_is_on_printed_cards_and_no_password_on_screen(
    director: Page, product: Product, each: int
) -> None:
    director.goto(f"{product.address}/director/walls/cards/?each={each}&tables=1-4")
    expect(director.get_by_text("Hall; 2").first).to_be_visible()
    assert [one.is_visible() for one in director.get_by_text("pass:word,9").all()] == [False] * (4 * (1 + (each == 1)))
    assert pages_of(director, prefer_css_page_size=True) == 4 // each
    director.emulate_media(media="print")
    director.set_viewport_size({"width": 794, "height": 1123})
    seen = []
    for sheet in director.locator(".paper").all():
        picture = Image.open(io.BytesIO(sheet.screenshot(type="jpeg", quality=95)))
        seen += [code.text for code in zxingcpp.read_barcodes(picture)]
    sides = 4 * (1 + (each == 1))
    assert len(seen) == 2 * sides
    assert seen.count(r"WIFI:T:WPA;S:Hall\; 2;P:pass\:word,9;;") == sides
    tables = {text.rsplit("/T/", 1)[1] for text in seen if "/T/" in text}
    assert len(tables) == 4
    spill = "side => [side.scrollWidth - side.clientWidth, side.scrollHeight - side.clientHeight]"
    assert [side.evaluate(spill) for side in director.locator(".card-side.front").all()] == [[0, 0]] * 4


def test_long_words_of_a_card_stay_beside_its_wifi(director: Page, product: Product) -> None:
    director.goto(f"{product.address}/director/walls/cards/?tables=1")
    director.emulate_media(media="print")
    wide = """words => {
        words.children[2].textContent = 'Oder öffne diese Adresse und gib den Code ein, der darunter steht';
        return words.scrollWidth - words.clientWidth;
    }"""
    assert director.locator(".card-side.front .card-words").evaluate(wide) == 0


def test_the_wifi_password_is_never_shown_again(windows: Windows, director: Page, product: Product) -> None:
    director.goto(f"{product.address}/director/walls/cards/wifi/")
    expect(director.get_by_label("Name of the network")).to_have_value("Hall; 2")
    expect(director.get_by_label("Password", exact=True)).to_have_value("")
    assert "pass:word" not in director.content()
    director.get_by_label("Name of the network").fill("Ballroom")
    director.get_by_role("button", name="Save").click()
    expect(director.get_by_text("The cards show the network “Ballroom”.")).to_be_visible()
    said = product.manage(
        "shell",
        "--no-imports",
        "--command",
        "from clocks.models import *; w = Wifi.objects.get(); print(w.name, w.password)",
    )
    assert said.split() == ["Ballroom", "pass:word,9"]
    director.goto(f"{product.address}/director/walls/cards/wifi/")
    director.get_by_label("Password", exact=True).fill("short")
    windows.wrong_on_purpose = True
    director.get_by_role("button", name="Save").click()
    expect(director.get_by_text("A password has 8 characters at least. If there is none, say so.")).to_be_visible()
    director.get_by_label("Name of the network").fill("Hall; 2")
    director.get_by_label("Password", exact=True).fill("pass:word,9")
    director.get_by_role("button", name="Save").click()
    expect(director.get_by_text("The cards show the network “Hall; 2”.")).to_be_visible()
