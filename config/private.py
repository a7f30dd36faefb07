"""Files that nobody but their owner may read: the database, which knows who may sign in, and the keys."""

import contextlib
import os
import stat
from pathlib import Path


def keep_private(*files: Path) -> None:
    """Take from everybody else what they may do with these files and folders, as far as these exist and are ours."""
    for path in files:
        # Gone a moment later, as SQLite's own files may be, or somebody else's, who decides then.
        with contextlib.suppress(FileNotFoundError, PermissionError):
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & 0o077:
                path.chmod(mode & 0o700)


def keep_database_private(path: Path) -> None:
    """Keep an SQLite database and its log private, from before its first byte on: they all take its mode."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    keep_private(path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", "-journal")))
