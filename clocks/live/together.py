"""Batched lookups: ten at once cost little more than one.

The first lookup starts at once. Later ones wait a moment, so that they form a batch and presses are not delayed.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from clocks.live.pools import opening

MOST_TOGETHER = 80
REST_S = 0.03  # pause after a batch, because each takes its own connection and several queries

Asked = TypeVar("Asked")
Found = TypeVar("Found")


class Together(Generic[Asked, Found]):
    """Queue of pending lookups, in the event loop's thread.

    `read` looks up a batch, in a thread for opening sockets.
    """

    def __init__(self, read: Callable[[Sequence[Asked]], Sequence[Found]]) -> None:
        self._read = read
        self._waiting: deque[tuple[Asked, asyncio.Future[Found]]] = deque()
        self._working: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """Number of pending lookups."""
        return len(self._waiting)

    async def look_up(self, asked: Asked) -> Found:
        """Queue a lookup and return its result. Propagates exceptions of `read`."""
        found: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, found))
        if self._working is None:
            self._working = asyncio.ensure_future(self._work())
        return await found

    async def _work(self) -> None:
        try:
            while self._waiting:
                together = [self._waiting.popleft() for _ in range(min(MOST_TOGETHER, len(self._waiting)))]
                await self._settle(together)
                await asyncio.sleep(REST_S)
        finally:
            self._working = None

    async def _settle(self, together: Sequence[tuple[Asked, asyncio.Future[Found]]]) -> None:
        try:
            answers = await opening(self._read)([asked for asked, _ in together])
        except Exception as error:
            for _, future in together:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), answer in zip(together, answers, strict=True):
            if not future.done():  # cancelled if the socket has closed
                future.set_result(answer)
