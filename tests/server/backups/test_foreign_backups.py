"""Backups are rejected if they were tampered with or do not fit on the disk."""

import json
import os
import shutil
import sqlite3
import zipfile
from collections import namedtuple
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from clocks.backups import schema, taking
from tests import forked, prepared
from tests.server.backups.test_backups import Laptop

pytestmark = [
    pytest.mark.django_db,  # the expected schema is built in memory
    pytest.mark.filterwarnings("ignore:Overriding setting DATABASES"),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the database of the settings is replaced by a file"),
]

PROMOTE = (
    "CREATE TRIGGER promote AFTER UPDATE ON auth_user WHEN NEW.is_superuser = 0 "
    "BEGIN UPDATE auth_user SET is_superuser = 1 WHERE id = NEW.id; END"
)
FOREIGN = (
    PROMOTE,
    "CREATE VIEW spy AS SELECT * FROM auth_user",
    "CREATE TABLE notes (text)",
    "CREATE INDEX odd ON auth_user (length(password))",
    "CREATE VIRTUAL TABLE words USING fts5 (text)",
    "ALTER TABLE auth_user ADD COLUMN spy AS (password)",
)


@pytest.fixture
def laptop(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Laptop:
    monkeypatch.setattr(taking, "run_on", lambda url, *command: "")  # the replay of all journals takes a second
    prepared.database(tmp_path / "empty")
    return Laptop(tmp_path / "laptop", tmp_path / "empty" / "clock.sqlite3", settings)


def verified(laptop: Laptop) -> str:
    """Run `verify` on this database; return its error message, empty if all is right."""
    environment = {**os.environ, "DATA_DIR": str(laptop.folder), "DATABASE_URL": "", "CHANNEL_REDIS_URL": ""}
    return forked.run(("verify",), environment).stderr.strip()


def tampered(backup: Path, statements: Sequence[str] = (), database: bytes | None = None) -> Path:
    """Return a copy of a backup with a changed database."""
    odd = backup.with_name("odd.zip")
    with zipfile.ZipFile(backup) as archive, zipfile.ZipFile(odd, "w", zipfile.ZIP_DEFLATED) as changed:
        about = json.loads(archive.read("about.json"))
        if database is None:
            file = backup.with_name("odd.sqlite3")
            file.write_bytes(archive.read(about["database"]))
            with closing(sqlite3.connect(file)) as opened, opened:
                for statement in statements:
                    opened.execute(statement)
            database = file.read_bytes()
        changed.writestr("about.json", json.dumps(about))
        changed.writestr(about["database"], database)
    return odd


def test_foreign_objects_are_rejected_and_named_by_verify(laptop: Laptop) -> None:
    before = laptop.database.read_bytes()
    odd = tampered(laptop.backup(), FOREIGN)
    named = (
        "computed column spy of auth_user, index odd, table notes, table words_config, table words_content, "
        "table words_data, table words_docsize, table words_idx, trigger promote, view spy, virtual table words"
    )
    assert laptop.refused("restore", str(odd), "--yes") == (
        f"{odd} has what this program does not make: {named}. Nothing has been changed."
    )
    assert laptop.database.read_bytes() == before
    for statement in FOREIGN:
        laptop.sql(statement)
    assert verified(laptop).endswith(f"the database has what this program does not make: {named}")


def test_a_reference_that_changes_rows_is_named(laptop: Laptop) -> None:
    with closing(sqlite3.connect(laptop.database)) as opened, opened:
        opened.execute("PRAGMA writable_schema = ON")
        opened.execute(
            'UPDATE sqlite_master SET sql = replace(sql, \'REFERENCES "auth_user" ("id")\','
            " 'REFERENCES \"auth_user\" (\"id\") ON UPDATE CASCADE') WHERE name = 'clocks_membership'"
        )
    assert verified(laptop).endswith(
        "what this program does not make: reference user_id of clocks_membership: CASCADE, NO ACTION"
    )


def test_litestreams_own_tables_are_accepted_as_it_creates_them(laptop: Laptop) -> None:
    laptop.sql("CREATE TABLE _litestream_lock (id INTEGER)")
    laptop.sql("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
    assert verified(laptop) == ""
    laptop.sql("ALTER TABLE _litestream_seq ADD COLUMN spy")
    laptop.sql(PROMOTE.replace("UPDATE ON auth_user WHEN NEW.is_superuser = 0", "INSERT ON _litestream_seq"))
    assert verified(laptop).endswith("what this program does not make: column spy of _litestream_seq, trigger promote")


def test_a_missing_index_is_named(laptop: Laptop) -> None:
    laptop.sql("DROP INDEX entries_but_hits")
    assert verified(laptop).endswith("the database lacks index entries_but_hits")


@pytest.mark.parametrize("harm", [b"no database at all", b"SQLite format 3\0" + b"\xa5" * 5000, b""])
def test_a_file_that_is_no_database_is_rejected_in_a_sentence(laptop: Laptop, harm: bytes) -> None:
    odd = tampered(laptop.backup(), database=harm)
    assert laptop.refused("restore", str(odd), "--yes") == (
        f"{odd} holds no database of this program, and nothing has been changed. Choose another backup."
    )


def test_a_database_of_another_program_is_rejected_too(laptop: Laptop, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other")) as other, other:
        other.execute("CREATE TABLE notes (text)")
    odd = tampered(laptop.backup(), database=(tmp_path / "other").read_bytes())
    assert laptop.refused("restore", str(odd), "--yes") == (
        f"{odd} holds no database of this program, and nothing has been changed. Choose another backup."
    )


Room = namedtuple("Room", "total used free")


def test_a_backup_too_large_for_the_disk_is_not_unpacked(laptop: Laptop, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = tampered(laptop.backup(), database=b"\0" * 60_000_000)
    assert odd.stat().st_size < 100_000
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Room(10**9, 9 * 10**8, 10**8))
    for asked in ([], ["--yes"]):
        assert laptop.refused("restore", str(odd), *asked) == (
            f"{odd} unpacks to 60 MB. Restoring it takes 181 MB on the disk of {laptop.folder}, and 100 MB are "
            "free. Nothing has been changed."
        )
    assert list(laptop.folder.glob(".restore-*")) == []


def test_unpacking_stops_at_the_declared_size(laptop: Laptop) -> None:
    odd = tampered(laptop.backup(), database=b"\0" * 60_000_000)
    said, real = (number.to_bytes(4, "little") for number in (4096, 60_000_000))
    odd.write_bytes(odd.read_bytes().replace(real, said))
    assert laptop.refused("restore", str(odd), "--yes").startswith(f"{odd} is damaged (")


def test_a_huge_manifest_is_not_read(laptop: Laptop) -> None:
    odd = laptop.backup().with_name("odd.zip")
    with zipfile.ZipFile(odd, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.json", b" " * 60_000_000)
    assert "is not a backup of this program" in laptop.refused("restore", str(odd))


def test_the_schema_after_each_migration_is_known_without_running_it(tmp_path: Path) -> None:
    prepared.database(tmp_path)
    with closing(sqlite3.connect(tmp_path / "clock.sqlite3")) as database:
        assert schema.differences_of(database.cursor()) == []
