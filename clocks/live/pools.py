"""Thread pools for database access: one for opening sockets, one for open ones.

Channels uses one thread for everything, so a director's ruling would wait behind all opening sockets.
"""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import connection

P = ParamSpec("P")
T = TypeVar("T")

# SQLite answers at once, so a second thread would only compete with presses for the GIL.
_opens = ThreadPoolExecutor(1 if connection.vendor == "sqlite" else 4, "open")
_others = ThreadPoolExecutor(1, "ruling")


def opening(work: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Wrap `work` to run in a thread for opening sockets."""
    return _in(_opens, work)


def ruling(work: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Wrap `work` to run in the thread for open sockets."""
    return _in(_others, work)


def _in(pool: ThreadPoolExecutor, work: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    made: Any = database_sync_to_async(work, thread_sensitive=False, executor=pool)
    found: Callable[P, Awaitable[T]] = made
    return found
