"""Checkpoint SQLite's write-ahead log in the background.

Otherwise the commit that fills the log (`wal_autocheckpoint`) would run the checkpoint, for some 100 ms on a small
machine, while every press waits. A passive checkpoint blocks no writer.
"""

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

EVERY_S = 1.0

logger = logging.getLogger(__name__)


async def checkpoint_regularly(database: Path) -> None:
    """Run a checkpoint every second, unless the log has not changed since the last."""
    log, copied = database.with_name(f"{database.name}-wal"), 0
    while True:
        await asyncio.sleep(EVERY_S)
        written = _written_ns(log)
        if written != copied:
            await asyncio.to_thread(checkpoint, database)
            copied = written


def checkpoint(database: Path) -> None:
    """Run a passive checkpoint, which stops at pages that readers still need."""
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", uri=True, timeout=0)) as own:
            own.execute("PRAGMA wal_checkpoint(PASSIVE)")
    except sqlite3.Error as error:  # not fatal: SQLite checkpoints by itself once the log is long
        logger.warning("the write-ahead log could not be copied into the database: %s", error)


def _written_ns(log: Path) -> int:
    """Time of the last write to the log, in ns since 1970; 0 if there is no log."""
    try:
        return log.stat().st_mtime_ns
    except OSError:
        return 0
