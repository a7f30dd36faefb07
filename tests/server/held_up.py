"""Delay the results of database reads."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

WAIT_S = 20


class HeldUp:
    """Wraps a read whose results can be delayed; `asked` lists the arguments so far."""

    def __init__(self, read: Callable[[Any], Any]) -> None:
        self.asked: list[Any] = []
        self.found, self.may_end = threading.Event(), threading.Event()
        self.may_end.set()
        self._read = read

    def __call__(self, asked: Any) -> Any:
        self.asked.append(asked)
        found = self._read(asked)
        self.found.set()
        assert self.may_end.wait(WAIT_S)
        return found

    def hold(self) -> None:
        """Delay the results of reads until `may_end` is set."""
        self.found.clear()
        self.may_end.clear()

    async def has_found(self) -> None:
        """Wait until the delayed read has its result."""
        assert await asyncio.to_thread(self.found.wait, WAIT_S)


@contextmanager
def held_up(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldUp]:
    """Wrap a module's `read` within the block, so that its results can be delayed."""
    reading = HeldUp(module.read)
    monkeypatch.setattr(module, "read", reading)
    yield reading
    reading.may_end.set()
