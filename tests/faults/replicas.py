"""Two PostgreSQL servers, one the other's synchronous standby, and a cell on both.

`deploy/postgresql/standby` sets them up, promotes and recreates them.
"""

import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.play import Place
from tests.bench.product import make_boards
from tests.browser.proxy import Network, network_to
from tests.faults.houses import BOARDS, SECRET, cut
from tests.server.daphne import START_S, House
from tests.services import ROLE, PostgreSQL, new_folder, redis

SCRIPT = "standby"


class Replica(PostgreSQL):
    """One of two PostgreSQL servers; new, or a copy of the first."""

    conf = ("clock.conf", "standby.conf")

    def __init__(self, folder: Path, first: "Replica | None" = None) -> None:
        self._first = first
        super().__init__(folder, durable=True)

    def _create(self) -> None:
        if self._first is None:
            super()._create()
        else:
            self.script(SCRIPT, "copy", f"host=127.0.0.1 port={self._first.port} user={ROLE}")

    def lose(self) -> None:
        """Kill the server and delete its data."""
        self.signal(signal.SIGKILL)
        shutil.rmtree(self.data)

    def is_standby(self) -> bool:
        """True if this is a standby that has not been promoted."""
        return self.run("SELECT pg_is_in_recovery()") == [(True,)]

    def follow(self, first: "Replica") -> None:
        """Become the synchronous standby of the other server."""
        self._first = first
        self._create()
        self.configure()
        self.start()
        self.wait_until_it_streams(first)
        first.script(SCRIPT, "require")

    def wait_until_it_streams(self, first: "Replica") -> None:
        """Wait until this server streams from the first."""
        until = time.monotonic() + START_S
        while first.run("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") != [(1,)]:
            assert time.monotonic() < until, self.log()
            time.sleep(0.05)  # polled, because there is no event


class Cell(NamedTuple):
    """Server processes on two PostgreSQL servers, with a network to each of these."""

    houses: list[House]
    places: list[Place]
    servers: tuple[Replica, Replica]
    networks: tuple[Network, Network]

    @property
    def ports(self) -> list[int]:
        """Ports of all processes."""
        return [house.port for house in self.houses]

    def first_and_standby(self) -> tuple[Replica, Replica]:
        """The server that accepts writes, and the other one."""
        one, other = self.servers
        return (one, other) if other.is_standby() else (other, one)

    def lose(self, server: Replica) -> None:
        """Lose a server's machine: its data is gone, and nothing answers at its address."""
        cut([self.networks[self.servers.index(server)]], True)
        server.lose()

    def replace(self) -> None:
        """Replace the lost machine with a new one, as standby of the other."""
        one, other = self.servers
        lost, first = (one, other) if other.runs() else (other, one)
        lost.follow(first)
        cut([self.networks[self.servers.index(lost)]], False)


@contextmanager
def two_servers() -> Iterator[tuple[Replica, Replica]]:
    """Yield the primary and its synchronous standby."""
    with new_folder() as one, new_folder() as other, Replica(one) as first, Replica(other, first) as standby:
        standby.wait_until_it_streams(first)
        first.script(SCRIPT, "require")
        yield first, standby


@contextmanager
def cell(folder: Path, processes: int) -> Iterator[Cell]:
    """Yield processes with boards on two PostgreSQL servers; several share a Redis."""
    with ExitStack() as stack:
        servers = stack.enter_context(two_servers())
        one, other = (stack.enter_context(network_to(server.port)) for server in servers)
        hosts = f"127.0.0.1:{one.port},127.0.0.1:{other.port}"
        name = servers[0].new_database()
        url = f"postgres://{ROLE}@{hosts}/{name}?target_session_attrs=read-write"
        shared = {"DATABASE_URL": url, "SECRET_KEY": SECRET}
        if processes > 1:
            shared["CHANNEL_REDIS_URL"] = stack.enter_context(redis()).url
        houses = [House(folder / str(number), **shared) for number in range(processes)]
        places = make_boards(BOARDS, houses[0].environment)
        for house in houses:
            stack.callback(house.close)
            house.start()
        yield Cell(houses, places, servers, (one, other))
