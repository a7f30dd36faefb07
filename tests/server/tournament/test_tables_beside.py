"""Tables shared by two events of the same director, both in progress."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clocks.models import CASUAL, Match, Membership, Pairing, Player, Round, Table, Tournament
from clocks.people import members
from clocks.tournament import drawing, tables
from clocks.tournament.tables_beside import TablesBeside
from tests.server.hall import drawn, plan_in, win

pytestmark = pytest.mark.django_db(transaction=True)

WAYS_OUT = "Players may go to the wrong one. Rename these tables, or put letters before the numbers of new tables."


def event(slug: str, name: str, user: User, *lines: str) -> Tournament:
    """Create this user's event; draw its first round from `lines`, if any."""
    members.make_tournament(slug, name, user)
    made = Tournament.objects.get(slug=slug)
    round_ = Round.objects.create(tournament=made, number=1, length=3)
    if lines:
        drawn(round_, *lines)
    return made


@pytest.fixture
def main(dora: User) -> Tournament:
    """An event with three matches in progress."""
    return event("main", "Main event", dora, "1,Ann,Bob", "2,Cem,Dan", "B3,Eva,Fay")


@pytest.fixture
def side(dora: User, main: Tournament) -> Tournament:
    """A second event, without tables."""
    return event("side", "Side event", dora)


@pytest.fixture
def director(dora: User) -> Client:
    """Client signed in as Dora."""
    client = Client()
    client.force_login(dora)
    return client


def shown(page: Any, part: str) -> list[str]:
    """Texts of a page's elements with the class `part`."""
    found = re.findall(rf'<(\w+) class="{part}"[^>]*>(.*?)</\1>', page.content.decode(), re.DOTALL)
    return [" ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split()) for _tag, text in found]


def warnings(page: Any) -> list[str]:
    """Warnings about shared tables on a page."""
    return [text.replace(" ,", ",").replace(" .", ".") for text in shown(page, "flash warns")]


def imported(director: Client, text: str, slug: str = "side") -> Any:
    """Preview an import into round 1."""
    return director.post(f"/director/{slug}/rounds/1/draw/", {"pasted": text})


def test_new_tables_do_not_get_the_numbers_of_another_event_in_play(dora: User, side: Tournament) -> None:
    drawing.draw(side.rounds.get(), [(f"Gil {n}", f"Hal {n}") for n in range(1, 4)], dora)
    assert sorted(side.tables.values_list("name", flat=True), key=tables.table_order) == ["3", "4", "5"]


def test_tables_that_exist_keep_their_numbers_in_a_draw(dora: User, side: Tournament) -> None:
    tables.add_tables(side, ["1", "2"])
    drawing.draw(side.rounds.get(), [(f"Gil {n}", f"Hal {n}") for n in range(1, 4)], dora)
    assert sorted(side.tables.values_list("name", flat=True), key=tables.table_order) == ["1", "2", "3"]


def test_the_preview_of_an_import_names_the_shared_tables(director: Client, side: Tournament) -> None:
    page = imported(director, "table,left,right\n1,Gil,Hal\nb3,Ida,Jan\n7,Kim,Lea")
    assert warnings(page) == [f"Tables 1, B3 are in play in Main event too. {WAYS_OUT}"]
    assert 'href="/director/side/edit/#id_table_prefix"' in page.content.decode()
    answer = director.post("/director/side/rounds/1/draw/", plan_in(page))
    assert (answer.status_code, Pairing.objects.filter(round__tournament=side).count()) == (302, 3)
    assert warnings(imported(director, "table,left,right\n7,Kim,Lea")) == []


def test_an_import_without_tables_is_previewed_and_stored_alike(director: Client, side: Tournament) -> None:
    page = imported(director, "Gil,Hal\nIda,Jan")
    assert warnings(page) == []
    director.post("/director/side/rounds/1/draw/", plan_in(page))
    assert list(side.tables.order_by("pk").values_list("name", flat=True)) == ["3", "4"]


def test_the_preview_of_the_first_round_names_the_shared_tables(director: Client, side: Tournament) -> None:
    tables.add_tables(side, ["1", "2", "3"])
    Player.objects.bulk_create(Player(tournament=side, name=name) for name in ("Gil", "Hal", "Ida", "Jan"))
    wish = {"method": "knockout", "order": "random", "byes": "best", "length": "3", "rules": "us-2013", "into": "1"}
    page = director.get("/director/side/draw/", wish)
    assert warnings(page) == [f"Tables 1, 2 are in play in Main event too. {WAYS_OUT}"]
    Table.objects.filter(tournament=side).delete()
    assert warnings(director.get("/director/side/draw/", wish)) == []


def test_the_page_of_the_next_round_names_the_shared_tables(director: Client, side: Tournament) -> None:
    tables.add_tables(side, ["1", "2", "3"])
    Player.objects.bulk_create(Player(tournament=side, name=name) for name in ("Gil", "Hal", "Ida", "Jan"))
    wish = {"method": "knockout", "order": "hand", "byes": "best", "length": "3", "rules": "us-2013", "into": "1"}
    pairs = re.search(r'name="pairs" value="([^"]+)"', director.get("/director/side/draw/", wish).content.decode())
    assert pairs
    director.post("/director/side/draw/", {**wish, "pairs": pairs[1], "store": "yes"})
    for match in Match.objects.filter(table__tournament=side):
        win(match)
    page = director.get("/director/side/next/")
    assert warnings(page) == [f"Table 1 is in play in Main event too. {WAYS_OUT}"]


def test_forms_for_new_tables_name_those_of_other_events(director: Client, side: Tournament) -> None:
    words = "Main event is in play too and has tables 1, 2, B3. "
    words += "Use other names here. Letters before the numbers of new tables"
    for path in ("new/", "tables/", "rounds/1/new/"):
        page = director.get(f"/director/side/{path}")
        assert [text for text in shown(page, "help") if "in play too" in text] == [words], path
    assert 'name="table" value="3"' in director.get("/director/side/new/").content.decode()


def said(user: User, tournament: Tournament) -> list[tuple[str, str]]:
    return [(each.event, each.names) for each in TablesBeside(user, tournament).shared(["1", "2"])]


def test_a_match_that_is_over_does_not_count(dora: User, side: Tournament) -> None:
    win(Match.objects.get(table__name="1"))
    assert said(dora, side) == [("Main event", "2")]


def test_events_over_archived_stale_or_casual_do_not_count(dora: User, main: Tournament, side: Tournament) -> None:
    Tournament.objects.filter(pk=main.pk).update(archived_at=timezone.now())
    assert said(dora, side) == []
    Tournament.objects.filter(pk=main.pk).update(archived_at=None, slug=CASUAL)
    assert said(dora, side) == []
    Tournament.objects.filter(pk=main.pk).update(slug="main")
    assert said(dora, side) == [("Main event", "1, 2")]
    Match.objects.update(created_at=timezone.now() - timedelta(days=4))
    assert said(dora, side) == []


@pytest.mark.parametrize("role", ["helper", "viewer"])
def test_events_that_somebody_else_directs_do_not_count(
    dora: User, main: Tournament, side: Tournament, role: str
) -> None:
    Membership.objects.filter(tournament=main).update(role=role)
    assert said(dora, side) == []


def test_the_tables_are_read_with_one_query_if_they_are_needed(
    dora: User, side: Tournament, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        beside = TablesBeside(dora, side)
    with django_assert_num_queries(1) as captured:
        assert isinstance(captured, CaptureQueriesContext)
        assert (beside.next(2), sorted(beside.names), len(beside.all)) == (["3", "4"], ["1", "2", "b3"], 1)


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["10", "2", "1", "3"], "1–3, 10"),
        (["B2", "1", "B1", "2", "Final"], "1, 2, B1, B2, Final"),
        (["B9", "B10", "B11", "b1"], "b1, B9–B11"),
        ([], ""),
    ],
)
def test_names_of_tables_are_shortened_to_ranges(names: list[str], short: str) -> None:
    assert tables.as_ranges(names) == short
    assert tables.table_names(short) == sorted(names, key=tables.table_order)
