"""The home page: entering a code, starting a clock."""

import re
from html import unescape

import pytest
from django.test import Client

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Propose
from clocks.engine.proposals import EndMatch
from clocks.models import Match, RetiredCode, Table, Tournament
from clocks.tournament.codes import new_code, normalise_code

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = "A match is played to a number of points from 1 to 99."
ANN_BOB = {"left": "Ann", "right": "Bob", "length": "7", "rules": "us-2013", "format": "singles"}


@pytest.fixture
def table() -> Table:
    tournament = Tournament.objects.create(slug="open", name="Open")
    return Table.objects.create(tournament=tournament, name="12", code="7K3M9Q")


@pytest.mark.parametrize(
    "typed",
    [
        "7K3M9Q",
        "7k3m9q",
        " 7K3 M9Q ",
        "7k3-m9q",
        "7K3–M9Q",
        "7 K 3 M 9 Q",
        "7K3_M9Q.",
        "http://10.0.0.2:8000/t/7k3m9q/",
    ],
)
def test_a_code_leads_to_its_table_however_it_is_typed(client: Client, table: Table, typed: str) -> None:
    response = client.get("/", {"code": typed})
    assert (response.status_code, response["Location"]) == (302, "/t/7K3M9Q/")


@pytest.mark.parametrize("typed", ["7K3M9R", "7K3M9", "7K3M9QQ", "0O1IL5", "💥", "'; DROP TABLE", "x" * 5000])
def test_a_wrong_code_gets_a_404_with_the_typed_code_and_a_hint(client: Client, table: Table, typed: str) -> None:
    response = client.get("/", {"code": typed})
    assert response.status_code == 404
    assert "No table has this code." in response.content.decode()
    assert response.context["typed"] == typed[:40]


def test_starting_a_clock_creates_a_match_at_its_own_table(client: Client) -> None:
    response = client.post("/start/", ANN_BOB | {"left_score": "2", "right_score": "1"})
    match = Match.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/t/{match.table.code}/")
    assert match.table.tournament.slug == "casual"
    assert match.table.current == match
    assert match.setup == {
        "director": False,
        "rules": "us-2013",
        "format": "singles",
        "length": 7,
        "score": [2, 1],
        "crawford": "none",
        "names": ["Ann", "Bob"],
        "options": {},
    }


def test_names_may_be_left_out(client: Client) -> None:
    client.post("/start/", ANN_BOB | {"left": "", "right": " "})
    assert Match.objects.get().setup["names"] == ["White", "Black"]


def test_an_empty_code_gets_a_hint(client: Client, table: Table) -> None:
    response = client.get("/", {"code": " "})
    assert response.status_code == 400
    assert "Type the six characters of the code." in response.content.decode()


def test_a_retired_code_and_an_unknown_code_differ(client: Client, table: Table) -> None:
    RetiredCode.objects.create(code="7K3M9R", table=table)
    response = client.get("/", {"code": "7k3 m9r"})
    page = response.content.decode()
    assert (response.status_code, response.context["typed"]) == (404, "7k3 m9r")
    assert "This code is out of date." in page
    assert "No table has this code." not in page


def test_the_first_page_leads_back_to_the_seat_that_this_phone_holds(client: Client) -> None:
    address = client.post("/start/", ANN_BOB)["Location"]
    assert address not in client.get("/").content.decode()
    client.post(f"{address}seat/", {"seat": "left"})
    page = client.get("/").content.decode()
    assert f'href="{address}clock/"' in page
    assert "Ann – Bob" in page
    assert f'href="{address}clock/"' not in Client().get("/").content.decode()
    match = Match.objects.get()
    over = Propose(EndMatch(Seat.LEFT))
    assert desk.submit_and_wait(desk.Request(match.pk, over, "director")).ok
    assert f'href="{address}clock/"' not in client.get("/").content.decode()


def test_two_casual_matches_get_two_tables(client: Client) -> None:
    first = client.post("/start/", ANN_BOB)["Location"]
    second = client.post("/start/", ANN_BOB)["Location"]
    assert first != second


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"left": "x" * 81}, "Ensure this value has at most 80 characters (it has 81)."),
        ({"left": "Bob"}, "The two players need different names."),
        ({"length": "0"}, POINTS),
        ({"length": "100"}, POINTS),
        ({"length": "seven"}, POINTS),
        ({"length": ""}, POINTS),
        ({"rules": "fide"}, "Select a valid choice. fide is not one of the available choices."),
        ({"format": "trebles"}, "Select a valid choice. trebles is not one of the available choices."),
        ({"left_score": "7"}, "Before the end of a match to 7 a player has at most 6 points."),
        ({"right_score": "-1"}, "Write the points so far as a whole number, or leave this empty."),
        (
            {"rules": "unified-2001", "format": "doubles"},
            "Unified 2001 · penalty points has no doubles. These have: US 2013 · simple delay, US 2007 · Bronstein, "
            "Modern · simple delay, Custom · the director’s own.",
        ),
    ],
)
def test_an_invalid_value_shows_the_form_again_and_creates_nothing(
    client: Client, wrong: dict[str, str], words: str
) -> None:
    response = client.post("/start/", ANN_BOB | wrong)
    assert response.status_code == 400
    form = response.context["form"]
    ((field, (said,)),) = form.errors.items()
    page = response.content.decode()
    assert (said, field) == (words, "right" if wrong == {"left": "Bob"} else list(wrong)[-1])
    assert words in unescape(page)
    if field != "format":  # a group of radio buttons, without autofocus
        assert re.search(rf'<(?:input|select)[^>]* name="{field}"[^>]* autofocus', page)
    assert page.count(" autofocus") <= 1
    assert (Match.objects.count(), Table.objects.count()) == (0, 0)


def test_starting_a_clock_needs_a_csrf_token() -> None:
    response = Client(enforce_csrf_checks=True).post("/start/", ANN_BOB)
    assert response.status_code == 403
    assert "Please try that again" in response.content.decode()
    assert Match.objects.count() == 0


def test_a_get_of_the_start_path_redirects_home(client: Client) -> None:
    assert client.get("/start/", ANN_BOB)["Location"] == "/"
    assert Match.objects.count() == 0


def test_new_codes_use_only_the_alphabet_and_are_in_normal_form() -> None:
    codes = [new_code() for _ in range(200)]
    assert all(len(code) == 6 and set(code) <= set("23456789CFGHJKMPQRVWX") for code in codes)
    assert [normalise_code(code) for code in codes] == codes
