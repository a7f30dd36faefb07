"""Only listed connection and disk errors count as an outage."""

import sqlite3
from collections.abc import Callable
from inspect import isclass
from pathlib import Path

import psycopg
import psycopg_pool
import pytest
from django.db import utils

from clocks.desk.storage_faults import is_of_storage
from tests.ports import free_port
from tests.services import PostgreSQL

OF_STORAGE = {
    *("08000", "08001", "08003", "08004", "08006", "08007", "08P01"),
    *("25006", "25P03", "25P04"),
    *("28000", "28P01"),
    *("53000", "53100", "53200", "53300"),
    *("57P01", "57P02", "57P03", "57P04", "57P05"),
    *("58000", "58030", "58P01"),
    *("XX001", "XX002"),
}
POSTGRESQL = {
    error.sqlstate: error
    for error in vars(psycopg.errors).values()
    if isclass(error) and issubclass(error, psycopg.Error) and error.sqlstate
}


def raised(driver: Exception) -> Exception:
    """Driver exception, wrapped as by Django."""
    kind = next(kind.__name__ for kind in type(driver).__mro__ if hasattr(utils, kind.__name__))
    error: Exception = getattr(utils, kind)(*driver.args)
    error.__cause__ = driver
    return error


def of_sqlite(code: int) -> Exception:
    error = sqlite3.OperationalError("...")
    error.sqlite_errorcode = code
    return raised(error)


def test_postgresql_errors_that_count_are_those_listed() -> None:
    assert len(POSTGRESQL) > 200
    assert {state for state, error in POSTGRESQL.items() if is_of_storage(raised(error("...")))} == OF_STORAGE


def test_sqlite_errors_that_count_are_those_listed() -> None:
    names = "PERM BUSY READONLY IOERR CORRUPT FULL CANTOPEN PROTOCOL NOLFS NOTADB".split()
    listed = {getattr(sqlite3, f"SQLITE_{name}") for name in names}
    assert {code for code in range(256) if is_of_storage(of_sqlite(code))} == listed
    assert {code & 0xFF for code in range(256, 10_000) if is_of_storage(of_sqlite(code))} == listed


@pytest.mark.parametrize("error", [psycopg.OperationalError, psycopg.InterfaceError, psycopg_pool.PoolTimeout])
def test_a_postgresql_connection_that_is_silent_counts(error: type[psycopg.Error]) -> None:
    assert is_of_storage(raised(error("the connection is closed")))


@pytest.mark.parametrize(
    "error",
    [
        *(ValueError(), TypeError(), KeyError("id"), OverflowError(), MemoryError(), RecursionError(), TimeoutError()),
        UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogate"),
        *(utils.IntegrityError(), utils.DataError(), utils.InternalError(), utils.ProgrammingError()),
        *(utils.NotSupportedError(), utils.DatabaseError(), utils.Error()),
        raised(sqlite3.OperationalError("Could not decode to UTF-8 column")),
        raised(psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")),
    ],
    ids=repr,
)
def test_nothing_else_counts(error: Exception) -> None:
    assert not is_of_storage(error)


def full(path: Path) -> None:
    with sqlite3.connect(path) as one:
        one.execute("PRAGMA max_page_count = 3")
        one.execute("CREATE TABLE filling (text)")
        one.execute("INSERT INTO filling VALUES (?)", ["x" * 100_000])


def read_only(path: Path) -> None:
    sqlite3.connect(path).execute("CREATE TABLE one (id)")
    sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("INSERT INTO one VALUES (1)")


def locked(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    sqlite3.connect(path, timeout=0).execute("BEGIN IMMEDIATE")


def no_database(path: Path) -> None:
    path.write_bytes(b"x" * 4_096)
    sqlite3.connect(path).execute("SELECT * FROM sqlite_master")


def no_folder(path: Path) -> None:
    sqlite3.connect(path / "there" / "is none").execute("SELECT 1")


def no_table(path: Path) -> None:
    sqlite3.connect(path).execute("SELECT * FROM nothing")


def not_unique(path: Path) -> None:
    sqlite3.connect(path).executescript("CREATE TABLE one (id UNIQUE); INSERT INTO one VALUES (1), (1)")


def too_many_values(path: Path) -> None:
    values = [1] * 300_000
    sqlite3.connect(path).execute(f"SELECT 1 WHERE 1 IN ({', '.join('?' * len(values))})", values)


def interrupted(path: Path) -> None:
    one = sqlite3.connect(path)
    one.set_progress_handler(lambda: 1, 100)
    one.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")


@pytest.mark.parametrize(
    ("happens", "counts"),
    [
        *((what, True) for what in (full, read_only, locked, no_database, no_folder)),
        *((what, False) for what in (no_table, not_unique, too_many_values, interrupted)),
    ],
)
def test_a_real_sqlite_error_counts_if_the_disk_is_the_cause(
    happens: Callable[[Path], None], counts: bool, tmp_path: Path
) -> None:
    with pytest.raises(sqlite3.Error) as caught:
        happens(tmp_path / "clock.sqlite3")
    assert is_of_storage(raised(caught.value)) is counts


@pytest.mark.parametrize(
    ("statement", "counts"),
    [
        ("SELECT pg_terminate_backend(pg_backend_pid())", True),
        ("BEGIN READ ONLY; CREATE TABLE one (id int)", True),
        ("SET statement_timeout = 1; SELECT pg_sleep(9)", False),
        ("SELECT 'abc'::varchar(2)::int", False),
        ("SELECT chr(0)", False),
        ("CREATE TEMP TABLE one (id int UNIQUE); INSERT INTO one VALUES (1), (1)", False),
        ("SELECT * FROM nothing", False),
    ],
)
def test_a_real_postgresql_error_counts_if_storage_is_the_cause(
    statement: str, counts: bool, postgresql: PostgreSQL
) -> None:
    with pytest.raises(psycopg.Error) as caught:
        postgresql.run(statement)
    assert is_of_storage(raised(caught.value)) is counts


def test_an_unreachable_postgresql_counts() -> None:
    with pytest.raises(psycopg.Error) as caught:
        psycopg.connect(f"postgres://127.0.0.1:{free_port()}/clock", connect_timeout=2)
    assert is_of_storage(raised(caught.value))
