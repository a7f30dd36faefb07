"""The thread that writes: it drains a queue and hands over all that waits as one batch."""

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

LARGEST_BATCH = 500

T = TypeVar("T")


class Writer(Generic[T]):
    """One thread a process, begun with the first item. `settle` must not raise."""

    def __init__(self, settle: Callable[[list[T]], None]) -> None:
        self._settle = settle
        self._queue: SimpleQueue[tuple[T, ...]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def put(self, *items: T) -> None:
        """Queue items, all for the same batch; never waits. Without any, a batch is settled even if nothing waits."""
        if self._thread is None:
            self._start()
        self._queue.put(items)

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
            self._settle([item for items in drained for item in items])
