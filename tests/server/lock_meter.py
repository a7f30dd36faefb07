"""Measure how long each transaction holds SQLite's write lock.

`BEGIN IMMEDIATE` takes the lock, and a commit or rollback releases it; a writing statement outside a transaction holds
it while it runs. Time spent in Python counts as much as time in SQLite, since other writers wait for both.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import SQLiteCursorWrapper

DESK = "desk"  # name of the desk's thread
_preparing: list[str] = []  # non-empty while a writer prepares its data
_READ = ("SELECT", "PRAGMA", "EXPLAIN", "SAVEPOINT", "RELEASE")


class Held(NamedTuple):
    """A period of holding the write lock: thread, CPU time, wall time, statements."""

    thread: str
    cpu_ms: float
    ms: float
    statements: int
    first: str


class Meter:
    """Records periods of holding the write lock."""

    def __init__(self) -> None:
        self.held: list[Held] = []
        self._open: dict[int, tuple[int, int, list[str]]] = {}

    @property
    def outside_the_desk(self) -> list[Held]:
        """Periods held by any thread but the desk's."""
        return [each for each in self.held if each.thread != DESK]

    def longest(self, thread: str = "") -> Held:
        """Period with the most CPU time, in one thread or in all."""
        found = [each for each in self.held if not thread or each.thread == thread]
        return max(found, key=lambda each: each.cpu_ms, default=Held("", 0.0, 0.0, 0, ""))

    def began(self, statement: str = "") -> None:
        """Record that this thread has acquired the lock, unless it is preparing."""
        if _preparing:
            return
        now = time.thread_time_ns(), time.perf_counter_ns(), [statement] if statement else []
        self._open[threading.get_ident()] = now

    def ended(self) -> None:
        """Record that this thread has released the lock, if it held it."""
        begun = self._open.pop(threading.get_ident(), None)
        if begun is not None:
            cpu, wall, statements = begun
            took = (time.thread_time_ns() - cpu) / 1e6, (time.perf_counter_ns() - wall) / 1e6
            first = statements[0][:80] if statements else ""
            self.held.append(Held(threading.current_thread().name, *took, len(statements), first))

    def saw(self, statement: str) -> None:
        """Record a statement within a transaction."""
        begun = self._open.get(threading.get_ident())
        if begun is not None:
            begun[2].append(statement)


@contextmanager
def preparing() -> Iterator[None]:
    """Suspend measuring within the block, in all threads."""
    _preparing.append("")
    try:
        yield
    finally:
        _preparing.pop()


@contextmanager
def measured() -> Iterator[Meter]:
    """Measure within the block, in all threads and connections."""
    meter = Meter()
    execute, executemany = SQLiteCursorWrapper.execute, SQLiteCursorWrapper.executemany
    commit, rollback = BaseDatabaseWrapper._commit, BaseDatabaseWrapper._rollback

    def around(run: Any, cursor: Any, query: str, *values: Any) -> Any:
        if query.startswith("BEGIN"):
            done = run(cursor, query, *values)
            meter.began()
            return done
        if cursor.connection.in_transaction:
            meter.saw(query)
            return run(cursor, query, *values)
        if query.lstrip(" (").upper().startswith(_READ):
            return run(cursor, query, *values)
        meter.began(query)
        try:
            return run(cursor, query, *values)
        finally:
            meter.ended()

    def ending(run: Any, connection: BaseDatabaseWrapper) -> Any:
        try:
            return run(connection)
        finally:
            meter.ended()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SQLiteCursorWrapper, "execute", lambda *given: around(execute, *given))
        patch.setattr(SQLiteCursorWrapper, "executemany", lambda *given: around(executemany, *given))
        patch.setattr(BaseDatabaseWrapper, "_commit", lambda each: ending(commit, each))
        patch.setattr(BaseDatabaseWrapper, "_rollback", lambda each: ending(rollback, each))
        yield meter
