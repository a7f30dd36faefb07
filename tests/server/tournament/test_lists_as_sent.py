"""Numbers, ratings, greetings and mixed name orders in player lists as sent."""

import pytest

from clocks.tournament.player_list import Listed
from tests.server.tournament.test_player_lists import listed

ANN, BOB, CHI = "Ann Berg", "Bob Carter", "Chi Lee"


def read(text: str) -> list[Listed]:
    """Players in a pasted list."""
    return [Listed(*player) for player in listed(text)]


@pytest.mark.parametrize("form", ["#{} {}", "{} {}", "{} - {}", "[{}] {}", "({}) {}", "> {}. {}", "No. {} {}", "{}.{}"])
def test_numbers_that_count_the_lines_are_no_part_of_a_name(form: str) -> None:
    text = "\n".join(form.format(n, name) for n, name in enumerate((ANN, BOB, CHI), 1))
    assert read(text) == [Listed(ANN), Listed(BOB), Listed(CHI)]


@pytest.mark.parametrize("form", ["[{}] {}", "({}) {}", "{1} ({0})", "{1} [{0}]"])
def test_seeds_in_brackets_are_numbers(form: str) -> None:
    text = "\n".join(form.format(n, name) for n, name in ((3, ANN), (1, BOB), (12, CHI)))
    assert read(text) == [Listed(ANN, "3"), Listed(BOB, "1"), Listed(CHI, "12")]


def test_a_number_that_only_one_name_begins_with_stays_in_it() -> None:
    assert read(f"{ANN}\n2 Fast Dice\n{CHI}") == [Listed(ANN), Listed("2 Fast Dice"), Listed(CHI)]


@pytest.mark.parametrize("form", ["{} ({})", "{} [{}]", "{}, {}", "{} {}"])
def test_a_rating_beside_a_name_is_no_club(form: str) -> None:
    text = "\n".join(form.format(name, rating) for name, rating in ((ANN, "1720.5"), (BOB, "1650"), (CHI, "980")))
    assert [(each.name, each.rating, each.club) for each in read(text)] == [
        (ANN, "1720.5", ""),
        (BOB, "1650", ""),
        (CHI, "980", ""),
    ]


def test_last_names_first_are_read_beside_first_names_first() -> None:
    names = ("Møller, Jørgen", "Ann Berg", "van den Berg, Piet", "Bob Carter")
    text = "\n".join(f"{n}. {name} (DEN) 1842" for n, name in enumerate(names, 1))
    assert read(text) == [
        Listed(name, rating="1842", country="DEN") for name in ("Jørgen Møller", ANN, "Piet van den Berg", BOB)
    ]


def test_words_around_a_short_list_are_left_out() -> None:
    entries = "1. Møller, Jørgen (DEN) 1842\n2. Berg, Ann (NOR) 1720"
    text = f"Hi Dora,\n\nPlayers so far\n\n{entries}\n\nBest regards,\nOlga\n\nSent from my phone"
    assert read(text) == [
        Listed("Jørgen Møller", rating="1842", country="DEN"),
        Listed(ANN, rating="1720", country="NOR"),
    ]


def test_an_empty_line_before_the_last_entry_cuts_nothing_off() -> None:
    text = f"Players\n\n1. {ANN} (NOR) 1720\n2. {BOB} (DEN) 1650\n\n3. {CHI} (CHN) 980\n\nOlga"
    assert [each.name for each in read(text)] == [ANN, BOB, CHI]


def test_words_around_a_table_are_left_out() -> None:
    text = f"Hi Dora,\n\nhere is the list\n\n7\t{ANN}\tNOR\t1720\n9\t{BOB}\t\t\n8\t{CHI}\tCHN\t1500\n\nOlga"
    assert read(text) == [
        Listed(ANN, "7", rating="1720", country="NOR"),
        Listed(BOB, "9"),
        Listed(CHI, "8", rating="1500", country="CHN"),
    ]


def test_greetings_around_a_list_of_names_end_in_commas() -> None:
    assert read(f"Hi Dora,\n{ANN}\n{BOB}\n{CHI}\nBest regards,\nOlga") == [Listed(ANN), Listed(BOB), Listed(CHI)]


def test_names_below_a_greeting_in_the_first_half_are_players() -> None:
    assert read(f"{ANN}\n{BOB}\nand also,\n{CHI}\nDov Eden") == [*map(Listed, (ANN, BOB, CHI, "Dov Eden"))]


def test_a_name_without_details_between_others_is_a_player() -> None:
    found = read(f"{ANN}, Leeds\n{BOB}, York\n{CHI}")
    assert found == [Listed(ANN, club="Leeds"), Listed(BOB, club="York"), Listed(CHI)]


def test_a_junior_is_no_end_of_a_sentence() -> None:
    assert read(f"{ANN}\nM. L. King Jr.\nSee you there.") == [Listed(ANN), Listed("M. L. King Jr.")]
