"""The benchmark's WebSocket client: framing of sent and received text."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from websockets.asyncio.server import ServerConnection, serve

from tests.bench.phone import Dropped, Phone
from tests.ports import free_port

Session = Callable[[ServerConnection], Awaitable[None]]
T = TypeVar("T")


def talk(session: Session, told: list[bytes], expected: int) -> list[bytes]:
    """Run `session` as a server, send it `told`, return the first `expected` messages."""

    async def run() -> list[bytes]:
        heard: asyncio.Queue[bytes | Exception] = asyncio.Queue()
        port = free_port()
        async with serve(session, "127.0.0.1", port, compression=None):
            phone = Phone(port, "/", "device=secret")
            phone.hear = phone.lost = heard.put_nowait
            await phone.open(port)
            for text in told:
                phone.send(text)
            texts = []
            while len(texts) < expected:
                match await heard.get():
                    case bytes() as text:
                        texts.append(text)
                    case error:
                        raise error
            phone.close()
        return texts

    return apart(run())


def apart(work: Coroutine[None, None, T]) -> T:
    """Run `work` in another thread: Playwright keeps an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def echo(connection: ServerConnection) -> None:
    async for text in connection:
        await connection.send(text)


def test_texts_of_every_length_class_arrive_unchanged_in_both_directions() -> None:
    texts = ["", "{}", "é" * 60, "x" * 125, "x" * 126, "x" * 4096, "x" * 65535]
    assert talk(echo, [text.encode() for text in texts], len(texts)) == [text.encode() for text in texts]


def test_a_text_of_more_than_64_kib_is_read_over_several_reads() -> None:
    async def large(connection: ServerConnection) -> None:
        await connection.send("é" * 100_000)

    assert talk(large, [], 1) == ["é".encode() * 100_000]


def test_a_ping_is_answered_with_its_own_bytes() -> None:
    async def ping(connection: ServerConnection) -> None:
        await (await connection.ping(b"are you there"))
        await connection.send("answered")

    assert talk(ping, [], 1) == [b"answered"]


def test_the_cookie_and_the_origin_are_sent_with_the_handshake() -> None:
    async def headers(connection: ServerConnection) -> None:
        sent = connection.request.headers
        await connection.send(f"{sent['Cookie']} {sent['Origin'] == 'http://' + sent['Host']}")

    assert talk(headers, [], 1) == [b"device=secret True"]


def test_a_close_by_the_server_is_told_with_its_code() -> None:
    async def close(connection: ServerConnection) -> None:
        await connection.close(4404)

    with pytest.raises(Dropped, match="the server closed the socket with 4404"):
        talk(close, [], 1)


def test_a_refused_handshake_is_told() -> None:
    async def run() -> None:
        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
            writer.close()

        port = free_port()
        async with await asyncio.start_server(refuse, "127.0.0.1", port):
            await Phone(port, "/").open(port)

    with pytest.raises(Dropped, match=r"the handshake was answered b'HTTP/1\.1 403 Forbidden"):
        apart(run())


@pytest.mark.parametrize("cut", range(1, 12))
def test_frames_cut_anywhere_are_put_together(cut: int) -> None:
    phone, heard = Phone(1, "/"), []
    phone.hear = heard.append
    stream = b"\x81\x02ab" + b"\x81\x7e\x00\x80" + b"c" * 128 + b"\x81\x00" + b"\x81\x01d"
    for begin in range(0, len(stream), cut):
        phone.data_received(stream[begin : begin + cut])
    assert heard == [b"ab", b"c" * 128, b"", b"d"]
