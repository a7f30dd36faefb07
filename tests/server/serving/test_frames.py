"""Incoming frames stay in order between our fast path and Autobahn's slow path."""

import re
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from websockets.frames import Frame as ClientFrame
from websockets.frames import Opcode

from clocks.serving.frames import PONG, TEXT, Frame, frame_size, whole_message
from clocks.serving.sockets import IN_A_ROW, LARGEST_FRAME, ClockSocket
from tests.server.daphne import House
from tests.server.serving.test_floods import all_of, opened, page


def sent(text: bytes, opcode: Opcode = Opcode.TEXT, fin: bool = True) -> bytes:
    """Client frame, encoded by another library."""
    return ClientFrame(opcode, text, fin).serialize(mask=True)


def a_ping(number: int, more: str = "") -> bytes:
    return f'{{"t":"ping","c":{number},"x":"{more}"}}'.encode()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    house.table = f"/ws/table/{house.new_match()['code']}/"
    house.start()
    yield house
    house.close()


@given(st.one_of(st.binary(max_size=300), st.binary(min_size=125, max_size=127), st.just(b"a" * 65_535)))
def test_a_whole_text_frame_is_read_as_it_was_written(text: bytes) -> None:
    assert whole_message(sent(text)) == (TEXT, text)


@given(st.binary(max_size=125))
def test_a_pong_is_read_as_it_was_written(content: bytes) -> None:
    assert whole_message(sent(content, Opcode.PONG)) == (PONG, content)


@given(
    st.binary(max_size=300) | st.integers(65_530, 65_540).map(lambda size: b"a" * size),
    st.sampled_from([Opcode.CONT, Opcode.TEXT, Opcode.BINARY]),  # a control frame has at most 125 bytes
    st.booleans(),
)
def test_the_size_of_a_frame_is_read_from_its_header(content: bytes, opcode: Opcode, masked: bool) -> None:
    framed = ClientFrame(opcode, content).serialize(mask=masked)
    assert frame_size(framed + b"more") == len(framed)
    assert all(frame_size(framed[:length]) > length for length in range(min(len(framed), 14)))


NOT_ONE_WHOLE_MESSAGE = {
    "nothing": b"",
    "its last byte is missing": sent(b"hello")[:-1],
    "a part of its mask is missing": sent(b"hello")[:5],
    "a part of its length is missing": sent(b"a" * 200)[:3],
    "two frames": sent(b"hello") + sent(b"again"),
    "the first byte of another": sent(b"hello") + b"\x81",
    "64 KiB": sent(b"a" * 65_536),
    "a fragment": sent(b"hello", fin=False),
    "the rest of one": sent(b"hello", Opcode.CONT),
    "binary": sent(b"hello", Opcode.BINARY),
    "a pong with more than a control frame may have": bytes((PONG, 0xFE, 0, 200)) + bytes(204),
    "a ping": sent(b"hello", Opcode.PING),
    "a close frame": sent(b"hello", Opcode.CLOSE),
    "not masked": Frame("hello").framed,
    "compressed": bytes((0xC1, *sent(b"hello")[1:])),
    "a length with more bytes than it needs": bytes((0x81, 0xFE, 0, 5)) + sent(b"hello")[2:],
}


@pytest.mark.parametrize("name", NOT_ONE_WHOLE_MESSAGE)
def test_anything_but_one_whole_message_is_left_to_autobahn(name: str) -> None:
    assert whole_message(NOT_ONE_WHOLE_MESSAGE[name]) is None


def test_messages_keep_their_order_however_their_bytes_arrive(house: House) -> None:
    second = sent(a_ping(2))
    pieces = [
        sent(a_ping(1)),  # while the socket is opening
        second[:9],
        second[9:] + sent(a_ping(3)) + sent(a_ping(4)),
        sent(a_ping(5), fin=False),
        sent(b"", Opcode.CONT, fin=False) + sent(b"", Opcode.PING),
        sent(b"", Opcode.CONT),
        sent(a_ping(6, "a" * 500)),
        sent(a_ping(7, "é")),
    ]
    came = b""
    with closing(opened(house)) as socket_:
        for piece in pieces:
            socket_.sendall(piece)
            assert page(house) == b"HTTP/1.1 200 OK"  # so the server has read the earlier frames
        while b'"c":7,' not in came and (more := socket_.recv(65_536)):
            came += more
    assert re.findall(rb'"t":"pong","c":(\d+)', came) == [b"1", b"2", b"3", b"4", b"5", b"6", b"7"]


class Paused:
    """Open socket that pauses for a second after each message in `after`."""

    def __init__(self, *after: bytes) -> None:
        self.clock, self.heard, self._after = Clock(), list[str | None](), after
        self.socket = ClockSocket()
        self.socket.transport = StringTransport()
        self.socket.factory = SimpleNamespace(reactor=self.clock)
        self.socket.state, self.socket.data = ClockSocket.STATE_OPEN, b""
        self.socket.heard = self._hear
        for name in ("current_frame", "inside_message"):
            setattr(self.socket, name, None)

    def _hear(self, text: str | None) -> None:
        self.heard.append(text)
        if (text or "").encode() in self._after:
            self.socket.pause(1.0)

    def is_reading(self) -> bool:
        return bool(self.socket.transport.producerState == "producing")


def test_a_paused_socket_reads_on_where_it_stopped() -> None:
    paused, frames = Paused(b"2", b"4"), [sent(b"%d" % number) for number in range(1, 7)]
    paused.socket.dataReceived(b"".join(frames)[:-4])
    assert (paused.heard, paused.is_reading()) == (["1", "2"], False)
    paused.clock.advance(0.9)
    assert (paused.heard, paused.is_reading()) == (["1", "2"], False)
    paused.clock.advance(0.1)
    assert (paused.heard, paused.is_reading()) == (["1", "2", "3", "4"], False)
    paused.socket.dataReceived(frames[-1][-4:])  # bytes already in transit
    assert (paused.heard, paused.is_reading()) == (["1", "2", "3", "4"], False)
    paused.clock.advance(1.0)
    assert (paused.heard, paused.is_reading()) == (["1", "2", "3", "4", "5", "6"], True)
    paused.socket.dataReceived(sent(b"7"))
    assert paused.heard[-1] == "7"


def test_other_sockets_get_their_turn_after_twenty_frames() -> None:
    flooded, texts = Paused(), [str(number) for number in range(2 * IN_A_ROW + 1)]
    flooded.socket.dataReceived(b"".join(sent(text.encode()) for text in texts))
    handled = [len(flooded.heard)]

    def another_socket() -> None:
        handled.append(len(flooded.heard))
        if not flooded.is_reading():
            flooded.clock.callLater(0, another_socket)

    flooded.clock.callLater(0, another_socket)
    flooded.clock.advance(0)
    assert (handled, flooded.heard) == ([IN_A_ROW, 2 * IN_A_ROW, len(texts)], texts)


def test_a_frame_above_16_kib_closes_its_socket_even_in_one_piece(house: House) -> None:
    with closing(opened(house)) as socket_:
        socket_.sendall(sent(a_ping(1, "a" * LARGEST_FRAME)))
        assert b"refused" not in all_of(socket_)


@pytest.mark.parametrize("text", [b"\xff", b'"\xc3', b"\xed\xa0\x80"], ids=["no beginning", "no end", "half a pair"])
def test_text_that_is_not_utf8_closes_the_socket(house: House, text: bytes) -> None:
    with closing(opened(house)) as socket_:
        socket_.sendall(sent(text) + sent(a_ping(1)))
        assert b"pong" not in all_of(socket_)
