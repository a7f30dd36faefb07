"""Processes on one PostgreSQL: few connections, and Redis required."""

import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from tests.ports import free_port
from tests.processes.conftest import Houses
from tests.server.daphne import House
from tests.services import PostgreSQL

POOL = 20  # connection pool of one process, as in config/settings.py
PAGES = 3 * POOL


def test_pages_share_a_few_connections(houses: Houses, postgresql: PostgreSQL) -> None:
    name = urlsplit(houses.one.environment["DATABASE_URL"]).path.strip("/")

    def opened() -> int:
        """Connections opened to this database so far."""
        return postgresql.log().count(f"database={name}")

    before = opened()
    for _ in range(PAGES):
        with urllib.request.urlopen(f"http://127.0.0.1:{houses.one.port}/", timeout=20) as answer:
            assert answer.status == 200
    assert before > 0
    assert opened() - before <= POOL


def test_a_process_without_redis_is_refused_beside_others(houses: Houses, tmp_path: Path) -> None:
    alone = House(tmp_path, **{**houses.one.environment, "DATA_DIR": str(tmp_path), "CHANNEL_REDIS_URL": ""})
    assert alone.refused("serve", "--port", str(free_port())) == (
        "Another server process runs on this PostgreSQL database, and they would not hear of each other at once, "
        "because one of them has no Redis. Give every process the same CHANNEL_REDIS_URL (docs/operations.md), or run "
        "one."
    )
