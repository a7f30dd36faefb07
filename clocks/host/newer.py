"""Detect a database that a newer version of the clock has used."""

from collections.abc import Iterable

from django.db.migrations.loader import MigrationLoader

APPS = ("clocks", "auth", "contenttypes", "sessions", "admin")
ADVICE = "Start that version, or restore a backup that this one took. Nothing has been changed."


def unknown(applied: Iterable[tuple[str, str]], loader: MigrationLoader | None = None) -> list[str]:
    """Names of the clock's applied migrations that this version does not have."""
    known = (loader or MigrationLoader(None)).disk_migrations
    return [".".join(key) for key in applied if key[0] in APPS and key not in known]


def words(migrations: list[str]) -> str:
    """Error message for a database with these unknown migrations."""
    return f"A newer version of the clock has used this database (it has {migrations[-1]}). {ADVICE}"
