"""Rolling restarts and an upgrade of two processes behind Caddy during play."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests.deployment.machines import version_with_a_migration
from tests.faults.houses import RECOVERY_S, pair, serve
from tests.faults.judging import judge, stopped
from tests.faults.players import Play
from tests.ports import free_port
from tests.server.daphne import ROOT, START_S, House
from tests.services import Missing

CADDYFILE = ROOT / "deploy" / "caddy" / "Caddyfile"

BOARDS = int(os.environ.get("BOARDS", "500"))
PAUSE_S = (4.0, 6.0)  # range of pauses between presses of a board
LONGEST_WAIT_S = 2.0  # limit from a press to its acknowledgement

pytestmark = pytest.mark.timeout(900)


@contextmanager
def caddy(folder: Path, houses: tuple[House, House]) -> Iterator[int]:
    """Run Caddy with deploy/'s Caddyfile in front of two servers; yield its port."""
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("caddy is not installed (apt install caddy)")
    port = free_port()
    (folder / "Caddyfile").write_text(CADDYFILE.read_text().replace("{\n\tlog {", "{\n\tadmin off\n\tlog {"))
    servers = " ".join(f"127.0.0.1:{house.port}" for house in houses)
    named = {"CLOCK_HOST": f"http://127.0.0.1:{port}", "CLOCK_SERVERS": servers}
    own = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [program, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env={**os.environ, **own, **named}, stdout=log, stderr=log)
    try:
        until = time.monotonic() + START_S
        while True:
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None and time.monotonic() < until, (folder / "caddy.log").read_text()
            time.sleep(0.05)  # polled, because there is no event for an open port
        yield port
    finally:
        process.terminate()
        process.wait(15)


def wait_until_ready(house: House) -> None:
    """Wait until a server's `/readyz` answers 200."""
    until = time.monotonic() + START_S
    while True:
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{house.port}/readyz", timeout=5) as answer:
            assert answer.status == 200
            return
        assert time.monotonic() < until, house.log.read_text()
        time.sleep(0.2)


def test_a_rolling_restart_loses_or_doubles_no_press(tmp_path: Path) -> None:
    try:
        with pair(tmp_path, TRUSTED_PROXIES="127.0.0.1") as two, caddy(tmp_path, two.houses) as port:
            with Play([port], two.places) as play:
                play.recovered_s(time.time())
                slowest = 0.0
                for house in two.houses * 2:
                    began = time.time()
                    house.signal(signal.SIGTERM)
                    serve(house)
                    wait_until_ready(house)
                    slowest = max(slowest, play.recovered_s(began))
                play.recovered_s(time.time())
            print(
                f"\n{len(play.acknowledged())} acknowledged, the slowest board {slowest:.1f} s, {dict(play.refused())}"
            )
            assert slowest < RECOVERY_S
            assert set(play.refused()) <= {"not-your-turn"}
            judge(two.houses[0], play)
    except Missing as missing:
        pytest.skip(str(missing))


def test_500_boards_play_through_an_upgrade_with_a_migration(tmp_path: Path) -> None:
    newer = version_with_a_migration(tmp_path / "newer")
    manage = str(newer / "manage.py")
    try:
        with pair(tmp_path, BOARDS, TRUSTED_PROXIES="127.0.0.1") as two, caddy(tmp_path, two.houses) as port:
            with Play([port], two.places, pause_s=PAUSE_S) as play:
                play.recovered_s(time.time(), within_s=120)
                opened = len(play.waits_s())
                upgrade = [sys.executable, manage, "upgrade"]
                subprocess.run(upgrade, cwd=newer, env=two.houses[0].environment, check=True, capture_output=True)
                for house in two.houses:
                    house.signal(signal.SIGTERM)
                    house.start(manage, *house.product()[1:])
                    wait_until_ready(house)
                    play.recovered_s(time.time(), within_s=60)
            waits = play.waits_s()
            assert len(waits) > opened + BOARDS
            print(
                f"\n{len(waits)} presses, {waits[int(len(waits) * 0.99)]:.2f} s at p99, the longest {waits[-1]:.2f} s"
            )
            print(dict(play.refused()))
            assert "A newer version of the clock has used this database" in two.houses[0].refused("serve")
            assert set(play.refused()) <= {"not-your-turn"}
            assert stopped(two.houses[0]) == set()
            judge(two.houses[0], play)
            assert waits[-1] <= LONGEST_WAIT_S
    except Missing as missing:
        pytest.skip(str(missing))
