"""Backups of PostgreSQL: dump a snapshot, test it, restore it."""

import os
import re
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from psycopg.conninfo import make_conninfo

from clocks.backups.contents import Contents
from clocks.backups.faults import BackupError

NAME = "clock.pgdump"
OPTIONS = ("sslmode", "sslrootcert", "target_session_attrs")  # options of DATABASE_URL that PostgreSQL's programs need
TRIAL = (0x636C6F63, 2)  # advisory lock while a backup is tested; number 1 is in `host/process_lock.py`
_OID = "SELECT oid FROM pg_database WHERE datname = current_database()"
_SCRATCH = "SELECT datname FROM pg_database WHERE starts_with(datname, %s) AND pg_has_role(datdba, 'USAGE')"
# Entries in the table of contents of our own dumps.
OURS = re.compile(
    r"\d+; \d+ \d+ (?:"
    r"(?:TABLE|TABLE DATA|SEQUENCE|SEQUENCE OWNED BY|SEQUENCE SET|CONSTRAINT|FK CONSTRAINT|DEFAULT|ACL|COMMENT) \S+ "
    r"(?:TABLE |SEQUENCE |COLUMN )?(?:clocks|auth|django)_.+"
    r"|INDEX \S+ .+|(?:SCHEMA|ACL|COMMENT) - (?:SCHEMA )?public .*)"
)
# Drops all our tables, including those of later versions, which `pg_restore --clean` would leave behind.
DROP = """
DO $$ DECLARE ours text; BEGIN
    FOR ours IN SELECT tablename FROM pg_tables
        WHERE schemaname = current_schema() AND tablename ~ '^(clocks|auth|django)_'
    LOOP EXECUTE format('DROP TABLE %I CASCADE', ours); END LOOP;
END $$;
"""


def take(database: dict[str, Any], target: Path) -> Contents:
    """Dump a snapshot of the database and return its contents."""
    with closing(_connect(database)) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        cursor = connection.cursor()
        contents = Contents.read(cursor)
        snapshot = cursor.execute("SELECT pg_export_snapshot()").fetchall()[0][0]
        _run(database, "pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={target}")
    return contents


def read(database: dict[str, Any]) -> Contents:
    """Contents of the database."""
    with closing(_connect(database)) as connection:
        return Contents.read(connection.cursor())


def foreign(dump: Path) -> str:
    """Reason to reject a dump with objects other than our tables, or "".

    Reads only its table of contents: restoring it could run its functions and triggers.
    """
    listed = _run({}, "pg_restore", "--list", str(dump), failed="")
    if not any(" TABLE " in line for line in listed.splitlines()):
        return "holds no database of this program, and nothing has been changed. Choose another backup."
    entries = [line for line in listed.splitlines() if line and not line.startswith(";")]
    odd = [entry.split(" ", 3)[-1].rsplit(" ", 1)[0] for entry in entries if not OURS.fullmatch(entry)]
    return f"has what this program does not make: {', '.join(odd)}. Nothing has been changed." if odd else ""


def unpacked_size(dump: Path, most: int) -> int:
    """Uncompressed size of a dump as SQL, in bytes; stops counting above `most`."""
    size = 0
    with subprocess.Popen(["pg_restore", "--file=-", str(dump)], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        while size <= most and (piece := program.stdout.read(1 << 20)):
            size += len(piece)
        program.kill()
    return size


@contextmanager
def tried(database: dict[str, Any], dump: Path) -> Iterator[str]:
    """Restore a dump into a temporary database; yields its DATABASE_URL."""
    with closing(_connect(database)) as connection:
        connection.autocommit = True
        name = f"{_remove_leftovers(connection)}{uuid.uuid4().hex[:20]}"
        scratch = {**database, "NAME": name}
        try:
            connection.execute(f'CREATE DATABASE "{name}"')
        except psycopg.errors.InsufficientPrivilege:
            raise BackupError(
                "A backup is tried in a database of its own, and this user may not create one. "
                f"Run once, as PostgreSQL's administrator: ALTER ROLE {database['USER']} CREATEDB"
            ) from None
        try:
            _run(scratch, "pg_restore", "--exit-on-error", "--no-owner", f"--dbname={name}", str(dump))
            yield _url(scratch)
        finally:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _remove_leftovers(connection: "psycopg.Connection[Any]") -> str:
    """Drop scratch databases left by killed backups, unless a backup is being tested.

    Returns the prefix of their names. Leaves `connection` with a shared lock, which protects its own scratch database.
    """
    prefix = f"clock_check_{connection.execute(_OID).fetchall()[0][0]}_"
    if connection.execute("SELECT pg_try_advisory_lock(%s, %s)", TRIAL).fetchall() == [(True,)]:
        for (left,) in connection.execute(_SCRATCH, [prefix]).fetchall():
            connection.execute(f'DROP DATABASE IF EXISTS "{left}" WITH (FORCE)')
        connection.execute("SELECT pg_advisory_lock_shared(%s, %s)", TRIAL)
        connection.execute("SELECT pg_advisory_unlock(%s, %s)", TRIAL)
    else:
        connection.execute("SELECT pg_advisory_lock_shared(%s, %s)", TRIAL)
    return prefix


def replace(database: dict[str, Any], dump: Path) -> None:
    """Replace the database with a dump, in one transaction."""
    with closing(_connect(database)) as connection:
        others = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()[0][0]
    if others:
        raise BackupError("The clock is running on this database. Stop every process of it first, then restore again.")
    tables, rows = dump.with_name("tables.sql"), dump.with_name("rows.sql")
    tables.write_text(DROP)
    _run(database, "pg_restore", "--no-owner", f"--file={rows}", str(dump))
    once = "--single-transaction", "--set=ON_ERROR_STOP=1"
    _run(database, "psql", "--no-psqlrc", "--quiet", *once, f"--file={tables}", f"--file={rows}")


def _connect(database: dict[str, Any]) -> "psycopg.Connection[Any]":
    try:
        return psycopg.connect(make_conninfo("", **_parameters(database)), connect_timeout=5)
    except psycopg.OperationalError as error:
        raise BackupError(f"The database cannot be reached: {error}") from None


def _parameters(database: dict[str, Any]) -> dict[str, str]:
    """Connection parameters for PostgreSQL's programs.

    Unset ones are omitted.
    """
    names = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD", "dbname": "NAME"}
    options = {name: text for name, text in database.get("OPTIONS", {}).items() if name in OPTIONS}
    return {name: str(database[key]) for name, key in names.items() if database.get(key)} | options


def _run(database: dict[str, Any], program: str, *arguments: str, failed: str | None = None) -> str:
    """Run one of PostgreSQL's programs and return its output.

    If it fails, returns `failed` if given, else raises BackupError. Passes secrets in environment variables, which
    other users cannot see.
    """
    if shutil.which(program) is None:
        raise BackupError(f"{program} is missing. Debian, Ubuntu: apt install postgresql-client")
    given = {
        "PGDATABASE" if name == "dbname" else f"PG{name.replace('_', '').upper()}": text
        for name, text in _parameters(database).items()
    }
    done = subprocess.run([program, *arguments], env=os.environ | given, capture_output=True, text=True)
    if done.returncode and failed is not None:
        return failed
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()[-500:]}")
    return done.stdout


def _url(database: dict[str, Any]) -> str:
    """Build a DATABASE_URL from these parameters."""
    parts = _parameters(database)
    name = parts.pop("dbname")
    who, secret = (quote(parts.pop(part, ""), safe="") for part in ("user", "password"))
    hosts, ports = parts.pop("host", "").split(","), parts.pop("port", "").split(",")
    ports = ports * len(hosts) if len(ports) == 1 else ports  # a single port applies to all hosts
    servers = ",".join(f"{quote(host, safe='')}{port and ':'}{port}" for host, port in zip(hosts, ports, strict=True))
    account = f"{who}{secret and ':'}{secret}{who and '@'}"
    return f"postgres://{account}{servers}/{name}{(parts and '?') or ''}{urlencode(parts)}"
