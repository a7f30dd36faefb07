"""Systemd units of several processes on PostgreSQL and Redis, behind nginx."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.deployment import nginx
from tests.deployment.compose import DEPLOY, initialise, postgres_user
from tests.deployment.machines import Machine, network, program
from tests.deployment.play import Match, Site, table_sockets
from tests.deployment.units import PATH, Units
from tests.server.daphne import START_S
from tests.services import program as postgresqls

UNIT = "backgammon-clock@.service"
PORTS = (8001, 8002)
STATE = "/var/lib/backgammon-clock"
DATABASE = {"POSTGRES_USER": "clock", "POSTGRES_DB": "clock", "POSTGRES_PASSWORD": "letters4and8digits"}
SETTINGS = f"""
BASE_URL=https://{nginx.NAME}
DATABASE_URL=postgres://clock:{DATABASE["POSTGRES_PASSWORD"]}@127.0.0.1/clock
CHANNEL_REDIS_URL=redis://127.0.0.1:6379/0
SECRET_KEY={"fifty.random.characters." * 3}
"""
LONGEST_WAIT_S = 2.0  # most seconds until a press is answered, while a process is restarted
ASK = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:{}/readyz', timeout=20).status)"
STORED = (
    "import json\nfrom clocks.models import JournalEntry\n"
    "rows = JournalEntry.objects.filter(match={}, command_id__isnull=False).values_list('command_id', flat=True)\n"
    "print(json.dumps(sorted(rows)))"
)

pytestmark = pytest.mark.timeout(600)


def start_services(machine: Machine) -> None:
    """Start PostgreSQL and Redis with the configuration in deploy/."""
    initialise(machine, DATABASE)
    data, postgres = "/var/lib/postgresql/data", postgresqls("postgres")
    conf = DEPLOY / "postgresql/clock.conf"
    machine.start([postgres, "-D", data, "-c", f"config_file={conf}"], {"PATH": PATH}, postgres_user())
    machine.start([program("redis-server"), str(DEPLOY / "redis/clock.conf")], {"PATH": PATH})
    until = time.monotonic() + START_S
    ready = [postgresqls("pg_isready"), "--quiet", "--host=127.0.0.1"]
    while subprocess.run(machine._line(ready, 0), env={"PATH": PATH}, check=False).returncode:
        assert time.monotonic() < until, machine.log.read_text()
        time.sleep(0.1)  # polled, because there is no event


class Service(Units):
    """Units of both processes."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine, SETTINGS)
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._prepared = set[int]()

    def up(self, port: int) -> None:
        """Like `systemctl start`, but wait until `/readyz` answers 200."""
        self._running[port] = self.start(UNIT, str(port), port in self._prepared)
        self._prepared.add(port)
        until = time.monotonic() + START_S
        ask = self.machine._line(["python3", "-c", ASK.format(port)], 0)
        while subprocess.run(ask, env={"PATH": PATH}, capture_output=True, check=False).returncode:
            assert self._running[port].poll() is None and time.monotonic() < until, self.machine.log.read_text()
            time.sleep(0.5)  # polled, because there is no event; each try starts Python

    def python(self, code: str) -> str:
        """Run Python code on the machine; return its output."""
        return self.machine.run(["python3", "-c", code], {"PATH": PATH})

    def down(self, port: int, number: signal.Signals = signal.SIGTERM) -> None:
        """Like `systemctl stop`, or end the process with another signal."""
        self.machine.end(self._running.pop(port), number)


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    for name in ("nginx", "redis-server"):
        program(name)
    with network() as made:
        machine = made.machine(nginx.NAME)
        start_services(machine)
        service = Service(machine)
        service.command("upgrade")
        service.up(PORTS[0])
        machine.shell(f"cd {STATE}; mkdir {PORTS[1]}; cp -a {PORTS[0]}/static {PORTS[1]}")  # collected once
        service.up(PORTS[1])
        yield service


@pytest.fixture(scope="module")
def made(service: Service) -> dict[str, Any]:
    """A new match."""
    found: dict[str, Any] = json.loads(service.command("newmatch", "--rules", "us-2013", "--length", "3", "--json"))
    return found


@pytest.fixture(scope="module")
def site(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return nginx.start(service.machine, tmp_path_factory.mktemp("nginx") / "tls", PORTS)


def test_all_sockets_of_a_table_are_in_one_process(service: Service, site: Site, made: dict[str, Any]) -> None:
    with site.watchers(made["code"], 8):
        assert sorted(table_sockets(service.python, port) for port in PORTS) == [0, 8]


def test_play_goes_on_behind_nginx_while_each_process_ends(service: Service, site: Site, made: dict[str, Any]) -> None:
    with Match(site, made["code"]) as match:
        for port, number in zip(PORTS, (signal.SIGTERM, signal.SIGKILL), strict=True):
            service.down(port, number)
            match.wait_for_presses(4)
            status, page, _ = site.ask("GET", "/")
            assert (status, "Backgammon" in page) == (200, True)
            service.up(port)
            match.wait_for_presses(4)
    stored = json.loads(service.command("shell", "--no-imports", "-c", STORED.format(made["match"])))
    assert sorted(id_ for phone in match.phones.values() for id_ in phone.acknowledged) == stored
    print(f"\n{match.presses} presses, the longest wait {match.longest_s:.1f} s")
    assert match.longest_s <= LONGEST_WAIT_S
