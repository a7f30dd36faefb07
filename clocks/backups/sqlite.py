"""How an SQLite database is copied while it is written to, and replaced while it is not."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from clocks.backups import schema
from clocks.backups.contents import Contents
from clocks.backups.faults import NotKept
from clocks.host import process_lock

NAME = "clock.sqlite3"
BUSY_S = 20.0


def take(source: Path, target: Path) -> Contents:
    """Copy a database in one go: what was committed before this began is in it, and nobody waits for it.

    A copy page by page would start again at each commit of somebody else.
    """
    with (
        closing(sqlite3.connect(source, timeout=BUSY_S)) as reader,
        closing(sqlite3.connect(target)) as copy,
    ):
        try:
            reader.backup(copy, pages=-1)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, not three
            found = [row[0] for row in copy.execute("PRAGMA integrity_check(5)")]
        except sqlite3.Error as error:
            raise NotKept(f"No copy could be taken: {error}.") from None
        if found != ["ok"]:
            raise NotKept(f"The database is damaged: {'; '.join(found)}. `restore` puts a copy in its place.")
        return Contents.read(copy.cursor())


def read(path: Path) -> Contents:
    """Return what the database in a file holds; nothing where there is none."""
    if not path.exists():
        return Contents((), 0, 0, 0, None)
    with closing(sqlite3.connect(path, timeout=BUSY_S)) as database:
        return Contents.read(database.cursor())


def damage(path: Path) -> str:
    """Return what is wrong with the file of a database, "" where nothing is or no file is there."""
    if not path.exists():
        return ""
    with closing(sqlite3.connect(path, timeout=BUSY_S)) as database:
        try:
            found = [row[0] for row in database.execute("PRAGMA quick_check(3)")]
        except sqlite3.Error as error:
            return str(error)
    return "" if found == ["ok"] else "; ".join(found)


def foreign(path: Path) -> str:
    """Return why a file that was unpacked is not a database of this program alone, "" if it is one.

    It is only read, so that no trigger runs: one could make anybody a superuser.
    """
    none = "holds no database of this program, and nothing has been changed. Choose another copy."
    try:
        with closing(sqlite3.connect(path)) as database:
            if not Contents.read(database.cursor()).migrations:
                return none
            found = [words for words in schema.differences_of(database.cursor()) if not words.startswith("lacks")]
    except sqlite3.Error:
        return none
    return f"{found[0]}. Nothing has been changed." if found else ""


def refuse_while_served(path: Path) -> None:
    """Raise `NotKept` where a server process runs on a database."""
    if process_lock.is_served(path):
        raise NotKept("The clock is running on this database. Stop it first (Ctrl-C), then restore again.")


def replace(path: Path, new: Path) -> None:
    """Put another database in the place of this one, which no server may run on."""
    with closing(sqlite3.connect(path)) as database:
        try:
            database.execute("PRAGMA journal_mode=DELETE")  # its log goes: it would be read with the new one
        except sqlite3.OperationalError:
            raise NotKept("A command is at work on this database. Wait for its end, then restore again.") from None
    new.replace(path)


def set_aside(path: Path, folder: Path) -> None:
    """Move a damaged database, whole, to a new folder: it may still hold what a copy does not."""
    folder.mkdir(mode=0o700, parents=True)
    for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        with suppress(FileNotFoundError):
            file.rename(folder / file.name)
