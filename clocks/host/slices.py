"""Long writes in slices, each a short transaction, so that presses wait for none of them.

While somebody writes to SQLite, nobody else can. The rest after each slice is longer than it took: whoever waits for
SQLite's lock looks again after pauses that grow with the wait.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import QuerySet

SLICE = 10  # things that are stored with all that belongs to them
SOME = 50  # rows that the ORM deletes
ROWS = 200  # plain rows of one table
SHORTEST_REST_S = 0.005
_NORMAL = 1  # of SQLite's settings for `synchronous`: flush only when the log is moved into the database

T = TypeVar("T")


def in_slices(rows: Sequence[T], store: Callable[[Sequence[T]], object], size: int = SLICE) -> None:
    """Hand all rows to `store`, so many at a time; within a transaction of the caller's it all belongs to that."""
    alone = connection.vendor == "sqlite" and not connection.in_atomic_block
    for begin in range(0, len(rows), size):
        began, more = time.monotonic(), alone and begin + size < len(rows)
        with _without_waiting_for_the_disk() if more else nullcontext(), transaction.atomic():
            store(rows[begin : begin + size])
        if more:
            time.sleep(max(SHORTEST_REST_S, 1.5 * (time.monotonic() - began)))


@contextmanager
def _without_waiting_for_the_disk() -> Iterator[None]:
    """Let SQLite commit without a flush, under the lock: the next commit that waits for the disk brings all there."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        (usual,) = cursor.fetchone()
        cursor.execute(f"PRAGMA synchronous = {min(usual, _NORMAL)}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA synchronous = {usual}")


def delete_in_slices(rows: QuerySet[Any], size: int = SOME) -> None:
    """Delete these rows with all that belongs to them."""
    manager = rows.model._default_manager
    in_slices(list(rows.values_list("pk", flat=True)), lambda some: manager.filter(pk__in=some).delete(), size)


def update_in_slices(sql: str, rows: Sequence[Sequence[Any]]) -> None:
    """Execute a plain statement for each of these rows of values."""

    def update(some: Sequence[Sequence[Any]]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(sql, some)

    in_slices(rows, update, ROWS)
