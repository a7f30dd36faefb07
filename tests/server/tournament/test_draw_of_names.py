"""A draw pasted as a list with one name per line."""

import pytest

from clocks.tournament import draw
from tests.server.tournament.test_draw_reading import ROUND, cells, faults

NEIGHBOURS = "Each line is read as one name, and neighbours meet. Write a dash between two players in one line."


@pytest.mark.parametrize(
    "text",
    [
        "Jørgen Møller\nAnn Smith\nBob Jones\nChi Dong",
        "Møller, Jørgen\nSmith, Ann\nJones, Bob\nDong, Chi",
        "1. Møller, Jørgen (DEN) 1842\n2. Smith, Ann (ENG) 1800\n3. Jones, Bob (USA) 1790\n4. Dong, Chi (CHN) 1650",
        "[1]\tJørgen Møller\tDenmark\n[4]\tAnn Smith\tDenmark\n[3]\tBob Jones\tUSA\n[2]\tChi Dong\tDenmark",
        "Jørgen Møller  DEN\nAnn Smith  ENG\nBob Jones  USA\nChi Dong  CHN",
        "Jørgen Møller;Møller, Jørgen\nAnn Smith;Smith, Ann\nBob Jones;Jones, Bob\nChi Dong;Dong, Chi",
        "Seed\tPlayer\tCountry\n1\tJørgen Møller\tDEN\n4\tAnn Smith\tENG\n2\tBob Jones\tUSA\n3\tChi Dong\tCHN",
        "No;Last name;First name\n1;Møller;Jørgen\n2;Smith;Ann\n3;Jones;Bob\n4;Dong;Chi",
        "Jørgen Møller\nvs\nAnn Smith\n\nBob Jones\nvs.\nChi Dong",
        "Jørgen Møller\tAarhus\nAnn Smith\tLondon\nBob Jones\nChi Dong",
        "Jørgen Møller\tDenmark\nAnn Smith\tDenmark\nBob Jones\tDenmark\nChi Dong",
        "Jørgen Møller\tDenmark\nAnn Smith\tDenmark\nBob Jones\tNorway\nChi Dong",
        "Jørgen Møller;Møller, Jørgen\nAnn Smith;Smith, Ann\nBob Jones;Jones, Bob\nChi Dong",
    ],
)
def test_neighbours_in_a_list_of_names_meet(text: str) -> None:
    assert cells(text) == [("", "Jørgen Møller", "Ann Smith"), ("", "Bob Jones", "Chi Dong")]
    assert NEIGHBOURS in draw.parse(text, ROUND).notes


def test_last_names_in_small_letters_are_read_too() -> None:
    found = draw.parse("møller, jørgen\nsmith, ann may\njones, bob lee\ndong, chi an", ROUND).lines
    assert [line.names for line in found] == ["jørgen møller – ann may smith", "bob lee jones – chi an dong"]


def test_a_bye_in_a_list_of_names_is_the_neighbours() -> None:
    found = draw.parse("Ann Smith\nbye\nBob Jones\nChi Dong\nBye\nDov Eli", ROUND).lines
    assert [line.seats for line in found] == [["Ann Smith"], ["Bob Jones", "Chi Dong"], ["Dov Eli"]]


def test_the_last_of_an_odd_list_of_names_has_no_opponent() -> None:
    assert faults("Ann Smith\nBob Jones\nChi Dong") == ["3: Both players need a name."]


def test_greetings_around_a_list_of_names_are_reported() -> None:
    sheet = draw.parse("Hi all, here is the draw!\n1. Ann Smith\n2. Bob Jones", ROUND)
    assert [line.names for line in sheet.lines] == ["Ann Smith – Bob Jones"]
    assert sheet.notes == (NEIGHBOURS, "Not read as names: Hi all; here is the draw!.")


def test_known_players_tell_a_name_from_two() -> None:
    listed = {"jørgen møller": "Jørgen Møller", "ann smith": "Ann Smith"}
    found = draw.parse("Møller;Jørgen\nSmith;Ann", ROUND, listed).lines
    assert [line.names for line in found] == ["Jørgen Møller – Ann Smith"]
    listed = {"ann": "Ann", "bob": "Bob"}
    assert [line.names for line in draw.parse("Ann, Bob\nChi, Dov", ROUND, listed).lines] == ["Ann – Bob", "Chi – Dov"]


@pytest.mark.parametrize(
    "text",
    [
        "Ann,Bob\nChi,Dov",
        "Ann\tBob\nChi\tDov",
        "Ann, Bob\nChi, bye",
        "Ann – Bob\nChi Dong",
        "Moore, Ann\nAnn Smith, Bob Jones",
    ],
)
def test_lines_with_two_players_are_no_list_of_names(text: str) -> None:
    assert NEIGHBOURS not in draw.parse(text, ROUND).notes


def test_a_column_that_repeats_half_of_the_names_is_another() -> None:
    half = "Jørgen Møller;Møller, Jørgen\nAnn Smith;Bob Jones"
    assert NEIGHBOURS not in draw.parse(half, ROUND).notes


def test_most_lines_tell_last_names_from_players() -> None:
    found = draw.parse("Møller, Jørgen\nSmith, Ann\nJones, Bob\nDan Lee, Eli Fox", ROUND).lines
    assert [line.names for line in found] == ["Jørgen Møller – Ann Smith", "Bob Jones – Eli Fox Dan Lee"]


def test_the_last_of_an_odd_list_in_two_columns_has_no_opponent() -> None:
    assert faults("Ann\tBob\nChi\tDov\nEva") == ["3: Both players need a name."]


def test_clubs_of_several_players_are_no_names() -> None:
    lines = ["Ann Smith\tYork", "Bob Jones\tYork", "Chi Dong\tYork", "Dov Eli\tBath", "Eva Holm\tHull", "Finn Lee"]
    assert cells("\n".join(lines)) == [
        ("", "Ann Smith", "Bob Jones"),
        ("", "Chi Dong", "Dov Eli"),
        ("", "Eva Holm", "Finn Lee"),
    ]


def test_two_known_players_in_a_line_are_no_name() -> None:
    listed = {key.casefold(): key for key in ("Jørgen Møller", "Ann", "Smith")}
    found = draw.parse("Møller;Jørgen\nSmith;Ann", ROUND, listed).lines
    assert [line.names for line in found] == ["Møller – Jørgen", "Smith – Ann"]


def test_a_club_beside_one_of_two_names_is_no_player() -> None:
    assert cells("Jørgen Møller\tAarhus\nAnn Smith") == [("", "Jørgen Møller", "Ann Smith")]
