"""Removing names that are in no match: draws, byes, entries and logs."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.utils import timezone

from clocks.models import Bye, Entrant, HallEntry, Pairing, Player, Round, Tournament
from clocks.tournament import forgetting, messages, players
from tests.server.hall import drawn, summer_open

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def round_() -> Round:
    """Round with two matches, two byes and two entries; Ann Berg is in one of each."""
    round_ = summer_open(policy="on-request")
    drawn(round_, "1,Ann Berg,Bob", "2,Chi,Dov")
    for name in ("Ann Berg", "Eva"):
        Bye.objects.create(round=round_, name=name)
        Entrant.objects.create(tournament=round_.tournament, name=name)
    return round_


@pytest.mark.parametrize("everywhere", [True, False])
def test_a_plan_lists_the_rows_of_one_person(round_: Round, everywhere: bool) -> None:
    tournament = round_.tournament
    plan = forgetting.of_person("ann  berg") if everywhere else forgetting.of_player(tournament, "ann  berg")
    assert plan == forgetting.Plan(
        pairings={round_.pairings.get(table__name="1").pk: ("Player 1", "Bob")},
        players=[Player.objects.get(name="Ann Berg").pk],
        entrants=[Entrant.objects.get(name="Ann Berg").pk],
        byes=[Bye.objects.get(name="Ann Berg").pk],
        person="ann berg",
        within=None if everywhere else tournament,
    )
    forgetting.carry_out(plan)
    assert [list(rows.order_by("name").values_list("name", flat=True)) for rows in (
        tournament.players, tournament.entrants, round_.byes
    )] == [["Bob", "Chi", "Dov"], ["Eva"], ["Eva"]]  # fmt: skip


def test_names_of_a_draw_without_a_match_expire(round_: Round, settings: Any) -> None:
    settings.KEEP_DAYS = 30
    for rows in (Player, Entrant, Bye, HallEntry):
        rows.objects.all().delete()
    Tournament.objects.update(created_at=timezone.now() - timedelta(days=31))
    neutral = dict.fromkeys(Pairing.objects.values_list("pk", flat=True), ("Player 1", "Player 2"))
    assert forgetting.expired() == forgetting.Plan(pairings=neutral, tournaments=[round_.tournament])


def test_an_account_is_forgotten_in_the_log_of_the_admin() -> None:
    user = User.objects.create(username="Zoë")
    message = [{"changed": {"object": "Zoë"}}]
    LogEntry.objects.create(user=user, action_flag=CHANGE, object_repr="Zoë " * 50, change_message=json.dumps(message))
    forgetting.carry_out(forgetting.of_person("Zoë"))
    entry = LogEntry.objects.get()
    assert entry.object_repr == (f"former user {user.pk} " * 50)[:200]
    assert json.loads(entry.change_message) == [{"changed": {"object": f"former user {user.pk}"}}]


def test_a_person_who_is_only_in_a_message_is_forgotten(round_: Round) -> None:
    user = User.objects.create(username="dora")
    messages.send(round_.tournament, user, "Zoe, please come.", [], 5)
    HallEntry.objects.all().delete()
    assert [bool(forgetting.of_person(name)) for name in ("Zoe", "Xia")] == [True, False]
    forgetting.carry_out(forgetting.of_person("Zoe"))
    assert [message.text for message in round_.tournament.phone_messages.all()] == ["…, please come."]


def test_a_person_is_found_by_a_name_that_was_corrected() -> None:
    one, other = drawn(summer_open(), "1,Ann,Bob", "2,Chi,Dov")
    user = User.objects.create(username="dora")
    players.correct(one.match, ("Anna", "Bob"), user, "misspelt")
    players.correct(other.match, ("Chia", "Dov"), user, "misspelt")
    assert forgetting.of_person("Ann").matches == {one.match_id: ("Anna", "Bob")}
    assert forgetting.of_person("Dov").matches == {other.match_id: ("Chia", "Player 2")}
