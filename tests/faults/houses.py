"""Servers with boards, alone or in pairs, and ways to break them."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.play import Place
from tests.bench.product import make_boards
from tests.browser.proxy import Network, network_to
from tests.faults.judging import Outage
from tests.faults.players import Play
from tests.server.daphne import House
from tests.services import PostgreSQL, Redis, postgresql, redis

BOARDS = 6
RECOVERY_S = 10.0
SECRET = "two processes sign alike, or a cookie of one is nothing to the other"


def serve(house: House) -> None:
    """Start a house's server; its static files must have been collected."""
    house.start(*house.product())


@contextmanager
def alone(folder: Path, **settings: str) -> Iterator[tuple[House, list[Place]]]:
    """Yield a single running server, by default on SQLite, and its boards."""
    house = House(folder, **settings)
    places = make_boards(BOARDS, house.environment)
    serve(house)
    try:
        yield house, places
    finally:
        house.close()


class Pair(NamedTuple):
    """Two running servers, their shared services, and the networks between.

    Each server has its own network to the database and its own to Redis.
    """

    houses: tuple[House, House]
    places: list[Place]
    database: PostgreSQL
    layer: Redis
    to_database: tuple[Network, Network]
    to_redis: tuple[Network, Network]

    @property
    def ports(self) -> list[int]:
        """Ports of both servers."""
        return [house.port for house in self.houses]


@contextmanager
def pair(folder: Path, boards: int = BOARDS, **settings: str) -> Iterator[Pair]:
    """Yield two servers on one PostgreSQL and one Redis."""
    with ExitStack() as stack:
        database = stack.enter_context(postgresql(durable=True))
        layer = stack.enter_context(redis())
        name = database.new_database()
        to_redis = (stack.enter_context(network_to(layer.port)), stack.enter_context(network_to(layer.port)))
        to_database = (stack.enter_context(network_to(database.port)), stack.enter_context(network_to(database.port)))
        houses = []
        for number, (network, to_layer) in enumerate(zip(to_database, to_redis, strict=True)):
            (folder / str(number)).mkdir()
            url = database.url_of(name).replace(f":{database.port}/", f":{network.port}/")
            layer_url = layer.url.replace(f":{layer.port}/", f":{to_layer.port}/")
            shared = {"DATABASE_URL": url, "CHANNEL_REDIS_URL": layer_url, "SECRET_KEY": SECRET, **settings}
            houses.append(House(folder / str(number), **shared))
        places = make_boards(boards, houses[0].environment)
        houses[1].manage("collectstatic", "--noinput", "-v", "0")
        for house in houses:
            stack.callback(house.close)
            serve(house)
        yield Pair((houses[0], houses[1]), places, database, layer, to_database, to_redis)


def cut(networks: Iterable[Network], dead: bool) -> None:
    """Cut networks if `dead`, else restore them. Either breaks their connections."""
    for network in networks:
        network.dead = dead
        network.cut()


def broken(
    play: Play, breaks: Callable[[], object], lasts_s: float, mends: Callable[[], object]
) -> tuple[Outage, float]:
    """Break something for a while during play; return outage and recovery time (s).

    The outage begins with the last acknowledged press, because a full disk or a buffer may still accept a few.
    """
    play.recovered_s(time.time())
    breaks()
    time.sleep(lasts_s)  # duration of the fault
    mends()
    ended = time.time()
    last = max(one.at for one in play.acknowledged() if one.at <= ended)
    return Outage(last, ended), play.recovered_s(ended, within_s=3 * RECOVERY_S)


def kill_and_start(house: House) -> None:
    """Kill a server, as a power cut would, and restart it."""
    house.signal(signal.SIGKILL)
    serve(house)


def compiled(source: Path, folder: Path) -> Path:
    """Compile a shared library for LD_PRELOAD; return its path."""
    made = folder / f"{source.stem}.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(made), str(source), "-ldl"], check=True)
    return made
