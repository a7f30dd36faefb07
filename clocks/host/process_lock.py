"""Lock that allows one server process per database, unless Redis is configured.

SQLite never has more than one: processes would wait for each other's commits. Without Redis, they would learn of each
other's presses up to a second late. The lock is released when its process exits, even if it crashes.
"""

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection

if TYPE_CHECKING:
    import psycopg

LOCK = (0x636C6F63, 1)  # PostgreSQL advisory lock, local to the database; the first number spells "cloc"

_OTHERS = (
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = %s AND objid = %s"
    " AND objsubid = 2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> %s"
)
# Without keepalives, PostgreSQL would hold the lock of a crashed machine for hours.
_LOOK_FOR_THE_CLIENT = "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"

ONE_ON_SQLITE = (
    "Another server process runs on {name}, and SQLite serves one. Stop that one first. Several need PostgreSQL and "
    "Redis: DATABASE_URL, CHANNEL_REDIS_URL (docs/operations.md)."
)
ONE_WITHOUT_REDIS = (
    "Another server process runs on this PostgreSQL database, and they would not hear of each other at once, because "
    "one of them has no Redis. Give every process the same CHANNEL_REDIS_URL (docs/operations.md), or run one."
)


class NotAlone(Exception):
    """Another process already serves this database; the message says what to do."""


class ProcessLock:
    """This process's lock on its database."""

    def __init__(self) -> None:
        self._file: sqlite3.Connection | None = None
        self._session: psycopg.Connection[Any] | None = None

    def take(self) -> None:
        """Take the lock, or take it again if the session was lost. Raises NotAlone."""
        if connection.vendor == "sqlite":
            self._file = self._file or _taken(lock_beside(Path(str(connection.settings_dict["NAME"]))))
        elif self._session is None or not _lives(self._session):
            self._session = _joined()

    def others(self) -> int:
        """Number of other server processes, responsive or not."""
        if connection.vendor == "sqlite":
            return 0
        own = self._session.info.backend_pid if self._session is not None else 0
        with connection.cursor() as cursor:
            cursor.execute(_OTHERS, [*LOCK, own])
            (others,) = cursor.fetchone()
        return int(others)


process_lock = ProcessLock()


def lock_beside(database: Path) -> Path:
    """Lock file of an SQLite database; always empty."""
    return database.with_name(f"{database.name}-server")


def is_served(database: Path) -> bool:
    """True if a process serves this SQLite database."""
    try:
        _taken(lock_beside(database)).close()
    except NotAlone:
        return True
    return False


def _taken(lock: Path) -> sqlite3.Connection:
    """Open a connection that locks this file. Raises NotAlone.

    SQLite's own locking works on every system, and is released when the process exits.
    """
    held = sqlite3.connect(lock, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        held.close()
        raise NotAlone(ONE_ON_SQLITE.format(name=str(lock).removesuffix("-server"))) from None
    return held


def _joined() -> "psycopg.Connection[Any]":
    """Open a PostgreSQL session that holds the lock. Raises NotAlone.

    The lock is shared if Redis is configured, otherwise exclusive.
    """
    import psycopg  # slow to load, and not needed on SQLite

    session = psycopg.connect(**connection.get_connection_params(), autocommit=True)
    kind = "_shared" if settings.CHANNEL_REDIS_URL else ""
    if session.execute(f"SELECT pg_try_advisory_lock{kind}(%s, %s)", LOCK).fetchone() == (True,):
        session.execute(_LOOK_FOR_THE_CLIENT)
        return session
    session.close()
    raise NotAlone(ONE_WITHOUT_REDIS)


def _lives(session: "psycopg.Connection[Any]") -> bool:
    import psycopg

    try:
        session.execute("SELECT 1")
    except psycopg.Error:
        session.close()
        return False
    return True
