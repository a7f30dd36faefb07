"""TCP proxy between browser and server that a test can disturb.

It causes real faults: bytes are delayed, connections break, server frames are lost, duplicated or swapped.
"""

import asyncio
import json
import re
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

REQUEST = re.compile(rb"[A-Z]+ (\S+) HTTP/1\.1\r\n")
UNAVAILABLE = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
Deal = Callable[[dict[str, Any]], int]
CHUNK = 65_536
RETRANSMISSION_S = 0.1


class Network:
    """Forwards connections from its own port to `port` on this machine.

    `one_way_ms` returns the delay of each chunk of bytes; like TCP, it preserves their order. While `dead`, it is a
    black hole: connections stay open, their bytes are held back until it ends, and new connections get no answer. While
    `refusing`, new connections break at once. `instead` may answer the request for a path in place of the server.
    `deal` returns how often to deliver a server frame (0: lost, 2: duplicated), `behind_the_next` whether to swap it
    with the next frame of its kind.
    """

    def __init__(self, port: int) -> None:
        self.to = port
        self.one_way_ms: Callable[[], float] = lambda: 0.0
        self.dead = False
        self.refusing = False
        self.instead: Callable[[str], bytes | None] = lambda path: None
        self.deal: Deal = lambda frame: 1
        self.behind_the_next: Callable[[dict[str, Any]], bool] = lambda frame: False
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._open: set[asyncio.StreamWriter] = set()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def address(self) -> str:
        """Product URL through this network."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def cut(self) -> None:
        """Break all connections, as when a phone changes networks."""
        self._loop.call_soon_threadsafe(self._cut_now)

    def _cut_now(self) -> None:
        for writer in list(self._open):
            writer.transport.abort()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        self.dead = False
        self._cut_now()
        self._loop.run_until_complete(asyncio.gather(*asyncio.all_tasks(self._loop), return_exceptions=True))
        self._loop.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refusing:
            writer.transport.abort()
            return
        if self.dead:
            return  # a black hole does not close connections either
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.to)
        except OSError:  # the server is down
            writer.transport.abort()
            return
        ends = {writer, far_writer}
        self._open |= ends
        to_browser = Frames(self, writer)

        async def to_server(data: bytes) -> None:
            request = REQUEST.match(data)
            if request and (answer := self.instead(request[1].decode())) is not None:
                writer.write(answer)
            else:
                far_writer.write(data)
                await far_writer.drain()

        ways = [self._carry(reader, to_server), self._carry(far_reader, to_browser.take)]
        tasks = [asyncio.ensure_future(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._open -= ends
            for task in tasks:
                task.cancel()
            for end in ends:
                end.close()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, deliver: Callable[[bytes], Awaitable[None]]) -> None:
        """Forward bytes in one direction: each chunk after its delay, in order."""
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def arrive() -> None:
            while True:
                due, data = await queue.get()
                await asyncio.sleep(due - self._loop.time())
                while self.dead:
                    await asyncio.sleep(RETRANSMISSION_S)
                if not data:
                    return
                await deliver(data)

        arriving = asyncio.ensure_future(arrive())
        last = 0.0
        data = b"-"
        try:
            while data:
                data = await reader.read(CHUNK)
                last = max(last, self._loop.time() + self.one_way_ms() / 1000)
                queue.put_nowait((last, data))
            await arriving
        finally:
            arriving.cancel()


class Frames:
    """Splits the server's bytes into WebSocket frames (RFC 6455, 5.2)."""

    def __init__(self, network: Network, writer: asyncio.StreamWriter) -> None:
        self._network = network
        self._writer = writer
        self._held = b""
        self._upgraded: bool | None = None
        self._behind = b""
        self._behind_kind = ""

    async def take(self, data: bytes) -> None:
        if self._upgraded is None:
            self._upgraded = data.startswith(b"HTTP/1.1 101")
            if self._upgraded:
                head, _, self._held = data.partition(b"\r\n\r\n")
                self._writer.write(head + b"\r\n\r\n")
                data = b""
        if not self._upgraded:
            self._writer.write(data)
        else:
            self._held += data
            while (size := frame_size(self._held)) is not None:
                frame, self._held = self._held[:size], self._held[size:]
                self._deal(frame)
        await self._writer.drain()

    def _deal(self, frame: bytes) -> None:
        said = read_text(frame)
        times = 1 if said is None else self._network.deal(said)
        if said is not None and times and not self._behind and self._network.behind_the_next(said):
            self._behind, self._behind_kind = frame, said["t"]
            return
        self._writer.write(frame * times)
        if times and said is not None and self._behind and said["t"] == self._behind_kind:
            self._writer.write(self._behind)
            self._behind = b""


def frame_size(held: bytes) -> int | None:
    """Size in bytes of the first frame, or None if incomplete."""
    header = _header(held)
    if header is None:
        return None
    start, length = header
    return start + length if len(held) >= start + length else None


def _header(held: bytes) -> tuple[int, int] | None:
    if len(held) < 2:
        return None
    length = held[1] & 0x7F
    start = {126: 4, 127: 10}.get(length, 2)
    if len(held) < start:
        return None
    return start, length if start == 2 else int.from_bytes(held[2:start], "big")


def read_text(frame: bytes) -> dict[str, Any] | None:
    """Parsed JSON of a text frame; None for other frames."""
    header = _header(frame)
    if header is None or frame[0] != 0x81:
        return None
    said: dict[str, Any] = json.loads(frame[header[0] :])
    return said


@contextmanager
def network_to(port: int) -> Iterator[Network]:
    """Run a network to a port of this machine in a `with` block."""
    network = Network(port)
    network.start()
    try:
        yield network
    finally:
        network.stop()
