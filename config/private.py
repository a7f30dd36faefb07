"""Files that nobody but their owner may read: the database, which knows who may sign in, and the keys."""

import contextlib
import os
import stat
from pathlib import Path


def keep_private(*files: Path) -> None:
    """Take everybody else's rights to these files and folders away, as far as these exist and are ours."""
    for path in files:
        # It may be gone by now, as SQLite's own files may be, or belong to somebody else, whose business it is then.
        with contextlib.suppress(FileNotFoundError, PermissionError):
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & 0o077:
                path.chmod(mode & 0o700)


def keep_database_private(path: Path) -> None:
    """Keep an SQLite database and its log private from before the first byte: they all take its mode."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    keep_private(path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", "-journal")))
