"""Sentry and OpenTelemetry get the desk's errors and timings, but no user data."""

import gzip
import logging
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import brotli
import pytest

from clocks.desk import watched
from clocks.desk.requests import Request
from clocks.engine.commands import Hit
from tests.server.host.test_settings import start

UNPACK: dict[str | None, Callable[[bytes], bytes]] = {None: bytes, "gzip": gzip.decompress, "br": brotli.decompress}


class Collector(HTTPServer):
    """HTTP server that records the bodies it receives, by path."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.heard: dict[str, bytes] = {}


class Answer(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert isinstance(self.server, Collector)
        self.server.heard[self.path] = UNPACK[self.headers["Content-Encoding"]](body)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def settle(items: Any) -> None:
    """Stand-in for `Desk.settle` that logs the failure of one command."""
    try:
        raise ValueError("Ann Smith")
    except ValueError:
        about = {"match": 17, "device": 4, "request": "id-1"}
        logging.getLogger("clocks.desk.batch").exception("match %d: %r failed", 17, "SECRET", extra=about)


def test_sentry_gets_failures_without_any_user_input(settings: Any, collector: Collector) -> None:
    settings.SENTRY_DSN = f"http://public@127.0.0.1:{collector.server_port}/1"
    assert watched.watched(settle) is settle
    try:
        settle([])
        watched.sentry().flush(10)
    finally:
        desk = logging.getLogger("clocks.desk")
        desk.handlers = [handler for handler in desk.handlers if not isinstance(handler, watched.ToSentry)]
        watched.sentry().close()
        watched.sentry.cache_clear()
    told = collector.heard["/api/1/envelope/"]
    said = (b"ValueError", b"test_watched.py", b"match %d: %r failed", b'"match":"17"')
    assert [word in told for word in said] == [True] * 4, told
    assert [word in told for word in (b"Ann Smith", b"SECRET", b"id-1")] == [False] * 3


def test_opentelemetry_gets_a_span_for_each_batch(
    settings: Any, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"http://127.0.0.1:{collector.server_port}"
    settings.OTEL_EXPORTER_OTLP_ENDPOINT = address
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
    settled: list[Any] = []
    requests = [Request(match, Hit(), "left", 0) for match in (1, 1, 2)]
    try:
        watched.watched(settled.extend)(requests)
        watched.provider().shutdown()
    finally:
        watched.provider.cache_clear()
    assert settled == requests
    told = collector.heard["/v1/traces"]
    assert [word in told for word in (b"desk.batch", b"commands", b"matches", b"backgammon-clock")] == [True] * 4


def test_a_collector_that_is_away_does_not_hold_up_the_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "FLUSH_S", 0.05)
    began, hangs = threading.Event(), threading.Event()
    watched.within_flush_s(lambda: (began.set(), hangs.wait()))()
    assert (began.is_set(), hangs.is_set()) == (True, False)
    hangs.set()


def test_without_settings_nothing_is_reported_or_imported(tmp_path: Path) -> None:
    code = (
        "import os, sys, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; django.setup();"
        "from clocks.desk import watched; print(watched.watched(len) is len, "
        "[name for name in sys.modules if name.startswith(('sentry_sdk', 'opentelemetry'))])"
    )
    assert start(tmp_path, code) == (0, "True []", "")


def test_a_missing_library_is_named_at_the_start(tmp_path: Path) -> None:
    hidden = "import importlib.util; importlib.util.find_spec = lambda name: None"
    status, _, last = start(tmp_path, first=hidden, SENTRY_DSN="https://public@sentry.example.org/1")
    assert (status, last) == (
        1,
        "django.core.exceptions.ImproperlyConfigured: SENTRY_DSN needs what is not installed here: "
        "python -m pip install sentry-sdk==2.75.0",
    )
