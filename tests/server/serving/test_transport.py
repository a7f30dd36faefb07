"""Outgoing frames of a socket: whole, in order, with backpressure."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.abstract import FileDescriptor
from twisted.internet.tcp import Connection
from twisted.internet.testing import StringTransport

from clocks.serving.asgi_queue import AsgiQueue
from clocks.serving.frames import Frame
from clocks.serving.send_buffer import SendBuffer
from clocks.serving.transport import DaphneTransport, Transport


class Slow(Connection):
    """Connection that accepts given numbers of bytes per write; Twisted buffers more."""

    def __init__(self, takes: list[int]) -> None:
        FileDescriptor.__init__(self, SimpleNamespace())
        self.takes, self.arrived, self.connected = takes, b"", True

    def writeSomeData(self, data: Any) -> int:
        taken = bytes(data)[: self.takes.pop(0) if self.takes else len(data)]
        self.arrived += taken
        return len(taken)

    def startWriting(self) -> None:
        """Do nothing: the test calls `doWrite` instead of the reactor."""

    def stopWriting(self) -> None:
        """Do nothing; all bytes have been written."""


def transport_over(connection: Slow) -> DaphneTransport:
    outgoing = SendBuffer(connection)
    socket = SimpleNamespace(transport=connection, outgoing=outgoing, state=3, STATE_OPEN=3)
    return DaphneTransport(SimpleNamespace(), socket)  # type: ignore[arg-type]


def opened(connection: Slow) -> DaphneTransport:
    """Transport of a socket after its handshake."""
    transport = transport_over(connection)
    connection.write(b"handshake")
    takes, connection.takes = connection.takes, []
    connection.doWrite()
    connection.takes, connection.arrived = takes, b""
    return transport


async def sent(transport: DaphneTransport, *frames: Frame) -> None:
    """Send frames, one per iteration of the event loop."""
    for frame in frames:
        transport.send(frame)
        await asyncio.sleep(0)


def test_a_frame_is_written_at_once() -> None:
    connection = Slow([])
    asyncio.run(sent(opened(connection), Frame("a" * 200_000), Frame("b")))
    assert connection.arrived == Frame("a" * 200_000).framed + Frame("b").framed


@pytest.mark.parametrize("takes", [[], [0], [700], [0, 700], [700, 0], [10, 20, 30, 40], [70_000, 70_000]])
@pytest.mark.parametrize("size", [5_000, 200_000])
def test_a_frame_ends_before_the_next_one_begins(takes: list[int], size: int) -> None:
    connection = Slow(list(takes))
    transport, frames = opened(connection), [Frame("a" * size), Frame("b" * 50), Frame("c" * 5)]

    async def play() -> None:
        for frame in frames:
            await sent(transport, frame)
            connection.doWrite()

    asyncio.run(play())
    for _ in range(10):
        connection.doWrite()
    assert connection.arrived == b"".join(frame.framed for frame in frames)


def test_what_twisted_has_begun_to_write_ends_before_a_frame_begins() -> None:
    connection = Slow([3])
    connection.write(b"100 Continue")
    transport = transport_over(connection)
    asyncio.run(sent(transport, Frame("hello")))
    for _ in range(3):
        connection.doWrite()
    assert connection.arrived == b"100 Continue" + Frame("hello").framed


def test_what_waits_is_flushed_before_a_connection_closes() -> None:
    connection = Slow([0, 70_000, 70_000])
    outgoing = SendBuffer(connection)
    outgoing.write(b"a" * 200_000)
    assert outgoing.unsent() > 100_000
    outgoing.flush()
    for _ in range(5):
        connection.doWrite()
    assert (connection.arrived, outgoing.unsent()) == (b"a" * 200_000, 0)


def test_over_tls_bytes_wait_while_twisted_pauses_its_producer() -> None:
    transport = StringTransport()
    transport.registerProducer(SimpleNamespace(), True)  # as the HTTP parser does
    outgoing = SendBuffer(transport)
    outgoing.write(b"a")
    outgoing.pauseProducing()
    outgoing.write(b"b")
    outgoing.write(b"c")
    assert (transport.streaming, transport.value(), outgoing.unsent()) == (True, b"a", 2)
    outgoing.resumeProducing()
    assert (transport.value(), outgoing.unsent()) == (b"abc", 0)


def test_nothing_waits_for_a_connection_that_is_lost() -> None:
    connection = Slow([0])
    outgoing = SendBuffer(connection)
    outgoing.write(b"a" * 200_000)
    connection.connected = False
    outgoing.stopProducing()
    outgoing.write(b"b")
    assert outgoing.unsent() == 0


@pytest.mark.parametrize(("frames", "ended"), [(2, False), (14, True)])
def test_a_client_a_megabyte_behind_its_largest_frame_is_dropped(frames: int, ended: bool) -> None:
    connection = Slow([0] * 100)
    aborted: list[bool] = []
    connection.abortConnection = lambda: aborted.append(True)  # type: ignore[method-assign]
    asyncio.run(sent(opened(connection), Frame("a" * 3_000_000), *[Frame("b" * 80_000)] * frames))
    assert bool(aborted) == ended


def test_on_plain_asgi_a_frame_waits_for_the_one_before_it() -> None:
    arrived: list[str] = []

    async def play() -> None:
        takes_more = asyncio.Event()

        async def send(message: dict[str, Any]) -> None:
            if message.get("text") == "first":
                await takes_more.wait()
            arrived.append(message.get("text", message["type"]))

        transport = Transport(send)
        transport.send(Frame("first"))
        await asyncio.sleep(0)
        transport.send(Frame("second"))
        transport.close(4404)
        takes_more.set()
        while len(arrived) < 3:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(play(), 5))
    assert arrived == ["first", "second", "websocket.close"]


def test_on_plain_asgi_later_frames_survive_one_that_cannot_be_sent() -> None:
    arrived: list[str] = []

    async def play() -> None:
        async def send(message: dict[str, Any]) -> None:
            if message["text"] == "bad":
                raise ConnectionError("gone for a moment")
            arrived.append(message["text"])

        transport = Transport(send)
        transport.send(Frame("bad"))
        await asyncio.sleep(0)
        transport.send(Frame("good"))
        while not arrived:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(play(), 5))
    assert arrived == ["good"]


@pytest.mark.parametrize(("frames", "ended"), [(2, False), (14, True)])
def test_on_plain_asgi_a_client_a_megabyte_behind_is_dropped_too(frames: int, ended: bool) -> None:
    dropped: list[bool] = []

    async def send(message: dict[str, Any]) -> None:
        await asyncio.Event().wait()  # never returns

    async def play() -> None:
        transport = Transport(send)
        transport.drop = lambda: dropped.append(True)  # type: ignore[method-assign]
        transport.send(Frame("a" * 3_000_000))
        for _ in range(frames):
            await asyncio.sleep(0)
            transport.send(Frame("b" * 80_000))

    asyncio.run(play())
    assert bool(dropped) == ended


def test_messages_are_sent_in_order_until_one_fails(caplog: pytest.LogCaptureFixture) -> None:
    sent: list[int] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message["number"])
        if message["number"] == 2:
            raise ConnectionError

    async def put_three() -> tuple[int, int]:
        queue = AsgiQueue(send)
        for number, size in ((1, 10), (2, 20), (3, 30)):
            queue.put({"number": number}, size)
        before = queue.unsent
        while queue.unsent:
            await asyncio.sleep(0)
        return before, queue.unsent

    assert (asyncio.run(put_three()), sent) == ((60, 0), [1, 2])
    assert [record.message for record in caplog.records] == ["a client could not be written to"]
