"""Writer thread: drains its queue and settles the items in batches.

A commit costs five times as much as a press. So the thread sleeps after each batch that is not small
(`host/yielding.py`): under load, presses accumulate meanwhile, and a single press does not delay the next one.
"""

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from clocks.host.yielding import rest

LARGEST_BATCH = 500
LONGEST_REST_S = 0.004
FEW = 2  # no sleep after a batch of at most this many items

T = TypeVar("T")


class Writer(Generic[T]):
    """One thread per process, started with the first item. `settle` must not raise."""

    def __init__(self, settle: Callable[[list[T]], None]) -> None:
        self._settle = settle
        self._queue: SimpleQueue[tuple[T, ...]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._busy_since: float | None = None

    def enqueue(self, *items: T) -> None:
        """Queue items for the same batch, without blocking.

        Without items, the thread still settles a batch, which may be empty.
        """
        if self._thread is None:
            self._start()
        self._queue.put(items)

    def busy_s(self) -> float:
        """Seconds since the current batch began; 0 if there is none."""
        since = self._busy_since
        return 0.0 if since is None else time.monotonic() - since

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="desk", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while True:
            drained = [self._queue.get()]
            try:
                while len(drained) < LARGEST_BATCH:
                    drained.append(self._queue.get_nowait())
            except Empty:
                pass
            self._busy_since = began = time.monotonic()
            items = [item for together in drained for item in together]
            self._settle(items)
            self._busy_since = None
            if len(items) > FEW:
                rest(began, LONGEST_REST_S)
