"""Taking a copy of the database, and trying it out before it counts."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
from django.conf import settings

from clocks.host.version import version
from clocks.keeping import copies, last, postgresql, sqlite
from clocks.keeping.copies import About
from clocks.keeping.faults import NotKept

SQLITE = "django.db.backends.sqlite3"


def take(folder: Path) -> tuple[Path, About]:
    """Take a copy into a folder, checked by the journal of every match, and note when that was.

    Where a journal does not agree the copy is kept, for it is all there is, and `NotKept` says so.
    """
    try:
        if folder == own_folder():
            folder.mkdir(mode=0o700, exist_ok=True)
        elif not folder.is_dir():  # making it would fill the wrong disk while the stick is out
            raise NotKept(f"There is no folder {folder}. Is the stick in?")
        with TemporaryDirectory(dir=folder, prefix=".copy-") as beside:
            path, about, fault = _taken(folder, Path(beside))
    except OSError as error:
        raise NotKept(f"No copy could be written to {folder}: {error.strerror or error}.") from None
    if fault:
        raise NotKept(f"{path} was taken, but its journals and its matches do not agree: {fault}")
    last.note(path, about)
    return path, about


def own_folder() -> Path:
    """Return where copies lie unless somebody says otherwise."""
    return Path(settings.DATA_DIR) / "backups"


def _taken(folder: Path, beside: Path) -> tuple[Path, About, str]:
    database, made_at = settings.DATABASES["default"], copies.now()
    target = beside / "database"
    if database["ENGINE"] == SQLITE:
        name, contents = sqlite.NAME, sqlite.take(Path(database["NAME"]), target)
    else:
        name, contents = postgresql.NAME, postgresql.take(database, target)
    with opened(database, target) as url:
        fault = check(url)
    about = About(made_at, name, version(), not fault, contents)
    return copies.pack(folder, target, about), about, fault


@contextmanager
def opened(database: dict[str, Any], target: Path) -> Iterator[str]:
    """Give the DATABASE_URL under which a copied database can be read; afterwards it is one file again."""
    if database["ENGINE"] == SQLITE:
        yield f"sqlite:///{target.as_posix()}"
        sqlite.settle(target)
    else:
        with postgresql.tried(database, target) as url:
            yield url


def check(url: str) -> str:
    """Return what `manage.py verify` finds wrong with a database, "" where it finds nothing.

    It runs in a process of its own, which gives way to the server beside it.
    """
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "verify"]
    environment = os.environ | {"DATABASE_URL": url, "DATA_DIR": str(settings.DATA_DIR), "CHANNEL_REDIS_URL": ""}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        with suppress(psutil.Error):  # it may have ended already
            psutil.Process(running.pid).nice(psutil.BELOW_NORMAL_PRIORITY_CLASS if psutil.WINDOWS else 15)
        said, _ = running.communicate()
    return said.strip()[-1000:] if running.returncode else ""
