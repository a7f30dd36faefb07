"""Archive format of a backup: a zip of the database and a manifest."""

import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from clocks.backups.contents import Contents
from clocks.backups.faults import BackupError
from clocks.backups.folder import MOMENT, newest_first
from clocks.backups.workspace import PART, RESTORE, workspace

ABOUT = "about.json"
LONGEST_ABOUT = 1_000_000
# Raised for a zip file that is truncated, altered, encrypted, or compressed by an unknown method.
BAD_ZIP = OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error
FASTEST = 1  # zlib level: half the size for a tenth of the work


@dataclass(frozen=True)
class About:
    """Manifest of a backup; `database` is the zip member with the database."""

    made_at: datetime
    database: str
    version: str
    checked: bool
    contents: Contents


def pack(folder: Path, database: Path, about: About) -> Path:
    """Write a backup into a folder and return its path.

    It is synced to disk before it is renamed to that path.
    """
    path = folder / f"clock-{about.made_at:{MOMENT}}.zip"
    part = path.with_suffix(PART)
    described = {
        "made_at": about.made_at.isoformat(),
        "database": about.database,
        "version": about.version,
        "checked": about.checked,
        "contents": about.contents.to_dict(),
    }
    try:
        with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=FASTEST) as archive:
                archive.writestr(ABOUT, json.dumps(described, indent=1))
                archive.write(database, about.database)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return path


def about(path: Path) -> About:
    """Read the manifest of a backup. Raises BackupError."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(ABOUT) as page:
            data = json.loads(page.read(LONGEST_ABOUT))
        return About(
            datetime.fromisoformat(data["made_at"]),
            data["database"],
            data["version"],
            data["checked"],
            Contents.from_dict(data["contents"]),
        )
    except FileNotFoundError:
        raise BackupError(f"There is no file {path}.") from None
    except PermissionError:
        raise BackupError(f"{path} may not be read by the user who runs this: give it to that user first.") from None
    except (*BAD_ZIP, ValueError, KeyError, TypeError) as error:
        raise BackupError(f"{path} is not a backup of this program, or it is damaged ({error}).") from None


def size(path: Path) -> int:
    """Unpacked size of a backup's database in bytes, according to the zip."""
    member = about(path).database
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.getinfo(member).file_size
    except (*BAD_ZIP, KeyError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: object) -> BackupError:
    return BackupError(f"{path} is damaged ({error}). Choose another backup.")


def _readable(path: Path) -> About | None:
    """Manifest of a backup, or None if it cannot be read."""
    try:
        return about(path)
    except BackupError:
        return None


@contextmanager
def unpacked(path: Path, beside: Path) -> Iterator[Path]:
    """Yield the database of a backup, unpacked to a temporary folder beside `beside`.

    Writes at most the size that the zip declares. Raises BackupError.
    """
    member, left = about(path).database, size(path)
    with workspace(beside.parent, RESTORE) as folder:
        target = folder / "database"
        try:
            with zipfile.ZipFile(path) as archive, archive.open(member) as packed, target.open("wb") as file:
                while piece := packed.read(1 << 20):
                    left -= len(piece)
                    if left < 0:
                        raise _damaged(path, "it holds more than it says")
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
        except (KeyError, *BAD_ZIP) as error:
            raise _damaged(path, error) from None
        target.chmod(0o600)
        yield target


def keep_newest(folder: Path, number: int) -> list[Path]:
    """Delete all but the `number` newest backups and the newest checked one.

    Returns the deleted paths. Unreadable files are neither counted nor deleted: they may be evidence, or not ours.
    """
    copies = {path: said for path in newest_first(folder) if (said := _readable(path))}
    best = next((path for path, said in copies.items() if said.checked), None)
    removed = [path for path in [*copies][number:] if path != best]
    for path in removed:
        path.unlink(missing_ok=True)
    return removed
