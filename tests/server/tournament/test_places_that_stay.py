"""Places that a corrected or reopened match leaves as they are."""

import pytest
from django.contrib.auth.models import User

from clocks import desk
from clocks.engine.commands import Propose
from clocks.engine.proposals import Reopen
from clocks.models import Match, Pairing, Round
from clocks.tournament import corrections
from tests.server.hall import begin, do, drawn, next_round, summer_open, win
from tests.server.house import sit_down
from tests.server.tournament.test_consequences import found, names, settle

pytestmark = pytest.mark.django_db(transaction=True)


def drawn_ahead(**changes: str) -> tuple[list[Pairing], Pairing, Pairing]:
    """Draw the final and the losers' match ahead, then play the first round."""
    first = summer_open(**changes)
    made = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    (final,) = drawn(next_round(first, policy="required"), "7,winner of table 1,winner of table 2")
    third = Round.objects.create(tournament=first.tournament, number=3, length=3)
    (consolation,) = drawn(third, "8,loser of table 1,loser of table 2")
    user, _made = User.objects.get_or_create(username="dora")
    for each in made:
        if each.match:
            win(each.match)
        else:
            corrections.enter(found(each), "left", (None, None), user)
    assert (names(final)[1], names(consolation)[1]) == (["Ann", "Chi"], ["Bob", "Dov"])
    return [found(each) for each in made], found(final), found(consolation)


def reopen(pairing: Pairing, by: str, user: User) -> None:
    """Reopen the match of a pairing on its page or over a socket."""
    if by == "page":
        corrections.reopen(pairing.match, pairing, user, "Not over")
        return
    hold, then = corrections.beside_reopening(pairing.match.pk, user)
    command = Propose(Reopen("Not over"))
    answers = desk.submit_all_and_wait([desk.Request(pairing.match.pk, command, "director", alongside=hold), *then])
    assert [answer.ok for answer in answers] == [True]


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("policy", ["required", "on-request"])
def test_a_correction_leaves_all_places_if_a_later_match_is_over(policy: str, begun: bool) -> None:
    made, final, consolation = drawn_ahead(policy=policy)
    do(final.match, "director", do="propose", what="end", winner="left")
    if begun:
        begin(consolation.match)
    score = (1, 3) if made[0].match else (None, None)
    corrections.enter(found(made[0]), "right", score, User.objects.get(), "Wrong winner")
    settle()
    desk.finish_exchanges()
    settle()
    assert (names(final)[1], names(consolation)[1]) == (["Ann", "Chi"], ["Bob", "Dov"])
    assert Match.objects.get(pk=consolation.match.pk).status == ("running" if begun else "setup")


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("by", ["page", "socket", "without a clock"])
def test_a_reopening_leaves_all_places_if_a_later_match_is_over(by: str, begun: bool) -> None:
    made, final, consolation = drawn_ahead(policy="on-request" if by == "without a clock" else "required")
    do(final.match, "director", do="propose", what="end", winner="left")
    if begun:
        begin(consolation.match)
    user = User.objects.get()
    if by == "without a clock":
        corrections.take_back(found(made[0]), user, "Not over")
        corrections.enter(found(made[0]), "right", (None, None), user)
    else:
        reopen(made[0], by, user)
        do(made[0].match, "director", do="propose", what="end", winner="right")
    settle()
    desk.finish_exchanges()
    settle()
    assert (names(final)[1], names(consolation)[1]) == (["Ann", "Chi"], ["Bob", "Dov"])
    assert Match.objects.get(pk=consolation.match.pk).status == ("running" if begun else "setup")


@pytest.mark.parametrize("policy", ["required", "on-request"])
def test_a_correction_frees_a_seat_and_changes_names_once(policy: str) -> None:
    made, final, _consolation = drawn_ahead(policy=policy)
    sit_down(final.match, "left")
    begin(final.match)
    score = (1, 3) if made[0].match else (None, None)
    corrections.enter(found(made[0]), "right", score, User.objects.get(), "Wrong winner")
    settle()
    settle()
    written = [(entry.event, entry.by) for entry in final.match.journal.order_by("seq")][-3:]
    assert written == [("seat_released", "director"), ("names_corrected", "director"), ("stopped", "director")]


def test_a_place_whose_new_player_has_withdrawn_stays() -> None:
    made, final, consolation = drawn_ahead()
    begin(final.match)
    made[0].round.tournament.players.filter(name="Bob").update(withdrawn=True)
    corrections.enter(found(made[0]), "right", (1, 3), User.objects.get(), "Wrong winner")
    settle()
    assert (names(final)[1], names(consolation)[1]) == (["Ann", "Chi"], ["Ann", "Dov"])
