"""Table cards: text, QR codes and addresses."""

import html
import re
from typing import Any

import pytest

from clocks.models import Table, Tournament, Wifi
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
    """Names of the tables on the cards, in order."""
    return [card.table.name for sheet in sheets(query) for card in sheet]


def sheets(query: str = "", role: str = "viewer") -> Any:
    """Cards by sheet."""
    return client_of(role).get(f"{PATH}{query}").context["sheets"]


def test_there_is_a_card_for_each_table_in_table_order(tables: None) -> None:
    assert names() == ["1", "2", "10", "Final"]


def test_the_director_chooses_tables_and_paper(tables: None) -> None:
    assert names("?tables=1-3,final") == ["1", "2", "Final"]
    page = client_of("viewer").get(f"{PATH}?paper=letter&tables=9").content.decode()
    assert "clocks/pages/cards-letter.css" in page
    assert "There is no table 9." in page
    assert "clocks/pages/cards-a4.css" in client_of("viewer").get(f"{PATH}?paper=papyrus").content.decode()


def test_a_sheet_holds_one_card_or_two_or_four(tables: None) -> None:
    assert [[len(sheet) for sheet in sheets(f"?each={each}")] for each in ("1", "2", "4", "3", "many")] == [
        [1, 1, 1, 1],
        [2, 2],
        [4],
        [1, 1, 1, 1],
        [1, 1, 1, 1],
    ]


def test_the_network_is_only_on_the_cards_of_users_who_may_set_it(tables: None) -> None:
    Wifi.objects.create(tournament=Tournament.objects.get(), name="Hall", password="trictrac")
    shown = {role: client_of(role).get(PATH).content.decode() for role in ("director", "helper", "viewer")}
    assert {role: "trictrac" in page for role, page in shown.items()} == {
        "director": True,
        "helper": False,
        "viewer": False,
    }


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ({"name": "Hall", "password": ""}, ("Hall", "trictrac")),
        ({"name": "Hall", "password": " with blanks "}, ("Hall", " with blanks ")),
        ({"name": "Hall", "password": "", "free": "on"}, ("Hall", "")),
        ({"name": "", "password": ""}, None),
    ],
)
def test_the_network_is_changed_or_removed(tables: None, given: dict[str, str], stored: tuple[str, str] | None) -> None:
    Wifi.objects.create(tournament=Tournament.objects.get(), name="Old", password="trictrac")
    assert client_of("director").post(f"{PATH}wifi/", given).status_code == 302
    assert Wifi.objects.values_list("name", "password").first() == stored


def test_a_network_without_a_password_says_so(tables: None) -> None:
    answer = client_of("director").post(f"{PATH}wifi/", {"name": "Hall", "password": ""})
    assert answer.status_code == 400
    assert "If there is none, say so." in answer.content.decode()
    assert not Wifi.objects.exists()


def test_the_wifi_qr_code_escapes_special_characters() -> None:
    assert qr.wifi_path("Hall", "")[0] < qr.wifi_path('Hall; "2"', "pass:word,9")[0]


def test_a_card_shows_name_code_and_address_on_both_sides(tables: None, settings: object) -> None:
    settings.BASE_URL = "https://clock.example.org"  # type: ignore[attr-defined]
    code = Table.objects.get(name="2").code
    page = html.unescape(client_of("viewer").get(f"{PATH}?tables=2").content.decode())
    text = " ".join(re.sub(r"<[^>]+>", " ", page[page.index('class="papers"') :]).split())
    side = (
        "2 Summer Open · Table 2 Scan for your clock Or open this address and type the code "
        f"clock.example.org {code[:3]} {code[3:]}"
    )
    assert text.count(side) == 2


def test_the_qr_code_equals_segnos_at_level_q() -> None:
    url = "https://clock.example.org/t/7K3M9Q/"
    modules, path = qr.qr_path(url)
    assert modules == 29  # version 3, the smallest for 35 alphanumeric characters at level Q
    dark = set()
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path):
        dark |= {(int(x) + step, int(y)) for step in range(int(length))}
    finder = {(x, y) for x in range(7) for y in range(7) if x in (0, 6) or y in (0, 6) or (2 <= x <= 4 and 2 <= y <= 4)}
    assert {(x, y) for x, y in dark if x < 7 and y < 7} == finder


def test_the_same_card_serves_every_round() -> None:
    first = summer_open()
    (pairing,) = drawn(first, "1,Ann,Bob")
    before = sheets()
    drawn(next_round(first), "1,Eva,Finn", give_way=True)
    assert sheets() == before
    assert before[0][0].table.code == pairing.table.code


def test_the_page_warns_if_no_phone_could_open_the_address(tables: None, settings: object) -> None:
    assert (
        "which no phone can open" in client_of("viewer").get(PATH, headers={"host": "localhost:8000"}).content.decode()
    )
    settings.BASE_URL = "https://clock.example.org"  # type: ignore[attr-defined]
    assert "which no phone can open" not in client_of("viewer").get(PATH).content.decode()


def test_without_tables_the_page_says_what_to_do() -> None:
    summer_open()
    assert "No tables yet" in client_of("viewer").get(PATH).content.decode()
