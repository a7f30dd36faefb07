"""Where copies lie, and what their file names say of them."""

from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

PATTERN = "clock-[0-9]*Z.zip"
MOMENT = "%Y-%m-%dT%H-%M-%S-%fZ"  # sorts as text, and is a name on every system


def own_folder() -> Path:
    """Return where copies are kept unless somebody says otherwise."""
    return Path(settings.BACKUP_DIR or settings.DATA_DIR / "backups")


def newest_first(folder: Path) -> list[Path]:
    """Return the copies in a folder."""
    return sorted(folder.glob(PATTERN), reverse=True)


def made_at(path: Path) -> datetime | None:
    """Return when a copy was taken by its name; None if the name is no moment."""
    try:
        return datetime.strptime(path.stem.removeprefix("clock-"), MOMENT).replace(tzinfo=UTC)
    except ValueError:
        return None
