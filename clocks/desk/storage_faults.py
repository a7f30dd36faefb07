"""Which exceptions are faults of storage: of the connection or the disk. Only these count towards an outage.

Everything else that a database raises is about the request that it was given, and is refused with it: a constraint, a
value that a column does not take, a deadlock, a statement that was cancelled. A commit that does not return needs no
exception: no beat follows it (`outage.py`).
"""

import sqlite3

from django.db import InterfaceError, OperationalError

SQLITE = frozenset(
    (
        sqlite3.SQLITE_BUSY,  # another process held the lock for longer than is waited for it
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,  # the lock files of the write-ahead log
        sqlite3.SQLITE_NOLFS,
        sqlite3.SQLITE_NOTADB,
    )
)
PRIMARY = 0xFF  # of an extended result code of SQLite

# PostgreSQL's SQLSTATE: whole classes by two characters, single errors by five.
POSTGRESQL = frozenset(
    (
        "08",  # connection exception
        "28",  # the role is not let in: raised only when connecting
        "53000",  # insufficient resources
        "53100",  # disk full
        "53200",  # out of memory
        "53300",  # too many connections
        "57P01",  # the server is shut down
        "57P02",  # the server has crashed
        "57P03",  # the server cannot be connected to now
        "57P04",  # the database was dropped
        "57P05",  # the connection was ended because it was idle
        "58000",  # system error
        "58030",  # input or output error
        "58P01",  # a file of the database is missing
        "25006",  # read only: a standby, or a disk that refuses
        "25P03",  # the connection was ended because its transaction was idle
        "25P04",  # the connection was ended because its transaction took too long
        "XX001",  # data corrupted
        "XX002",  # index corrupted
    )
)


def is_of_storage(error: BaseException) -> bool:
    """True if an exception is about the connection or the disk, and not about what was asked."""
    raised = error.__cause__ or error  # Django wraps what the driver raises
    if isinstance(raised, sqlite3.Error):
        return getattr(raised, "sqlite_errorcode", 0) & PRIMARY in SQLITE
    state: str | None = getattr(raised, "sqlstate", None)
    if state is not None:
        return state in POSTGRESQL or state[:2] in POSTGRESQL
    return isinstance(error, InterfaceError | OperationalError)  # the driver found no server to answer
