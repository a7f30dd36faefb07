"""Fixture: two server processes that share their own PostgreSQL and Redis."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.browser.proxy import Network, network_to
from tests.server.daphne import House, migrated
from tests.services import PostgreSQL, Redis

SECRET = "two processes sign alike, or a cookie of one is nothing to the other"


class Houses(NamedTuple):
    """Two servers sharing a database and Redis, and their network to Redis."""

    one: House
    two: House
    to_redis: Network


@pytest.fixture(scope="module")
def houses(postgresql: PostgreSQL, redis: Redis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Houses]:
    with network_to(redis.port) as to_redis:
        shared = {
            "DATABASE_URL": postgresql.url_of(migrated(postgresql)),
            "CHANNEL_REDIS_URL": f"redis://127.0.0.1:{to_redis.port}/0",
            "SECRET_KEY": SECRET,
        }
        one, two = (House(tmp_path_factory.mktemp(name), **shared) for name in ("one", "two"))
        for house in (one, two):
            house.start()
        yield Houses(one, two, to_redis)
        for house in (one, two):
            house.close()
