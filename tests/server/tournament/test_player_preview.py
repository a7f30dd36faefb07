"""Preview of a list of players: all lines, the director's choices, nothing stored."""

from typing import Any

import pytest
from django.test import Client

from clocks.models import Player, Round
from clocks.tournament import player_list
from tests.server.hall import add_players, client_of, drawn, summer_open
from tests.server.tournament.test_players import names, said

pytestmark = pytest.mark.django_db(transaction=True)


def preview(director: Client, text: str, **more: Any) -> str:
    """Text of the preview of a list."""
    return said(director.post("/director/open/players/", {"pasted": text, **more}))


def test_a_preview_says_what_each_line_does_and_stores_nothing() -> None:
    drawn(summer_open(), "1,Ann Berg,Bob Carter")
    director = client_of("director")
    shown = preview(director, "Hi, here are the entries:\nBerg, Ann (DEN)\nBob Carter\nAn Bergs\nChi Lee 1500\n")
    assert "4 players in this list" in shown and "1 line is left out." in shown
    assert "changes Ann Berg: Country DEN" in shown
    assert "already in the list" in shown
    assert "new, but like Ann Berg" in shown
    assert "This does not look like a name." in shown
    assert names() == ["Ann Berg", "Bob Carter"]


def test_the_director_chooses_lines_and_columns() -> None:
    summer_open()
    director = client_of("director")
    text = "Berg, Ann\nCarter, Bob\nEntries, 2011\n"
    columns = {"column": ["name", "club"]}
    stamp = "-".join(player_list.parse(text, columns["column"]).stamps)
    page = add_players(director, text, **columns, stamp=stamp, out=["3"])
    assert "2 players added." in said(page)
    assert list(Player.objects.values_list("name", "club")) == [("Berg", "Ann"), ("Carter", "Bob")]


@pytest.mark.parametrize("changed", [{"stamp": "made-up"}, {"column": ["first"]}, {"pasted": "Ann\nZoe"}])
def test_a_list_that_was_not_shown_is_not_stored(changed: dict[str, Any]) -> None:
    summer_open()
    page = add_players(client_of("director"), "Ann, Leeds\nBob, York", **changed)
    assert "The list has changed since the preview. Check it, then add the players." in said(page)
    assert names() == []


def test_a_line_with_a_fault_stores_nothing_until_it_is_left_out() -> None:
    summer_open()
    director, text = client_of("director"), f"Ann\n{'x' * 81}\n"
    page = add_players(director, text, out=[])
    assert page.status_code == 400
    assert "Line 2: name may have at most 80 characters." in said(page)
    assert names() == []
    assert "1 player added." in said(add_players(director, text, out=["2"]))


def test_players_of_a_trf_file_are_listed_with_rating_and_country() -> None:
    summer_open()
    director = client_of("director")
    add_players(director, "name,rating,country\nAnn Berg,1510,DEN\nBob Carter,,\n")
    drawn(Round.objects.get(), "1,Ann Berg,Bob Carter")
    file = client_of("owner").get("/director/open/tournament.trf").content.decode()
    Player.objects.all().delete()
    shown = preview(director, file)
    assert "2 players in this list" in shown and "DEN" in shown and "1510" in shown


def test_two_people_of_one_name_are_told_apart_by_their_details() -> None:
    summer_open()
    director = client_of("director")
    text = (
        "name,number,club,country,rating\n"
        "Hans Berg,,Aarhus,DEN,1500\nHANS BERG,,Odense,DEN,1400\nHans Berg,,Aarhus,,\n"
        "Eva Lund,1,,,\nEva Lund,2,,,\nIda Holm,,Ribe,DEN,\nIda Holm,,,SWE,\nIda Holm,,Ribe,SWE,\n"
        "Ole Friis,,,DEN,\nOle Friis,,,,\n"
    )
    shown = preview(director, text)
    assert "Hans Berg is two people or more, because their details differ. Each name says which." in shown
    assert "Ole Friis is already in line 10. Two people need different names." in shown
    add_players(director, text)
    found = ["Eva Lund (1)", "Eva Lund (2)", "HANS BERG (Odense)", "Hans Berg (Aarhus)"]
    found += ["Ida Holm (DEN)", "Ida Holm (SWE)", "Ole Friis"]
    assert sorted(names()) == found
    assert "Nothing has changed." in said(add_players(director, text))
    assert sorted(names()) == found
