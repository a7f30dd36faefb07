"""Restrict secret files to their owner: the database and the keys."""

import contextlib
import os
import stat
from pathlib import Path


def keep_private(*files: Path) -> None:
    """Remove group and other permissions from existing files and folders that we own."""
    for path in files:
        # SQLite may have removed its files in the meantime; a file of another owner is that owner's responsibility.
        with contextlib.suppress(FileNotFoundError, PermissionError):
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & 0o077:
                path.chmod(mode & 0o700)


def keep_database_private(path: Path) -> None:
    """Create an SQLite database with mode 0600, or restrict it and its log files.

    New log files inherit its mode.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    keep_private(path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", "-journal")))
