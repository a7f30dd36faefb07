"""The first page: entering a code, starting a clock."""

import pytest
from django.test import Client

from clocks.models import Match, Table, Tournament
from clocks.tournament.codes import new_code, normalise_code

pytestmark = pytest.mark.django_db(transaction=True)

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


@pytest.mark.parametrize("typed", ["", "7K3M9R", "7K3M9", "7K3M9QQ", "0O1IL5", "💥", "'; DROP TABLE", "x" * 5000])
def test_a_wrong_code_is_a_404_that_keeps_what_was_typed_and_says_what_codes_look_like(
    client: Client, table: Table, typed: str
) -> None:
    response = client.get("/", {"code": typed})
    assert response.status_code == 404
    assert "No table has this code." in response.content.decode()
    assert response.context["typed"] == typed[:40]


def test_starting_a_clock_makes_a_match_at_a_table_of_its_own_and_leads_there(client: Client) -> None:
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


def test_two_casual_matches_stand_at_two_tables(client: Client) -> None:
    first = client.post("/start/", ANN_BOB)["Location"]
    second = client.post("/start/", ANN_BOB)["Location"]
    assert first != second


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"left": ""}, "This field is required."),
        ({"left": "x" * 81}, "Ensure this value has at most 80 characters (it has 81)."),
        ({"left": "Bob"}, "The two players need different names."),
        ({"length": "0"}, "Ensure this value is greater than or equal to 1."),
        ({"length": "100"}, "Ensure this value is less than or equal to 99."),
        ({"length": "seven"}, "Enter a whole number."),
        ({"rules": "fide"}, "Select a valid choice. fide is not one of the available choices."),
        ({"format": "trebles"}, "Select a valid choice. trebles is not one of the available choices."),
        ({"left_score": "7"}, "score in a match to 7 must be a whole number from 0 to 6."),
        ({"right_score": "-1"}, "Ensure this value is greater than or equal to 0."),
        (
            {"rules": "unified-2001", "format": "doubles"},
            "unified-2001 does not cover doubles. Doubles can be played under us-2013, us-2007, modern, custom.",
        ),
    ],
)
def test_a_wrong_value_shows_the_form_again_with_a_sentence_and_makes_nothing(
    client: Client, wrong: dict[str, str], words: str
) -> None:
    response = client.post("/start/", ANN_BOB | wrong)
    assert response.status_code == 400
    errors = [text for texts in response.context["form"].errors.values() for text in texts]
    assert errors == [words]
    assert words in response.content.decode()
    assert (Match.objects.count(), Table.objects.count()) == (0, 0)


def test_starting_a_clock_needs_the_forms_own_token() -> None:
    response = Client(enforce_csrf_checks=True).post("/start/", ANN_BOB)
    assert response.status_code == 403
    assert "Please try that again" in response.content.decode()
    assert Match.objects.count() == 0


def test_looking_at_the_start_path_leads_home_and_makes_nothing(client: Client) -> None:
    assert client.get("/start/", ANN_BOB)["Location"] == "/"
    assert Match.objects.count() == 0


def test_new_codes_use_only_the_alphabet_and_are_read_back_as_they_are() -> None:
    codes = [new_code() for _ in range(200)]
    assert all(len(code) == 6 and set(code) <= set("23456789CFGHJKMPQRVWX") for code in codes)
    assert [normalise_code(code) for code in codes] == codes
