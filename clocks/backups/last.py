"""Time of the last backup and free disk space, shown to directors."""

import json
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:  # do not load PostgreSQL's driver when the server starts
    from clocks.backups.archives import About

ENOUGH_BYTES = 1_000_000_000  # a long day at 300 tables writes a tenth of this
MISSED = 3  # alert after this many missed backups


@dataclass(frozen=True)
class State:
    """Time of the last good backup (None: never), and free space on DATA_DIR's disk.

    `pause` is the interval until the next one is due; None without regular backups.
    """

    at: datetime | None
    path: str
    pause: timedelta | None
    free_bytes: int

    @property
    def low_space(self) -> bool:
        """True if less than ENOUGH_BYTES is free."""
        return self.free_bytes < ENOUGH_BYTES

    @property
    def overdue_at(self) -> datetime | None:
        """Time from which backups are overdue; None if never taken or not regular."""
        return None if self.at is None or self.pause is None else self.at + MISSED * self.pause


def note(path: Path, about: "About", pause: timedelta | None) -> None:
    """Record a good backup and the interval until the next one."""
    seconds = pause and pause.total_seconds()
    data = json.dumps({"at": about.made_at.isoformat(), "path": str(path), "pause_s": seconds})
    part = _file().with_suffix(".part")
    part.write_text(data)
    part.replace(_file())  # atomic, because the server reads it


def note_end() -> None:
    """Record that regular backups have stopped."""
    known = state()
    if known.pause is not None and known.at is not None:
        _file().write_text(json.dumps({"at": known.at.isoformat(), "path": known.path, "pause_s": None}))


def note_sent(made_at: datetime) -> None:
    """Record that the backup of this time was copied to another machine."""
    _sent_file().write_text(json.dumps({"at": made_at.isoformat()}))


def sent_at() -> datetime | None:
    """Time of the last backup that was copied to another machine, or None."""
    try:
        return datetime.fromisoformat(json.loads(_sent_file().read_text())["at"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def state() -> State:
    """Read the state of backups and disk. An unreadable record counts as no backup."""
    free = shutil.disk_usage(settings.DATA_DIR).free
    try:
        data = json.loads(_file().read_text())
        pause = timedelta(seconds=data["pause_s"]) if data.get("pause_s") else None
        return State(datetime.fromisoformat(data["at"]), str(data["path"]), pause, free)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return State(None, "", None, free)


def _sent_file() -> Path:
    return _file().with_name("last-backup-sent.json")


def _file() -> Path:
    return Path(settings.BACKUP_DIR or settings.DATA_DIR) / "last-backup.json"
