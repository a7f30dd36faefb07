"""Prometheus metrics of this process and its database, computed on each scrape."""

import os
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path

from django.db import connection
from django.db.models import Max
from prometheus_client import ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from clocks.backups import last
from clocks.backups.folder import own_folder
from clocks.desk.figures import Spread, figures
from clocks.engine.closed_sets import Status
from clocks.engine.refusals import REFUSALS
from clocks.host.responses import responses
from clocks.host.version import version
from clocks.live.hub import hub
from clocks.metrics import readiness
from clocks.models import JournalEntry, Match

PREFIX = "backgammon_clock_"
BEGAN = time.time()
_POOL_COUNTS = {
    "requests_queued": "Requests that had to wait for a connection.",
    "requests_wait_ms": "Time that they waited.",
    "requests_errors": "Requests that got no connection in time.",
    "connections_lost": "Connections that were found broken.",
}
_process = ProcessCollector(registry=None)


class Figures(Collector):
    """All metrics; those of the database are omitted while it does not answer."""

    def collect(self) -> Iterable[Metric]:
        """Yield each metric with its help text."""
        yield _info()
        yield _readiness()
        yield from _process.collect()
        yield _counts("responses", "Pages answered, by status class.", "status", dict(responses))
        yield from _of_the_desk()
        yield from _of_the_sockets()
        yield from _of_the_database()
        yield from _of_the_pool()
        yield from _of_the_backups()


def _info() -> Metric:
    metric = GaugeMetricFamily(PREFIX + "info", "Which version runs, in which process.", labels=["version", "process"])
    metric.add_metric([version(), str(os.getpid())], 1)
    return metric


def _readiness() -> Metric:
    metric = GaugeMetricFamily(PREFIX + "ready", "1 if this part works (`/readyz`).", labels=["part"])
    for part, works in readiness.parts().items():
        metric.add_metric([part], works)
    return metric


def _of_the_desk() -> Iterable[Metric]:
    counted = figures
    yield _counts("commands", "Commands that were carried out, by what was asked.", "do", dict(counted.accepted))
    # Export all codes from the start: a counter that first appears as 1 has a rate of 0.
    refused = dict.fromkeys(map(str, REFUSALS), 0) | dict(counted.refused)
    yield _counts("refusals", "Commands that were refused, by code.", "code", refused)
    yield _spread("batch_commands", "Commands that shared a transaction.", counted.batches)
    yield _spread("commit_seconds", "Time that a transaction took.", counted.commits_s)
    yield _spread("announce_seconds", "From a command's arrival until its update left.", counted.announced_s)
    yield _spread("flag_seconds", "From the end of a flag's lag allowance until it was announced.", counted.flags_s)
    yield CounterMetricFamily(PREFIX + "credit_seconds", "Time credited for the network.", counted.credit_ms / 1000)
    yield CounterMetricFamily(PREFIX + "credited_presses", "Presses that were credited some.", counted.credited)
    yield CounterMetricFamily(PREFIX + "late_presses", "Presses that were held up on their way.", counted.late)
    yield CounterMetricFamily(
        PREFIX + "outage_seconds", "Time of outages that nobody was charged for.", counted.outages_ms / 1000
    )


def _of_the_sockets() -> Iterable[Metric]:
    held = {
        "table": sum(len(room.sockets) for room in list(hub.tables.values())),
        "tournament": sum(len(room.sockets) for room in list(hub.tournaments.values())),
    }
    metric = GaugeMetricFamily(PREFIX + "sockets", "Open sockets, by what they follow.", labels=["kind"])
    for kind, number in held.items():
        metric.add_metric([kind], number)
    yield metric


def _stored() -> tuple[int, int, int]:
    """Number of running matches, newest journal entry's id, database size in bytes."""
    running = Match.objects.filter(status=Status.RUNNING).count()
    newest = JournalEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0
    if connection.vendor == "sqlite":
        return running, newest, Path(str(connection.settings_dict["NAME"])).stat().st_size
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return running, newest, cursor.fetchone()[0]


_database = readiness.Lookup(_stored)


def _of_the_database() -> Iterable[Metric]:
    found = _database.result() if readiness.database.result() else None
    if found is not None:
        running, newest, size = found
        yield GaugeMetricFamily(PREFIX + "running_boards", "Boards whose clock runs, in all processes.", running)
        yield GaugeMetricFamily(PREFIX + "journal_entries", "The number of the newest entry of the journal.", newest)
        yield GaugeMetricFamily(PREFIX + "database_bytes", "Size of the database.", size)


def pool_stats() -> dict[str, int] | None:
    """Statistics of the PostgreSQL connection pool; None without one, as with SQLite."""
    pool = getattr(connection, "pool", None)
    return pool and pool.get_stats()


def _of_the_pool() -> Iterable[Metric]:
    now = pool_stats()
    if now is not None:
        metric = GaugeMetricFamily(PREFIX + "pool", "Connections, and requests that wait for one.", labels=["what"])
        for what in ("pool_max", "pool_size", "pool_available", "requests_waiting"):
            metric.add_metric([what.removeprefix("pool_")], now.get(what, 0))
        yield metric
        for name, says in _POOL_COUNTS.items():
            yield CounterMetricFamily(f"{PREFIX}pool_{name}", says, now.get(name, 0))


def _of_the_backups() -> Iterable[Metric]:
    kept, now = last.state(), datetime.now(UTC)
    for name, at, says in (
        ("backup_age_seconds", kept.at, "Since the last good backup on this machine."),
        ("backup_sent_age_seconds", last.sent_at(), "Since the last one that was copied elsewhere."),
    ):
        if at is not None:
            yield GaugeMetricFamily(PREFIX + name, says, (now - at).total_seconds())
    metric = GaugeMetricFamily(PREFIX + "free_bytes", "Room on the disk of data and of backups.", labels=["disk"])
    metric.add_metric(["data"], kept.free_bytes)
    folder = Path(kept.path).parent if kept.path else own_folder()
    with suppress(OSError):  # not created yet, or on an unplugged USB stick
        metric.add_metric(["backups"], shutil.disk_usage(folder).free)
    yield metric


def _counts(name: str, says: str, label: str, counts: dict[str, int]) -> Metric:
    metric = CounterMetricFamily(PREFIX + name, says, labels=[label], created=BEGAN)
    for kind, number in sorted(counts.items()):
        metric.add_metric([kind], number)
    return metric


def _spread(name: str, says: str, spread: Spread) -> Metric:
    sums = list(accumulate(list(spread.counts)))
    bounds = [*map(str, spread.bounds), "+Inf"]
    buckets = [(bound, float(number)) for bound, number in zip(bounds, sums, strict=True)]
    return HistogramMetricFamily(PREFIX + name, says, buckets=buckets, sum_value=spread.total)
