"""How an SQLite database is copied while it is written to, and replaced while it is not."""

import contextlib
import sqlite3
from pathlib import Path

from clocks.keeping.contents import Contents
from clocks.keeping.faults import NotKept

NAME = "clock.sqlite3"
BUSY_S = 20.0


def take(source: Path, target: Path) -> Contents:
    """Copy a database in one go: what was committed before this began is in it, and nobody waits for it.

    A copy page by page would start again at each commit of somebody else.
    """
    with (
        contextlib.closing(sqlite3.connect(source, timeout=BUSY_S)) as reader,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        try:
            reader.backup(copy, pages=-1)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, not three
            found = [row[0] for row in copy.execute("PRAGMA integrity_check(5)")]
        except sqlite3.Error as error:
            raise NotKept(f"No copy could be taken: {error}.") from None
        if found != ["ok"]:
            raise NotKept(
                f"The database is damaged: {'; '.join(found)}. docs/operations.md says how a copy takes its place."
            )
        return Contents.read(copy.cursor())


def read(path: Path) -> Contents:
    """Return what the database in a file holds; nothing where there is none."""
    if not path.exists():
        return Contents((), 0, 0, 0, None)
    with contextlib.closing(sqlite3.connect(path, timeout=BUSY_S)) as database:
        return Contents.read(database.cursor())


def settle(path: Path) -> None:
    """Make a database one file again after a check has opened it, with its log beside it."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=DELETE")


def replace(path: Path, new: Path) -> None:
    """Put another database in place of this one, which nobody may have open."""
    try:
        settle(path)
    except sqlite3.OperationalError:
        raise NotKept("The clock is running on this database. Stop it first (Ctrl-C), then restore again.") from None
    new.replace(path)
