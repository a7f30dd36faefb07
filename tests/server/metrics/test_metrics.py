"""Health, readiness, Prometheus metrics and the JSON log."""

import json
import logging
import os
import shutil
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from clocks import desk
from clocks.desk import batch
from clocks.desk.figures import Figures
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Hit
from clocks.host.server_time import now_ms
from clocks.live import flag_watch
from clocks.metrics import readiness
from config.logs import Json
from tests.server.daphne import ROOT, House
from tests.server.house import make_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def an_empty_desk() -> None:
    desk.forget()


def told(client: Client, **headers: str) -> dict[str, float]:
    """Metrics from `/metrics`, by name and labels."""
    answer = client.get("/metrics", **headers)
    assert answer.status_code == 200, answer.content
    return {
        sample.name.removeprefix("backgammon_clock_")
        + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def test_livez_answers_while_the_database_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.db.connection.cursor", lambda: 1 / 0)
    answer = client.get("/livez")
    assert (answer.status_code, answer.json()) == (200, {"ok": True})


def test_readyz_names_every_working_part(client: Client) -> None:
    answer = client.get("/readyz")
    expected = {"ok": True, "database": True, "layer": True, "writer": True, "clock": True}
    assert (answer.status_code, answer.json()) == (200, expected)


def test_readyz_names_the_failing_part(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> bool:
        raise OperationalError("the disk is gone")

    monkeypatch.setattr(readiness, "database", readiness.Lookup(away))
    monkeypatch.setattr(desk, "busy_s", lambda: 6.0)
    answer = client.get("/readyz")
    expected = {"ok": False, "database": False, "layer": True, "writer": False, "clock": True}
    assert (answer.status_code, answer.json()) == (503, expected)


def test_a_process_that_lost_track_of_postgresqls_time_is_not_ready(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flag_watch, "connection", SimpleNamespace(vendor="postgresql"))
    assert client.get("/readyz").json()["clock"]
    monkeypatch.setattr(flag_watch.watch, "_disciplined_at", now_ms() - 3 * flag_watch.DISCIPLINE_MS)
    answer = client.get("/readyz")
    expected = {"ok": False, "database": True, "layer": True, "writer": True, "clock": False}
    assert (answer.status_code, answer.json()) == (503, expected)


def test_without_redis_a_process_stays_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clocks.live.peers.several_processes", lambda: True)
    answer = client.get("/readyz")
    expected = {"ok": True, "database": True, "layer": False, "writer": True, "clock": True}
    assert (answer.status_code, answer.json()) == (200, expected)
    assert told(client)["ready layer"] == 0.0


def test_while_the_database_hangs_health_and_metrics_answer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = threading.Event()
    monkeypatch.setattr(readiness, "database", readiness.Lookup(hangs.wait))
    monkeypatch.setattr(readiness, "ANSWER_S", 0.05)
    monkeypatch.setattr("clocks.metrics.collector.figures", Figures())
    try:
        assert (client.get("/readyz").status_code, client.get("/healthz").status_code) == (503, 503)
        figures = told(client)
        assert (figures["ready database"], figures["ready writer"]) == (0.0, 1.0)
        assert "running_boards" not in figures
        assert figures["refusals_total not-stored"] == 0.0  # starts at 0, so that the first refusal raises the alert
    finally:
        hangs.set()


def test_metrics_tell_of_the_process_its_disks_and_its_pages(client: Client) -> None:
    figures = told(client)
    assert figures["process_open_fds"] > 0
    assert figures["process_resident_memory_bytes"] > 10_000_000
    assert {name for name in figures if name.startswith("responses_total")} == {
        f"responses_total {status}" for status in ("2xx", "3xx", "4xx", "5xx")
    }


def test_metrics_count_the_requests_to_the_desk(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "figures", Figures())
    monkeypatch.setattr("clocks.metrics.collector.figures", batch.figures)
    match = make_match()
    for press in ("one", "two"):
        batch.Desk().settle([Request(match.pk, Hit(), Seat.LEFT, command_id=press)])
    figures = told(client)
    assert {
        name: value
        for name, value in figures.items()
        if name.startswith(("batch_commands_c", "running")) or (name.startswith("refusals") and value)
    } == {
        "refusals_total setup-not-confirmed": 2.0,
        "batch_commands_count": 2.0,
        "running_boards": 0.0,
    }
    assert figures["journal_entries"] >= 1
    assert figures["free_bytes data"] > 0
    assert figures["database_bytes"] > 0


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"REMOTE_ADDR": "127.0.0.1"}, 200),
        ({"REMOTE_ADDR": "::1"}, 200),
        ({"REMOTE_ADDR": "192.168.1.7"}, 401),
        ({"REMOTE_ADDR": "192.168.1.7", "HTTP_AUTHORIZATION": "Bearer a token of the operator"}, 200),
        ({"REMOTE_ADDR": "192.168.1.7", "HTTP_AUTHORIZATION": "Bearer a token of somebody"}, 401),
        ({"REMOTE_ADDR": "192.168.1.7", "HTTP_AUTHORIZATION": "Bearer "}, 401),
    ],
)
def test_metrics_need_a_local_client_or_a_token(
    client: Client, settings: Any, headers: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN = "a token of the operator"
    assert client.get("/metrics", **headers).status_code == status


def test_without_a_configured_token_no_token_works(client: Client) -> None:
    assert client.get("/metrics", REMOTE_ADDR="192.168.1.7", HTTP_AUTHORIZATION="Bearer ").status_code == 401


def test_a_local_proxy_does_not_expose_the_metrics(tmp_path: Path) -> None:
    import urllib.error
    import urllib.request

    house = House(tmp_path)
    house.start()
    try:
        address = f"http://127.0.0.1:{house.port}/metrics"
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert b"backgammon_clock_info" in answer.read()
        through_a_proxy = urllib.request.Request(address, headers={"X-Forwarded-For": "203.0.113.9"})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(through_a_proxy, timeout=20)
        assert refused.value.code == 401
    finally:
        house.close()


def test_a_json_log_line_names_match_phone_and_command_and_no_secret() -> None:
    try:
        raise ValueError("what /director/sign-in/abcdef/ asked for")
    except ValueError:
        failed = sys.exc_info()
    record = logging.makeLogRecord(
        {
            "name": "clocks.desk",
            "levelno": logging.ERROR,
            "levelname": "ERROR",
            "msg": "match %d: /director/invite/%s/",
            "args": (7, "secret"),
            "exc_info": failed,
            "created": 1_700_000_000.25,
            "match": 7,
            "device": 3,
            "request": "press 1",
        }
    )
    line = json.loads(Json().format(record))
    traceback = line.pop("traceback")
    assert line == {
        "time": datetime(2023, 11, 14, 22, 13, 20, 250_000, UTC).isoformat(timespec="milliseconds"),
        "level": "ERROR",
        "logger": "clocks.desk",
        "message": "match 7: /director/invite/…/",
        "match": 7,
        "device": 3,
        "request": "press 1",
    }
    assert traceback.endswith("ValueError: what /director/sign-in/…/ asked for")


@pytest.mark.skipif(
    shutil.which("promtool") is None and os.environ.get("CI") != "true", reason="Prometheus is not there"
)
def test_each_alert_fires_on_the_figures_that_it_is_for() -> None:
    command = ["promtool", "test", "rules", "tests/server/metrics/alerts.yaml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
