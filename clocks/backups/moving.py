"""Copy an SQLite database to an empty PostgreSQL one, and compare all rows."""

from collections.abc import Callable, Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import environ
from django.apps import apps
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

from clocks.backups import sqlite
from clocks.backups.faults import BackupError
from clocks.backups.taking import SQLITE, run_on
from clocks.models import Match

THERE = "there"  # alias of the target database
AT_ONCE = 1_000  # rows per batch


def move(url: str, told: Callable[[str], object]) -> None:
    """Copy every row to the database at a URL, compare them, and replay all journals.

    Commits no rows unless all are equal. Leaves the SQLite database unchanged. Calls `told` with a line of text for
    each table that has rows. Raises BackupError.
    """
    if connection.settings_dict["ENGINE"] != SQLITE:
        raise BackupError("DATABASE_URL names PostgreSQL already. This moves a SQLite database only.")
    sqlite.refuse_while_served(Path(str(connection.settings_dict["NAME"])), "move")
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BackupError("The database is not up to date. Run `upgrade` first.")
    there = _target(url)
    try:
        if failed := run_on(url, "migrate", "--verbosity", "0", "--skip-checks"):
            raise BackupError(f"The new database cannot be set up: {failed}")
        if Match.objects.using(THERE).exists():
            raise BackupError("There are matches in the new database. Create an empty one.")
        with transaction.atomic(), transaction.atomic(using=THERE):  # the first locks SQLite against other commands
            _copy(there, told)
    except DatabaseError as error:
        raise BackupError(f"Nothing was moved: {error}") from None
    finally:
        there.close()
    if wrong := run_on(url, "verify"):
        raise BackupError(f"Everything was moved, but the journals there and their matches do not agree: {wrong}")


def _target(url: str) -> BaseDatabaseWrapper:
    """Connect to the database at a URL. Raises BackupError."""
    try:
        found = environ.Env.db_url_config(url)
    except (ValueError, KeyError):
        found = {}
    if found.get("ENGINE") != "django.db.backends.postgresql" or not found.get("NAME"):
        raise BackupError("--to must look like postgres://user:password@host/name")
    connections.settings[THERE] = connections.configure_settings({"default": {}, THERE: found})[THERE]
    there: BaseDatabaseWrapper = connections[THERE]
    try:
        there.ensure_connection()
    except DatabaseError as error:
        raise BackupError(f"The new database cannot be reached: {error}") from None
    return there


def _copy(there: BaseDatabaseWrapper, told: Callable[[str], object]) -> None:
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    with there.cursor() as cursor:
        # Delete the permissions and content types that the migrations created. Foreign keys are checked on commit.
        names = ", ".join(there.ops.quote_name(model._meta.db_table) for model in models)
        cursor.execute(f"TRUNCATE {names}")
        for model in models:
            number = _copy_rows(model, there, cursor)
            _compare(model)
            if number:
                told(f"{number} rows of {model._meta.db_table}")
        for statement in there.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def _copy_rows(model: type[Model], there: BaseDatabaseWrapper, cursor: Any) -> int:
    """Insert all rows of a table; return their number."""
    fields, name = model._meta.local_concrete_fields, there.ops.quote_name
    columns = ", ".join(name(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    insert = f"INSERT INTO {name(model._meta.db_table)} ({columns}) VALUES ({marks})"
    rows, number = _rows(model, connection.alias), 0
    while some := list(islice(rows, AT_ONCE)):
        number += len(some)
        cursor.executemany(
            insert,
            [
                [field.get_db_prep_save(value, connection=there) for field, value in zip(fields, row, strict=True)]
                for row in some
            ],
        )
    return number


def _compare(model: type[Model]) -> None:
    """Raise BackupError unless both databases have the same rows of a table."""
    for here, there in zip_longest(_rows(model, connection.alias), _rows(model, THERE)):
        if here != there:
            raise BackupError(f"Nothing was moved, because a row of {model._meta.db_table} is not the same there.")


def _rows(model: type[Model], alias: str) -> Iterator[tuple[Any, ...]]:
    """All rows of a table, by primary key."""
    names = [field.attname for field in model._meta.local_concrete_fields]
    return model._base_manager.using(alias).order_by("pk").values_list(*names).iterator(chunk_size=AT_ONCE)
