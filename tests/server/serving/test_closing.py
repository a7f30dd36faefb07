"""Closing handshakes begun by the real server, as seen by a raw client."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from clocks.live import protocol
from clocks.serving.sockets import CLOSE_S
from tests.server.daphne import House
from tests.server.serving.test_floods import CLOSE, FINAL, TEXT, all_of, close_code, frame, opened

ANSWER = bytes((FINAL | CLOSE, 0x82, 0, 0, 0, 0)) + (1000).to_bytes(2)  # a client's close frame
QUIET_S = 0.3  # a server that does not wait closes at once
LATE_S = 2.0  # generous, for a busy machine

MANY = frame(FINAL | TEXT) * 200  # over the limit on messages, within the limit on frames


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    house.start()
    yield house
    house.close()


@pytest.fixture(scope="module")
def made(house: House) -> dict[str, Any]:
    """A match with two phones."""
    return house.new_match()


@pytest.fixture
def taken(house: House, made: dict[str, Any]) -> Iterator[socket.socket]:
    """Socket of a phone that lost its seat, after the server's close frame."""
    path = f"/ws/table/{made['code']}/?match={made['match']}&seats=left"
    with closing(opened(house, path, made["tokens"][1])) as client:
        assert code_from(client) == protocol.TAKEN_OVER
        yield client


def code_from(client: socket.socket) -> int:
    """Read up to the server's close frame; return its code."""
    came = b""
    while bytes((FINAL | CLOSE, 2)) not in came[-4:-2]:
        more = client.recv(1)
        assert more != b"", came
        came += more
    return close_code(came)


def is_quiet(client: socket.socket) -> bool:
    """True if nothing is received for a moment, not even the end of the connection."""
    client.settimeout(QUIET_S)
    try:
        client.recv(1)
    except TimeoutError:
        return True
    return False


@pytest.mark.parametrize(
    ("path", "said", "code"),
    [
        ("/ws/table/{code}/?match={match}&seats=left", b"", protocol.TAKEN_OVER),
        ("/ws/table/CCCCCC/", b"", protocol.NO_SUCH_MATCH),
        ("/ws/director/none/", b"", protocol.NOT_SIGNED_IN),
        ("/ws/elsewhere/", b"", protocol.NO_SUCH_MATCH),
        ("/ws/table/{code}/", MANY, protocol.TOO_MANY_MESSAGES),
    ],
)
def test_the_server_ends_the_connection_once_the_client_has_answered(
    house: House, made: dict[str, Any], path: str, said: bytes, code: int
) -> None:
    with closing(opened(house, path.format(**made), made["tokens"][1])) as client:
        client.sendall(said)
        assert (code_from(client), is_quiet(client)) == (code, True)
        client.settimeout(LATE_S)
        client.sendall(ANSWER)
        assert client.recv(1) == b""  # a reset would be an error


def test_a_client_that_never_answers_is_dropped(taken: socket.socket) -> None:
    began = time.monotonic()
    taken.settimeout(CLOSE_S + LATE_S)
    assert all_of(taken) == b""
    assert time.monotonic() - began > CLOSE_S / 2
