"""Outgoing frames of a socket: whole, in order, with backpressure."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.abstract import FileDescriptor
from twisted.internet.tcp import Connection

from clocks.serving.frames import Frame
from clocks.serving.transport import DaphneTransport, Transport


class Slow(Connection):
    """A connection that takes so many bytes at each call, with Twisted's own buffers before it."""

    def __init__(self, takes: list[int]) -> None:
        FileDescriptor.__init__(self, SimpleNamespace())
        self.takes, self.arrived, self.connected = takes, b"", True

    def writeSomeData(self, data: Any) -> int:
        taken = bytes(data)[: self.takes.pop(0) if self.takes else len(data)]
        self.arrived += taken
        return len(taken)

    def startWriting(self) -> None:
        """Wait for `doWrite`, which the reactor would call when the connection takes more."""

    def stopWriting(self) -> None:
        """Nothing is left."""


def line_over(connection: Slow) -> DaphneTransport:
    protocol = SimpleNamespace(transport=connection, state=3, STATE_OPEN=3)
    return DaphneTransport(SimpleNamespace(), protocol)  # type: ignore[arg-type]


@pytest.mark.parametrize("takes", [[], [0], [700], [0, 700], [700, 0], [10, 20, 30, 40]])
def test_a_frame_ends_before_the_next_one_begins(takes: list[int]) -> None:
    connection = Slow(list(takes))
    line, frames = line_over(connection), [Frame("a" * 5_000), Frame("b" * 50), Frame("c" * 5)]

    async def play() -> None:
        for frame in frames:
            line.put(frame)
            await asyncio.sleep(0)
            connection.doWrite()

    asyncio.run(play())
    for _ in takes:
        connection.doWrite()
    assert connection.arrived == b"".join(frame.framed for frame in frames)


def test_what_daphne_has_begun_to_write_ends_before_a_frame_begins() -> None:
    connection = Slow([3])
    line = line_over(connection)
    connection.write(b"handshake")
    connection.doWrite()

    async def play() -> None:
        line.put(Frame("hello"))
        await asyncio.sleep(0)

    asyncio.run(play())
    connection.doWrite()
    assert connection.arrived == b"handshake" + Frame("hello").framed


@pytest.mark.parametrize(("frames", "ended"), [(2, False), (14, True)])
def test_a_reader_a_megabyte_behind_its_largest_frame_is_dropped(frames: int, ended: bool) -> None:
    connection = Slow([0] * 100)
    aborted: list[bool] = []
    connection.abortConnection = lambda: aborted.append(True)  # type: ignore[method-assign]
    line = line_over(connection)

    async def play() -> None:
        line.put(Frame("a" * 3_000_000))
        for _ in range(frames):
            await asyncio.sleep(0)
            line.put(Frame("b" * 80_000))
        await asyncio.sleep(0)

    asyncio.run(play())
    assert bool(aborted) == ended


def test_under_any_other_server_too_a_frame_waits_for_the_one_before_it() -> None:
    arrived: list[str] = []

    async def play() -> None:
        takes_more = asyncio.Event()

        async def send(message: dict[str, Any]) -> None:
            if message.get("text") == "first":
                await takes_more.wait()
            arrived.append(message.get("text", message["type"]))

        line = Transport(send)
        line.put(Frame("first"))
        await asyncio.sleep(0)
        line.put(Frame("second"))
        line.close(4404)
        takes_more.set()
        while len(arrived) < 3:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(play(), 5))
    assert arrived == ["first", "second", "websocket.close"]


def test_a_frame_that_cannot_be_sent_harms_no_later_one() -> None:
    arrived: list[str] = []

    async def play() -> None:
        async def send(message: dict[str, Any]) -> None:
            if message["text"] == "bad":
                raise ConnectionError("gone for a moment")
            arrived.append(message["text"])

        line = Transport(send)
        line.put(Frame("bad"))
        await asyncio.sleep(0)
        line.put(Frame("good"))
        while not arrived:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(play(), 5))
    assert arrived == ["good"]


@pytest.mark.parametrize(("frames", "ended"), [(2, False), (14, True)])
def test_on_plain_asgi_a_reader_a_megabyte_behind_is_dropped_too(frames: int, ended: bool) -> None:
    dropped: list[bool] = []

    async def send(message: dict[str, Any]) -> None:
        await asyncio.Event().wait()  # it takes nothing, ever

    async def play() -> None:
        line = Transport(send)
        line.drop = lambda: dropped.append(True)  # type: ignore[method-assign]
        line.put(Frame("a" * 3_000_000))
        for _ in range(frames):
            await asyncio.sleep(0)
            line.put(Frame("b" * 80_000))

    asyncio.run(play())
    assert bool(dropped) == ended
