"""Removed names vanish from SQLite's files; backups that have them are listed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from clocks import desk
from clocks.backups import last, traces
from clocks.engine.setup import Setup
from clocks.models import Match, Player
from clocks.people import members
from clocks.tournament import tables
from tests.server.house import US_2013
from tests.server.tournament.test_forgetting import forget

pytestmark = pytest.mark.django_db(transaction=True)

IN_FILES = pytest.mark.skipif(connection.vendor != "sqlite", reason="files are what SQLite has")
NAMES = ["Zacharias", "Yolanda"]


@pytest.fixture
def match() -> Match:
    """A match in a tournament owned by Olga."""
    tournament = members.make_tournament("open", "Summer Open", User.objects.create_user("olga"))
    return desk.make_match(tables.add_table(tournament, "1"), Setup.parse(US_2013 | {"names": NAMES}))


@pytest.fixture
def client(match: Match) -> Client:
    """Client signed in as the owner."""
    client = Client()
    client.force_login(User.objects.get(username="olga"))
    return client


def files_of_the_database() -> list[str]:
    """Names found in the database file or its write-ahead log."""
    file = Path(connection.settings_dict["NAME"])
    held = b"".join(path.read_bytes() for path in file.parent.glob(f"{file.name}*"))
    return [name for name in NAMES if name.encode() in held]


@IN_FILES
def test_removed_names_leave_no_trace_in_the_database_files(match: Match) -> None:
    Player.objects.create(tournament=match.table.tournament, name="Zacharias Zed", club="Yolanda’s friends")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete = OFF")  # SQLite's default on most systems
    assert files_of_the_database() == NAMES
    forget("--tournament", "open", "--yes")
    assert files_of_the_database() == []


@IN_FILES
def test_no_trace_is_left_after_an_owner_removes_names_on_the_page(client: Client) -> None:
    assert client.post("/director/open/forget/", {"name": "Summer Open"}).status_code == 302
    assert files_of_the_database() == []


@IN_FILES
def test_a_deleted_tournament_leaves_no_trace_in_the_database_files(client: Client) -> None:
    assert client.post("/director/open/delete/", {"name": "Summer Open"}).status_code == 302
    assert files_of_the_database() == []


@pytest.fixture
def reader(match: Match) -> Iterator[sqlite3.Connection]:
    """A connection with an open read transaction."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as reading:
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM clocks_match").fetchall()
        yield reading


@IN_FILES
def test_emptying_a_log_in_use_is_retried(match: Match, reader: sqlite3.Connection, monkeypatch) -> None:
    waits = Mock(side_effect=reader.rollback)
    monkeypatch.setattr(traces, "_wait", waits)
    assert "log" not in forget("--tournament", "open", "--yes")
    assert (waits.call_count, files_of_the_database()) == (1, [])


@IN_FILES
def test_a_log_in_use_is_reported_and_emptied_the_next_time(
    match: Match, reader: sqlite3.Connection, monkeypatch
) -> None:
    monkeypatch.setattr(traces, "_wait", lambda: None)
    assert forget("--tournament", "open", "--yes").splitlines()[-1] == (
        "The write-ahead log of the database still has what was removed, because something is reading the database. "
        "Give the same command again later."
    )
    assert files_of_the_database() == NAMES
    reader.rollback()
    assert "log" not in forget("--tournament", "open", "--yes")
    assert files_of_the_database() == []


# --- backups --------------------------------------------------------------------------------------------------------


@pytest.fixture
def backups(match: Match, settings: Any, tmp_path: Path) -> list[Path]:
    """Two backups: one in the default folder, and a newer one on a USB stick."""
    settings.BACKUP_DIR, stick = tmp_path / "own", tmp_path / "stick"
    made = []
    for minute, folder in enumerate((settings.BACKUP_DIR, stick)):
        folder.mkdir()
        made.append(folder / f"clock-2026-11-22T14-0{minute}-00-000000Z.zip")
        made[-1].write_bytes(b"never opened")
    last.note(made[-1], Mock(made_at=datetime(2026, 11, 22, 14, 1, tzinfo=UTC)), None)
    return made


def test_only_earlier_backups_are_named(match: Match, backups: list[Path]) -> None:
    later = backups[0].with_name("clock-2999-11-22T14-00-00-000000Z.zip")
    later.write_bytes(b"never opened")
    said = forget("--tournament", "open", "--yes").splitlines()
    assert said[-3:] == [
        "Earlier backups still have what was removed. Delete them if nobody needs them:",
        *map(str, backups),
    ]


def test_the_page_lists_backups_that_still_have_the_names(client: Client, backups: list[Path]) -> None:
    before = client.get("/director/open/forget/").content.decode()
    assert [path.name in before for path in backups] == [True, True]
    assert "names that were removed since" not in before
    answer = client.post("/director/open/forget/", {"name": "Summer Open"}, follow=True).content.decode()
    assert "2 earlier backups still have the names." in answer
    after = client.get("/director/open/forget/").content.decode()
    assert after.count("has names that were removed since") == 2
