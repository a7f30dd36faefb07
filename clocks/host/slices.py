"""Long writes in slices, each a short transaction, so that presses wait for none of them.

While somebody writes to SQLite, nobody else can. The rest after each slice is longer than it took: whoever waits for
SQLite's lock looks again after pauses that grow with the wait.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import QuerySet

SLICE = 10  # things that are stored with all that belongs to them
ROWS = 200  # plain rows of one table
SHORTEST_REST_S = 0.005

T = TypeVar("T")


def in_slices(rows: Sequence[T], store: Callable[[Sequence[T]], object], size: int = SLICE) -> None:
    """Hand all rows to `store`, so many at a time; within a transaction of the caller's it all belongs to that."""
    for begin in range(0, len(rows), size):
        began = time.monotonic()
        with transaction.atomic():
            store(rows[begin : begin + size])
        if not connection.in_atomic_block and connection.vendor == "sqlite" and begin + size < len(rows):
            time.sleep(max(SHORTEST_REST_S, 1.5 * (time.monotonic() - began)))


def delete_in_slices(rows: QuerySet[Any], size: int = ROWS) -> None:
    """Delete these rows with all that belongs to them."""
    manager = rows.model._default_manager
    in_slices(list(rows.values_list("pk", flat=True)), lambda some: manager.filter(pk__in=some).delete(), size)


def update_in_slices(sql: str, rows: Sequence[Sequence[Any]]) -> None:
    """Execute a plain statement for each of these rows of values."""

    def update(some: Sequence[Sequence[Any]]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(sql, some)

    in_slices(rows, update, ROWS)
