"""Two server processes on one PostgreSQL and one Redis: `make check-processes POSTGRESQL=postgres://… REDIS=redis://…`.

The checks stand outside `make test`: they need two services that the embedded default does not. Each makes a database
of its own on the PostgreSQL server that is given, and removes it.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from tests.browser.proxy import Network, network_to
from tests.server.daphne import House

SECRET = "two processes sign alike, or a cookie of one is nothing to the other"


class Houses(NamedTuple):
    """Two running servers that share everything, and the network that leads both to Redis."""

    one: House
    two: House
    to_redis: Network


@pytest.fixture
def database_url() -> Iterator[str]:
    """Yield the address of an empty database."""
    server, name = os.environ["POSTGRESQL"], f"clock_check_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def houses(database_url: str, tmp_path: Path) -> Iterator[Houses]:
    redis = urlsplit(os.environ["REDIS"])
    assert redis.hostname in ("localhost", "127.0.0.1"), "REDIS has to run on this machine: its network is cut"
    with network_to(redis.port or 6379) as to_redis:
        shared = {
            "DATABASE_URL": database_url,
            "CHANNEL_REDIS_URL": f"redis://127.0.0.1:{to_redis.port}{redis.path or '/0'}",
            "SECRET_KEY": SECRET,
        }
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
        one, two = (House(tmp_path / name, **shared) for name in ("one", "two"))
        for house in (one, two):
            house.start()
        yield Houses(one, two, to_redis)
        for house in (one, two):
            house.close()
