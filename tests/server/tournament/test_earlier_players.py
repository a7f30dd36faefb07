"""Filling a tournament's player list from an earlier tournament."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clocks.models import Membership, Player, Tournament
from tests.server.hall import client_of, stamp_of

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/director/open/players/"
LABEL = "Players of an earlier tournament"


def evening(slug: str, *players: dict[str, str], role: str = "") -> Tournament:
    """Create a tournament with players, and optionally a role for the director."""
    made = Tournament.objects.create(slug=slug, name=slug.title())
    Player.objects.bulk_create(Player(tournament=made, **each) for each in players)
    if role:
        Membership.objects.create(tournament=made, user=User.objects.get(username="director"), role=role)
    return made


@pytest.fixture
def director() -> Client:
    """Director's client for a tournament without players."""
    Tournament.objects.create(slug="open", name="Summer Open")
    return client_of("director")


def options(client: Client) -> list[str]:
    page = client.get(PATH).content.decode()
    return re.findall(r'<option value="([^"]+)"', page)


def filled(client: Client, slug: str) -> str:
    """Lines in the form after choosing a tournament."""
    page = client.get(PATH, {"of": slug}).content.decode()
    found = re.search(r'<textarea name="pasted"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert found
    return html.unescape(found[1])


def test_the_players_of_an_earlier_evening_are_filled_in_and_stored(director: Client) -> None:
    ann = {"name": "Ann Berg", "number": "7", "rating": "1650", "club": "Odense"}
    evening("monday", ann, {"name": "Bob, the elder"}, role="viewer")
    assert options(director) == ["monday"]
    lines = filled(director, "monday")
    assert lines == 'name,club,rating\nAnn Berg,Odense,1650\n"Bob, the elder,",,\n'
    stored = {"pasted": lines, "store": "yes", "stamp": stamp_of(lines)}
    assert director.post(PATH, stored).status_code == 302
    found = Player.objects.filter(tournament__slug="open").values_list("name", "number", "club", "rating")
    assert list(found) == [("Ann Berg", "", "Odense", "1650"), ("Bob, the elder", "", "", "")]


def test_the_latest_evening_comes_first_and_an_archived_one_too(director: Client) -> None:
    for slug in ("first", "second"):
        evening(slug, {"name": "Ann"}, role="owner")
    Tournament.objects.filter(slug="first").update(archived_at=timezone.now())
    assert options(director) == ["second", "first"]


def test_nothing_is_offered_without_an_earlier_list(director: Client) -> None:
    evening("empty", role="owner")
    assert LABEL not in director.get(PATH).content.decode()
    assert director.get(PATH, {"of": "empty"}).status_code == 404


def test_another_directors_tournament_is_neither_offered_nor_read(director: Client) -> None:
    evening("theirs", {"name": "Chi Secret"})
    assert options(director) == []
    for slug in ("theirs", "open", "nowhere", ""):
        answer = director.get(PATH, {"of": slug})
        assert (answer.status_code, b"Secret" in answer.content) == (404, False)


def test_who_may_not_add_players_is_offered_no_earlier_ones(director: Client) -> None:
    evening("monday", {"name": "Ann"}, role="owner")
    Membership.objects.filter(tournament__slug="open").update(role="helper")
    page = director.get(PATH, {"of": "monday"}).content.decode()
    assert (LABEL in page, "Ann" in page) == (False, False)
