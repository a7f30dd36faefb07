"""Prometheus of a cell, with all intervals and `for:` durations set to 1 s."""

import http.client
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.deployment.compose import DEPLOY, Containers
from tests.server.daphne import START_S

INTERVAL = re.compile(r"\b(scrape_interval|evaluation_interval|for): \w+")
SPEED = {"FlagsLate", "PressesSlow"}  # ignored: a busy test machine may be slow
FOLDER = "./prometheus:/etc/prometheus:ro"
LARGE, SMALL = "1t", "900m"  # disk sizes above and below the alert's threshold of 1e9 bytes


class Watch:
    """Prometheus of a cell; `wait_for` waits until exactly these alerts fire."""

    def __init__(self, cell: Containers, folder: Path) -> None:
        files = shutil.copytree(DEPLOY / "prometheus", folder / "prometheus")
        for path in files.iterdir():
            path.write_text(INTERVAL.sub(r"\1: 1s", path.read_text()))
        volumes = cell.services["prometheus"]["volumes"]
        volumes[volumes.index(FOLDER)] = FOLDER.replace("./prometheus", str(files))
        self._cell = cell

    def wait_for(self, *alerts: str) -> None:
        """Wait until exactly these alerts fire, ignoring those in SPEED."""
        until, firing = time.monotonic() + START_S, None
        while firing != set(alerts):
            assert time.monotonic() < until, (firing, self._cell.log("prometheus"))
            with suppress(ConnectionError):  # not listening yet, or starting
                found = self.ask("alerts")["alerts"]
                firing = {one["labels"]["alertname"] for one in found if one["state"] == "firing"} - SPEED
            time.sleep(0.2)  # polled, because there is no event

    def values(self, query: str) -> list[float]:
        """Current values of a query."""
        return [float(row["value"][1]) for row in self.ask(f"query?query={quote(query)}")["result"]]

    def ask(self, path: str) -> Any:
        """Request an API path; raise ConnectionError until Prometheus is ready."""
        network = self._cell._network
        connection = http.client.HTTPConnection(network.machines["prometheus"].address, 9090, timeout=20)
        try:
            with network.inside():
                connection.connect()
            connection.request("GET", f"/api/v1/{path}")
            response = connection.getresponse()
            if response.status == HTTPStatus.SERVICE_UNAVAILABLE:
                raise ConnectionError("it is starting")
            answer = json.load(response)
        finally:
            connection.close()
        assert answer["status"] == "success", answer
        return answer["data"]


@contextmanager
def disk_of(cell: Containers) -> Iterator[None]:
    """Give the cell's volumes their own large disk within the block."""
    cell.volumes.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"mode=755,size={LARGE}", "none", str(cell.volumes)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(cell.volumes)], check=True)


def fill(cell: Containers) -> None:
    """Shrink the volumes' disk until little space is left."""
    subprocess.run(["mount", "-o", f"remount,size={SMALL}", str(cell.volumes)], check=True)


@contextmanager
def standby_away(cell: Containers) -> Iterator[None]:
    """Make commits wait for a missing standby within the block."""
    _wait_for_standby(cell, "clock_standby")
    try:
        yield
    finally:
        _wait_for_standby(cell, "")


def _wait_for_standby(cell: Containers, name: str) -> None:
    statements = f"ALTER SYSTEM SET synchronous_standby_names = '{name}'", "SELECT pg_reload_conf()"
    cell.exec("postgresql", "psql", "--username=clock", *(f"--command={each}" for each in statements))


def age_backups(cell: Containers) -> None:
    """Backdate the records of the last backup by 16 minutes."""
    for name in ("last-backup.json", "last-backup-sent.json"):
        record = cell.volumes / "backups" / name
        at = datetime.now(UTC) - timedelta(minutes=16)
        record.write_text(json.dumps(json.loads(record.read_text()) | {"at": at.isoformat()}))
