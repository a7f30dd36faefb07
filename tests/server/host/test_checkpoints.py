"""Checkpoints of SQLite's write-ahead log do not wait for writers."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from clocks.host.checkpoints import checkpoint
from tests.server.daphne import House

MOST_S = 20.0


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Connection to a WAL-mode database without automatic checkpoints."""
    with closing(sqlite3.connect(tmp_path / "clock.sqlite3", isolation_level=None)) as line:
        line.executescript("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE press (id)")
        yield line


def copied(database: Path) -> int:
    """Number of presses in the database file without its WAL."""
    with closing(sqlite3.connect(f"{database.as_uri()}?immutable=1", uri=True)) as line:
        tables = line.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        return int(line.execute("SELECT count(*) FROM press").fetchone()[0]) if tables else 0


def test_a_checkpoint_copies_what_was_committed(writer: sqlite3.Connection, tmp_path: Path) -> None:
    writer.execute("INSERT INTO press VALUES (1)")
    before = copied(tmp_path / "clock.sqlite3")
    checkpoint(tmp_path / "clock.sqlite3")
    assert (before, copied(tmp_path / "clock.sqlite3")) == (0, 1)


def test_a_database_may_be_named_by_a_relative_path(
    writer: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.execute("INSERT INTO press VALUES (1)")
    monkeypatch.chdir(tmp_path)
    checkpoint(Path("clock.sqlite3"))
    assert copied(tmp_path / "clock.sqlite3") == 1


def test_a_checkpoint_waits_for_no_writer(writer: sqlite3.Connection, tmp_path: Path) -> None:
    writer.execute("INSERT INTO press VALUES (1)")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO press VALUES (2)")
    checkpoint(tmp_path / "clock.sqlite3")
    during = copied(tmp_path / "clock.sqlite3")
    writer.execute("COMMIT")
    checkpoint(tmp_path / "clock.sqlite3")
    assert (during, copied(tmp_path / "clock.sqlite3")) == (1, 2)


def test_a_file_that_is_no_database_is_named_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "clock.sqlite3").write_bytes(b"not a database" * 100)
    checkpoint(tmp_path / "clock.sqlite3")
    assert caplog.messages == [
        "the write-ahead log could not be copied into the database: file is not a database",
    ]


def test_the_server_copies_presses_after_a_moment(tmp_path: Path) -> None:
    house = House(tmp_path)
    made = house.new_match()
    house.start()
    try:
        phone = house.phone(made, "left")
        assert phone.do("confirm", "a-press-to-find")["t"] == "ack"
        deadline = time.monotonic() + MOST_S
        while b"a-press-to-find" not in (tmp_path / "clock.sqlite3").read_bytes():
            assert time.monotonic() < deadline
            time.sleep(0.1)  # polled: no event signals a checkpoint
    finally:
        house.close()
