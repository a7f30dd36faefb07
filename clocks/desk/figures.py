"""Metrics counters of this process, written in the desk's thread.

Plain numbers, because a hit costs the desk a hundred microseconds, and each counter with a lock would add one per cent.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from clocks.desk.requests import Reply, Request
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Expire, Stop
from clocks.host.server_time import now_ms

TIMES_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class Spread:
    """Histogram: counts by upper bound; the last count is above all bounds."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, size: float, times: int = 1) -> None:
        """Count a value `times` times."""
        self.counts[bisect_left(self.bounds, size)] += times
        self.total += size * times


class Figures:
    """Counters of this process."""

    def __init__(self) -> None:
        self.accepted: Counter[str] = Counter()  # accepted commands, by name
        self.refused: Counter[str] = Counter()  # rejected commands, by code
        self.batches = Spread(SIZES)
        self.commits_s = Spread(TIMES_S)
        self.announced_s = Spread(TIMES_S)  # time from the arrival of a command to its update
        self.flags_s = Spread(TIMES_S)  # time from the end of a flag's lag allowance to its update
        self.credit_ms = self.credited = self.late = 0
        self.outages_ms = 0

    def settled(self, requests: Sequence[Request], replies: Sequence[Reply], commit_s: float) -> None:
        """Record a batch, after its replies."""
        now = now_ms()
        self.batches.add(len(requests))
        self.commits_s.add(commit_s)
        for request, reply in zip(requests, replies, strict=True):
            if not reply.ok:
                self.refused[reply.code] += 1
                continue
            self.accepted[request.command.do] += 1
            of_an_outage = isinstance(request.command, Stop) and request.by == Official.SERVER
            if not isinstance(request.command, Expire) and not of_an_outage:
                self.announced_s.add((now - request.at) / 1000)
            if reply.credit_ms:
                self.credit_ms += reply.credit_ms
                self.credited += 1
            if request.heard_at is not None:
                self.late += 1


figures = Figures()
