"""Pairings of a round: the tables that they wait for, and places held for results."""

from collections.abc import Iterable

import pytest

from clocks.desk import pairings
from clocks.engine.closed_sets import Status
from clocks.models import Bye, Match, Pairing
from tests.server.hall import drawn, next_round, summer_open

pytestmark = pytest.mark.django_db(transaction=True)


def names_of(match_ids: Iterable[int]) -> list[list[str]]:
    return [Match.objects.get(pk=match_id).setup["names"] for match_id in match_ids]


def test_the_next_match_starts_at_a_table_that_is_free_or_made_free() -> None:
    first = summer_open()
    one, two = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    drawn(next_round(first), "1,Eva,Finn", "2,Gus,Hana")
    tables = [one.table_id, two.table_id]
    assert pairings.start_pairings(tables) == pairings.start_pairings([]) == []
    Match.objects.filter(pk=one.match_id).update(status=Status.OVER)
    assert names_of(pairings.start_pairings(tables)) == [["Eva", "Finn"]]
    assert names_of(pairings.start_pairings(tables, instead_of=[two.match_id])) == [["Gus", "Hana"]]


def test_a_result_fills_places_and_byes_until_it_is_withdrawn() -> None:
    first = summer_open(policy="on-request")
    (one,) = drawn(first, "1,Ann,Bob")
    second = next_round(first)
    (final,) = drawn(second, "1,winner of table 1,Dov")
    bye = Bye.objects.create(round=second, name="?", words="loser", source=one, takes="loser", filled=False)

    def decide(winner: str) -> tuple[list[str], str, list[int]]:
        """Enter a result, or none; return the names in the final and of the bye, and the open pairings."""
        Pairing.objects.filter(pk=one.pk).update(winner=winner)
        (pairings.decide if winner else pairings.undecide)(one.pk)
        for each in (final, bye):
            each.refresh_from_db()
        return final.setup["names"], bye.name, [each.pk for each in pairings.open_pairings([one.table_id])]

    held = ["winner of table 1, round 1", "Dov"]
    pairings.decide(one.pk)
    assert decide("") == (held, "loser", [one.pk])
    assert decide("right") == (["Bob", "Dov"], "Ann", [final.pk])
    assert decide("") == (held, "loser", [one.pk])
    assert decide("left") == (["Ann", "Dov"], "Bob", [final.pk])
    Pairing.objects.filter(pk=final.pk).update(winner="right")
    assert decide("") == (["Ann", "Dov"], "loser", [one.pk])
