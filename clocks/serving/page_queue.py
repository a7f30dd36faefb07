"""Fair queue of page requests, served by a fixed pool of threads.

Django gives each request its own thread. With a few hundred at once, the event loop's thread, which receives the
presses, would run only once in a few hundred switches. Here requests share a few places, each with a permanent thread.

Each user with a valid session and each phone with a valid token has an account. All others from one address share an
account, since nothing distinguishes a newcomer from a flood. Places are assigned round-robin by rank of account, and
within a rank by account and kind of page; no account has more than half of them for one kind. Anybody can get a phone
token, so one place is reserved for ranks that not everybody can get: users, and phones that play in a tournament. The
kind is the first part of the path; unknown paths are all one kind.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Container
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from asgiref.sync import ThreadSensitiveContext

from clocks.host import garbage
from clocks.host.ratelimit import client_key
from clocks.host.yielding import OF_PAGES, lower_thread_priority, shorten_switch_interval
from clocks.serving.asgi import Application, Receive, Scope, Send

PLACES = 4
# Most pending requests per account and kind of page; of static files, a single page loads forty.
MOST_WAITING, MOST_FILES_WAITING = 500, 4_000
LONGEST_WAIT_S = 20.0

REFUSED = (
    b'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Busy</title>'
    b"<p>Too many pages are asked for at once. This one is asked for again in a moment."
)

Account = tuple[str, str | int]  # rank and key
Key = tuple[str, str | int, str]
AccountOf = Callable[[Scope], Awaitable[Account | None]]
STRANGERS = "stranger"
RANKS_OF_FEW = ("user", "seat")
MADE_UP = "?"  # kind of all unknown paths


class PageQueue:
    """ASGI middleware that limits concurrent requests and queues the others fairly."""

    def __init__(
        self, application: Application, kinds: Container[str], account_of: AccountOf, places: int = PLACES
    ) -> None:
        """Wrap `application`.

        `kinds` are the first parts of its paths; `account_of` returns None for an unknown client.
        """
        self.application, self._kinds, self._account_of = application, kinds, account_of
        self._most_of_one = max(1, places // 2)
        self._most_of_anybody = max(1, places - 1)
        low = partial(lower_thread_priority, OF_PAGES)
        self._free = [ThreadPoolExecutor(1, f"page-{number}", initializer=low) for number in range(places)]
        # Pending requests by rank and key, next one first.
        self._waiting: dict[str, dict[Key, deque[asyncio.Future[ThreadPoolExecutor]]]] = {}
        self._at_work: Counter[Key] = Counter()
        self._of_anybody = 0  # places held by clients of ranks that anybody can have

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request once a place is free; 503 if its queue is full or too slow."""
        key = await self._key(scope)
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
        """Wait for a thread.

        None after LONGEST_WAIT_S, or if too many requests with this key are pending.
        """
        most = MOST_FILES_WAITING if key[2] == "static" else MOST_WAITING
        of_rank = self._waiting.setdefault(key[0], {})
        if len(of_rank.get(key, ())) >= most:
            return None
        turn = asyncio.get_running_loop().create_future()
        of_rank.setdefault(key, deque()).append(turn)
        self._hand_out()
        try:
            return await asyncio.wait_for(turn, LONGEST_WAIT_S)
        except TimeoutError:
            return None
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(key, turn.result())
            raise

    async def _key(self, scope: Scope) -> Key:
        """Rank, account and kind of page of a request."""
        client = scope.get("client") or ("", 0)
        kind = scope["path"].removeprefix("/").partition("/")[0]
        rank, who = await self._account_of(scope) or (STRANGERS, client_key(client[0]))
        return rank, who, kind if kind in self._kinds else MADE_UP

    def _leave(self, key: Key, thread: ThreadPoolExecutor) -> None:
        self._at_work[key] -= 1
        self._of_anybody -= key[0] not in RANKS_OF_FEW
        if not self._at_work[key]:
            del self._at_work[key]
        self._yield()
        self._free.append(thread)
        self._hand_out()

    def _yield(self) -> None:
        """Tune the switch interval and garbage collection to the number of running pages."""
        pages = self._at_work.total()
        shorten_switch_interval(pages)
        garbage.with_pages(pages)

    def _hand_out(self) -> None:
        """Assign free places round-robin by rank, and within a rank by key."""
        while self._free:
            key = self._next()
            if key is None:
                return
            of_rank = self._waiting.pop(key[0])
            turns = of_rank.pop(key)
            turn = turns.popleft()
            if turns:
                of_rank[key] = turns
            if of_rank:
                self._waiting[key[0]] = of_rank
            if not turn.done():  # otherwise the client has gone
                self._at_work[key] += 1
                self._yield()
                self._of_anybody += key[0] not in RANKS_OF_FEW
                turn.set_result(self._free.pop())

    def _next(self) -> Key | None:
        """Next key in turn, or None if none may have another place."""
        for rank, keys in self._waiting.items():
            if rank in RANKS_OF_FEW or self._of_anybody < self._most_of_anybody:
                key = next((key for key in keys if self._at_work[key] < self._most_of_one), None)
                if key is not None:
                    return key
        return None


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"retry-after", b"3"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": REFUSED})
