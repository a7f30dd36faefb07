"""Places that wait for matches of a draw that is taken back and made again."""

import pytest

from clocks.models import Match, Pairing, Round
from tests.server.hall import client_of, drawn, next_round, summer_open, win
from tests.server.tournament.test_consequences import names

pytestmark = pytest.mark.django_db(transaction=True)


def drawn_ahead(**changes: str) -> tuple[list[Pairing], Pairing, Round]:
    """Draw a round, and ahead of its results a final and a bye of the next."""
    first = summer_open(**changes)
    made = drawn(first, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    second = next_round(first, name="")
    (final,) = drawn(second, "7,winner of table 1,winner of table 2", ",winner of table 3,bye")
    return made, final, second


@pytest.mark.parametrize("name", ["", "Semi-finals"])
def test_places_wait_for_the_matches_of_a_new_draw(name: str) -> None:
    made, final, second = drawn_ahead(name=name)
    assert client_of("director").post("/director/open/rounds/1/take-back/").status_code == 302
    drawn(made[0].round, "1,Ann,Dov", "2,Chi,Bob", "3,Eva,Finn")
    for match in Match.objects.filter(pairing__round__number=1):
        win(match)
    assert names(final) == (["Ann", "Chi"], ["Ann", "Chi"])
    assert [bye.name for bye in second.byes.all()] == ["Eva"]


def test_a_place_waits_for_a_match_that_is_removed_and_added_again() -> None:
    made, final, _second = drawn_ahead()
    director = client_of("director")
    assert director.post(f"/director/open/rounds/1/{made[0].pk}/remove/").status_code == 302
    again = {"table": "1", "left": "Ann", "right": "Bob"}
    assert director.post("/director/open/rounds/1/new/", again).status_code == 302
    win(Match.objects.get(pairing__setup__names=["Ann", "Bob"]))
    assert names(final) == (["Ann", "winner of table 2, round 1"], None)
