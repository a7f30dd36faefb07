"""Moving from SQLite to PostgreSQL: everything, compared row by row, or nothing."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.daphne import ROOT, House, migrated
from tests.services import PostgreSQL

HERITAGE = ROOT / "tests/heritage/clock.sqlite3.gz"
ROWS = (
    "import json\n"
    "from django.apps import apps\n"
    "from django.core import serializers\n"
    "models = [m for m in apps.get_models(include_auto_created=True) if m._meta.managed]\n"
    "print(json.dumps({m._meta.label: serializers.serialize('json', m._base_manager.order_by('pk')) for m in models}))"
)
ALTERS = """
CREATE FUNCTION alter_it() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.at := NEW.at + 1; RETURN NEW; END $$;
CREATE TRIGGER alters BEFORE INSERT ON clocks_journalentry FOR EACH ROW WHEN (NEW.seq = 7) EXECUTE FUNCTION alter_it();
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """SQLite installation with matches from an earlier version."""
    house = House(tmp_path_factory.mktemp("played"))
    (house.folder / "clock.sqlite3").write_bytes(gzip.decompress(HERITAGE.read_bytes()))
    house.manage("migrate", "-v", "0", "--skip-checks")
    yield house
    house.close()


def test_everything_is_in_postgresql_afterwards(played: House, postgresql: PostgreSQL, tmp_path: Path) -> None:
    name = postgresql.new_database()
    said = played.manage("move", "--to", postgresql.url_of(name)).splitlines()
    assert "  185 rows of clocks_journalentry" in said
    there = House(tmp_path / "there", DATABASE_URL=postgresql.url_of(name))
    rows, moved = ({table: json.loads(text) for table, text in house.python(ROWS).items()} for house in (played, there))
    assert len(rows["clocks.JournalEntry"]) == 185
    assert moved == rows
    assert there.manage("verify") == "6 matches, 185 journal entries: all as their journals say\n"
    there.new_match()  # its key follows the moved ones
    assert played.refused("move", "--to", postgresql.url_of(name)) == (
        "There are matches in the new database. Create an empty one."
    )


def test_a_row_that_differs_stops_the_move(played: House, postgresql: PostgreSQL) -> None:
    name = migrated(postgresql)
    postgresql.run(ALTERS, name)
    assert played.refused("move", "--to", postgresql.url_of(name)) == (
        "Nothing was moved, because a row of clocks_journalentry is not the same there."
    )
    assert postgresql.run("SELECT count(*) FROM clocks_match", name) == [(0,)]


def test_nothing_is_moved_while_the_clock_runs_or_to_a_wrong_place(played: House, postgresql: PostgreSQL) -> None:
    wrong = "--to must look like postgres://user:password@host/name"
    assert played.refused("move", "--to", "sqlite:///other") == wrong
    played.start()
    assert played.refused("move", "--to", postgresql.url) == (
        "The clock is running on this database. Stop it first (Ctrl-C), then move again."
    )
