"""Server-sent events as an ASGI app outside Django: streams don't occupy threads.

Clients resume after `Last-Event-ID`, from memory or from the database. A reader is dropped if too much output is
buffered for it, or if it stalls while catching up.
"""

import asyncio
import re
from contextlib import suppress
from random import random
from urllib.parse import parse_qs

from channels.db import database_sync_to_async

from clocks.feed.encoding import Encoded, Wanted, encoded_event, in_one
from clocks.feed.kinds import KINDS
from clocks.feed.problems import MEDIA_TYPE, NOT_FOUND, Problem
from clocks.feed.readers import Room, readers
from clocks.feed.recorder import with_what_they_name
from clocks.host.ratelimit import RateLimiter, client_key
from clocks.models import FeedEvent, Tournament
from clocks.people import api_tokens
from clocks.people.roles import Action, tournaments_of
from clocks.serving.asgi import Application, Receive, Scope, Send
from clocks.serving.streams import Piece, Stream, stream_of

PATH = re.compile(r"/api/v1/tournaments/([-\w]+)/feed")
BEARER = re.compile(r"bearer +", re.IGNORECASE)
COMMENT, COMMENT_S = Piece(b":\n\n"), 15.0
AT_ONCE = 100  # events per database query
MOST_UNSENT = 256_000  # bytes buffered per reader before it is dropped
ENOUGH_UNSENT = 64_000  # backpressure: above this many bytes unsent, catching up pauses
PATIENCE_S, LOOK_S = 60.0, 0.05  # stall timeout while catching up, and its poll interval, in seconds
MOST, MOST_OF_ONE = 1_000, 600  # most readers per process, and per address (a whole hall may share one)
OPENS = RateLimiter(burst=MOST_OF_ONE, per_s=20.0)  # per address: opening is costly, and may replay the feed
DOCUMENT = {
    "get": {
        "operationId": "follow",
        "summary": "Follow a tournament",
        "description": (
            "Server-sent events, until you disconnect: " + " ".join(f"`{kind}`: {KINDS[kind]}" for kind in KINDS)
        ),
        "parameters": [
            {"in": "path", "name": "slug", "required": True, "schema": {"type": "string"}},
            {
                "in": "header",
                "name": "Last-Event-ID",
                "required": False,
                "schema": {"type": "integer", "minimum": 0},
                "description": "The number of the last event you have. Later events follow, each once.",
            },
            {
                "in": "query",
                "name": "since",
                "required": False,
                "schema": {"type": "integer", "minimum": 0},
                "description": "Same, for clients that cannot send headers.",
            },
            {
                "in": "query",
                "name": "only",
                "required": False,
                "schema": {"type": "string"},
                "description": "Only these kinds, separated by commas.",
            },
        ],
        "responses": {
            "200": {
                "description": "The id of each event is its number in the tournament, its data an EventShape. "
                "A comment comes every 15 s.",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
            **{
                status: {
                    "description": words,
                    "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}},
                }
                for status, words in (
                    ("401", "No valid token, and the feed is not public."),
                    ("404", "This token sees no such tournament."),
                    ("422", "A parameter is wrong."),
                    ("429", "Too many connections follow already."),
                )
            },
        },
        "security": [{"Token": []}, {}],
    }
}

_of_address: dict[str, int] = {}
_looked_up_at: dict[tuple[str, str], float] = {}  # loop time of the last permission check, by (slug, token)


class Feeds:
    """ASGI middleware that serves the feeds and passes other requests on."""

    def __init__(self, rest: Application) -> None:
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a feed until its reader disconnects."""
        asked = PATH.fullmatch(scope["path"])
        if asked is None:
            await self._rest(scope, receive, send)
            return
        address = client_key((scope.get("client") or ("", 0))[0])
        try:
            if scope["method"] != "GET":
                raise Problem(405, f"This address takes GET, not {scope['method']}.", headers={"Allow": "GET"})
            too_many = readers.count() >= MOST or _of_address.get(address, 0) >= MOST_OF_ONE
            if too_many or not OPENS.take(address):
                words = "Too many follow already. Try again in a minute."
                raise Problem(429, words, headers={"Retry-After": "60"})
            reader = _Reader(scope, asked.group(1), send)
            await reader.look_up()
        except Problem as problem:
            await _send_problem(send, problem)
            return
        _of_address[address] = _of_address.get(address, 0) + 1
        try:
            await reader.serve(receive)
        finally:
            _of_address[address] -= 1
            if not _of_address[address]:
                del _of_address[address]


class _Reader:
    """A reader of a tournament's feed; `number` is that of the last event sent.

    The reader's own task sends the backlog; once it is up to date, its room writes to it.
    """

    def __init__(self, scope: Scope, slug: str, send: Send) -> None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        self._slug, self._scope, self._send = slug, scope, send
        self._token = BEARER.sub("", headers.get(b"authorization", "")).strip()
        self._given = headers.get(b"last-event-id") or (query.get("since") or [""])[0]
        self._given_by = "Last-Event-ID" if headers.get(b"last-event-id") else "since"
        only = frozenset(filter(None, (query.get("only") or [""])[0].split(",")))
        self._wanted = Wanted(bool(self._token), only)
        self._tournament_id = 0
        self._stream = Stream(send)
        self._woken = asyncio.Event()  # set when disconnected, dropped, or behind the room's buffer
        self._dropped = self._up_to_date = False
        # Jitter: readers that reconnect together, for example after a restart, get their comments at different times.
        self._comment_at = asyncio.get_running_loop().time() + COMMENT_S * random()
        self.number = 0

    async def look_up(self) -> None:
        """Find the tournament and the starting number. Raises Problem."""
        if self._given and not (self._given.isascii() and self._given.isdigit()):
            words = f"{self._given_by} must be the number of an event."
            raise Problem(422, words, errors=[(self._given_by, words)])
        unknown = self._wanted.only - KINDS.keys()
        if unknown:
            words = f"only names {sorted(unknown)[0][:40]}, which is no kind of event: {', '.join(KINDS)}."
            raise Problem(422, words, errors=[("only", words)])
        self._tournament_id = await database_sync_to_async(self._find)()
        last = await database_sync_to_async(self._last)()
        self.number = min(int(self._given[:12]), last) if self._given else last

    def _find(self) -> int:
        """Id of the tournament, if this reader may follow it. Raises Problem."""
        if self._token:
            token = api_tokens.find(self._token)
            if token is None:
                raise Problem(401, "This token is unknown, revoked or has expired.")
            api_tokens.note_use(token)
            found = tournaments_of(token.user, Action.WATCH).filter(slug=self._slug).first()
        else:
            found = Tournament.objects.filter(slug=self._slug, public_feed=True).first()
            if found is None:
                raise Problem(401, "Send a token that is valid: “Authorization: Bearer …”. This feed is not public.")
        if found is None:
            raise Problem(404, NOT_FOUND)
        return found.pk

    def _last(self) -> int:
        newest = FeedEvent.objects.filter(tournament=self._tournament_id).order_by("-number").first()
        return newest.number if newest is not None else 0

    def _read(self) -> list[Encoded]:
        later = FeedEvent.objects.filter(tournament=self._tournament_id, number__gt=self.number)
        return [encoded_event(event) for event in with_what_they_name(later.order_by("number")[:AT_ONCE])]

    async def serve(self, receive: Receive) -> None:
        """Send backlog and new events until the reader disconnects or is dropped."""
        gone = asyncio.ensure_future(_gone(receive))
        gone.add_done_callback(lambda _: self._woken.set())
        room = readers.join(self._tournament_id, self)
        try:
            headers = _headers(public=not self._token)
            await self._send({"type": "http.response.start", "status": 200, "headers": headers})
            # Send the id at once, so that a browser cut off before the first event resumes from there.
            beginning = b"retry: 2000\nid: %d\n\n" % self.number
            await self._send({"type": "http.response.body", "body": beginning, "more_body": True})
            self._stream = stream_of(self._scope, self._send)
            while not gone.done() and await self._catch_up(room) and await self._may_go_on():
                self._woken.clear()
        finally:
            readers.leave(self._tournament_id, self)
            _looked_up_at.pop((self._slug, self._token), None)
            gone.cancel()
            self._dropped = True
            self._stream.drop()

    async def _catch_up(self, room: Room) -> bool:
        """Send the backlog, from the database if the room no longer has it.

        Afterwards the room writes to the reader. Returns False if the reader stalled or lost its permission.
        """
        while not (self._up_to_date or self._woken.is_set()):
            missing = not room.reaches(self.number)
            if missing:
                await self._until_some_is_sent()
                if not await self._still_may():
                    return False
                fresh = await database_sync_to_async(self._read)()
                if fresh:
                    self._write(Piece(in_one(fresh, self._wanted)))
                    self.number = fresh[-1].number
                # A room without events needs no second read: its first event will be newer.
                missing = len(fresh) == AT_ONCE or (room.number > 0 and not room.reaches(self.number))
            if not missing:
                self._up_to_date = True
                self.tell(room)
        return not self._dropped

    async def _until_some_is_sent(self) -> None:
        """Backpressure: wait while too much is unsent; drop a reader that stalls."""
        unsent, waited_s = self._stream.unsent(), 0.0
        while unsent > ENOUGH_UNSENT and not self._woken.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), LOOK_S)
            before, unsent = unsent, self._stream.unsent()
            waited_s = 0.0 if unsent < before else waited_s + LOOK_S
            if waited_s >= PATIENCE_S:
                self._drop()

    def tell(self, room: Room) -> bool:
        """Send the room's new events, encoded once for all readers with this filter.

        If the room no longer has some of them, wake this reader's task, which reads them from the database.
        """
        if self._up_to_date and room.number > self.number:
            if room.reaches(self.number):
                piece = room.since(self.number, self._wanted)
                self.number = room.number
                return self._write(piece)
            self._up_to_date = False
            self._woken.set()
        return False

    def _write(self, piece: Piece) -> bool:
        """Send a piece, unless it is empty; drop the reader if too much is unsent."""
        if not piece.data or self._dropped:
            return False
        self._stream.write(piece)
        if self._stream.unsent() > MOST_UNSENT:
            self._drop()
        return True

    def _drop(self) -> None:
        self._dropped = True
        self._stream.drop()
        self._woken.set()

    async def _may_go_on(self) -> bool:
        """Wait for a wake-up or the next comment. False if the reader lost its permission."""
        with suppress(TimeoutError):
            wait_s = self._comment_at - asyncio.get_running_loop().time()
            await asyncio.wait_for(self._woken.wait(), wait_s)
        return await self._still_may()

    async def _still_may(self) -> bool:
        """Check permission and send a heartbeat every 15 s, however busy the feed is."""
        clock = asyncio.get_running_loop().time
        if clock() < self._comment_at:
            return True
        self._comment_at = clock() + COMMENT_S
        try:
            await self._look_up_again()
        except Problem:
            return False
        self._write(COMMENT)
        return True

    async def _look_up_again(self) -> None:
        """Check permission, at most every 15 s per tournament and token.

        Raises Problem.
        """
        now, by = asyncio.get_running_loop().time(), (self._slug, self._token)
        if now - _looked_up_at.get(by, -COMMENT_S) < COMMENT_S:
            return
        _looked_up_at[by] = now
        try:
            await database_sync_to_async(self._find)()
        except Problem:
            _looked_up_at.pop(by, None)
            raise


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _headers(public: bool) -> list[tuple[bytes, bytes]]:
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
    ]
    return [*headers, (b"access-control-allow-origin", b"*")] if public else headers


async def _send_problem(send: Send, problem: Problem) -> None:
    headers = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    headers.append((b"x-content-type-options", b"nosniff"))
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": problem.body()})
