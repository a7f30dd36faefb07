"""Helpers for reading the feed and running its recorder."""

import asyncio
import json
from typing import Any

from clocks.feed import stream
from clocks.feed.encoding import as_json
from clocks.feed.readers import readers
from clocks.feed.recorder import recorder, with_what_they_name
from clocks.models import FeedEvent, Tournament
from tests.server import hall
from tests.server.programs import Program


def begin_anew() -> None:
    """Reset the recorder, as on a restart, and drop all readers."""
    recorder.forget()
    readers.rooms.clear()
    recorder.listeners[:] = [readers.tell]


def recorded() -> list[dict[str, Any]]:
    """Record new events and notify the readers; return all events."""
    recorder.record()
    recorder.tell()
    return [as_json(event) for event in with_what_they_name(FeedEvent.objects.order_by("number"))]


def tournament_to_follow(public: bool = False) -> tuple[str, Tournament]:
    """Create a tournament without recorded events; return a viewer's token and it."""
    tournament = hall.summer_open().tournament
    recorder.record()
    Tournament.objects.update(public_feed=public)
    return Program(tournament, "viewer").token, tournament


class Following:
    """A reader of the feed, over ASGI; `events` are those received."""

    def __init__(self, token: str = "", last: int | None = None, query: str = "", stop_after: int = 1_000_000) -> None:
        self.headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
        if last is not None:
            self.headers.append((b"last-event-id", str(last).encode()))
        self.query, self.stop_after = query, stop_after
        self.status, self.answered, self.body, self.events = 0, {}, b"", []
        self.pause_s = 0.0  # delay before accepting each part of the body
        self.method = "GET"
        self.goes_on = False  # True while more of the body follows
        self.gone = asyncio.Event()
        self.heard = asyncio.Event()

    async def run(self) -> None:
        scope = {
            "type": "http",
            "method": self.method,
            "path": "/api/v1/tournaments/open/feed",
            "query_string": self.query.encode(),
            "headers": self.headers,
            "client": ("127.0.0.1", 1),
        }

        async def rest(scope: Any, receive: Any, send: Any) -> None:
            raise AssertionError("this is the feed’s address")

        await stream.Feeds(rest)(scope, self.receive, self.send)

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        if self.gone.is_set():
            return  # the client has disconnected
        await asyncio.sleep(self.pause_s)
        self.status = message.get("status", self.status)
        self.goes_on = message.get("more_body", False)
        self.answered |= {name.decode(): value.decode() for name, value in message.get("headers", ())}
        for frame in message.get("body", b"").decode().split("\n\n"):
            lines = dict(line.split(": ", 1) for line in frame.splitlines() if ": " in line)
            if "data" in lines and not self.gone.is_set():
                event = json.loads(lines["data"])
                assert (int(lines["id"]), lines["event"]) == (event["number"], event["kind"])
                self.events.append(event)
                self.heard.set()
                if len(self.events) >= self.stop_after:
                    self.gone.set()
        self.body += message.get("body", b"")

    async def upto(self, number: int) -> None:
        """Wait until the event with this number, or a later one, has arrived."""
        while not self.events or self.events[-1]["number"] < number:
            self.heard.clear()
            await asyncio.wait_for(self.heard.wait(), 20)
