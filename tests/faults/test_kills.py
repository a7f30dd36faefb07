"""Kill a server under load, on SQLite and PostgreSQL (`make check-faults`)."""

import os
import random
import time
from pathlib import Path

import pytest

from tests.faults.houses import RECOVERY_S, alone, kill_and_start
from tests.faults.judging import Outage, judge
from tests.faults.players import Play
from tests.server.daphne import migrated
from tests.services import PostgreSQL, Redis

MOMENTS = int(os.environ.get("KILLS", "2"))
SEED = int(os.environ.get("SEED", "13"))


def kill_at_random_moments(folder: Path, **settings: str) -> None:
    moments = random.Random(SEED)
    outages, recoveries = [], []
    with alone(folder, **settings) as (house, places), Play([house.port], places) as play:
        for _ in range(MOMENTS):
            play.recovered_s(time.time())
            time.sleep(moments.uniform(0, 1))  # the server is to be killed at a random moment
            began = time.time()
            kill_and_start(house)
            outages.append(Outage(began, time.time()))
            recoveries.append(play.recovered_s(outages[-1].ended))
    print(f"{len(play.acknowledged())} acknowledged, the slowest recovery {max(recoveries):.1f} s, {play.refused()}")
    assert max(recoveries) < RECOVERY_S
    judge(house, play, outages)


@pytest.mark.timeout(120 + 20 * MOMENTS)
def test_killing_a_server_on_sqlite_loses_no_acknowledged_command(tmp_path: Path) -> None:
    kill_at_random_moments(tmp_path)


@pytest.mark.timeout(120 + 20 * MOMENTS)
def test_killing_a_server_on_postgresql_loses_no_acknowledged_command(
    tmp_path: Path, postgresql: PostgreSQL, redis: Redis
) -> None:
    url = postgresql.url_of(migrated(postgresql))
    kill_at_random_moments(tmp_path, DATABASE_URL=url, CHANNEL_REDIS_URL=redis.url)
