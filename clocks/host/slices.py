"""Split long writes into short transactions, so that presses don't wait.

SQLite allows one writer at a time (see `yielding.py`). The pause after each slice is longer than the slice took,
because a writer waiting for the lock polls it at growing intervals.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import QuerySet

from clocks.host.yielding import rest

SLICE = 10  # objects per slice, stored with their related rows
SOME = 50  # rows per slice, deleted by the ORM
ROWS = 200  # rows per slice, of a single table
SHORTEST_REST_S, LONGEST_REST_S = 0.005, 60.0
_NORMAL = 1  # PRAGMA synchronous: flush to disk only at checkpoints

T = TypeVar("T")


def in_slices(rows: Sequence[T], store: Callable[[Sequence[T]], object], size: int = SLICE) -> None:
    """Store rows in slices, each in its own transaction unless the caller is in one.

    Outside a transaction on SQLite, pauses after each slice except the last.
    """
    *some, last = [rows[begin : begin + size] for begin in range(0, len(rows), size)] or [()]
    alone = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _without_waiting_for_the_disk() if alone and some else nullcontext():
        for each in some:
            began = time.monotonic()
            with transaction.atomic():
                store(each)
            if alone:
                rest(began, LONGEST_REST_S, SHORTEST_REST_S, times=1.5)
    if last:
        with transaction.atomic():
            store(last)


@contextmanager
def _without_waiting_for_the_disk() -> Iterator[None]:
    """Commit without flushing to disk, which would hold the write lock for longer.

    The next durable commit flushes everything.
    """
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        (usual,) = cursor.fetchone()
        cursor.execute(f"PRAGMA synchronous = {min(usual, _NORMAL)}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA synchronous = {usual}")


def delete_in_slices(rows: QuerySet[Any], size: int = SOME) -> None:
    """Delete rows and their related rows, in slices."""
    manager = rows.model._default_manager
    in_slices(list(rows.values_list("pk", flat=True)), lambda some: manager.filter(pk__in=some).delete(), size)


def update_in_slices(sql: str, rows: Sequence[Sequence[Any]]) -> None:
    """Execute a statement for each row of values, in slices."""

    def update(some: Sequence[Sequence[Any]]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(sql, some)

    in_slices(rows, update, ROWS)
