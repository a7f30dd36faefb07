"""Events that take another event's losers: when they end, and who meets next."""

import pytest

from clocks.models import Pairing, Player, Round, Section
from clocks.tournament import events
from tests.server.hall import client_of, drawn, next_round
from tests.server.tournament.test_events import PATH, result, section, text

pytestmark = pytest.mark.django_db(transaction=True)


def test_losers_see_the_section_in_which_they_go_on() -> None:
    first = section("knockout", "Main")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    result(first, "Ann")
    names = {"tournament": first.tournament, "method": "knockout", "losers_of": first.section}
    Section.objects.create(name="Consolation", losers_rounds=1, **names)
    page = text(client_of("director").get(PATH).content)
    assert "4 Bob They go on in Consolation." in page


def test_a_lower_half_is_final_when_its_last_loser_has_come() -> None:
    first = section("knockout", "Main")
    lower = Section.objects.create(
        tournament=first.tournament, method="knockout", name="Lower", losers_of=first.section
    )

    def final() -> dict[str, bool]:
        return {event.name: event.final for event in events.of_tournament(first.tournament)}

    def play(round_: Round, lines: list[str], *winners: str) -> Round:
        drawn(round_, *lines)
        for winner in winners:
            result(round_, winner)
        return round_

    play(first, ["1,Ann,Bob", "2,Chi,Dov"], "Ann", "Chi")
    second = play(next_round(first, section=lower), ["3,Bob,Dov"], "Bob")
    assert final() == {"Main": False, "Lower": False}
    third = play(next_round(second, section=first.section), ["1,Ann,Chi"], "Ann")
    assert final() == {"Main": True, "Lower": False}
    Player.objects.filter(name="Chi").update(withdrawn=True)
    assert final() == {"Main": True, "Lower": True}
    Player.objects.filter(name="Chi").update(withdrawn=False)
    play(next_round(third, section=lower), ["3,Bob,Chi"], "Bob")
    assert final() == {"Main": True, "Lower": True}


def test_losers_who_are_still_to_come_leave_the_next_round_open() -> None:
    first = section("knockout", "Main")
    lower = Section.objects.create(
        tournament=first.tournament, method="knockout", name="Lower", losers_of=first.section
    )
    for round_, names in ((first, "ABCDEFGH"), (next_round(first, section=lower), "BDFH")):
        made = drawn(round_, *(f"{names[i]},{names[i]},{names[i + 1]}" for i in range(0, len(names), 2)))
        for place, pairing in enumerate(made):
            Pairing.objects.filter(pk=pairing.pk).update(position=place, winner="left")
    next_of = {event.name: event.bracket()[1] for event in events.of_tournament(first.tournament)}
    assert [entry and entry.names for entry in next_of["Main"]] == [("A", "C"), ("E", "G")]
    assert next_of["Lower"] == [None]


def test_a_lower_event_waits_for_the_last_round_whose_losers_come() -> None:
    first = section("knockout", "Main")
    lower = Section.objects.create(
        tournament=first.tournament, method="knockout", name="Lower", losers_of=first.section, losers_rounds=2
    )
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    result(first, "Ann")
    result(first, "Chi")
    second = next_round(first, section=lower)
    drawn(second, "3,Bob,Dov")
    result(second, "Bob")
    drawn(next_round(second, section=first.section), "1,Ann,Chi")
    assert [(event.name, event.final) for event in events.of_tournament(first.tournament)] == [
        ("Main", False),
        ("Lower", False),
    ]
    Section.objects.update(losers_rounds=1)
    assert [event.final for event in events.of_tournament(first.tournament)] == [False, True]
