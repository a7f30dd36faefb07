"""Correcting results while several events are in progress."""

import pytest
from django.contrib.auth.models import User

from clocks import desk
from clocks.engine.closed_sets import Reason
from clocks.engine.commands import Look, Propose, Stop
from clocks.engine.proposals import Reopen
from clocks.models import Match, Pairing, Section
from clocks.tournament import consequences, corrections, sections
from tests.server.hall import begin, client_of, do, drawn, summer_open, win
from tests.server.tournament.test_next_round import decided, said

pytestmark = pytest.mark.django_db(transaction=True)


def found(pairing: Pairing) -> Pairing:
    return Pairing.objects.select_related("round__tournament", "round__section", "table", "match").get(pk=pairing.pk)


def next_of(section: Section, *lines: str) -> list[Pairing]:
    """Draw an event's next round; return its pairings."""
    round_ = sections.new_round(section, section.tournament.rounds.first())
    sections.put(round_, section)
    return drawn(round_, *lines)


def main_event(method: str = "knockout", policy: str = "required") -> tuple[Section, list[Pairing]]:
    """An event whose first round was won by Ann and Chi."""
    first = summer_open(policy=policy)
    section = sections.make(first.tournament, method, "Main")
    sections.put(first, section)
    made = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    if policy == "on-request":
        decided(first, "Ann", "Chi")
    else:
        for each in made:
            win(each.match)
    return section, made


def names(pairing: Pairing) -> list[str]:
    players: list[str] = Pairing.objects.get(pk=pairing.pk).setup["names"]
    return players


def told(pairing: Pairing) -> list[tuple[str, bool]]:
    """Later matches affected by correcting the winner, and whether each changes."""
    return [(str(each.pairing), each.changes) for each in consequences.of_result(found(pairing))]


def test_a_match_of_another_event_goes_on_while_a_winner_is_corrected() -> None:
    main, made = main_event()
    (final,) = next_of(main, "7,Ann,Chi")
    blitz = sections.make(main.tournament, "knockout", "Blitz")
    (beside,) = next_of(blitz, "8,Bob,Eva")
    begin(beside.match)
    assert told(made[0]) == [("Ann – Chi", True)]
    corrections.enter(found(made[0]), "right", (1, 3), User.objects.create(username="dora"), "Wrong winner")
    assert (names(final), names(beside)) == (["Bob", "Chi"], ["Bob", "Eva"])
    assert Match.objects.get(pk=beside.match.pk).status == "running"


def test_a_match_that_is_over_in_another_event_keeps_no_winner_back() -> None:
    main, made = main_event()
    (final,) = next_of(main, "7,Ann,Chi")
    (beside,) = next_of(sections.make(main.tournament, "knockout", "Blitz"), "8,Bob,Eva")
    win(beside.match)
    page = client_of("director").get(f"/director/open/rounds/1/{made[0].pk}/result/")
    assert "Main, round 2, table 7: Ann – Chi. It becomes Bob – Chi." in said(page)
    assert "Bob – Eva" not in said(page)
    corrections.enter(found(made[0]), "right", (1, 3), User.objects.create(username="dora"), "Wrong winner")
    assert (names(final), names(beside)) == (["Bob", "Chi"], ["Bob", "Eva"])


def test_taking_back_an_end_stops_no_clock_of_another_event() -> None:
    main, made = main_event()
    (beside,) = next_of(sections.make(main.tournament, "knockout", "Blitz"), "8,Bob,Eva")
    begin(beside.match)
    corrections.reopen(made[0].match, found(made[0]), User.objects.create(username="dora"), "Not over yet")
    desk.submit_and_wait(desk.Request(made[0].match.pk, Look(), "server"))
    assert (names(beside), Match.objects.get(pk=beside.match.pk).status) == (["Bob", "Eva"], "running")
    do(made[0].match, "director", do="propose", what="end", winner="right")
    assert names(beside) == ["Bob", "Eva"]


@pytest.mark.parametrize(
    "linked", ["losers come from it", "its winner goes on to it", "a place waits for a player of the match"]
)
def test_players_change_in_events_that_are_linked(linked: str) -> None:
    main, made = main_event(policy="on-request")
    other = sections.make(main.tournament, "knockout", "Consolation")
    if linked == "losers come from it":
        Section.objects.filter(pk=other.pk).update(losers_of=main)
    elif linked == "its winner goes on to it":
        Section.objects.filter(pk=other.pk).update(feeds=main)
    (beside,) = next_of(other, "8,Bob,Dov")
    if linked == "a place waits for a player of the match":
        beside.places.create(seat="left", source=made[0], takes="loser", words="loser of table 1", filled=True)
    assert told(made[0]) == [("Bob – Dov", True)]
    corrections.enter(found(made[0]), "right", (None, None), User.objects.create(username="dora"), "Wrong winner")
    assert names(beside) == ["Ann", "Dov"]


@pytest.mark.parametrize("method", ["swiss", "circle"])
def test_one_match_of_a_group_decides_no_place_in_the_final(method: str) -> None:
    group, made = main_event(method, policy="on-request")
    final = sections.make(group.tournament, "knockout", "Final")
    Section.objects.filter(pk=group.pk).update(feeds=final)
    (there,) = next_of(final, "7,Ann,Eva")
    assert told(made[0]) == [("Ann – Eva", False)]
    corrections.enter(found(made[0]), "right", (None, None), User.objects.create(username="dora"), "Wrong winner")
    assert names(there) == ["Ann", "Eva"]


def test_whoever_sits_out_a_swiss_round_comes_into_it_by_no_correction() -> None:
    swiss, made = main_event("swiss", policy="on-request")
    (second,) = next_of(swiss, "7,Ann,Chi")
    assert told(made[0]) == [("Ann – Chi", False)]
    corrections.enter(found(made[0]), "right", (None, None), User.objects.create(username="dora"), "Wrong winner")
    assert names(second) == ["Ann", "Chi"]


def test_a_table_at_which_another_event_plays_is_not_drawn() -> None:
    first = summer_open()
    main = sections.make(first.tournament, "knockout", "Main")
    sections.put(first, main)
    drawn(first, "1,Ann,Bob")
    blitz = sections.make(main.tournament, "knockout", "Blitz")
    (beside,) = next_of(blitz, ",Eva,Finn")
    assert (beside.table.name, beside.match.status) == ("2", "setup")


def test_a_winner_is_corrected_while_the_next_match_is_stopped() -> None:
    main, made = main_event()
    (final,) = next_of(main, "7,Ann,Chi")
    begin(final.match)
    do(final.match, "director", do="stop")
    corrections.enter(found(made[0]), "right", (1, 3), User.objects.create(username="dora"), "Wrong winner")
    assert (names(final), Match.objects.get(pk=final.match.pk).status) == (["Bob", "Chi"], "stopped")


def test_matches_of_another_event_give_way_unless_they_have_begun() -> None:
    first = summer_open()
    main = sections.make(first.tournament, "knockout", "Main")
    sections.put(first, main)
    begun, _waiting = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    begin(begun.match)
    blitz = sections.make(main.tournament, "knockout", "Blitz")
    sections.put(beside := sections.new_round(blitz, first), blitz)
    made = drawn(beside, ",Eva,Finn", ",Gus,Hana", give_way=True)
    assert [each.table.name for each in made] == ["2", "3"]


def test_a_program_that_takes_back_an_end_stops_the_next_match() -> None:
    main, made = main_event()
    (final,) = next_of(main, "7,Ann,Chi")
    begin(final.match)
    user, match_id = User.objects.create(username="dora"), made[0].match.pk
    hold, then = corrections.beside_reopening(match_id, user)
    assert [(request.match_id, request.command) for request in then] == [(final.match.pk, Stop(Reason.DIRECTOR))]
    command = Propose(Reopen("Not over yet"))
    first = desk.Request(match_id, command, "director", user_id=user.pk, alongside=hold)
    assert [reply.ok for reply in desk.submit_all_and_wait([first, *then])] == [True, True]
    assert [str(place.source) for place in final.places.all()] == ["Ann – Bob"]
    assert Match.objects.get(pk=final.match.pk).status == "stopped"
    assert corrections.beside_reopening(final.match.pk, user) == (None, [])
    Pairing.objects.all().delete()
    assert corrections.beside_reopening(match_id, user) == (None, [])


def test_an_undecided_match_has_no_consequences() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    assert (consequences.of_result(found(pairing)), consequences.of_reopening(found(pairing))) == ([], [])
