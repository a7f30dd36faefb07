"""Table cards: what stands on them and where they lead."""

import html
import re

import pytest

from clocks.models import Table
from clocks.tournament.tables import add_table
from clocks.views import qr
from tests.server.hall import client_of, drawn, next_round, summer_open

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/director/open/cards/"


@pytest.fixture
def tables() -> None:
    tournament = summer_open().tournament
    for name in ("10", "2", "Final", "1"):
        add_table(tournament, name)


def names(query: str = "") -> list[str]:
    """Return the tables whose cards are shown, in order."""
    return [card.table.name for card in client_of("viewer").get(f"{PATH}{query}").context["cards"]]


def test_there_is_a_card_for_each_table_in_table_order(tables: None) -> None:
    assert names() == ["1", "2", "10", "Final"]


def test_the_director_chooses_tables_and_paper(tables: None) -> None:
    assert names("?tables=1-3,final") == ["1", "2", "Final"]
    page = client_of("viewer").get(f"{PATH}?paper=letter&tables=9").content.decode()
    assert "clocks/pages/cards-letter.css" in page
    assert "There is no table 9." in page
    assert "clocks/pages/cards-a4.css" in client_of("viewer").get(f"{PATH}?paper=papyrus").content.decode()


def test_a_card_shows_name_code_and_address_on_both_sides(tables: None, settings: object) -> None:
    settings.BASE_URL = "https://clock.example.org"  # type: ignore[attr-defined]
    code = Table.objects.get(name="2").code
    page = html.unescape(client_of("viewer").get(f"{PATH}?tables=2").content.decode())
    text = " ".join(re.sub(r"<[^>]+>", " ", page[page.index('class="sheets"') :]).split())
    side = (
        "2 Summer Open · Table 2 Scan for your clock Or open this address and type the code "
        f"clock.example.org {code[:3]} {code[3:]}"
    )
    assert text.count(side) == 2


def test_the_qr_is_as_segno_draws_it_at_level_q() -> None:
    url = "https://clock.example.org/t/7K3M9Q/"
    modules, path = qr.qr_path(url)
    assert modules == 29  # version 3: the smallest that holds 36 capitals at level Q
    dark = set()
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path):
        dark |= {(int(x) + step, int(y)) for step in range(int(length))}
    finder = {(x, y) for x in range(7) for y in range(7) if x in (0, 6) or y in (0, 6) or (2 <= x <= 4 and 2 <= y <= 4)}
    assert {(x, y) for x, y in dark if x < 7 and y < 7} == finder


def test_the_same_card_serves_every_round() -> None:
    first = summer_open()
    (pairing,) = drawn(first, "1,Ann,Bob")
    before = client_of("viewer").get(PATH).context["cards"]
    drawn(next_round(first), "1,Eva,Finn", give_way=True)
    assert client_of("viewer").get(PATH).context["cards"] == before
    assert before[0].table.code == pairing.table.code


def test_cards_that_no_phone_could_open_are_warned_of(tables: None, settings: object) -> None:
    assert (
        "which no phone can open" in client_of("viewer").get(PATH, headers={"host": "localhost:8000"}).content.decode()
    )
    settings.BASE_URL = "https://clock.example.org"  # type: ignore[attr-defined]
    assert "which no phone can open" not in client_of("viewer").get(PATH).content.decode()


def test_without_tables_the_page_says_what_to_do() -> None:
    summer_open()
    assert "No tables yet" in client_of("viewer").get(PATH).content.decode()
