"""When the last copy was taken, and how much room is left: what directors see beside the boards."""

import json
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from clocks.keeping.copies import About

ENOUGH_BYTES = 1_000_000_000  # a long day of 300 boards writes a tenth of it


@dataclass(frozen=True)
class Kept:
    """When the last good copy was taken and where it lies (None: never), and the room on the disk of the database."""

    at: datetime | None
    path: str
    free_bytes: int

    @property
    def little_room(self) -> bool:
        """Tell whether the disk is filling up."""
        return self.free_bytes < ENOUGH_BYTES


def note(path: Path, about: About) -> None:
    """Remember a copy that was taken and found good."""
    _file().write_text(json.dumps({"at": about.made_at.isoformat(), "path": str(path)}))


def kept() -> Kept:
    """Return what is known of copies and room. A note that cannot be read counts as none."""
    free = shutil.disk_usage(settings.DATA_DIR).free
    try:
        data = json.loads(_file().read_text())
        return Kept(datetime.fromisoformat(data["at"]), str(data["path"]), free)
    except (OSError, ValueError, KeyError, TypeError):
        return Kept(None, "", free)


def _file() -> Path:
    return Path(settings.DATA_DIR) / "last-backup.json"
