"""Groups are drawn again if the server stopped halfway through drawing them."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from clocks.engine.refusals import Refused
from clocks.models import Pairing, Round, Section
from clocks.tournament import draw_store, first_groups, together
from tests.server.hall import summer_open
from tests.server.tournament.test_together import groups, stored

pytestmark = pytest.mark.django_db(transaction=True)

ONCE = {
    "Round 1": [],
    "Group A, round 1": ["1: A – B", "2: C – D"],
    "Group B, round 1": ["3: E – F", "4: G – H"],
}


class Stopped(BaseException):
    """The server stops; not an `Exception`, so that nothing handles it."""


def stopped_at(nth: int, user: User, **given: Any) -> None:
    """Draw groups, but stop without clean-up when the `nth` would be stored."""
    store, calls = draw_store.store_without_start, list[int]()

    def stopping(*args: Any, **options: Any) -> draw_store.Drawn:
        calls.append(1)
        if len(calls) == nth:
            raise Stopped
        return store(*args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draw_store, "store_without_start", stopping)
        patch.setattr(together, "take_back", lambda *_args: None)
        patch.setattr(first_groups, "_remove", lambda *_args: None)
        with pytest.raises(Stopped):
            groups(Round.objects.get(number=1).tournament, user, **given)


@pytest.fixture
def dora() -> User:
    summer_open(policy="on-request")
    return User.objects.create(username="dora")


@pytest.mark.parametrize("nth", [1, 2])
def test_a_draw_of_groups_that_was_cut_short_is_replaced(dora: User, nth: int) -> None:
    stopped_at(nth, dora)
    assert Section.objects.count() == 3
    groups(Round.objects.get(number=1).tournament, dora, number=4)
    assert stored() == ONCE
    assert [str(each) for each in Section.objects.order_by("pk")] == ["Group A", "Group B", "Finals"]
    assert list(Round.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_a_round_that_was_there_before_is_drawn_into_again(dora: User) -> None:
    Round.objects.update(name="Morning", length=11)
    stopped_at(2, dora, number=1)
    groups(Round.objects.get(number=1).tournament, dora, number=2)
    assert stored() == {"Morning": ONCE["Group A, round 1"], "Group B, round 1": ONCE["Group B, round 1"]}
    assert {each.length for each in Round.objects.all()} == {11}


def test_events_that_a_director_made_for_groups_are_kept(dora: User) -> None:
    tournament = Round.objects.get(number=1).tournament
    finals = Section.objects.create(tournament=tournament, method="knockout", name="Mine")
    for name in ("Group A", "Group B"):
        Section.objects.create(tournament=tournament, method="circle", name=name, feeds=finals, colour="blue")
    groups(tournament, dora)
    assert Section.objects.filter(colour="blue", feeds=finals).count() == 2


@pytest.mark.parametrize(("winner", "name"), [("left", "A"), ("", "Zoe")])
def test_groups_of_others_or_with_a_result_are_kept(dora: User, winner: str, name: str) -> None:
    stopped_at(2, dora)
    pairing = Pairing.objects.order_by("pk")[0]
    pairing.setup["names"][0], pairing.winner = name, winner
    pairing.save()
    groups(Round.objects.get(number=1).tournament, dora, number=4)
    assert (Section.objects.count(), Pairing.objects.count()) == (6, 6)


def test_groups_that_are_all_drawn_are_kept(dora: User) -> None:
    tournament = Round.objects.get(number=1).tournament
    groups(tournament, dora)
    groups(tournament, dora, number=4)
    assert (Section.objects.count(), Pairing.objects.count()) == (6, 8)


def test_events_and_rounds_of_groups_are_stored_together(dora: User) -> None:
    stopped_at(1, dora)
    found = Section.objects.exclude(feeds=None).order_by("pk")
    assert [(str(each), [str(round_) for round_ in each.rounds.all()], str(each.feeds)) for each in found] == [
        ("Group A", ["Group A, round 1"], "Finals"),
        ("Group B", ["Group B, round 1"], "Finals"),
    ]


def test_the_same_groups_sent_twice_are_stored_once(dora: User) -> None:
    tournament = Round.objects.get(number=1).tournament
    groups(tournament, dora)
    with pytest.raises(Refused, match="Group A, round 1 has a draw already"):
        groups(tournament, dora)
    assert (stored(), Section.objects.count()) == (ONCE, 3)
    assert str(Round.objects.get(number=2).section) == "Group A"


def test_groups_are_drawn_again_with_another_setting(dora: User) -> None:
    stopped_at(1, dora)
    groups(Round.objects.get(number=1).tournament, dora, number=2, length=11)
    assert list(Round.objects.values_list("number", "length")) == [(1, 3), (2, 11), (3, 11)]
