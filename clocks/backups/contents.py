"""Summary of a database's contents, to tell backups apart before restoring one."""

import sqlite3
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, Self

import psycopg
from django.db import OperationalError, ProgrammingError
from django.db.migrations.loader import MigrationLoader

from clocks.host import newer
from clocks.host.newer import APPS
from clocks.models import CASUAL, JournalEntry, Match, Tournament

NO_SUCH_TABLE = sqlite3.OperationalError, psycopg.errors.UndefinedTable, OperationalError, ProgrammingError


class Cursor(Protocol):
    """Cursor interface that both database drivers share."""

    def execute(self, sql: str, /) -> Any:
        """Execute a statement."""

    def fetchall(self) -> list[Any]:
        """Fetch all rows."""


@dataclass(frozen=True)
class Contents:
    """Migrations and row counts; `last_at` is the last event's time in ms, or None."""

    migrations: tuple[str, ...]
    tournaments: int
    matches: int
    entries: int
    last_at: int | None

    @classmethod
    def read(cls, cursor: Cursor) -> Self:
        """Read the counts; a database without our tables counts as empty."""
        try:
            cursor.execute("SELECT app, name FROM django_migrations ORDER BY id")
        except NO_SUCH_TABLE:
            return cls((), 0, 0, 0, None)
        migrations = tuple(f"{app}.{name}" for app, name in cursor.fetchall() if app in APPS)
        if not any(name.startswith("clocks.") for name in migrations):
            return cls(migrations, 0, 0, 0, None)
        tournaments = _one(cursor, f"SELECT count(*) FROM {Tournament._meta.db_table} WHERE slug <> '{CASUAL}'")
        matches, entries = (
            _one(cursor, f"SELECT count(*) FROM {made._meta.db_table}") for made in (Match, JournalEntry)
        )
        return cls(
            migrations,
            tournaments,
            matches,
            entries,
            _one(cursor, f"SELECT max(at) FROM {JournalEntry._meta.db_table}"),
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Parse the output of `to_dict`."""
        return cls(**{**data, "migrations": tuple(data["migrations"])})

    def to_dict(self) -> dict[str, Any]:
        """Migrations and counts as a dict, for the manifest."""
        return asdict(self)

    def unknown(self) -> list[str]:
        """Applied migrations that this version does not have."""
        return newer.unknown((app, name) for app, _, name in (each.partition(".") for each in self.migrations))

    def outdated(self) -> bool:
        """True if the database lacks migrations of this version."""
        known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations if app in APPS}
        return bool(known - set(self.migrations))

    def __str__(self) -> str:
        """Describe the contents in words, for messages."""
        if self.last_at is None:
            return f"{self.tournaments} tournaments and nothing that was played"
        last = datetime.fromtimestamp(self.last_at / 1000, UTC).astimezone()
        return (
            f"{self.tournaments} tournaments, {self.matches} matches, {self.entries} journal entries, "
            f"the last of {last:%Y-%m-%d %H:%M}"
        )


def _one(cursor: Cursor, sql: str) -> Any:
    cursor.execute(sql)
    return cursor.fetchall()[0][0]
