"""Traces of removed names in SQLite's write-ahead log and in earlier backups."""

import json
import logging
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import connection

from clocks.backups import last
from clocks.backups.folder import made_at, newest_first, own_folder

TRIES, PAUSE_S = 20, 0.1
PATIENCE_S = 0.02  # lock timeout in seconds; presses wait meanwhile

logger = logging.getLogger(__name__)


class Left(NamedTuple):
    """Remaining traces: in the log, if it could not be emptied, and in these backups."""

    in_log: bool
    backups: list[Path]


class Backup(NamedTuple):
    """Backup; `has_removed` is True if names were removed after it was taken."""

    path: Path
    has_removed: bool


def clear(removed: bool = True) -> Left:
    """Empty the write-ahead log, and return the traces that remain.

    Also records the time, if names have just been `removed`.
    """
    try:
        if removed:
            _file().write_text(json.dumps({"at": datetime.now(UTC).isoformat()}))
    except OSError as error:
        logger.warning("the backups with removed names cannot be recorded: %s", error.strerror)
    return Left(not _emptied(), [backup.path for backup in known_backups() if backup.has_removed])


def known_backups() -> list[Backup]:
    """Backups in the default folder and in that of the last backup. Opens none."""
    removed_at, folders = _removed_at(), {own_folder()}
    if path := last.state().path:
        folders.add(Path(path).parent)
    found = [path for each in sorted(folders) for path in reversed(newest_first(each))]
    return [Backup(path, (made := made_at(path)) is not None and made < removed_at) for path in found]


def _emptied() -> bool:
    """Checkpoint SQLite's WAL, which overwrites deleted rows. False if blocked.

    First runs a passive checkpoint, which blocks nobody, then one that truncates the log while writers wait a moment.
    """
    if connection.vendor != "sqlite":
        return True
    with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=PATIENCE_S)) as own:
        for tried in range(TRIES):
            if tried:
                _wait()
            own.execute("PRAGMA wal_checkpoint(PASSIVE)")
            busy, _, _ = own.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                return True
    return False


def _wait() -> None:
    time.sleep(PAUSE_S)


def _removed_at() -> datetime:
    try:
        return datetime.fromisoformat(json.loads(_file().read_text())["at"])
    except (OSError, ValueError, KeyError, TypeError):
        return datetime.min.replace(tzinfo=UTC)


def _file() -> Path:
    return Path(settings.BACKUP_DIR or settings.DATA_DIR) / "names-removed.json"
