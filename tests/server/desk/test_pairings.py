"""Pairings of a round: tables they wait for, and places for winners and losers."""

from collections.abc import Iterable

import pytest

from clocks import desk
from clocks.desk import pairings
from clocks.engine.closed_sets import Status
from clocks.engine.commands import parse_command
from clocks.models import Bye, JournalEntry, Match, Pairing, Place, Table
from tests.server.hall import begin, do, drawn, next_round, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)


def names_of(match_ids: Iterable[int]) -> list[list[str]]:
    return [Match.objects.get(pk=match_id).setup["names"] for match_id in match_ids]


def test_the_next_match_starts_at_a_table_that_is_free_or_made_free() -> None:
    first = summer_open()
    one, two = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    second = next_round(first)
    drawn(next_round(second), "1,Ida,Jon")
    drawn(second, "1,Eva,Finn", "2,Gus,Hana")
    tables = [one.table_id, two.table_id]
    assert pairings.start_pairings(tables) == pairings.start_pairings([]) == []
    Match.objects.filter(pk=one.match_id).update(status=Status.OVER)
    assert names_of(pairings.start_pairings(tables)) == [["Eva", "Finn"]]
    begin(Match.objects.get(setup__names=["Eva", "Finn"]))
    both = [two.match_id, Match.objects.get(setup__names=["Eva", "Finn"]).pk]
    assert names_of(pairings.start_pairings(tables, by="director", instead_of=both)) == [["Gus", "Hana"]]
    assert JournalEntry.objects.latest("pk").by == "director"


def test_a_result_fills_places_and_byes_until_it_is_withdrawn() -> None:
    first = summer_open(policy="on-request")
    (one,) = drawn(first, "1,Ann,Bob")
    second = next_round(first)
    (final,) = drawn(second, "1,winner of table 1,Dov")
    bye = Bye.objects.create(round=second, name="?", words="loser", source=one, takes="loser", filled=False)

    def decide(winner: str) -> tuple[list[str], str, list[int]]:
        """Enter or remove a result; return names in final and bye, and open pairings."""
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


def final_of(*lines: str) -> tuple[list[Pairing], Pairing, Bye]:
    """Draw a first round, a final between two winners, and a bye for a loser."""
    made = drawn(summer_open(), *lines)
    second = next_round(made[0].round)
    (final,) = drawn(second, "1,winner of table 1,winner of table 2", ",loser of table 1,bye")
    return made, final, Bye.objects.get()


def shown(final: Pairing, bye: Bye) -> tuple[list[str], bool, str, bool]:
    """Names in the final, whether it has a match, the bye, and whether it is filled."""
    for each in (final, bye):
        each.refresh_from_db()
    return final.setup["names"], final.match_id is not None, bye.name, bye.filled


def reopened(match: Match) -> bool:
    """Reopen a match as the director. True if accepted."""
    command = parse_command({"do": "propose", "what": "reopen", "note": "Not over"})
    return desk.submit_and_wait(desk.Request(match.pk, command, "director")).ok


def test_the_ends_of_matches_fill_places_until_they_are_taken_back() -> None:
    (one, two), final, bye = final_of("1,Ann,Bob", "2,Chi,Dov")
    assert one.match is not None and two.match is not None
    held = ["winner of table 1, round 1", "winner of table 2, round 1"]
    assert shown(final, bye) == (held, False, "loser of table 1, round 1", False)
    win(one.match, "right")
    assert shown(final, bye) == (["Bob", held[1]], False, "Ann", True)
    win(two.match)
    assert shown(final, bye) == (["Bob", "Chi"], True, "Ann", True)
    assert Table.objects.get(pk=final.table_id).current_id == final.match_id
    assert reopened(one.match)
    assert shown(final, bye) == ([held[0], "Chi"], False, "loser of table 1, round 1", False)
    assert Table.objects.get(pk=final.table_id).current_id == one.match_id
    do(one.match, "director", do="propose", what="end", winner="left")
    assert shown(final, bye) == (["Ann", "Chi"], True, "Bob", True)
    begin(final.match)
    assert not reopened(one.match)
    assert shown(final, bye) == (["Ann", "Chi"], True, "Bob", True)
    assert reopened(two.match)
    assert shown(final, bye) == (["Ann", "Chi"], True, "Bob", True)
    assert Table.objects.get(pk=two.table_id).current_id == two.match_id


def test_a_place_stays_open_for_a_player_of_the_same_name() -> None:
    (one, _), final, bye = final_of("1,Ann,Bob", "2,Chi,Dov")
    Place.objects.filter(pairing=final, seat="right").delete()
    Pairing.objects.filter(pk=final.pk).update(setup=final.setup | {"names": ["winner", "Ann"]})
    assert one.match is not None
    win(one.match)
    assert shown(final, bye) == (["winner", "Ann"], False, "Bob", True)
    assert list(Place.objects.values_list("filled", flat=True)) == [False]


def test_only_pairings_on_request_may_ask_for_a_clock() -> None:
    first = summer_open(policy="on-request")
    one, _ = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    drawn(next_round(first, policy="required"), "1,Eva,Finn")
    (again,) = drawn(next_round(first, number=3), "1,Gus,Hana")
    assert list(pairings.pairings_on_request(one.table_id)) == [one, again]
