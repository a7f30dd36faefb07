"""Desk transactions, which get SQLite's write lock as soon as it is free.

SQLite polls a busy lock at intervals that grow from 1 to 100 ms, so a press would wait for twice as long as others hold
the lock. The desk polls every millisecond, and so usually gets the lock before all others.
"""

import sqlite3
import time
from contextlib import ExitStack

from django.db import OperationalError, connection, transaction

from clocks.desk.storage_faults import PRIMARY

POLL_MS = 1
PATIENCE_S = 20.0

_impatient: list[object] = [None]  # connection whose busy timeout is POLL_MS


def begin() -> ExitStack:
    """Begin a durable transaction, which ends with the returned context manager."""
    with ExitStack() as stack:
        if connection.vendor == "sqlite":
            _begin_soon(stack)
        else:
            stack.enter_context(transaction.atomic(durable=True))
        return stack.pop_all()


def _begin_soon(stack: ExitStack) -> None:
    connection.ensure_connection()
    if _impatient[0] is not connection.connection:
        connection.connection.execute(f"PRAGMA busy_timeout = {POLL_MS}")
        _impatient[0] = connection.connection
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            stack.enter_context(transaction.atomic(durable=True))
            return
        except OperationalError as error:
            code = getattr(error.__cause__, "sqlite_errorcode", 0)
            if code & PRIMARY != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            error.__traceback__ = None  # would form a reference cycle (`host/garbage.py`)
