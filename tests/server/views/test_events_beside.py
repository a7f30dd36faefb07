"""Other events, as listed in the lane of an event's console."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clocks.models import Match, Membership, Round, Tournament
from clocks.people import members
from tests.server.hall import drawn, win

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def dora(dora: User) -> User:
    """Director of a main event and a side event, with one match each."""
    for slug, name in (("main", "Main event"), ("side", "Side event")):
        members.make_tournament(slug, name, dora)
        played(slug)
    return dora


def played(slug: str) -> None:
    """Draw the first round of an event."""
    drawn(Round.objects.create(tournament=Tournament.objects.get(slug=slug), number=1, length=3), "1,Ann,Bob")


def told(user: User, address: str = "/director/main/pace.json") -> dict[str, Any]:
    """Response to the poll sent by an event's page every minute."""
    client = Client()
    client.force_login(user)
    found: dict[str, Any] = client.get(address).json()
    return found


def beside(user: User, slug: str = "main") -> list[dict[str, Any]]:
    """Other events, as sent to an event's page."""
    found: list[dict[str, Any]] = told(user, f"/director/{slug}/pace.json")["beside"]
    return found


def names(user: User, slug: str = "main") -> list[str]:
    return [each["name"] for each in beside(user, slug)]


def test_each_event_shows_the_other_one(dora: User) -> None:
    assert (names(dora), names(dora, "side")) == (["Side event"], ["Main event"])
    (side,) = beside(dora)
    assert (side["director"], side["socket"], side["lateness"]) == ("/director/side/", "/ws/director/side/", [])
    assert {"rule", "end"} <= set(side["may"])


def test_an_event_that_is_over_or_archived_is_not_shown(dora: User) -> None:
    match = Match.objects.get(table__tournament__slug="side")
    Tournament.objects.filter(slug="side").update(archived_at=timezone.now())
    assert names(dora) == []
    Tournament.objects.filter(slug="side").update(archived_at=None)
    win(match)
    assert names(dora) == []


def test_a_match_that_nobody_ended_for_days_is_not_in_play(dora: User) -> None:
    Match.objects.update(created_at=timezone.now() - timedelta(days=4))
    assert names(dora) == []


def test_whoever_may_only_watch_the_other_event_does_not_see_it(dora: User) -> None:
    Membership.objects.filter(tournament__slug="side").update(role="viewer")
    assert names(dora) == []


def test_a_superuser_does_not_see_the_events_of_strangers(dora: User) -> None:
    root = User.objects.create_superuser("root")
    assert names(root) == []
    Membership.objects.create(user=root, tournament=Tournament.objects.get(slug="main"), role="owner")
    assert names(root) == []


def test_events_that_the_lane_leaves_out_are_named(dora: User) -> None:
    for number in range(1, 5):
        members.make_tournament(f"cup-{number}", f"Cup {number}", dora)
        played(f"cup-{number}")
    assert names(dora) == ["Cup 1", "Cup 2", "Cup 3", "Cup 4"]
    assert told(dora)["more"] == [{"name": "Side event", "director": "/director/side/"}]


def test_an_event_in_the_lane_is_not_asked_for_its_other_events(dora: User) -> None:
    (side,) = beside(dora)
    assert side["pace"] == "/director/side/pace.json?beside=no"
    assert set(told(dora, side["pace"])) == {"matches"}  # the expected ends of matches, which are cached now
    with CaptureQueriesContext(connection) as short:
        told(dora, side["pace"])
    with CaptureQueriesContext(connection) as whole:
        assert set(told(dora, "/director/side/pace.json")) == {"matches", "beside", "more"}
    assert len(short) < len(whole)
