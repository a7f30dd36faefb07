"""Faults against real servers: `make check-faults`.

After each fault, every acknowledged command is in the journal exactly once, `verify` is clean, no clock was charged
more of the outage than `judging.py` permits, and play resumes at every board within ten seconds.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.faults.houses import RECOVERY_S, Pair, alone, broken, compiled, cut, pair, serve
from tests.faults.judging import judge
from tests.faults.players import Play
from tests.faults.test_kills import (  # noqa: F401 (the long form of the same tests)
    test_killing_a_server_on_postgresql_loses_no_acknowledged_command,
    test_killing_a_server_on_sqlite_loses_no_acknowledged_command,
)
from tests.services import Missing

HERE = Path(__file__).parent
LONG_S = 8.0  # longer than the minimum outage
FROZEN_S = 20.0
HOUR_S = 3_600

pytestmark = pytest.mark.timeout(900)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Pair]:
    try:
        with pair(tmp_path) as made:
            yield made
    except Missing as missing:
        pytest.skip(str(missing))


def told(play: Play, recovered_s: float) -> None:
    """Print a summary of the play, visible with `-s`."""
    print(f"\n{len(play.acknowledged())} acknowledged, all went on after {recovered_s:.1f} s, {dict(play.refused())}")


# --- the services --------------------------------------------------------------------------------------------------


def test_redis_is_restarted(two: Pair) -> None:
    with Play(two.ports, two.places) as play:
        _, after_s = broken(play, two.layer.stop, LONG_S, two.layer.start)
    told(play, after_s)
    assert after_s < RECOVERY_S
    judge(two.houses[0], play)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["restarted", "killed"])
def test_postgresql_is_restarted_or_killed(two: Pair, how: signal.Signals) -> None:
    with Play(two.ports, two.places) as play:
        outage, after_s = broken(play, lambda: two.database.signal(how), LONG_S, two.database.start)
    told(play, after_s)
    assert after_s < RECOVERY_S
    judge(two.houses[0], play, [outage])


@pytest.mark.parametrize("seconds", [1.0, LONG_S])
def test_the_network_to_redis_is_cut(two: Pair, seconds: float) -> None:
    with Play(two.ports, two.places) as play:
        _, after_s = broken(play, lambda: cut(two.to_redis, True), seconds, lambda: cut(two.to_redis, False))
    told(play, after_s)
    assert after_s < RECOVERY_S
    judge(two.houses[0], play)


def test_the_network_to_the_database_is_cut_for_both_processes(two: Pair) -> None:
    with Play(two.ports, two.places) as play:
        outage, after_s = broken(play, lambda: cut(two.to_database, True), LONG_S, lambda: cut(two.to_database, False))
    told(play, after_s)
    assert after_s < RECOVERY_S
    judge(two.houses[0], play, [outage])


def test_the_network_to_the_database_is_cut_for_one_of_two_processes(two: Pair) -> None:
    with Play(two.ports, two.places) as play:
        play.recovered_s(time.time())
        began = time.time()
        cut(two.to_database[:1], True)
        after_s = play.recovered_s(began, within_s=3 * RECOVERY_S)  # on the other process during the fault
        time.sleep(LONG_S)
        cut(two.to_database[:1], False)
        play.recovered_s(time.time())
    told(play, after_s)
    assert after_s < RECOVERY_S
    judge(two.houses[1], play)


# --- a process -----------------------------------------------------------------------------------------------------


def test_one_of_two_processes_is_frozen(two: Pair) -> None:
    with Play(two.ports, two.places) as play:
        play.recovered_s(time.time())
        began = time.time()
        two.houses[0].signal(signal.SIGSTOP)
        after_s = play.recovered_s(began, within_s=3 * RECOVERY_S)  # on the other process during the fault
        time.sleep(max(0.0, began + FROZEN_S - time.time()))  # duration of the fault
        two.houses[0].signal(signal.SIGCONT)
        play.recovered_s(time.time())
    told(play, after_s)
    assert after_s < RECOVERY_S
    judge(two.houses[1], play)


# --- the disk ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a file system that is as small as this wants it")
def test_the_disk_is_full(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "none", str(small)], check=True)
    try:
        with alone(small) as (house, places), Play([house.port], places) as play:
            ballast = small / "ballast"

            def fill() -> None:
                with ballast.open("wb", buffering=0) as file, pytest.raises(OSError):
                    while True:
                        file.write(bytes(4096))

            outage, after_s = broken(play, fill, LONG_S, ballast.unlink)
        told(play, after_s)
        assert play.refused()["stopped"] > 0 or after_s > 0
        assert after_s < RECOVERY_S
        judge(house, play, [outage])
    finally:
        subprocess.run(["umount", "--lazy", str(small)], check=True)


@pytest.mark.skipif(shutil.which("cc") is None, reason="a slow disk needs a C compiler")
@pytest.mark.parametrize("ms", [400, 5_000])
def test_the_disk_is_slow(tmp_path: Path, ms: int) -> None:
    slow = tmp_path / "slow"
    preload = {"LD_PRELOAD": str(compiled(HERE / "slow_disk.c", tmp_path)), "SLOW_WHILE": str(slow), "SLOW_MS": str(ms)}
    with alone(tmp_path / "house", **preload) as (house, places), Play([house.port], places) as play:
        _, after_s = broken(play, slow.touch, LONG_S, slow.unlink)
    told(play, after_s)
    assert after_s < RECOVERY_S
    judge(house, play)


# --- the clock -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hours", [1, -1])
def test_the_systems_clock_is_set_by_an_hour_and_the_server_restarted(tmp_path: Path, hours: int) -> None:
    set_by = tmp_path / "set-by"
    set_by.write_text("0")
    clock = {"PYTHONPATH": str(HERE / "set_clock"), "CLOCK_SET_BY": str(set_by)}
    with alone(tmp_path / "house", **clock) as (house, places), Play([house.port], places) as play:
        play.recovered_s(time.time())
        set_by.write_text(str(hours * HOUR_S))
        after_s = play.recovered_s(time.time())
        house.signal(signal.SIGTERM)
        serve(house)
        restarted_s = play.recovered_s(time.time())
    told(play, max(after_s, restarted_s))
    assert max(after_s, restarted_s) < RECOVERY_S
    judge(house, play)


SET_BY = """
CREATE TABLE set_by (hours int); INSERT INTO set_by VALUES (0);
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT pg_catalog.clock_timestamp() + (SELECT hours FROM public.set_by) * interval ''1 hour''';
"""


@pytest.mark.parametrize("hours", [1, -1])
def test_the_databases_clock_is_set_by_an_hour_and_a_process_restarted(two: Pair, hours: int) -> None:
    name = two.houses[0].environment["DATABASE_URL"].rpartition("/")[2]
    with psycopg.connect(two.database.url_of(name), autocommit=True) as connection:
        connection.execute(SET_BY)  # precedes PostgreSQL's own in the search path
        connection.execute(f"ALTER DATABASE {name} SET search_path = public, pg_catalog")
    for house in two.houses:
        house.signal(signal.SIGTERM)
        serve(house)
    with Play(two.ports, two.places) as play:
        play.recovered_s(time.time())
        two.database.run(f"UPDATE set_by SET hours = {hours}", name)
        time.sleep(65)  # each process reads the database's clock once a minute
        after_s = play.recovered_s(time.time())
        two.houses[0].signal(signal.SIGTERM)
        serve(two.houses[0])
        restarted_s = play.recovered_s(time.time())
        time.sleep(5)
        play.recovered_s(time.time())
    told(play, max(after_s, restarted_s))
    assert max(after_s, restarted_s) < RECOVERY_S
    two.database.run("DROP FUNCTION public.clock_timestamp; DROP TABLE set_by", name)  # or `verify` would report errors
    judge(two.houses[1], play)
