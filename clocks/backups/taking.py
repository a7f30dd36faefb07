"""Take a backup of the database and check it before it counts."""

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import psycopg
from django.conf import settings

from clocks.backups import archives, last, postgresql, sqlite
from clocks.backups.archives import About
from clocks.backups.contents import Contents
from clocks.backups.faults import BackupError
from clocks.backups.folder import own_folder
from clocks.backups.workspace import COPY, workspace
from clocks.host.version import version

logger = logging.getLogger(__name__)

SQLITE = "django.db.backends.sqlite3"


def take(folder: Path, pause: timedelta | None = None) -> tuple[Path, About, str]:
    """Take a backup into a folder and check it.

    Returns its path, its manifest, and its fault or "". `pause` is the interval until the next one. A backup whose
    journals do not verify is kept, because there is no better one, but not recorded as good.
    """
    try:
        if folder == own_folder():
            folder.mkdir(mode=0o700, exist_ok=True)
        elif not folder.is_dir():  # creating it would fill the wrong disk while the USB stick is unplugged
            raise BackupError(f"There is no folder {folder}. Is the stick in?")
        with workspace(folder, COPY) as beside:
            path, about, fault = _taken(folder, beside)
    except psycopg.Error as error:
        raise BackupError(f"No backup could be taken, because PostgreSQL failed meanwhile: {error}") from None
    except OSError as error:
        raise BackupError(f"No backup could be written to {folder}: {error.strerror or error}.") from None
    if not fault:
        try:
            last.note(path, about, pause)
        except OSError as error:  # a full data disk must not make a backup to another disk fail
            logger.warning("the directors' pages cannot show that a backup was taken: %s", error.strerror)
    return path, about, fault


def _taken(folder: Path, beside: Path) -> tuple[Path, About, str]:
    database, made_at = settings.DATABASES["default"], datetime.now(UTC)
    target = beside / "database"
    if database["ENGINE"] == SQLITE:
        name, contents = sqlite.NAME, sqlite.take(Path(database["NAME"]), target)
    else:
        name, contents = postgresql.NAME, postgresql.take(database, target)
    fault = tried(database, target, contents)
    about = About(made_at, name, version(), not fault, contents)
    return archives.pack(folder, target, about), about, fault


def tried(database: dict[str, Any], target: Path, contents: Contents) -> str:
    """Check a copied database, using a second copy; return its fault or "".

    Migrates it first if it is from an earlier version; raises BackupError if that fails. Runs in low-priority
    processes, because the server may be running.
    """
    with _on_trial(database, target) as url:
        if contents.outdated():
            failed = run_on(url, "migrate", "--verbosity", "0", "--skip-checks")
            if failed:
                raise BackupError(f"The database of an earlier version cannot be brought up to date: {failed}")
        return run_on(url, "verify")


@contextmanager
def _on_trial(database: dict[str, Any], target: Path) -> Iterator[str]:
    """Make a temporary second copy; yields its DATABASE_URL."""
    if database["ENGINE"] == SQLITE:
        with TemporaryDirectory(dir=target.parent, prefix="trial-") as folder:
            yield f"sqlite:///{shutil.copy(target, folder)}"
    else:
        with postgresql.tried(database, target) as url:
            yield url


def run_on(url: str, *command: str) -> str:
    """Run a management command on the database at a URL.

    Returns the end of its output if it failed, otherwise "".
    """
    arguments = [sys.executable, str(settings.BASE_DIR / "manage.py"), *command]
    environment = os.environ | {"DATABASE_URL": url, "DATA_DIR": str(settings.DATA_DIR), "CHANNEL_REDIS_URL": ""}
    with subprocess.Popen(
        arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        with suppress(psutil.Error):  # it may have exited already
            psutil.Process(running.pid).nice(psutil.BELOW_NORMAL_PRIORITY_CLASS if psutil.WINDOWS else 15)
        said, _ = running.communicate()
    return said.strip()[-1000:] if running.returncode else ""
