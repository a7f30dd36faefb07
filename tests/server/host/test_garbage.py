"""No garbage collection while pages are rendered, and few reference cycles."""

import gc
import weakref
from collections import Counter
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client, RequestFactory

from clocks.host import garbage
from clocks.host.server_time import now_ms
from clocks.models import Match, Pairing, Round, Tournament
from clocks.tournament import results
from clocks.tournament.draw_plan import Tables
from clocks.views.page import page
from tests.server.who_may import client_of, make_house

pytestmark = pytest.mark.django_db

SHOWN = {"Match", "Pairing", "Player", "Result"}


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Re-enable automatic collection after each test."""
    yield
    garbage.with_pages(0)
    gc.enable()


@pytest.fixture
def owner() -> Client:
    """Owner's client for a tournament with matches."""
    make_house()
    return client_of("owner")


def left_over() -> Counter[str]:
    """Count of live objects of the classes in `SHOWN`, by class."""
    return Counter(type(each).__name__ for each in gc.get_objects() if type(each).__name__ in SHOWN)


def test_nothing_is_collected_while_any_page_is_computed() -> None:
    enabled = [gc.isenabled()]
    for pages in (1, 2, 1, 0):
        garbage.with_pages(pages)
        enabled.append(gc.isenabled())
    assert enabled == [True, False, False, False, True]


def test_a_page_does_not_enable_collections_that_were_off() -> None:
    gc.disable()
    garbage.with_pages(1)
    garbage.with_pages(0)
    assert not gc.isenabled()


@pytest.mark.parametrize(("pages", "collected"), [(3, False), (1, True), (0, True)])
def test_the_end_of_a_page_collects_its_cycles(monkeypatch: pytest.MonkeyPatch, pages: int, collected: bool) -> None:
    monkeypatch.setattr(garbage, "SOME_OBJECTS", 1_000)
    gc.collect()
    garbage.with_pages(2)
    for _ in range(2_000):
        own: list[object] = []
        own.append(own)
    garbage.with_pages(pages)
    assert (gc.get_count()[0] < 1_000) == collected


def test_a_draw_leaves_no_cycles(owner: Client) -> None:
    gc.collect()
    gc.disable()
    before = left_over()
    Tables(Round.objects.get(number=1))
    assert left_over() == before


def test_a_page_leaves_no_cycles(owner: Client) -> None:
    request = RequestFactory().get("/director/open/results/")
    request.user, request.session = User.objects.get(username="owner"), SessionStore()
    tournament = Tournament.objects.get(slug="open")
    gc.collect()
    gc.disable()
    before = left_over()
    lines = results.of_tournament(tournament, now_ms())
    answer = page(request, tournament, "results", lines=lines, alone=lines, over=0)
    del lines
    assert b"Ann" in answer.content
    assert left_over() == before


def test_related_rows_lose_only_the_references_back(owner: Client) -> None:
    Pairing.objects.filter(pk=Pairing.objects.earliest("pk").pk).update(match=Match.objects.earliest("pk"))
    found = Pairing.objects.filter(match__isnull=False)
    (pairing, *_others) = garbage.without_cycles(found.select_related("match"), "match")
    assert pairing.match is not None
    assert pairing.match.pairing == pairing
    (match, *_rest) = garbage.without_cycles(
        Match.objects.filter(pairing__in=found).select_related("pairing"), "pairing"
    )
    assert match.pairing.match_id == match.pk
    assert garbage.without_cycles(Match.objects.none(), "pairing") == []


def test_each_row_of_a_list_is_freed_before_the_next() -> None:
    rows = [_Row(), _Row(), _Row()]
    alive = weakref.WeakSet(rows)
    assert [len(alive) for _row in garbage.one_by_one(rows)] == [3, 2, 1]
    assert len(alive) == 0


class _Row:
    """Object that supports weak references."""
