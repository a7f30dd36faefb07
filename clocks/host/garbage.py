"""Timing of garbage collections, which stop all threads, presses included.

A full one takes 0.2 s with 2,000 phones, so it runs once in ten minutes. A young one takes longer the more new objects
are alive: up to 0.1 s in the middle of a large page. So none starts while pages are computed, except when one ends:
most of its objects have been freed by then, and its cycles are found quickly. Play and sockets leave no cycles.

Freeing a list of a thousand matches also stops all threads, for some 15 ms. So such rows are dropped one by one
(`one_by_one`), or read by an iterator, which holds few at a time.
"""

import asyncio
import gc
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from django.db.models import Model

SOME_OBJECTS, YOUNG_PASSES, NEVER = 5_000, 3, 1_000_000_000
FULL_PASS_S = 600.0

FREED_ROWS = 50  # rows that such an iterator holds, and frees together

Row = TypeVar("Row", bound=Model)
T = TypeVar("T")

_paused = 0  # pages being computed with the collector off; 0 unless `with_pages` turned it off


def begin() -> None:
    """Freeze all present objects, and collect only young ones automatically."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(SOME_OBJECTS, YOUNG_PASSES, NEVER)


async def collect_fully() -> None:
    """Collect everything once in ten minutes."""
    while True:
        await asyncio.sleep(FULL_PASS_S)
        gc.collect()


def with_pages(pages: int) -> None:
    """Pause the collector while pages are computed; collect young cycles after each."""
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
    """Read rows, and drop the back references of the one-to-one relation `name`."""
    read = list(rows)
    relation: Any = read[0]._meta.get_field(name) if read else None
    for row in read:
        related = relation.get_cached_value(row, default=None)
        if related is not None and relation.remote_field.is_cached(related):
            relation.remote_field.delete_cached_value(related)
    return read
