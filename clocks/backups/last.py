"""When the last copy was taken, and how much room is left: what directors see beside the boards."""

import json
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:  # a server starts without what takes copies, which loads PostgreSQL's driver
    from clocks.backups.archives import About

ENOUGH_BYTES = 1_000_000_000  # a long day of 300 boards writes a tenth of it
MISSED = 3  # so many copies in a row that were due and not taken are told


@dataclass(frozen=True)
class Kept:
    """When the last good copy was taken and where it lies (None: never), and the room on the disk of the database.

    `pause` is after what time the next one is due; None where nobody asked for further ones.
    """

    at: datetime | None
    path: str
    pause: timedelta | None
    free_bytes: int

    @property
    def little_room(self) -> bool:
        """Tell whether the disk is filling up."""
        return self.free_bytes < ENOUGH_BYTES

    @property
    def overdue_at(self) -> datetime | None:
        """Return from when on copies that were to be taken are missing; None where none is due."""
        return None if self.at is None or self.pause is None else self.at + MISSED * self.pause


def note(path: Path, about: "About", pause: timedelta | None) -> None:
    """Remember a copy that was taken and found good, and after what time the next one is due."""
    seconds = pause and pause.total_seconds()
    data = json.dumps({"at": about.made_at.isoformat(), "path": str(path), "pause_s": seconds})
    part = _file().with_suffix(".part")
    part.write_text(data)
    part.replace(_file())  # whole: a server reads it meanwhile


def note_the_end() -> None:
    """Remember that no further copy is due: whoever took them has stopped."""
    known = kept()
    if known.pause is not None and known.at is not None:
        _file().write_text(json.dumps({"at": known.at.isoformat(), "path": known.path, "pause_s": None}))


def kept() -> Kept:
    """Return what is known of copies and room. A note that cannot be read counts as none."""
    free = shutil.disk_usage(settings.DATA_DIR).free
    try:
        data = json.loads(_file().read_text())
        pause = timedelta(seconds=data["pause_s"]) if data.get("pause_s") else None
        return Kept(datetime.fromisoformat(data["at"]), str(data["path"]), pause, free)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Kept(None, "", None, free)


def _file() -> Path:
    return Path(settings.BACKUP_DIR or settings.DATA_DIR) / "last-backup.json"
