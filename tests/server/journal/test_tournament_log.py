"""Tournament log: entries, and the stops in force."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from clocks.host.server_time import now_ms
from clocks.journal import tournament_events, tournament_log
from clocks.models import HallEntry, Membership, Tournament
from tests.server.record.test_tournament_log import STORED


@pytest.fixture
def tournament(db: None) -> Tournament:
    return Tournament.objects.create(slug="open", name="Open")


def test_every_kind_is_among_the_stored_ones() -> None:
    assert {name for name, _data, _words in STORED} == set(tournament_events.KINDS)


@pytest.mark.parametrize(("name", "data", "words"), STORED)
def test_a_stored_entry_is_read_and_stored_again_as_it_was(name: str, data: dict[str, Any], words: str) -> None:
    event = tournament_events.parse(name, data)
    assert event is not None
    assert (event.name, event.to_data()) == (name, data)


@pytest.mark.parametrize(
    ("role", "user", "written"),
    [
        ("director", User(username="dora", first_name="Dora", last_name="Dee"), ("Dora Dee", "director")),
        ("", User(username="dora"), ("dora", "")),
        ("", None, ("", "")),
    ],
)
def test_an_entry_is_stored_with_its_author(
    tournament: Tournament, role: str, user: User | None, written: tuple[str, str]
) -> None:
    if user is not None:
        user.pk = None
        user.save()
        elsewhere = Tournament.objects.create(slug="else", name="Else")
        Membership.objects.create(tournament=elsewhere, user=user, role="owner")
        if role:
            Membership.objects.create(tournament=tournament, user=user, role=role)
    before = now_ms()
    entry = tournament_log.write(tournament, user, tournament_events.RoundStarted(2, 8))
    assert HallEntry.objects.get() == entry
    entry.refresh_from_db()
    assert (entry.tournament, entry.user, entry.user_name, entry.user_role) == (tournament, user, *written)
    assert (entry.event, entry.data) == ("round_started", {"round": 2, "matches": 8})
    assert before <= entry.at <= now_ms()


def test_stops_are_in_force_until_the_hall_is_resumed(tournament: Tournament) -> None:
    def reasons() -> list[str]:
        return [stop.data["reason"] for stop in tournament_log.stops_in_force(tournament)]

    def stop(reason: str) -> None:
        tournament_log.write(tournament, None, tournament_events.StoppedAll(reason))

    first = tournament_log.write(tournament, None, tournament_events.StoppedAll("Fire"))
    stop("Fire!")
    tournament_log.write(tournament, None, tournament_events.RoundMade(2))
    assert reasons() == ["Fire", "Fire!"]
    tournament_log.write(tournament, None, tournament_events.ResumedAll([first.pk]))
    assert reasons() == []
    stop("Lunch")
    assert reasons() == ["Lunch"]
