"""Backup folders and file names."""

from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

PATTERN = "clock-[0-9]*Z.zip"
MOMENT = "%Y-%m-%dT%H-%M-%S-%fZ"  # sorts as text, and is a valid name on every system


def own_folder() -> Path:
    """Default folder for backups."""
    return Path(settings.BACKUP_DIR or settings.DATA_DIR / "backups")


def newest_first(folder: Path) -> list[Path]:
    """Backups in a folder, newest first."""
    return sorted(folder.glob(PATTERN), reverse=True)


def made_at(path: Path) -> datetime | None:
    """Time of a backup according to its file name, or None."""
    try:
        return datetime.strptime(path.stem.removeprefix("clock-"), MOMENT).replace(tzinfo=UTC)
    except ValueError:
        return None
