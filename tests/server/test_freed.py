"""Nothing of a socket that has ended waits for the collector, which is off in the server of these tests."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.daphne import ROOT, House
from tests.server.test_floods import FINAL, PING, TEXT, frame, opened

SOCKETS = 20
WAIT_S = 30.0


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    made = house.manage("newmatch", "--rules", "us-2013", "--length", "3", "--names", "Ann", "Bob", "--json")
    house.table = f"/ws/table/{json.loads(made)['code']}/"
    yield house


def held(server: "subprocess.Popen[str]") -> dict[str, int]:
    """Return how many objects of connections the server still has, by kind."""
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write("\n")
    server.stdin.flush()
    found: dict[str, int] = json.loads(server.stdout.readline())
    return found


def test_no_cycle_of_references_outlives_a_socket(house: House) -> None:
    command = [sys.executable, "-m", "tests.server.freed", str(house.port)]
    environment = house.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            held(server)
            house.wait_until_it_listens(server)
            for number in range(SOCKETS):
                with closing(opened(house)) as socket:
                    socket.sendall(frame(FINAL | PING) + frame(FINAL | TEXT, 4) * (number % 3))
                    socket.recv(1)
            ends = time.monotonic() + WAIT_S
            while (left := held(server)) and time.monotonic() < ends:
                time.sleep(0.2)  # Daphne looks once a second for those that have ended
            assert left == {}
        finally:
            server.kill()
