"""Floods by one client against the real server."""

import base64
import json
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from clocks.serving.pages import LARGEST_BODY, MOST_WAITING
from clocks.serving.sockets import FRAMES_AT_ONCE, LARGEST_FRAME, TOO_MANY
from tests.server.daphne import House

TEXT, CONTINUED, CLOSE, PING, FINAL = 0x1, 0x0, 0x8, 0x9, 0x80
WAIT_S = 20.0


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    made = house.manage("newmatch", "--rules", "us-2013", "--length", "3", "--names", "Ann", "Bob", "--json")
    house.table = f"/ws/table/{json.loads(made)['code']}/"
    house.start()
    yield house
    house.close()


def connected(house: House, data: bytes) -> socket.socket:
    """Connect and send these bytes."""
    made = socket.create_connection(("127.0.0.1", house.port), timeout=WAIT_S)
    made.sendall(data)
    return made


def all_of(connection: socket.socket) -> bytes:
    """Receive until the server closes the connection; return the bytes."""
    came = b""
    try:
        while more := connection.recv(65_536):
            came += more
    except ConnectionResetError:
        pass
    return came


def page(house: House, path: str = "/healthz") -> bytes:
    """Request a page; return the first line of the response."""
    request = f"GET {path} HTTP/1.1\r\nHost: localhost:{house.port}\r\nConnection: close\r\n\r\n"
    with closing(connected(house, request.encode())) as connection:
        return all_of(connection).split(b"\r\n", 1)[0]


def opened(house: House, path: str = "", token: str = "") -> socket.socket:
    """Open a WebSocket as a spectator, or as the phone with this token."""
    key = base64.b64encode(os.urandom(16)).decode()
    head = f"GET {path or house.table} HTTP/1.1\r\nHost: localhost:{house.port}\r\nUpgrade: websocket\r\n"
    head += f"Connection: Upgrade\r\nCookie: device={token}\r\n" if token else "Connection: Upgrade\r\n"
    made = connected(house, f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
    came = b""
    while b"\r\n\r\n" not in came:
        came += made.recv(1)
    assert came.startswith(b"HTTP/1.1 101")
    return made


def frame(kind: int, size: int = 0) -> bytes:
    """A masked frame of zeros."""
    if size < 126:
        return bytes((kind, 0x80 | size)) + bytes(4 + size)
    return bytes((kind, 0xFE)) + size.to_bytes(2) + bytes(4 + size)


def close_code(data: bytes) -> int:
    """Code in the close frame at the end of the server's output."""
    at = data.rindex(bytes((FINAL | CLOSE,)))
    return int.from_bytes(data[at + 2 : at + 4])


def test_a_too_large_content_length_is_refused_before_the_body_is_read(house: House) -> None:
    head = f"POST /start/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {LARGEST_BODY + 1}\r\n\r\n"
    with closing(connected(house, head.encode())) as connection:
        assert all_of(connection).startswith(b"HTTP/1.1 413 Content Too Large\r\n")


def test_a_chunked_body_above_the_limit_is_refused(house: House) -> None:
    head = b"POST /start/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"%x\r\n%s\r\n" % (LARGEST_BODY // 4, bytes(LARGEST_BODY // 4))
    with closing(connected(house, head)) as connection:
        for _ in range(5):
            connection.sendall(chunk)
        assert connection.recv(20).startswith(b"HTTP/1.1 413")


def test_a_body_of_a_megabyte_is_read(house: House) -> None:
    head = f"POST /start/ HTTP/1.1\r\nHost: localhost:{house.port}\r\nContent-Length: {LARGEST_BODY}\r\n\r\n"
    with closing(connected(house, head.encode() + bytes(LARGEST_BODY))) as connection:
        assert connection.recv(20).startswith(b"HTTP/1.1 403")  # by Django, because the form lacks a CSRF token


def test_the_oldest_of_too_many_half_sent_requests_make_room(house: House) -> None:
    with ExitStack() as held:
        lines = [held.enter_context(closing(connected(house, b"GET / HTTP/1.1\r\n"))) for _ in range(MOST_WAITING + 50)]
        assert page(house) == b"HTTP/1.1 200 OK"
        assert [all_of(line) for line in lines[:50]] == [b""] * 50
        lines[-1].sendall(f"Host: localhost:{house.port}\r\nConnection: close\r\n\r\n".encode())
        assert all_of(lines[-1]).startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize(
    ("first", "piece"),
    [(b"", frame(FINAL | PING)), (frame(TEXT), frame(CONTINUED)), (b"", frame(FINAL | TEXT))],
    ids=["control pings", "empty fragments", "empty messages"],
)
def test_frames_of_every_kind_are_counted(house: House, first: bytes, piece: bytes) -> None:
    with closing(opened(house)) as socket_:
        socket_.sendall(first + piece * (int(FRAMES_AT_ONCE) + 200))
        assert close_code(all_of(socket_)) == TOO_MANY


def test_a_frame_above_16_kib_ends_its_socket_before_it_is_read(house: House) -> None:
    with closing(opened(house)) as socket_:
        socket_.sendall(frame(FINAL | TEXT, LARGEST_FRAME + 1)[:8])
        all_of(socket_)  # until the server closes the connection


def test_a_frame_of_16_kib_is_refused_in_words(house: House) -> None:
    with closing(opened(house)) as socket_:
        socket_.sendall(frame(FINAL | TEXT, LARGEST_FRAME))
        came = b""
        while b"A message may have at most 4096 bytes." not in came and (more := socket_.recv(65_536)):
            came += more
        assert b"A message may have at most 4096 bytes." in came


def test_the_limit_on_open_files_is_raised(tmp_path: Path) -> None:
    house = House(tmp_path)
    code = "import resource; from clocks.serving.files import raise_limit; resource.setrlimit(resource.RLIMIT_NOFILE, "
    code += "(256, resource.getrlimit(resource.RLIMIT_NOFILE)[1])); print(raise_limit())"
    assert house.python(code) > 256
