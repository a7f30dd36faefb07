"""Health checks and metrics of a real server: Host names, a frozen database."""

import json
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import psutil
import pytest

from tests import services
from tests.conftest import of_our_own
from tests.server.daphne import House, migrated
from tests.services import PostgreSQL

TOKEN = "a token of the operator"
WITH_TOKEN = {"Host": "one:8000", "Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def database() -> Iterator[PostgreSQL]:
    """PostgreSQL server for a single test, which may freeze it."""
    yield from of_our_own(services.postgresql)


@pytest.fixture(scope="module")
def house(database: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    url = database.url_of(migrated(database))
    house = House(tmp_path_factory.mktemp("probed"), DATABASE_URL=url, METRICS_TOKEN=TOKEN)
    house.start()
    yield house
    house.close()


def ask(house: House, path: str, **headers: str) -> tuple[int, str]:
    """Request a page; return status and text."""
    request = urllib.request.Request(f"http://127.0.0.1:{house.port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/healthz"])
def test_a_health_check_may_name_the_process_as_the_proxy_does(house: House, path: str) -> None:
    status, text = ask(house, path, Host="one:8000")
    assert (status, json.loads(text)["ok"]) == (200, True)


def test_metrics_are_told_under_any_host_to_who_has_the_token(house: House) -> None:
    status, text = ask(house, "/metrics", **WITH_TOKEN)
    assert (status, "backgammon_clock_info" in text) == (200, True)
    assert "backgammon_clock_pool{" in text
    assert ask(house, "/metrics", Host="evil.example")[0] == 400  # DNS rebinding: a foreign name for this machine
    assert ask(house, "/", Host="one:8000")[0] == 400


def test_probes_do_not_count_as_pages(house: House) -> None:
    def counted() -> list[str]:
        told = ask(house, "/metrics", **WITH_TOKEN)[1].splitlines()
        return [line for line in told if line.startswith("backgammon_clock_responses_total")]

    before = counted()
    ask(house, "/readyz")
    assert counted() == before
    ask(house, "/")
    assert counted() != before


def test_while_the_database_is_frozen_probes_answer_and_alerts_can_fire(house: House, database: PostgreSQL) -> None:
    assert ask(house, "/readyz")[0] == 200
    backends = psutil.Process(database.pid()).children()
    for process in backends:
        process.suspend()
    database.signal(signal.SIGSTOP)
    try:
        began = time.monotonic()
        while ask(house, "/readyz")[0] != 503:
            assert time.monotonic() - began < 20  # an idle connection may still answer
        told = {path: ask(house, path, **WITH_TOKEN) for path in ("/livez", "/readyz", "/healthz", "/metrics")}
        assert {path: status for path, (status, _) in told.items()} == {
            "/livez": 200,
            "/readyz": 503,
            "/healthz": 503,
            "/metrics": 200,
        }
        assert json.loads(told["/readyz"][1])["database"] is False
        lines = told["/metrics"][1].splitlines()
        assert 'backgammon_clock_ready{part="database"} 0.0' in lines
        assert 'backgammon_clock_refusals_total{code="not-stored"} 0.0' in lines
    finally:
        database.signal(signal.SIGCONT)
        for process in backends:
            process.resume()
    until = time.monotonic() + 30
    while ask(house, "/readyz")[0] != 200:
        assert time.monotonic() < until
        time.sleep(0.1)  # polled, because readiness has no event
