"""Migrated database and collected static files, made once per test run.

Collecting and compressing static files takes seconds, and the result is the same for all tests.
"""

import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OURS = "TESTS_PREPARED" not in os.environ  # False in workers and in programs started by tests
if OURS:
    os.environ["TESTS_PREPARED"] = tempfile.mkdtemp(prefix="clock-prepared-")
MADE = Path(os.environ["TESTS_PREPARED"])


def database(folder: Path) -> None:
    """Copy the migrated database into a data folder."""
    folder.mkdir(exist_ok=True)
    shutil.copy(_made("migrate", "clock.sqlite3"), folder / "clock.sqlite3")


def static_files(folder: Path) -> None:
    """Copy the collected static files into a data folder."""
    shutil.copytree(_made("collectstatic", "static"), folder / "static", dirs_exist_ok=True)


def forget() -> None:
    """Remove the prepared files if this process made them."""
    if OURS:
        shutil.rmtree(MADE, ignore_errors=True)


def _made(command: str, name: str) -> Path:
    """Path of a command's output. The first process runs it, others wait for it."""
    done = MADE / name
    with (MADE / f"{command}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            with tempfile.TemporaryDirectory(dir=MADE) as folder:
                own = {"DATA_DIR": folder, "DATABASE_URL": "", "CHANNEL_REDIS_URL": ""}
                subprocess.run(
                    [sys.executable, "manage.py", command, "--no-input", "--verbosity", "0", "--skip-checks"],
                    cwd=ROOT,
                    env={**os.environ, **own},
                    check=True,
                )
                if command == "migrate":
                    with closing(sqlite3.connect(Path(folder) / name)) as whole:
                        whole.execute("PRAGMA journal_mode=DELETE")
                (Path(folder) / name).rename(done)
    return done
