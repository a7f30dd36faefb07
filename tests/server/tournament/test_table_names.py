"""Table names are case-insensitive."""

import json
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.commands import Move
from clocks.host.server_time import now_ms
from clocks.models import Match, Round, Table, Tournament
from clocks.tournament import drawing, tables
from clocks.tournament.tables import prepare
from tests.server.hall import drawn
from tests.server.tournament.test_hall_wide import make

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def final(tournament: Tournament) -> Table:
    """A table named "Final"."""
    return tables.add_table(tournament, "Final")


@pytest.fixture
def director(dora: User) -> Client:
    """Client signed in as Dora."""
    client = Client()
    client.force_login(dora)
    return client


def names(tournament: Tournament) -> list[str]:
    return sorted(tournament.tables.values_list("name", flat=True))


def test_a_move_finds_the_table_in_any_case(tournament: Tournament, final: Table) -> None:
    match = make(tournament, "1")
    command, alongside = prepare(match.pk, Move("", "final", "More light"))
    (answer,) = desk.submit_all_and_wait([Request(match.pk, command, "director", now_ms(), alongside=alongside)])
    assert (answer.ok, names(tournament)) == (True, ["1", "Final"])
    moved = Match.objects.select_related("table").get(pk=match.pk)
    assert (moved.table, moved.journal.last().data["after"]) == (final, "Final")


def test_a_new_match_finds_the_table_in_any_case(tournament: Tournament, final: Table, director: Client) -> None:
    given = {"table": "FINAL", "rules": "us-2013", "format": "singles", "length": "5", "left": "Ann", "right": "Bob"}
    answer = director.post("/director/open/new/", given)
    assert (answer.status_code, names(tournament)) == (302, ["Final"])


def test_newmatch_finds_the_table_in_any_case(tournament: Tournament, final: Table) -> None:
    printed = StringIO()
    asked = ["--rules", "us-2013", "--length", "5", "--tournament", "open", "--table", "final", "--json"]
    call_command("newmatch", *asked, stdout=printed)
    assert json.loads(printed.getvalue())["code"] == final.code


def test_a_draw_finds_the_table_in_any_case(tournament: Tournament, final: Table) -> None:
    (pairing,) = drawn(Round.objects.create(tournament=tournament, number=1), "fiNAL,Ann,Bob")
    assert pairing.table == final


def test_table_names_are_unique_ignoring_case(tournament: Tournament, final: Table, director: Client) -> None:
    other = tables.add_table(tournament, "2")
    for path, given in [("tables/", {"tables": "final"}), (f"tables/{other.pk}/", {"name": "FINAL"})]:
        assert director.post(f"/director/open/{path}", given).status_code == 400
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.create(tournament=tournament, name="final", code="CCCCCC")
    with pytest.raises(IntegrityError):
        tables.add_table(tournament, "final")
    assert names(tournament) == ["2", "Final"]


@pytest.fixture
def before_the_constraint() -> Any:
    """Models as of before the migration to case-insensitive table names."""
    executor = MigrationExecutor(connection)
    executor.migrate([("clocks", "0006_seat_asks")])
    yield executor.loader.project_state([("clocks", "0006_seat_asks")]).apps
    MigrationExecutor(connection).migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())


def test_the_migration_renames_the_younger_of_two_equal_tables(before_the_constraint: Any) -> None:
    old = before_the_constraint.get_model("clocks", "Table").objects
    tournaments = before_the_constraint.get_model("clocks", "Tournament").objects
    here, there = (tournaments.create(slug=slug, name=slug) for slug in ("here", "there"))
    given = ["Final", "final", "FINAL", "final (2)", "12345678901234567abc", "12345678901234567ABC"]
    for number, name in enumerate(given):
        old.create(tournament=here, name=name, code=f"CCCCC{number}")
    old.create(tournament=there, name="final", code="DDDDDD")
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    renamed = ["Final", "final (3)", "FINAL (4)", "final (2)", "12345678901234567abc", "1234567890123456 (2)", "final"]
    codes = [f"CCCCC{number}" for number in range(6)] + ["DDDDDD"]
    assert list(Table.objects.order_by("pk").values_list("name", "code")) == list(zip(renamed, codes, strict=True))


def test_new_tables_bear_the_letters_of_their_event(tournament: Tournament, director: Client) -> None:
    settings = director.get("/director/open/edit/").content.decode()
    assert "Letters before the numbers of new tables" in settings
    sent = {"name": "Open", "time_zone": "", "table_prefix": "B"}
    assert director.post("/director/open/edit/", {**sent, "table_prefix": "B1"}).status_code == 400
    assert director.post("/director/open/edit/", sent).status_code == 302
    round_ = Round.objects.create(tournament=Tournament.objects.get(pk=tournament.pk), number=1, length=3)
    drawing.draw(round_, [(f"Ann {n}", f"Bob {n}") for n in range(1, 11)], User.objects.get(username="dora"))
    assert sorted(names(tournament), key=tables.table_order) == [f"B{n}" for n in range(1, 11)]
    assert 'value="B11"' in director.get("/director/open/new/").content.decode()


@pytest.mark.parametrize(
    ("given", "expanded"),
    [
        ("B1-B3, Final", ["B1", "B2", "B3", "Final"]),
        ("b9-11", ["b9", "b10", "b11"]),
        ("1-2", ["1", "2"]),
        ("A1-B2", ["A1-B2"]),
    ],
)
def test_a_range_of_tables_may_have_letters(given: str, expanded: list[str]) -> None:
    assert tables.table_names(given) == expanded


def test_a_list_of_tables_names_only_so_many() -> None:
    names = tables.table_names("A1-9999, B1-9999")
    assert (len(names), names[-1]) == (tables.MOST_NAMES, "B1")


def test_tables_are_in_order_of_their_numbers() -> None:
    ordered = ["1", "2", "10", "", "B1", "B2", "B10", "Final", "Final 2"]
    assert sorted(sorted(ordered), key=tables.table_order) == ordered
