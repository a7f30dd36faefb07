"""The threads that ask the database for sockets: a few for those that open, and others for those already open.

Channels' own way is one thread for everything, in which a director's ruling would wait behind every page that opens.
"""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import connection

P = ParamSpec("P")
T = TypeVar("T")

# SQLite answers at once, so a second thread would only take the interpreter away from those who are playing.
_opens = ThreadPoolExecutor(1 if connection.vendor == "sqlite" else 4, "open")
_others = ThreadPoolExecutor(1, "ruling")


def opening(work: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Return `work`, to be awaited, in a thread for sockets that open."""
    return _in(_opens, work)


def ruling(work: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Return `work`, to be awaited, in a thread for sockets that are open: never behind one that opens."""
    return _in(_others, work)


def _in(pool: ThreadPoolExecutor, work: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    made: Any = database_sync_to_async(work, thread_sensitive=False, executor=pool)
    found: Callable[P, Awaitable[T]] = made
    return found
