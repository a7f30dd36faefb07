"""Prometheus metrics of this process and its database, computed on each scrape."""

import os
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import accumulate

from django.db.models import Max
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from clocks.backups import last
from clocks.desk.figures import Spread, figures
from clocks.engine.closed_sets import Status
from clocks.host.version import version
from clocks.live.hub import hub
from clocks.models import JournalEntry, Match

PREFIX = "backgammon_clock_"
BEGAN = time.time()


class Figures(Collector):
    """All metrics; only a few need the database."""

    def collect(self) -> Iterable[Metric]:
        """Yield each metric with its help text."""
        yield _info()
        yield from _of_the_desk()
        yield from _of_the_sockets()
        yield from _of_the_database()
        yield from _of_the_copies()


def _info() -> Metric:
    metric = GaugeMetricFamily(PREFIX + "info", "Which version runs, in which process.", labels=["version", "process"])
    metric.add_metric([version(), str(os.getpid())], 1)
    return metric


def _of_the_desk() -> Iterable[Metric]:
    counted = figures
    yield _counts("commands", "Commands that were carried out, by what was asked.", "do", dict(counted.accepted))
    yield _counts("refusals", "Commands that were refused, by code.", "code", dict(counted.refused))
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


def _of_the_database() -> Iterable[Metric]:
    running = Match.objects.filter(status=Status.RUNNING).count()
    yield GaugeMetricFamily(PREFIX + "running_boards", "Boards whose clock runs, in all processes.", running)
    newest = JournalEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0
    yield GaugeMetricFamily(PREFIX + "journal_entries", "The number of the newest entry of the journal.", newest)


def _of_the_copies() -> Iterable[Metric]:
    kept = last.state()
    if kept.at is not None:
        age = (datetime.now(UTC) - kept.at).total_seconds()
        yield GaugeMetricFamily(PREFIX + "backup_age_seconds", "Since the last good copy on this machine.", age)
    yield GaugeMetricFamily(PREFIX + "free_bytes", "Room on the disk of the data folder.", kept.free_bytes)


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
