"""systemd units behind Debian's nginx, set up as in docs/operations.md."""

import json
import re
import signal
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.deployment import nginx
from tests.deployment.machines import network, program
from tests.deployment.nginx import NAME
from tests.deployment.play import Match, Site
from tests.deployment.units import UNITS, Units
from tests.server.daphne import START_S

SENT = "/var/lib/backgammon-clock/sent"  # stands for another machine
THEN = f'cp "$BACKUP" {SENT} && touch {SENT}/done'

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def server() -> Iterator[Units]:
    program("nginx")
    with network() as made:
        yield Units(made.machine(NAME), f"BASE_URL=https://{NAME}\nBACKUP_THEN='{THEN}'")


@pytest.fixture(scope="module")
def site(server: Units, tmp_path_factory: pytest.TempPathFactory) -> Site:
    server.command("upgrade")  # on a fresh installation, before its service has ever started
    server.start("backgammon-clock.service")
    return nginx.start(server.machine, tmp_path_factory.mktemp("nginx") / "tls")


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
    renewed = nginx.install_certificate(server.machine, tmp_path / "tls")
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


def test_a_process_of_several_is_confined_like_a_single_one() -> None:
    one, of_several = ((UNITS / f"backgammon-clock{kind}.service").read_text() for kind in ("", "@"))
    assert one.partition("Restart=")[2] == of_several.partition("Restart=")[2] != ""
