"""Schedule garbage collections, which stop all threads and so delay presses.

A full collection takes 0.2 s with 2,000 phones, so it runs only every ten minutes. A young one takes longer the more
new objects are alive: up to 0.1 s in the middle of a large page. So while pages are computed, collections run only as
one finishes: most of its objects have been freed by then. Play and sockets create no reference cycles.

Freeing a list of a thousand matches also stops all threads, for some 15 ms. So such rows are freed one by one
(`one_by_one`), or read by an iterator that holds few at a time.
"""

import asyncio
import gc
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from django.db.models import Model

SOME_OBJECTS, YOUNG_PASSES, NEVER = 5_000, 3, 1_000_000_000
FULL_PASS_S = 600.0

FREED_ROWS = 50  # chunk size for such an iterator

Row = TypeVar("Row", bound=Model)
T = TypeVar("T")

_paused = 0  # pages being computed with the collector off; 0 unless `with_pages` turned it off


def begin() -> None:
    """Freeze all existing objects; from now on, collect only young ones automatically."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(SOME_OBJECTS, YOUNG_PASSES, NEVER)


async def collect_fully() -> None:
    """Run a full collection every ten minutes."""
    while True:
        await asyncio.sleep(FULL_PASS_S)
        gc.collect()


def with_pages(pages: int) -> None:
    """Pause the collector while pages are computed; collect as one finishes, if due."""
    global _paused
    if not _paused:
        if pages and gc.isenabled():
            gc.disable()
            _paused = pages
        return
    young, passes, _ = gc.get_count()
    if young > SOME_OBJECTS and pages < _paused:
        gc.collect(int(passes >= YOUNG_PASSES))
    if not pages:
        gc.enable()
    _paused = pages


def one_by_one(rows: list[T]) -> Iterator[T]:
    """Yield the rows of a list in order, removing each from the list first."""
    rows.reverse()
    while rows:
        yield rows.pop()


def without_cycles(rows: Iterable[Row], name: str) -> list[Row]:
    """Fetch rows, and drop the cached back references of one-to-one field `name`."""
    read = list(rows)
    relation: Any = read[0]._meta.get_field(name) if read else None
    for row in read:
        related = relation.get_cached_value(row, default=None)
        if related is not None and relation.remote_field.is_cached(related):
            relation.remote_field.delete_cached_value(related)
    return read
