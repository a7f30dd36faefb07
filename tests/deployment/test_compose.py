"""`deploy/compose-many.yaml` as shipped: upgrade during play, faults, alerts."""

import json
import math
import re
import shlex
import signal
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.deployment.compose import DEPLOY, Containers
from tests.deployment.machines import network, program, version_with_a_migration
from tests.deployment.play import Match, Site, table_sockets
from tests.deployment.watching import Watch, age_backups, disk_of, fill, standby_away
from tests.server.daphne import START_S

NAME = "clock.localhost"  # Caddy makes certificates for such names itself; for all others it asks an authority
TOKEN = "a token of the operator"
GIVEN = {
    "CLOCK_HOST": NAME,
    "POSTGRES_PASSWORD": "letters4and8digits",
    "SECRET_KEY": "fifty random characters " * 3,
    "BACKUP_THEN": 'cp "$BACKUP" /tmp',
    "METRICS_TOKEN": TOKEN,
}
FILE = "compose-many.yaml"
LONGEST_WAIT_S = 2.0  # most seconds until a press is answered, during an upgrade

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def cell() -> Iterator[Containers]:
    for name in ("caddy", "prometheus"):
        program(name)
    with network() as made:
        containers = Containers(made, FILE, GIVEN, {"METRICS_TOKEN": TOKEN})
        with disk_of(containers):
            containers.up("one")
            (containers.volumes / "two").mkdir()  # its static files are collected once
            subprocess.run(["cp", "-a", containers.volumes / "one/static", containers.volumes / "two"], check=True)
            containers.up("caddy")
            yield containers


@pytest.fixture(scope="module")
def watch(cell: Containers, tmp_path_factory: pytest.TempPathFactory) -> Watch:
    """Prometheus, after it reported a missing backup and then, with one, no alerts."""
    watch = Watch(cell, tmp_path_factory.mktemp("watch"))
    cell.up("prometheus")
    watch.wait_for("NoBackup")
    cell.up()
    watch.wait_for()
    return watch


@pytest.fixture(scope="module")
def site(cell: Containers) -> Site:
    caddy = cell._network.machines["caddy"]
    authority = cell._network.folder / "volumes/caddy/caddy/pki/authorities/local/root.crt"
    until = time.monotonic() + START_S
    while True:
        with suppress(OSError):
            made = Site(cell._network, NAME, caddy.address, ssl.create_default_context(cafile=authority))
            made.ask("GET", "/livez")
            return made
        assert time.monotonic() < until, cell.log("caddy")
        time.sleep(0.1)  # polled, because Caddy makes its authority and its certificate after its start


@pytest.fixture(scope="module")
def matches(cell: Containers) -> Iterator[tuple[str, int]]:
    """Table codes and numbers of new matches, created together."""
    code = (
        "from django.core.management import call_command\n"
        "for _ in range(5): call_command('newmatch', '--rules', 'us-2013', '--length', '3', '--json')"
    )
    lines = cell.exec("one", "backgammon-clock", "shell", "--no-imports", "-c", code).splitlines()
    return ((made["code"], made["match"]) for made in map(json.loads, lines))


def new_match(cell: Containers, *options: str) -> str:
    """Create a match; return its table code."""
    command = ["newmatch", "--rules", "us-2013", "--length", "3", *options, "--json"]
    code: str = json.loads(cell.exec("one", "backgammon-clock", *command))["code"]
    return code


def ready(cell: Containers, asked: str) -> tuple[int, dict[str, bool]]:
    """Status and checks of a process's `/readyz`, requested from Caddy's machine."""
    code = (
        "import json, urllib.request as u, urllib.error as e\n"
        f"try: a = u.urlopen('http://{asked}:8000/readyz', timeout=20)\n"
        "except e.HTTPError as error: a = error\n"
        "print(json.dumps([a.status, json.load(a)]))"
    )
    status, parts = json.loads(cell._network.machines["caddy"].run(["python3", "-c", code], {"PATH": "/usr/bin"}))
    return status, parts


def stored(cell: Containers, match: int) -> list[str]:
    """Command ids in a match's journal."""
    code = (
        "import json\nfrom clocks.models import JournalEntry\n"
        f"rows = JournalEntry.objects.filter(match={match}, command_id__isnull=False).order_by('seq')\n"
        "print(json.dumps(list(rows.values_list('command_id', flat=True))))"
    )
    found: list[str] = json.loads(cell.exec("two", "backgammon-clock", "shell", "--no-imports", "-c", code))
    return found


def test_both_processes_are_ready_under_their_names_and_pages_come(cell: Containers, site: Site) -> None:
    all_well = {"ok": True, "database": True, "layer": True, "writer": True, "clock": True}
    assert [ready(cell, name) for name in ("one", "two")] == [(200, all_well)] * 2
    for _ in range(4):
        status, page, _ = site.ask("GET", "/")
        assert (status, "Backgammon" in page) == (200, True)


def test_all_sockets_of_a_table_are_in_one_process(
    cell: Containers, site: Site, matches: Iterator[tuple[str, int]]
) -> None:
    with site.watchers(next(matches)[0], 8):
        running = [partial(cell.exec, name, "python3", "-c") for name in ("one", "two")]
        assert sorted(table_sockets(python, 8000) for python in running) == [0, 8]


def test_every_panel_of_the_dashboard_shows_the_live_cell(
    cell: Containers, site: Site, watch: Watch, matches: Iterator[tuple[str, int]]
) -> None:
    match = Match(site, next(matches)[0])
    Match(site, new_match(cell, "--option", "reserve_ms=1", "--option", "delay_ms=0"))  # its flag falls
    panels = json.loads((DEPLOY / "grafana/backgammon-clock.json").read_text())["panels"]
    queries = [target["expr"] for panel in panels for target in panel["targets"]]
    until = time.monotonic() + START_S
    while empty := [query for query in queries if all(map(math.isnan, watch.values(query)))]:
        assert time.monotonic() < until, empty
        match.press()  # so that counters grow between two scrapes


def test_every_alert_asks_for_metrics_that_there_are(watch: Watch) -> None:
    asked = set(re.findall(r"backgammon_clock_\w+", (DEPLOY / "prometheus/alerts.yaml").read_text()))
    assert asked - set(watch.ask("label/__name__/values")) == set()
    (rules,) = [group["rules"] for group in watch.ask("rules")["groups"]]
    assert {rule["name"]: rule["lastError"] for rule in rules if rule["health"] != "ok"} == {}


def test_without_redis_newcomers_get_pages_and_seats(
    cell: Containers, site: Site, watch: Watch, matches: Iterator[tuple[str, int]]
) -> None:
    match = Match(site, next(matches)[0])
    cell.stop("redis", signal.SIGKILL)
    try:
        until = time.monotonic() + START_S
        while ready(cell, "one")[1]["layer"] or ready(cell, "two")[1]["layer"]:
            assert time.monotonic() < until
            time.sleep(0.5)  # polled, because there is no event
        watch.wait_for("RedisAway")
        assert [ready(cell, name)[0] for name in ("one", "two")] == [200, 200]
        assert [cell.is_healthy(name) for name in ("one", "two")] == [True, True]
        match.press()
        newcomer = new_match(cell)
        assert [site.ask("GET", path)[0] for path in ("/", f"/t/{newcomer}/")] == [200, 200]
        Match(site, newcomer).press()
    finally:
        cell.up("redis")
    watch.wait_for()


def upgrade_steps() -> list[list[str]]:
    """Commands for an upgrade, from the comment at the top of the compose file."""
    said = (DEPLOY / FILE).read_text().partition("before each:\n")[2].partition("# The settings")[0]
    return [shlex.split(line.removeprefix("#")) for line in said.strip().splitlines()]


def test_an_upgrade_with_a_migration_while_people_play(
    cell: Containers, site: Site, tmp_path: Path, matches: Iterator[tuple[str, int]]
) -> None:
    code, number = next(matches)
    newer = version_with_a_migration(tmp_path)
    older = cell.image
    with Match(site, code) as match:
        for command, *options in upgrade_steps():
            services = [word for word in options if not word.startswith("-")]
            if command == "build":
                cell.image = newer
            elif command == "run":
                assert "up to date" in cell.run(*services)
            else:
                assert command == "up"
                cell.up(*services, deps="--no-deps" not in options)
            match.wait_for_presses(4)  # play goes on between two steps
    acknowledged = sorted(id_ for phone in match.phones.values() for id_ in phone.acknowledged)
    assert acknowledged == sorted(stored(cell, number))
    print(f"\n{match.presses} presses, the longest wait {match.longest_s:.1f} s")
    assert match.longest_s <= LONGEST_WAIT_S
    assert cell.exec("one", "backgammon-clock", "verify").strip().endswith("all as their journals say")
    cell.image = older
    cell.stop("two")
    assert "A newer version of the clock has used this database" in cell.run("two", status=1, deps=False)
    cell.image = newer
    cell.up("two", deps=False)


def test_each_fault_raises_its_alert_and_no_other(
    cell: Containers, site: Site, watch: Watch, matches: Iterator[tuple[str, int]]
) -> None:
    match = Match(site, next(matches)[0])
    watch.wait_for()
    with standby_away(cell):
        watch.wait_for("NotReady")
    watch.wait_for("Outage")  # stays for minutes, and so do those of the next two faults
    phone = match.phones["right"]
    phone.see(status="stopped")
    cell.stop("postgresql", signal.SIGKILL)
    phone.say("resume", "not stored")
    watch.wait_for("Outage", "DatabaseAway", "NothingStored")
    cell.up("postgresql")
    watch.wait_for("Outage", "NothingStored")
    fill(cell)
    watch.wait_for("Outage", "NothingStored", "DiskFills")
    cell.stop("backup", signal.SIGKILL)
    age_backups(cell)
    watch.wait_for("Outage", "NothingStored", "DiskFills", "BackupOld", "BackupNotSent")
    cell.stop("two", signal.SIGKILL)
    watch.wait_for("Outage", "NothingStored", "DiskFills", "BackupOld", "BackupNotSent", "ClockDown")
