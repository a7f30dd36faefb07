"""Preview of a player list: all lines, the director's choices, nothing stored."""

from typing import Any

import pytest
from django.test import Client

from clocks.models import Player, Round
from clocks.tournament import player_list, same_players
from tests.server.hall import add_players, client_of, drawn, summer_open
from tests.server.tournament.test_players import names, said

pytestmark = pytest.mark.django_db(transaction=True)


def preview(director: Client, text: str, **more: Any) -> str:
    """Preview a list; return the page's text."""
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


ALIKE = "name,country,rating\nJorgen Moler,DEN,\nChi Lee,,\nBob Carter,,1500\nLee Chi,,1480\nBob Carter Jr,SWE,\n"


def stamps(director: Client, text: str, **more: Any) -> list[tuple[str, bool]]:
    """Stamps of the suggestions in a preview, and whether each is accepted."""
    shown = director.post("/director/open/players/", {"pasted": text, **more})
    return [(row.stamp, row.accepted) for row in shown.context["rows"] if row.suggestion]


def details() -> list[tuple[str, str, str]]:
    return list(Player.objects.order_by("pk").values_list("name", "country", "rating"))


def test_a_preview_suggests_who_may_be_one_player() -> None:
    summer_open()
    director = client_of("director")
    add_players(director, "name,country\nJørgen Møller,\nBob Carter,DEN\n")
    assert stamps(director, ALIKE) == [("2:Jørgen Møller", False), ("5:Chi Lee", False)]
    shown = preview(director, ALIKE)
    assert "new, but like Jørgen Møller the same player as Jørgen Møller" in shown
    assert "the same player as Chi Lee in line 3" in shown
    assert "new, but like Bob Carter" in shown and "the same player as Bob Carter" not in shown
    assert "Accept all 2 suggestions" in shown and "5 players in this list" in shown


def test_one_press_accepts_all_suggestions() -> None:
    summer_open()
    director = client_of("director")
    add_players(director, "name,country\nJørgen Møller,\nBob Carter,DEN\n")
    accepted = [("2:Jørgen Møller", True), ("5:Chi Lee", True)]
    assert stamps(director, ALIKE, accept="yes") == accepted
    shown = preview(director, ALIKE, accept="yes")
    assert "changes Jørgen Møller: Country DEN" in shown and "one player with line 3" in shown
    assert "4 players in this list" in shown and "Accept" not in shown
    page = add_players(director, ALIKE, same=[stamp for stamp, _accepted in accepted])
    assert "2 players added." in said(page) and "2 players changed." in said(page)
    assert details() == [
        ("Jørgen Møller", "DEN", ""),
        ("Bob Carter", "DEN", "1500"),
        ("Chi Lee", "", "1480"),
        ("Bob Carter Jr", "SWE", ""),
    ]


@pytest.mark.parametrize("same", ["2:Zoe", "1:Ann Berg", "x"])
def test_a_forged_suggestion_is_not_stored(same: str) -> None:
    summer_open()
    director = client_of("director")
    add_players(director, "Ann Berg\nZoe")
    page = add_players(director, "Bob Carter\nAnne Berg\n", same=[same])
    assert "The list has changed since the preview." in said(page)
    assert names() == ["Ann Berg", "Zoe"]


def test_a_long_list_is_compared_by_words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same_players, "MOST_COMPARED", 2)
    summer_open()
    found = stamps(client_of("director"), "Ann Berg\nAnne Berg\nBérg Ann\n")
    assert found == [("3:Ann Berg", False)]


@pytest.mark.parametrize(("most", "found"), [(7, ["2:Ann Berg", "4:Bob Carter"]), (6, [])])
def test_new_names_are_compared_with_each_other_and_the_listed(
    monkeypatch: pytest.MonkeyPatch, most: int, found: list[str]
) -> None:
    """Comparing three new names with each other and a listed one takes seven pairs."""
    monkeypatch.setattr(same_players, "MOST_COMPARED", most)
    summer_open()
    director = client_of("director")
    add_players(director, "Ann Berg\n")
    text = "Ann Berg\nAnne Berg\nBob Carter\nBob Carters\n"
    assert [stamp for stamp, _accepted in stamps(director, text)] == found


def test_a_similar_name_of_another_country_is_another_player() -> None:
    summer_open()
    director = client_of("director")
    add_players(director, "name,country\nAnnabel Holst,DEN\nBob Carter,\n")
    assert stamps(director, "name,country\nAnnabel Hosk,DEN\n") == [("2:Annabel Holst", False)]
    assert stamps(director, "name,country\nAnnabel Hosk,SWE\n") == []
    assert stamps(director, "Corabel Holst\nCorabel Hosk\n") == [("2:Corabel Holst", False)]
    assert stamps(director, "Bob Carter Jr\nJr Bob Carter\n") == [("2:Bob Carter Jr", False)]
