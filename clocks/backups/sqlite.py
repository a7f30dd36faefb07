"""Backups of SQLite: copy a live database, replace a closed one."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from clocks.backups import schema
from clocks.backups.contents import Contents
from clocks.backups.faults import BackupError
from clocks.host import process_lock

NAME = "clock.sqlite3"
BUSY_S = 20.0


def take(source: Path, target: Path) -> Contents:
    """Copy a live database in one step, without blocking its writers.

    A copy in several steps would start again at each commit of another process.
    """
    with (
        closing(sqlite3.connect(source, timeout=BUSY_S)) as reader,
        closing(sqlite3.connect(target)) as copy,
    ):
        try:
            reader.backup(copy, pages=-1)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without -wal and -shm
            found = [row[0] for row in copy.execute("PRAGMA integrity_check(5)")]
        except sqlite3.Error as error:
            raise BackupError(f"No backup could be taken: {error}.") from None
        if found != ["ok"]:
            raise BackupError(f"The database is damaged: {'; '.join(found)}. `restore` replaces it by a backup.")
        return Contents.read(copy.cursor())


def read(path: Path) -> Contents:
    """Contents of a database file; empty if there is none."""
    if not path.exists():
        return Contents((), 0, 0, 0, None)
    with closing(sqlite3.connect(path, timeout=BUSY_S)) as database:
        return Contents.read(database.cursor())


def damage(path: Path) -> str:
    """Describe the damage of a database file; "" if it is intact or missing."""
    if not path.exists():
        return ""
    with closing(sqlite3.connect(path, timeout=BUSY_S)) as database:
        try:
            found = [row[0] for row in database.execute("PRAGMA quick_check(3)")]
        except sqlite3.Error as error:
            return str(error)
    return "" if found == ["ok"] else "; ".join(found)


def foreign(path: Path) -> str:
    """Reason to reject a database with objects other than ours, or "".

    Only reads it, so that no trigger runs: a trigger could make anybody a superuser.
    """
    none = "holds no database of this program, and nothing has been changed. Choose another backup."
    try:
        with closing(sqlite3.connect(path)) as database:
            if not Contents.read(database.cursor()).migrations:
                return none
            found = [words for words in schema.differences_of(database.cursor()) if not words.startswith("lacks")]
    except sqlite3.Error:
        return none
    return f"{found[0]}. Nothing has been changed." if found else ""


def refuse_while_served(path: Path, then: str = "restore") -> None:
    """Raise BackupError if a server uses the database."""
    if process_lock.is_served(path):
        raise BackupError(f"The clock is running on this database. Stop it first (Ctrl-C), then {then} again.")


def replace(path: Path, new: Path) -> None:
    """Replace a database by another file. No server may be using it."""
    with closing(sqlite3.connect(path)) as database:
        try:
            database.execute("PRAGMA journal_mode=DELETE")  # remove the old WAL, or SQLite would replay it
        except sqlite3.OperationalError:
            raise BackupError("A command is at work on this database. Wait for its end, then restore again.") from None
    new.replace(path)


def set_aside(path: Path, folder: Path) -> None:
    """Move a damaged database to a new folder: it may hold data that no backup has."""
    folder.mkdir(mode=0o700, parents=True)
    for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        with suppress(FileNotFoundError):
            file.rename(folder / file.name)
