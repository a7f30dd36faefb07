"""systemd's units behind Debian's own nginx, as docs/operations.md says."""

import json
import re
import shutil
import signal
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clocks.host import certificate
from tests.deployment.machines import Machine, network, program
from tests.deployment.play import Match, Site
from tests.deployment.units import Units
from tests.server.daphne import ROOT, START_S

NAME = "clock.example.org"
CONF = ROOT / "deploy/nginx/backgammon-clock.conf"
LIVE = f"/etc/letsencrypt/live/{NAME}"
SENT = "/var/lib/backgammon-clock/sent"  # stands for another machine
THEN = f'cp "$BACKUP" {SENT} && touch {SENT}/done'

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def server() -> Iterator[Units]:
    program("nginx")
    with network() as made:
        yield Units(made.machine(NAME), f"BASE_URL=https://{NAME}\nBACKUP_THEN='{THEN}'")


def install_certificate(machine: Machine, folder: Path) -> ssl.SSLContext:
    """Install a new certificate and its key under the site's name, as certbot does."""
    shutil.rmtree(folder, ignore_errors=True)
    files = certificate.keep(folder, [NAME], [], datetime.now(UTC))
    machine.shell(f"mkdir -p {LIVE}")
    for name, file in (("fullchain.pem", files.certificate), ("privkey.pem", files.key)):
        machine.shell(f"cat > {LIVE}/{name} <<'END'\n{file.read_text()}END")
    return ssl.create_default_context(cafile=files.authority)


@pytest.fixture(scope="module")
def site(server: Units, tmp_path_factory: pytest.TempPathFactory) -> Site:
    machine = server.machine
    trust = install_certificate(machine, tmp_path_factory.mktemp("nginx") / "tls")
    machine.shell(f"rm -f /etc/nginx/sites-enabled/*; cp {CONF} /etc/nginx/sites-enabled/")
    for line in re.findall(r"^#   (.+)$", CONF.read_text(), re.MULTILINE):
        machine.shell(f"cd {CONF.parent}; {line}")
    server.command("upgrade")  # on a fresh installation, before its service has ever started
    server.start("backgammon-clock.service")
    machine.start(["nginx", "-g", "daemon off;"], {"PATH": "/usr/sbin:/usr/bin:/bin"})
    made = Site(server.machine.network, NAME, machine.address, trust)
    until = time.monotonic() + START_S
    while True:
        with suppress(OSError):
            if made.ask("GET", "/livez")[0] == 200:
                return made
        assert time.monotonic() < until, machine.log.read_text()
        time.sleep(0.1)  # polled, because there is no event


def test_a_fresh_installation_serves_behind_debians_nginx(server: Units, site: Site) -> None:
    status, page, _ = site.ask("GET", "/")
    assert (status, "Backgammon" in page) == (200, True)
    shown = server.machine.shell("nginx -T 2>/dev/null")
    assert sorted(re.findall(r"^\s*(worker_(?:connections|rlimit_nofile) \d+);", shown, re.MULTILINE)) == [
        "worker_connections 32768",
        "worker_rlimit_nofile 65536",
    ]
    link = server.command("directorlink").strip()
    assert link.startswith(f"https://{NAME}/director/sign-in/")
    assert site.ask("GET", link.removeprefix(f"https://{NAME}"))[0] == 200
    log = server.machine.shell("cat /var/log/nginx/access.log /var/log/nginx/error.log")
    assert ("GET / " in log, "sign-in" in log) == (True, False)


def test_a_renewed_certificate_is_used_without_ending_play(server: Units, site: Site, tmp_path: Path) -> None:
    made = json.loads(server.command("newmatch", "--rules", "us-2013", "--length", "3", "--json"))
    match = Match(site, made["code"])
    sockets = [phone._socket for phone in match.phones.values()]
    renewed = install_certificate(server.machine, tmp_path / "tls")
    server.machine.shell("nginx -s reload")
    newer = Site(server.machine.network, NAME, server.machine.address, renewed)
    until = time.monotonic() + START_S
    while True:
        with suppress(ssl.SSLError):
            assert newer.ask("GET", "/")[0] == 200
            break
        assert time.monotonic() < until
        time.sleep(0.1)  # nginx replaces its workers some time after the reload
    match.press()
    assert [phone._socket for phone in match.phones.values()] == sockets


def test_a_backup_of_the_service_is_sent_and_restores(server: Units, site: Site) -> None:
    server.machine.shell(f"mkdir {SENT}; chmod 777 {SENT}")
    backups = server.start("backgammon-clock-backup.service")
    until = time.monotonic() + START_S
    while "done" not in server.machine.shell(f"ls {SENT}"):
        assert backups.poll() is None and time.monotonic() < until, server.machine.log.read_text()
        time.sleep(0.1)  # polled, because there is no event
    server.machine.end(backups, signal.SIGINT)
    newest = server.machine.shell(f"ls {SENT}/clock-*.zip").strip()
    assert "Nothing has been changed. To restore it, stop the clock" in server.command("restore", newest)
