"""A player's next step after a match, on the clock page and the table's page."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from clocks.engine.clock import Seat
from clocks.host.server_time import now_ms
from clocks.models import Bye, Match, Pairing, Round, Section, Table
from clocks.record import next_match
from tests.server.hall import begin, drawn, next_round, summer_open, win
from tests.server.tournament.test_next_round import said

pytestmark = pytest.mark.django_db(transaction=True)


def knockout() -> tuple[Round, list[Pairing]]:
    """First round of a knockout of four, and its pairings with bracket positions."""
    first = summer_open()
    section = Section.objects.create(tournament=first.tournament, name="Main", method="knockout")
    Round.objects.filter(pk=first.pk).update(section=section)
    made = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    for position, pairing in enumerate(made):
        Pairing.objects.filter(pk=pairing.pk).update(position=position)
    return Round.objects.get(pk=first.pk), made


def seated(match: Match, seat: str) -> Client:
    """Client of a phone with one seat, or both."""
    phone = Client()
    phone.post(f"/t/{match.table.code}/seat/", {"seat": seat})
    return phone


def told(phone: Client, match: Match) -> dict[str, str]:
    """Next match as shown on the clock page, by seat."""
    code = Match.objects.select_related("table").get(pk=match.pk).table.code
    answer: dict[str, str] = phone.get(f"/t/{code}/next/{match.pk}/").json()
    return answer


def after(pairing: Pairing, seat: Seat = Seat.LEFT) -> str:
    assert pairing.match is not None
    return next_match.after(Match.objects.get(pk=pairing.match.pk), seat, now_ms())


def test_the_winner_waits_for_the_neighbours_in_the_bracket() -> None:
    _, (one, two) = knockout()
    ann, bob = seated(one.match, "left"), seated(one.match, "right")
    win(one.match)
    assert told(ann, one.match) == {"left": "You are in the next round. You wait for the winner of table 2."}
    assert told(bob, one.match) == {"right": "You are out of Main. No other match is drawn for you."}
    win(two.match, "right")
    assert told(ann, one.match) == {"left": "You are in the next round, against Dov. Its table is not known yet."}


def test_a_loser_waits_for_the_draw_of_the_consolation() -> None:
    first, (one, _two) = knockout()
    side = Section.objects.create(
        tournament=first.tournament, name="Consolation", method="knockout", losers_of=first.section, losers_rounds=1
    )
    win(one.match)
    assert after(one, Seat.RIGHT) == "You are in Consolation. Your match there is not drawn yet."
    drawn(next_round(first, section=side), "4,Bob,Dov")
    assert after(one, Seat.RIGHT) == "Your next event: Consolation. You play next: table 4 against Dov."


def test_a_loser_of_a_later_round_is_out_of_the_consolation_too() -> None:
    first, (one, two) = knockout()
    Section.objects.create(
        tournament=first.tournament, name="Consolation", method="knockout", losers_of=first.section, losers_rounds=1
    )
    for pairing in (one, two):
        win(pairing.match)
    (final,) = drawn(next_round(first, section=first.section), "1,Ann,Chi")
    win(final.match)
    assert after(final, Seat.RIGHT) == "You are out of Main. No other match is drawn for you."


def test_a_shared_phone_is_told_about_both_players() -> None:
    _, (one, _two) = knockout()
    phone = seated(one.match, "both")
    win(one.match)
    assert list(told(phone, one.match)) == ["left", "right"]


def test_only_phones_of_the_match_are_told() -> None:
    _, (one, two) = knockout()
    win(one.match)
    path = f"/t/{one.match.table.code}/next/{one.match.pk}/"
    assert (Client().get(path).status_code, seated(two.match, "left").get(path).status_code) == (404, 404)


def test_the_next_table_and_opponent_are_named() -> None:
    first, (one, two) = knockout()
    win(one.match)
    win(two.match)
    drawn(next_round(first, section=first.section), "7,Ann,Chi")
    assert after(one) == "You play next: table 7 against Chi."
    assert after(two) == "You play next: table 7 against Ann."


def test_an_opponent_who_is_not_known_yet_is_described() -> None:
    first, (one, _two) = knockout()
    drawn(next_round(first), '7,"winner of table 1, round 1","winner of table 2, round 1"')
    win(one.match)
    assert after(one) == "You play next: table 7. Opponent: winner of table 2."


def test_another_event_is_named_first() -> None:
    first, (one, _two) = knockout()
    side = Section.objects.create(tournament=first.tournament, name="Consolation", method="knockout")
    drawn(next_round(first, section=side), "4,Bob,Dov")
    win(one.match)
    assert after(one, Seat.RIGHT) == "Your next event: Consolation. You play next: table 4 against Dov."


def test_the_start_of_the_round_tells_about_when() -> None:
    first, (one, _two) = knockout()
    at = datetime.now(UTC) + timedelta(hours=2)
    drawn(next_round(first, starts_at=at), "7,Ann,Chi")
    win(one.match)
    assert after(one) == f"You play next: table 7 against Chi, about {timezone.localtime(at):%H:%M}."


def test_a_bye_and_a_won_final_are_named() -> None:
    first, (one, two) = knockout()
    win(one.match)
    win(two.match)
    second = next_round(first, section=first.section)
    bye = Bye.objects.create(round=second, name="Ann")
    assert after(one) == "You have a bye in Round 2."
    bye.delete()
    (final,) = drawn(second, "1,Ann,Chi")
    Pairing.objects.filter(pk=final.pk).update(position=0)
    win(final.match)
    assert after(final) == "You have won the final."
    assert after(final, Seat.RIGHT) == "You are out of Main. No other match is drawn for you."


def test_a_later_match_on_another_phone_counts() -> None:
    first, (one, two) = knockout()
    win(one.match)
    win(two.match)
    (final,) = drawn(next_round(first, section=first.section), "7,Ann,Chi")
    Pairing.objects.filter(pk=final.pk).update(position=0)
    win(final.match)
    assert (after(one), after(two)) == (
        "You have won the final.",
        "You are out of Main. No other match is drawn for you.",
    )


def test_a_swiss_round_that_is_not_drawn_is_awaited() -> None:
    (one,) = drawn(summer_open(), "1,Ann,Bob")
    win(one.match)
    assert {after(one), after(one, Seat.RIGHT)} == {"Your next match is not drawn yet."}


def test_who_wins_an_upper_half_goes_on_to_the_event_that_it_feeds() -> None:
    first, (one, two) = knockout()
    names = {"tournament": first.tournament, "method": "knockout"}
    lower = Section.objects.create(name="Lower", losers_of=first.section, **names)
    last = Section.objects.create(name="Grand final", **names)
    Section.objects.exclude(pk=last.pk).update(feeds=last)
    win(one.match)
    win(two.match)
    (below,) = drawn(next_round(first, section=lower), "1,Bob,Dov")
    Pairing.objects.filter(pk=below.pk).update(position=0)
    win(below.match)
    assert after(below) == "You are in the next round. It is not drawn yet."
    (final,) = drawn(next_round(below.round, section=first.section), "1,Ann,Chi")
    Pairing.objects.filter(pk=final.pk).update(position=0)
    win(final.match)
    assert after(final) == "You are in Grand final. Your match there is not drawn yet."
    assert after(final, Seat.RIGHT) == "You are in Lower. Your match there is not drawn yet."


def test_after_the_last_planned_round_of_a_swiss_nothing_is_awaited() -> None:
    first = summer_open()
    swiss = Section.objects.create(tournament=first.tournament, method="swiss", rounds_planned=2)
    Round.objects.update(section=swiss)
    (one,) = drawn(first, "1,Ann,Bob")
    win(one.match)
    assert after(one) == "Your next match is not drawn yet."
    Section.objects.update(rounds_planned=1)
    assert after(one) == after(one, Seat.RIGHT) == "All 1 rounds are drawn."


def test_after_all_play_all_nothing_is_awaited() -> None:
    first = summer_open()
    Round.objects.update(section=Section.objects.create(tournament=first.tournament, method="circle"))
    (one,) = drawn(first, "1,Ann,Bob")
    bye = Bye.objects.create(round=first, name="Chi")
    win(one.match)
    assert after(one) == "Your next match is not drawn yet."
    bye.delete()
    assert after(one) == "All 1 rounds are drawn."


def test_who_is_not_among_the_best_of_a_group_is_out() -> None:
    first = summer_open()
    finals = Section.objects.create(tournament=first.tournament, name="Finals", method="knockout")
    group = Section.objects.create(tournament=first.tournament, name="Group A", method="circle", feeds=finals)
    Round.objects.update(section=group)
    (one,) = drawn(first, "1,Ann,Bob")
    win(one.match)
    assert after(one, Seat.RIGHT) == "Your next match is not drawn yet."
    drawn(next_round(first, section=finals), "7,Ann,Chi")
    assert after(one, Seat.RIGHT) == "You are out of Group A. No other match is drawn for you."
    assert after(one) == "Your next event: Finals. You play next: table 7 against Chi."


def test_a_player_who_is_out_is_not_asked_who_they_are() -> None:
    first, (one, two) = knockout()
    ann, bob = seated(one.match, "left"), seated(one.match, "right")
    win(one.match)
    win(two.match)
    (final,) = drawn(next_round(first, section=first.section), "1,Ann,Chi")
    begin(final.match)
    table = f"/t/{Table.objects.get(name='1').code}/"
    page = said(bob.get(table))
    assert "You are out of Main. No other match is drawn for you." in page and "Ann – Bob · 3 – 0" in page
    assert page.index("Somebody else has this phone now") < page.index("I am Chi")
    page = said(ann.get(table))
    assert "Somebody else has this phone now" not in page and "I am Ann" in page


def test_a_phone_between_two_players_lets_the_next_ones_sit_down() -> None:
    first, (one, two) = knockout()
    phone = seated(one.match, "both")
    win(one.match, "right")
    win(two.match)
    drawn(next_round(first), "1,Chi,Bob")
    assert "Somebody else has this phone now" not in said(phone.get(f"/t/{Table.objects.get(name='1').code}/"))


def test_rounds_of_byes_alone_count_as_drawn() -> None:
    """In a group of three, Chi plays only in the first round."""
    first = summer_open()
    circle = Section.objects.create(tournament=first.tournament, method="circle")
    second, third = next_round(first), next_round(first, number=3)
    Round.objects.update(section=circle)
    (one,) = drawn(first, "1,Ann,Chi")
    win(one.match)
    for round_, name in ((first, "Bob"), (second, "Ann"), (second, "Bob")):
        Bye.objects.create(round=round_, name=name)
    (last,) = drawn(third, "1,Ann,Bob")
    win(last.match)
    assert after(last) == after(last, Seat.RIGHT) == "All 3 rounds are drawn."
