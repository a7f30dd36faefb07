"""Compare a database's schema with the one that its migrations create."""

import sqlite3
from functools import cache
from typing import NamedTuple

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler

from clocks.backups.contents import Cursor

# Query for objects that may run code: triggers, rules, policies, relations other than tables, indexes and sequences,
# functions outside extensions, and column defaults other than sequences.
_ON_POSTGRESQL = """
SELECT 'trigger ' || tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace AND relname ~ '^(clocks|auth|django)_'
UNION ALL SELECT 'rule ' || rulename FROM pg_rules
    WHERE schemaname = current_schema() AND tablename ~ '^(clocks|auth|django)_'
UNION ALL SELECT 'policy ' || policyname FROM pg_policies
    WHERE schemaname = current_schema() AND tablename ~ '^(clocks|auth|django)_'
UNION ALL SELECT 'relation ' || relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relname ~ '^(clocks|auth|django)_'
    AND relkind NOT IN ('r', 'i', 'S')
UNION ALL SELECT 'function ' || proname FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
UNION ALL SELECT 'default of ' || relname FROM pg_attrdef JOIN pg_class ON pg_class.oid = adrelid
    WHERE relnamespace = current_schema()::regnamespace AND relname ~ '^(clocks|auth|django)_'
    AND pg_get_expr(adbin, adrelid) !~ '^nextval\\('
ORDER BY 1
"""


class Object(NamedTuple):
    """Part of an SQLite schema, such as a table, trigger or column of `table`."""

    kind: str
    name: str
    table: str


# Bookkeeping of Litestream, which runs no code (docs/operations.md).
_LITESTREAM = {"_litestream_lock": ("id",), "_litestream_seq": ("id", "seq")}
LITESTREAM = frozenset(
    each
    for table, columns in _LITESTREAM.items()
    for each in (Object("table", table, table), *(Object("column", f"{name} of {table}", table) for name in columns))
)


def differences() -> list[str]:
    """Describe differences between the configured database and its migrations.

    On PostgreSQL, looks only for objects that may run code.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return differences_of(cursor)
        cursor.execute(_ON_POSTGRESQL)
        found = ", ".join(name for (name,) in cursor.fetchall())
        return [f"has what this program does not make: {found}"] if found else []


def differences_of(cursor: Cursor) -> list[str]:
    """Describe differences between an SQLite database and its migrations."""
    there, made = _objects(cursor) - LITESTREAM, made_by(_taken(cursor))
    odd = {each.name for each in there ^ made if each.name == each.table}  # tables listed without their columns
    return [
        f"{words} {', '.join(f'{each.kind} {each.name}' for each in sorted(objects))}"
        for words, found in (("has what this program does not make:", there - made), ("lacks", made - there))
        if (objects := [each for each in found if each.name == each.table or each.table not in odd])
    ]


def _taken(cursor: Cursor) -> tuple[tuple[str, str], ...]:
    """Applied migrations of a database."""
    cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
    return tuple((app, name) for app, name in cursor.fetchall())


@cache
def made_by(taken: tuple[tuple[str, str], ...]) -> frozenset[Object]:
    """Objects that these migrations create in SQLite, found by an in-memory database."""
    loader = MigrationLoader(None)
    state = loader.project_state([key for key in taken if key in loader.disk_migrations])
    database: BaseDatabaseWrapper = ConnectionHandler(
        {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
    )["default"]
    try:
        with database.schema_editor() as editor:
            for model in state.apps.get_models():
                editor.create_model(model)
            editor.create_model(MigrationRecorder.Migration)
        with database.cursor() as cursor:
            return _objects(cursor)
    finally:
        database.close()


def _objects(cursor: Cursor) -> frozenset[Object]:
    cursor.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    master = cursor.fetchall()
    objects = {
        Object("virtual table" if (sql or "").upper().startswith("CREATE VIRTUAL") else kind, name, table)
        for kind, name, table, sql in master
        if not (name.startswith("sqlite_") and kind in ("table", "index"))
    }
    for table in [name for kind, name, *_ in master if kind == "table"]:
        try:
            cursor.execute('PRAGMA table_xinfo("{}")'.format(table.replace('"', '""')))
        except sqlite3.OperationalError:  # a virtual table whose module this SQLite lacks
            continue
        # The last value is non-zero for a hidden or generated column.
        objects |= {
            Object("column" if hidden == 0 else "computed column", f"{name} of {table}", table)
            for _, name, *_, hidden in cursor.fetchall()
            if not table.startswith("sqlite_")
        }
        cursor.execute('PRAGMA foreign_key_list("{}")'.format(table.replace('"', '""')))
        objects |= {
            Object("reference", f"{column} of {table}: {on_update}, {on_delete}", table)
            for _, _, _, column, _, on_update, on_delete, _ in cursor.fetchall()
            if (on_update, on_delete) != ("NO ACTION", "NO ACTION")  # other actions may change rows, such as CASCADE
        }
    return frozenset(objects)
