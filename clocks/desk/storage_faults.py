"""Classify database exceptions.

Only faults of the connection or the disk count towards an outage. All others concern the request, which is rejected: a
constraint violation, a value out of range, a deadlock, a cancelled statement. A commit that hangs raises nothing, but
no heartbeat follows it (`outage.py`).
"""

import sqlite3

from django.db import InterfaceError, OperationalError

SQLITE = frozenset(
    (
        sqlite3.SQLITE_BUSY,  # another process held the lock until the timeout
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,  # locking of the write-ahead log failed
        sqlite3.SQLITE_NOLFS,
        sqlite3.SQLITE_NOTADB,
    )
)
PRIMARY = 0xFF  # mask of the primary code in an extended result code

# SQLSTATE codes of PostgreSQL: two characters are a class, five a single error.
POSTGRESQL = frozenset(
    (
        "08",  # connection exception
        "28",  # invalid authorization, raised only when connecting
        "53000",  # insufficient resources
        "53100",  # disk full
        "53200",  # out of memory
        "53300",  # too many connections
        "57P01",  # admin shutdown
        "57P02",  # crash shutdown
        "57P03",  # cannot connect now
        "57P04",  # database dropped
        "57P05",  # idle session timeout
        "58000",  # system error
        "58030",  # I/O error
        "58P01",  # undefined file
        "25006",  # read-only transaction: a standby, or a read-only disk
        "25P03",  # idle in transaction timeout
        "25P04",  # transaction timeout
        "XX001",  # data corrupted
        "XX002",  # index corrupted
    )
)


def is_of_storage(error: BaseException) -> bool:
    """True if an exception concerns the connection or the disk, not the request."""
    raised = error.__cause__ or error  # Django wraps the driver's exceptions
    if isinstance(raised, sqlite3.Error):
        return getattr(raised, "sqlite_errorcode", 0) & PRIMARY in SQLITE
    state: str | None = getattr(raised, "sqlstate", None)
    if state is not None:
        return state in POSTGRESQL or state[:2] in POSTGRESQL
    return isinstance(error, InterfaceError | OperationalError)  # the driver could not reach a server
