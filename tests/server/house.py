"""Helpers for a table with two phones: matches, devices and sockets."""

import functools
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from asgiref.sync import async_to_sync
from channels.testing import WebsocketCommunicator
from django.conf import settings

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Confirm, Hit
from clocks.engine.setup import Setup
from clocks.models import Device, Match
from clocks.seats import devices
from clocks.tournament import tables
from config.asgi import application

US_2013 = {"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"]}
WAIT_S = 5.0


def make_match(**changes: Any) -> Match:
    """Create a casual match, Ann against Bob: US 2013 to 7 points, unless changed."""
    return desk.make_match(tables.add_table(tables.casual_tournament()), Setup.parse(US_2013 | changes))


def sit_down(match: Match, *seats: str) -> tuple[Device, str]:
    """Claim these seats with a new phone; return its device and token."""
    device, token = devices.join_device({})
    desk.claim_seat(match.pk, [Seat(seat) for seat in seats], device)
    return device, token


def running_match(**changes: Any) -> Match:
    """Create a confirmed match in which Bob's turn has just begun."""
    match = make_match(**changes)
    assert desk.submit_and_wait(desk.Request(match.pk, Confirm(), "director")).ok
    assert desk.submit_and_wait(desk.Request(match.pk, Hit(), "left")).ok
    return Match.objects.select_related("table").get(pk=match.pk)


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run an async test in a new event loop, with database work in the test's thread."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        async_to_sync(test)(*args, **kwargs)

    return run


class Page:
    """Socket to the whole ASGI application, as opened by a page on localhost:8000."""

    def __init__(
        self, path: str, token: str = "", cookies: str = "", headers: Sequence[tuple[bytes, bytes]] = ()
    ) -> None:
        cookies = cookies or (f"{settings.DEVICE_COOKIE_NAME}={token}" if token else "")
        given = dict(headers)
        sent = [(b"host", b"localhost:8000"), (b"origin", b"http://localhost:8000"), (b"cookie", cookies.encode())]
        sent = [(name, given.pop(name, value)) for name, value in sent] + list(given.items())
        self.frames: list[dict[str, Any]] = []
        self._socket = WebsocketCommunicator(application, path, headers=[pair for pair in sent if pair[1]])

    @classmethod
    def at(cls, match: Match, token: str = "") -> "Page":
        """Page at the match's table."""
        return cls(f"/ws/table/{match.table.code}/", token)

    async def open(self) -> dict[str, Any]:
        """Connect and return the first frame."""
        accepted, _ = await self._socket.connect(timeout=WAIT_S)
        assert accepted
        return await self.hear()

    async def refused_with(self) -> int:
        """Connect; return the code with which the server closes the accepted socket."""
        accepted, _ = await self._socket.connect(timeout=WAIT_S)
        assert accepted
        return await self.closed_with()

    async def denied(self) -> bool:
        """Try to connect. True if the handshake was rejected."""
        accepted, _ = await self._socket.connect(timeout=WAIT_S)
        return not accepted

    async def closed_with(self) -> int:
        """Wait until the server closes the socket; return its close code."""
        while (output := await self._socket.receive_output(WAIT_S))["type"] != "websocket.close":
            pass
        return output["code"]

    async def say(self, text: str | bytes | dict[str, Any]) -> None:
        """Send a frame."""
        if isinstance(text, bytes):
            await self._socket.send_to(bytes_data=text)
        else:
            await self._socket.send_to(text_data=text if isinstance(text, str) else json.dumps(text))

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """Next frame of these kinds; by default, of any kind but `probe` and `program`."""
        while True:
            output = await self._socket.receive_output(WAIT_S)
            assert output["type"] == "websocket.send", output
            frame = json.loads(output["text"])
            self.frames.append(frame)
            if frame["t"] in kinds if kinds else frame["t"] not in ("probe", "program"):
                return frame

    async def do(self, do: str, id_: str = "", **arguments: Any) -> dict[str, Any]:
        """Send a command and return its reply."""
        await self.say({"t": "do", "id": id_ or f"id-{len(self.frames)}-{do}", "do": do, **arguments})
        return await self.hear("ack", "refused")

    async def is_silent(self) -> bool:
        """Ping; True if only probes and `program` arrive before the pong."""
        await self.say({"t": "ping", "c": -1})
        return (await self.hear())["t"] == "pong"

    async def leave(self) -> None:
        """Disconnect."""
        await self._socket.disconnect()
