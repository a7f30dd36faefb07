"""Creating events from rounds without a section."""

import pytest

from clocks.models import Pairing, Section
from clocks.tournament import events
from tests.server.hall import drawn, next_round, summer_open
from tests.server.tournament.test_events import result

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        (["1,Ann,Bob", "2,Chi,Dov"], 1),
        (["1,Ann,Chi"], 1),
        (["1,Ann,Bob", "2,Dov,Eva"], 2),
        (["1,Ann,Chi", "2,Eva,Finn"], 2),
        (["1,Ann,Eva"], 2),
    ],
)
def test_a_round_carries_on_another_with_its_winners_or_players(lines: list[str], number: int) -> None:
    first = summer_open(policy="on-request")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    result(first, "Ann")
    result(first, "Chi")
    drawn(next_round(first), *lines)
    assert len(events.of_tournament(first.tournament)) == number


def test_rounds_that_do_not_halve_are_a_swiss() -> None:
    first = summer_open(policy="on-request")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana")
    for winner in ("Ann", "Chi", "Eva", "Gus"):
        result(first, winner)
    drawn(next_round(first), "1,Ann,Chi", "2,Eva,Gus", "3,Bob,Dov")
    (event,) = events.of_tournament(first.tournament)
    assert event.method == "swiss"


def test_a_knockout_without_a_section_ends_with_its_final() -> None:
    first = summer_open(policy="on-request")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    result(first, "Ann")
    result(first, "Chi")
    final = next_round(first)
    drawn(final, "1,Ann,Chi")
    result(final, "Chi")
    (event,) = events.of_tournament(first.tournament)
    assert (event.final, event.winners) == (True, ["Chi"])


def test_an_odd_winner_leaves_a_knockout_a_knockout() -> None:
    first = summer_open(policy="on-request")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    for winner in ("Ann", "Chi", "Eva"):
        result(first, winner)
    drawn(next_round(first), "1,Ann,Chi", "2,Eva,Finn")
    (event,) = events.of_tournament(first.tournament)
    assert event.method == "knockout"


def test_a_winner_without_points_has_won_none() -> None:
    first = summer_open(policy="on-request")
    first.section = Section.objects.create(tournament=first.tournament, method="swiss", tie_breaks=["points"])
    first.save()
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    result(first, "Ann", (3, 2))
    Pairing.objects.filter(table__name="2").update(winner="left")
    (event,) = events.of_tournament(first.tournament)
    found = [(line.name, line.place, line.values) for line in event.standings]
    assert found == [("Ann", 1, (3,)), ("Chi", 2, (0,)), ("Bob", 3, (2,)), ("Dov", 4, (0,))]
