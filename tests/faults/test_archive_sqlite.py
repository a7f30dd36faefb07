"""Restore SQLite from Litestream's replica when all else is lost."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sysconfig import get_path

import pytest

from tests.faults.houses import alone
from tests.faults.judging import journals
from tests.faults.test_archive import LOST_S, ids, played
from tests.server.daphne import ROOT, START_S, House

CONFIG = ROOT / "deploy/litestream/litestream.yml"


def litestream(*arguments: str) -> list[str]:
    """Litestream command line with the configuration in deploy/."""
    program = shutil.which("litestream", path=os.pathsep.join([get_path("scripts"), os.environ["PATH"]]))
    if program is None:
        assert os.environ.get("CI") != "true", "litestream is missing: make setup-dev installs it"
        pytest.skip("left out: litestream is not installed (make setup-dev)")
    return [program, *arguments[:1], "-config", str(CONFIG), *arguments[1:]]


@contextmanager
def replicated(environment: dict[str, str], folder: Path, replica: Path) -> Iterator[None]:
    """Run Litestream within the block; finally kill it, like a power cut."""
    with (folder / "litestream.log").open("wb") as log:
        process = subprocess.Popen(litestream("replicate"), env=environment, stdout=log, stderr=log)
    try:
        until = time.monotonic() + START_S
        while not any(path.is_file() for path in replica.rglob("*")):
            assert process.poll() is None and time.monotonic() < until, (folder / "litestream.log").read_text()
            time.sleep(0.05)  # polled, because there is no event
        yield
    finally:
        process.kill()
        process.wait()


def test_litestream_restores_all_but_five_seconds_of_sqlite(tmp_path: Path) -> None:
    lost, new, replica = tmp_path / "lost", tmp_path / "new", tmp_path / "replica"
    environment = os.environ | {"CLOCK_DATABASE": str(lost / "clock.sqlite3"), "CLOCK_REPLICA": f"file://{replica}"}
    litestream()
    with alone(lost) as (house, places), replicated(environment, tmp_path, replica):
        plays = [played(house, places), played(house, places)]
        lost_at = time.time()
        house.signal(signal.SIGKILL)
    shutil.rmtree(lost)

    house = House(new)
    database = new / "clock.sqlite3"
    database.unlink()
    restore = litestream("restore", "-o", str(database), environment["CLOCK_DATABASE"])
    subprocess.run(restore, env=environment, check=True, capture_output=True)
    stored = {entry.command_id for entry in journals(house)}
    gone = [one for play in plays for one in play.acknowledged() if one.id not in stored]
    print(f"\n{len(ids(plays[0]) | ids(plays[1]))} acknowledged, {len(gone)} lost with the machine")
    assert all(one.at > lost_at - LOST_S for one in gone)
    assert house.manage("verify").endswith("all as their journals say\n")
    house.start()
    try:
        played(house, places)
    finally:
        house.close()
