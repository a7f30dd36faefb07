"""How many pages are worked on at once, and whose is next.

Django gives each request a thread of its own: a few hundred requests at once would leave the event loop, which hears
the presses, one turn in a few hundred. Here a request gets one of a few places, each with a thread that stays. Whoever
asks for most waits longest: the places go round by who asks and for which kind of page, and no such pair has more than
half of them. Kinds are those that there are: addresses that somebody made up are one, however they begin.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Container
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext

from clocks.host.allowance import payer

PLACES = 4
MOST_WAITING, MOST_FILES_WAITING = 100, 4_000  # of one client: pages of a kind; files, of which a page has forty
LONGEST_WAIT_S = 20.0

REFUSED = (
    b'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Busy</title>'
    b"<p>Too many pages are asked for at once. This one is asked for again in a moment."
)

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]
Key = tuple[str, str]
MADE_UP = "?"  # the kind of whatever is at no address


class PageQueue:
    """An ASGI application that lets another one answer requests, a few at a time."""

    def __init__(self, application: Application, kinds: Container[str], places: int = PLACES) -> None:
        """Let `application` answer; `kinds` are the first parts of the paths that it knows."""
        self.application, self._kinds = application, kinds
        self._most_of_one = max(1, places // 2)
        self._free = [ThreadPoolExecutor(1, f"page-{number}") for number in range(places)]
        self._waiting: dict[Key, deque[asyncio.Future[ThreadPoolExecutor]]] = {}  # the next in turn comes first
        self._at_work: Counter[Key] = Counter()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer a request once there is a place for it; refuse it where too many wait already."""
        key = self._key(scope)
        thread = await self._place(key)
        if thread is None:
            await _refuse(send)
            return
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.application(scope, receive, send)
        finally:
            self._leave(key, thread)

    async def _place(self, key: Key) -> ThreadPoolExecutor | None:
        """Return a thread to work in, None where this client has too much waiting."""
        most = MOST_FILES_WAITING if key[1] == "static" else MOST_WAITING
        if len(self._waiting.get(key, ())) >= most:
            return None
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        self._hand_out()
        try:
            return await asyncio.wait_for(turn, LONGEST_WAIT_S)
        except TimeoutError:
            return None
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(key, turn.result())
            raise

    def _key(self, scope: dict[str, Any]) -> Key:
        """Return who asks, and for which kind of page: the first part of its path."""
        client = scope.get("client") or ("", 0)
        kind = scope["path"].removeprefix("/").partition("/")[0]
        return payer(client[0]), kind if kind in self._kinds else MADE_UP

    def _leave(self, key: Key, thread: ThreadPoolExecutor) -> None:
        self._at_work[key] -= 1
        if not self._at_work[key]:
            del self._at_work[key]
        self._free.append(thread)
        self._hand_out()

    def _hand_out(self) -> None:
        """Give the free places to those who wait, one of each key in turn."""
        while self._free:
            key = next((key for key in self._waiting if self._at_work[key] < self._most_of_one), None)
            if key is None:
                return
            turns = self._waiting.pop(key)
            turn = turns.popleft()
            if turns:
                self._waiting[key] = turns
            if not turn.done():  # otherwise nobody is waiting for it any more
                self._at_work[key] += 1
                turn.set_result(self._free.pop())


async def _refuse(send: Any) -> None:
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"retry-after", b"3"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": REFUSED})
