"""A reading of the database whose answer a test holds up."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

WAIT_S = 20


class HeldUp:
    """What was asked of a reading, whether it has found something, and what holds its answer up."""

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
        """Hold up the answer to whatever is asked next."""
        self.found.clear()
        self.may_end.clear()

    async def has_found(self) -> None:
        """Wait until something was found."""
        assert await asyncio.to_thread(self.found.wait, WAIT_S)


@contextmanager
def held_up(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldUp]:
    """Have what `read` of a module finds held up; nothing is, once this is over."""
    reading = HeldUp(module.read)
    monkeypatch.setattr(module, "read", reading)
    yield reading
    reading.may_end.set()
