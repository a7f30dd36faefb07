"""Temporary folder of a backup or a restore.

A killed backup leaves copies of the whole database, which the next run removes. It can tell them from copies in use
because the lock on a folder is released when its process exits.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from clocks.backups.faults import BackupError

WAIT_S = 600.0
COPY, RESTORE, PART = ".copy-", ".restore-", ".part"


@contextmanager
def workspace(folder: Path, prefix: str) -> Iterator[Path]:
    """Yield a temporary folder in `folder`; if locks work, one per prefix at a time."""
    with _alone(folder / f"{prefix}lock") as is_alone:
        if is_alone:
            _remove_leftovers(folder, prefix)
        with TemporaryDirectory(dir=folder, prefix=prefix) as made:
            yield Path(made)


def _remove_leftovers(folder: Path, prefix: str) -> None:
    for path in folder.glob(f"{prefix}*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
    if prefix == COPY:
        for path in folder.glob(f"clock-[0-9]*{PART}"):
            path.unlink(missing_ok=True)


@contextmanager
def _alone(lock: Path) -> Iterator[bool]:
    """Hold a lock on a file. Yields False if files cannot be locked here.

    Raises BackupError if another process holds the lock for too long. SQLite's own locking works on every system, and
    is released when the process exits.
    """
    with ExitStack() as stack:
        try:
            held = stack.enter_context(closing(sqlite3.connect(lock, timeout=WAIT_S, isolation_level=None)))
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise BackupError(f"Another backup has been at work in {lock.parent} for ten minutes.") from None
            yield False  # no such folder, or a file system without locks
            return
        yield True
