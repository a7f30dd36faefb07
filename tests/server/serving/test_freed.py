"""Pages and sockets are freed when they end, without garbage collection."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from clocks.serving.page_queue import PLACES
from tests import prepared
from tests.server.daphne import ROOT, House
from tests.server.serving.test_floods import FINAL, PING, TEXT, frame, opened, page

SOCKETS = 20
STANDING = 5  # threads with their own database handle: desk, flags, presence, opening sockets, rulings
WAIT_S = 30.0


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    made = house.manage("newmatch", "--rules", "us-2013", "--length", "3", "--names", "Ann", "Bob", "--json")
    house.table = f"/ws/table/{json.loads(made)['code']}/"
    prepared.static_files(tmp_path)
    yield house


class Served:
    """Server that reports live connection objects by class, and open database handles."""

    def __init__(self, house: House) -> None:
        command = [sys.executable, "-m", "tests.server.freed", str(house.port)]
        environment = house.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.has()
        house.wait_until_it_listens(self.process)

    def has(self) -> dict[str, Any]:
        """The server's current report."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def when_idle(self) -> dict[str, Any]:
        """First report without connection objects, or the last within 30 s."""
        ends = time.monotonic() + WAIT_S
        while (has := self.has())["held"] and time.monotonic() < ends:
            time.sleep(0.2)  # the server reports only on request
        return has


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    served = Served(house)
    yield served
    served.process.kill()
    served.process.communicate()


def visit(house: House) -> None:
    """Open, use and close sockets."""
    for number in range(SOCKETS):
        with closing(opened(house)) as socket:
            socket.sendall(frame(FINAL | PING) + frame(FINAL | TEXT, 4) * (number % 3))
            socket.recv(1)


def test_no_cycle_of_references_outlives_a_socket(house: House, served: Served) -> None:
    visit(house)
    assert served.when_idle()["held"] == {}


def test_handles_of_the_database_close_with_their_request(house: House, served: Served) -> None:
    visit(house)
    for _ in range(SOCKETS):
        assert page(house, house.table.replace("/ws/table/", "/t/")) == b"HTTP/1.1 200 OK"
    # While another connection is open, SQLite keeps the handle of a closed one: at most one per parallel page.
    assert served.has()["database"] <= STANDING + PLACES
