"""Restore a backup, after backing up the current data.

A damaged database cannot be backed up, so its files are moved aside.
"""

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connections

from clocks.backups import archives, postgresql, sqlite, taking
from clocks.backups.archives import About
from clocks.backups.contents import Contents
from clocks.backups.faults import BackupError
from clocks.backups.folder import MOMENT


@dataclass(frozen=True)
class Plan:
    """Backup to restore, and the contents of the current database.

    `about` is the manifest of the backup. `damage` says what is wrong with the current database, "" if nothing.
    """

    path: Path
    about: About
    here: Contents
    damage: str


def plan(path: Path) -> Plan:
    """Inspect a backup and the current data; changes nothing."""
    about, database = archives.about(path), settings.DATABASES["default"]
    if about.database != _name(database):
        raise BackupError(f"{path} is a backup of another kind of database ({about.database}) than DATABASE_URL names.")
    if unknown := about.contents.unknown():
        raise BackupError(f"{path} was made by a newer version, which has {unknown[-1]}. Install that version first.")
    _refuse_without_room(path, _beside(database), archives.size(path))
    damage = sqlite.damage(Path(database["NAME"])) if _name(database) == sqlite.NAME else ""
    return Plan(path, about, Contents((), 0, 0, 0, None) if damage else _here(database), damage)


def carry_out(plan: Plan, over_play: bool, safe: Path) -> Path | None:
    """Restore a backup after testing it.

    Returns the path where the current data was saved, or None if there was none. Replaces a database with journal
    entries only if `over_play` is set. Raises BackupError.
    """
    if plan.here.entries and not over_play:
        raise BackupError(
            f"Here are {plan.here}, and they would be replaced. To back them up and restore anyway: --over-play"
        )
    database = settings.DATABASES["default"]
    on_sqlite, beside = _name(database) == sqlite.NAME, _beside(database)
    _refuse_without_room(plan.path, beside, archives.size(plan.path))
    if on_sqlite:
        sqlite.refuse_while_served(beside)
    with archives.unpacked(plan.path, beside) as unpacked:
        if odd := sqlite.foreign(unpacked) if on_sqlite else postgresql.foreign(unpacked):
            raise BackupError(f"{plan.path} {odd}")
        if not on_sqlite:
            size = postgresql.unpacked_size(unpacked, shutil.disk_usage(beside.parent).free)
            _refuse_without_room(plan.path, beside, size)
        fault = taking.tried(database, unpacked, plan.about.contents)
        if fault:
            raise BackupError(f"{plan.path} does not agree with its journals, and nothing has been changed: {fault}")
        connections.close_all()
        if plan.damage:
            replaced = safe / f"damaged-{datetime.now(UTC):{MOMENT}}"
            sqlite.set_aside(beside, replaced)
            unpacked.replace(beside)
            return replaced
        kept = taking.take(safe)[0] if plan.here.migrations else None
        if on_sqlite:
            sqlite.replace(beside, unpacked)
        else:
            postgresql.replace(database, unpacked)
    return kept


def _beside(database: dict[str, Any]) -> Path:
    """Path beside which to unpack a backup."""
    return Path(database["NAME"]) if _name(database) == sqlite.NAME else settings.DATA_DIR / "database"


def _refuse_without_room(path: Path, beside: Path, size: int) -> None:
    """Raise BackupError unless 3 x `size` and 2 x the current file are free on disk."""
    free = shutil.disk_usage(beside.parent).free
    needed = 3 * size + (2 * beside.stat().st_size if beside.exists() else 0)
    if needed > free:
        unpacked, asked, left = (round(number / 1e6) for number in (size, needed, free))
        raise BackupError(
            f"{path} unpacks to {unpacked} MB. Restoring it takes {asked} MB on the disk of {beside.parent}, and "
            f"{left} MB are free. Nothing has been changed."
        )


def _here(database: dict[str, Any]) -> Contents:
    if _name(database) == sqlite.NAME:
        return sqlite.read(Path(database["NAME"]))
    return postgresql.read(database)


def _name(database: dict[str, Any]) -> str:
    return sqlite.NAME if database["ENGINE"] == taking.SQLITE else postgresql.NAME
