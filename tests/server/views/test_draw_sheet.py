"""The draw sheet for the wall: all players by name, with their tables."""

import pytest

from clocks.models import Bye, Pairing, Place, Round
from clocks.tournament.tables import add_table
from clocks.views.director.draw_sheet import MOST, entries_of
from tests.server.hall import client_of, summer_open
from tests.server.house import US_2013

pytestmark = pytest.mark.django_db(transaction=True)


def line(round_: Round, table: str, *names: str, format_: str = "singles") -> Pairing:
    setup = {**US_2013, "names": list(names), "format": format_}
    return Pairing.objects.create(round=round_, table=add_table(round_.tournament, table), setup=setup)


def test_the_sheet_lists_everybody_by_name() -> None:
    round_ = summer_open()
    line(round_, "2", "zoe Ng", "Ärne Bo")
    line(round_, "10", "Ann / Carl Max", "Arno & Bo Li", format_="doubles")
    assert [(entry.name, entry.table) for entry in entries_of(round_)] == [
        ("Ann", "10"),
        ("Ärne Bo", "2"),
        ("Arno", "10"),
        ("Bo Li", "10"),
        ("Carl Max", "10"),
        ("zoe Ng", "2"),
    ]


def test_the_sheet_has_byes_and_no_open_places() -> None:
    round_ = summer_open()
    pairing = line(round_, "1", "Ann", "winner of table 7")
    Place.objects.create(pairing=pairing, seat="right", takes="winner", words="winner of table 7")
    Bye.objects.create(round=round_, name="Bob")
    page = client_of("viewer").get(f"/director/open/rounds/{round_.number}/sheet/").content.decode()
    assert [(entry.name, entry.table) for entry in entries_of(round_)] == [("Ann", "1"), ("Bob", "")]
    assert "<b>bye</b>" in page
    assert "winner of table 7" not in page


def test_the_sheet_lists_both_players_of_a_team_with_a_bye() -> None:
    round_ = summer_open(format="doubles")
    Bye.objects.create(round=round_, name="Zoe / Bob")
    assert [(entry.name, entry.table) for entry in entries_of(round_)] == [("Bob", ""), ("Zoe", "")]


def test_long_draws_are_split_into_equal_sheets() -> None:
    round_ = summer_open()
    for number in range(MOST // 2 + 5):
        line(round_, str(number), f"Ann {number}", f"Bob {number}")
    sheets = client_of("viewer").get(f"/director/open/rounds/{round_.number}/sheet/").context["sheets"]
    assert [[len(column) for column in sheet] for sheet in sheets] == [[33, 32], [33, 32]]


def test_a_round_without_a_draw_says_so() -> None:
    round_ = summer_open()
    page = client_of("viewer").get(f"/director/open/rounds/{round_.number}/sheet/").content.decode()
    assert "Once the draw is imported, everybody is listed here with their table." in page
