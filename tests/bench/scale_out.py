"""Simulate 100,000 and 1,000,000 boards: `python -m tests.bench.scale_out`.

A discrete-event simulation of one cell: boards press at random, and each process settles all waiting presses in one
batch on its core, then waits for the commit of a PostgreSQL shared by all processes. The costs were measured
(docs/performance.md gives machine and command of each; `tests/bench/cost_of_a_press.py` measures those of PostgreSQL
and Redis). Prices are assumptions.
"""

import argparse
import heapq
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

MS = 0.001
US = 0.000_001


@dataclass(frozen=True)
class Costs:
    """Costs, in seconds unless a comment gives another unit.

    Measured by `make bench` on two cores of an idle Xeon, unless a comment says otherwise.
    """

    batch: float = 1000 * US  # CPU per batch: 1,000 boards use 25 % of a core, in batches of one
    press: float = 136 * US  # CPU per press: 6,321 a second use a whole core, in batches of 50
    socket: float = 0.07 / 6_000  # CPU per second and idle socket: 6,000 use 7 %
    look: float = 1.75 * US  # CPU per board, once a second: 7 ms with 4,000
    opening: float = 0.98 * MS  # CPU per reconnecting phone, until it has its snapshot
    database: float = 500 * US  # PostgreSQL's CPU time for a batch of one, cost_of_a_press.py
    database_press: float = 150 * US  # for each further press: half of the rest of two cores at 3,761 presses a second
    database_process: float = 24 * MS  # per second and process, which polls for missed changes
    redis: float = 7 * US  # Redis's CPU time for a press followed by another process, cost_of_a_press.py
    flush: float = 0.12 * MS  # to flush 4 KiB to disk
    network: float = 0.5 * MS  # round trip between machines in a zone: an assumption
    frame: float = 400.0  # bytes per second and socket through the proxy
    entry: float = 450.0  # bytes of journal per press


COSTS = Costs()
EACH_S = 5.0  # between presses of a board
MOST, FEW, REST_S = 500, 2, 4 * MS  # largest batch; pause after a batch larger than FEW (clocks/desk/writer.py)
BUSY = 0.7  # maximum utilisation of a resource in ordinary play
P99_S = 0.05  # limit on the p99 latency from a press to the other phone
BACK_S = 10.0  # limit until all phones of a failed process are back

CORE, DATABASE, DISK = "a process's core", "PostgreSQL's cores", "PostgreSQL's disk"
MEASURED, MOST_MEASURED = "more was not measured", 4_000  # boards per process
CONNECTED, REDIS, BACK, WAIT = "PostgreSQL's connections", "Redis's core", "a lost process's phones", "a press's wait"
LIFTED = {
    DATABASE: ("database", "database_press", "database_process"),
    DISK: ("flush",),
    REDIS: ("redis",),
    BACK: ("opening",),
}

CORES = 4  # per machine; PostgreSQL has a machine of its own, with as many
CONNECTIONS, POOL = 100, 21  # `max_connections` in deploy/postgresql/clock.conf, and the pool limit of a process
PROXY_SOCKETS, PROXY_BYTES = (
    50_000,
    100e6,
)  # sockets, and bytes a second, per proxy with four cores; both sides count as one socket: an assumption
MACHINE, DISK_GB, TRAFFIC_TB = 30.0, 0.05, 1.0  # euros a month: machine (four cores, 8 GB), GB, TB. Assumptions
HOURS = 120  # of full play a month: 30 evenings of four hours
KEPT_DAYS = 90
CELL = 10_000  # boards on four processes, well below every limit: modelled waits are half of the measured ones


@dataclass(frozen=True)
class Result:
    """Waiting times of presses, and utilisation of each resource."""

    p50_s: float
    p99_s: float
    core: float
    database: float
    disk: float
    redis: float


class Database:
    """PostgreSQL on its own machine, with a synchronous standby; or SQLite."""

    def __init__(self, costs: Costs, cores: int, is_remote: bool) -> None:
        self._costs, self._far = costs, costs.network if is_remote else 0.0
        self._free = [0.0] * cores
        self._flush_began = self._flush_ends = -math.inf
        self.worked = self.flushed = 0.0

    def commit(self, at: float, presses: int) -> float:
        """Time when a batch sent at `at` is stored, also on the standby (s)."""
        if not self._far:  # SQLite, whose work is part of the process's
            return self._flushed(at)
        began = max(at + self._far / 2, heapq.heappop(self._free))
        work = self._costs.database + self._costs.database_press * (presses - 1)
        self.worked += work
        heapq.heappush(self._free, began + work)
        return self._flushed(began + work) + self._far + self._costs.flush + self._far / 2

    def _flushed(self, at: float) -> float:
        """End of the next flush, which is shared by all waiting commits."""
        if at > self._flush_began:
            self._flush_began = max(at, self._flush_ends)
            self._flush_ends = self._flush_began + self._costs.flush
            self.flushed += self._costs.flush
        return self._flush_ends


def simulate(
    boards: int, processes: int, costs: Costs = COSTS, cores: int = CORES, seconds: float = 20.0, seed: int = 27
) -> Result:
    """Simulate a cell with boards spread over processes; a single process uses SQLite."""
    chance = random.Random(seed)
    each = boards / processes
    arrivals = [_arrivals(chance, each / EACH_S, seconds) for _ in range(processes)]
    at = [0] * processes
    slower = 1 / max(0.01, 1 - 2 * each * costs.socket)  # pings of idle sockets take their share of the core
    looked = [float(number) / processes for number in range(processes)]
    database = Database(costs, cores, processes > 1)
    waits, worked, told = list[float](), 0.0, 0
    starts = [(times[0], number) for number, times in enumerate(arrivals) if times]
    heapq.heapify(starts)
    while starts:
        start, number = heapq.heappop(starts)
        times, first = arrivals[number], at[number]
        last = first
        while last < len(times) and times[last] <= start and last - first < MOST:
            last += 1
        presses = last - first
        work = costs.batch + costs.press * presses
        if start >= looked[number]:
            work, looked[number] = work + costs.look * each, start + 1
        worked += work
        told += presses
        stored = database.commit(start + work * slower, presses)
        seen = stored + (costs.network if processes > 1 else 0)
        waits += [seen - asked for asked in times[first:last]]
        at[number] = last
        free = stored + (min(REST_S, stored - start) if presses > FEW else 0)
        if last < len(times):
            heapq.heappush(starts, (max(free, times[last]), number))
    waits.sort()
    idle = 2 * each * costs.socket
    return Result(
        p50_s=waits[len(waits) // 2],
        p99_s=waits[int(len(waits) * 0.99)],
        core=worked / seconds / processes + idle,
        database=(database.worked / seconds + (processes > 1) * processes * costs.database_process) / cores,
        disk=database.flushed / seconds,
        redis=told * (1 - 1 / processes) * costs.redis / seconds,  # the other boards have both phones at one process
    )


def _arrivals(chance: random.Random, rate: float, seconds: float) -> list[float]:
    found, now = list[float](), chance.expovariate(rate)
    while now < seconds:
        found.append(now)
        now += chance.expovariate(rate)
    return found


def back_s(boards: int, busy: float, costs: Costs = COSTS) -> float:
    """Seconds until a process with this utilisation takes over a failed one's phones."""
    return 2 * boards * costs.opening / max(0.01, 1 - busy)


def limits(boards: int, processes: int, costs: Costs = COSTS, connections: int = CONNECTIONS) -> list[str]:
    """Limits exceeded by a cell of this size: resources first, then waits."""
    now = simulate(boards, processes, costs, seconds=8.0)
    several = processes > 1
    each = boards // processes
    broken = {
        CORE: now.core > BUSY,
        CONNECTED: several and processes * POOL > connections,
        DATABASE: now.database > BUSY,
        DISK: now.disk > BUSY,
        REDIS: now.redis > BUSY,
        BACK: several and back_s(each, now.core, costs) / (processes - 1) > BACK_S,
        WAIT: now.p99_s > P99_S,
        MEASURED: each > MOST_MEASURED,
    }
    return [name for name, is_broken in broken.items() if is_broken]


def largest(processes: int) -> tuple[int, str]:
    """Most boards for these processes, in steps of 250, and the first limit exceeded."""
    boards = 250
    while not (found := limits(boards, processes)):
        boards += 250
    return boards - 250, found[0]


def bottlenecks(each: int, number: int = 3) -> list[tuple[str, int]]:
    """First limits of a single database for all boards, and where they are reached.

    Each process serves `each` boards. A limit that is reached is lifted, to find the next one. Returns pairs of limit
    and boards.
    """
    found, costs, connections, boards = list[tuple[str, int]](), COSTS, CONNECTIONS, each
    while len(found) < number:
        broken = limits(boards, math.ceil(boards / each), costs, connections)
        if not broken:
            boards = math.ceil(boards * 1.1)
            continue
        found.append((broken[0], boards))
        connections *= 1000 if broken[0] == CONNECTED else 1
        costs = replace(costs, **{name: getattr(costs, name) / 1000 for name in LIFTED.get(broken[0], ())})
    return found


def hall_sizes(boards: int, seed: int = 27) -> Iterator[int]:
    """Yield tournament sizes: half at most 15 boards, one in a hundred over 500."""
    chance, left = random.Random(seed), boards
    while left > 0:
        size = min(left, 2_000, round(8 * chance.paretovariate(1.1)))
        yield size
        left -= size


def fullest(boards: int, capacity: int, spare: float, seed: int = 27) -> tuple[int, float]:
    """Number of cells for these boards, and utilisation of the fullest one.

    Each tournament announces between half and twice its actual boards, and goes to the cell with the most room.
    """
    chance = random.Random(seed)
    cells = math.ceil(boards / (capacity * (1 - spare)))
    announced = [(0.0, number) for number in range(cells)]
    filled = [0] * cells
    for size in hall_sizes(boards, seed):
        load, number = heapq.heappop(announced)
        heapq.heappush(announced, (load + size * 2 ** chance.uniform(-1, 1), number))
        filled[number] += size
    return cells, max(filled) / capacity


@dataclass(frozen=True)
class Fleet:
    """Cells and proxies for a number of boards, and their monthly cost."""

    boards: int
    cells: int
    fullest: float
    machines: int
    proxies: int
    journal_gb: float
    traffic_tb: float

    @property
    def euros(self) -> float:
        """Monthly cost; the journal is stored three times: original, standby and backup."""
        return (self.machines + self.proxies) * MACHINE + 3 * self.journal_gb * DISK_GB + self.traffic_tb * TRAFFIC_TB


def fleet(boards: int, capacity: int, processes: int, costs: Costs = COSTS) -> Fleet:
    """Size the fleet for these boards.

    A cell has machines for its processes, for PostgreSQL, for its standby, and for Redis with the archive.
    """
    cells, share = fullest(boards, capacity, spare=0.2)
    sockets = 2 * boards
    proxies = math.ceil(max(sockets / PROXY_SOCKETS, sockets * costs.frame / PROXY_BYTES)) + 1
    presses = boards / EACH_S * HOURS * 3600
    return Fleet(
        boards,
        cells,
        share,
        cells * (math.ceil(processes / CORES) + 3),
        proxies,
        presses * costs.entry * KEPT_DAYS / 30 / 1e9,
        sockets * costs.frame * HOURS * 3600 / 1e12,
    )


def tell(boards: Sequence[int]) -> None:
    """Print the tables of docs/scaling.md."""
    print("| boards | processes | p50 | p99 | a process's core | PostgreSQL | its disk | Redis |")
    print("|---|---|---|---|---|---|---|---|")
    for number, processes in ((1_000, 1), (4_000, 1), (4_000, 2), (8_000, 4), (10_000, 4), (12_000, 4)):
        now = simulate(number, processes)
        shares = " | ".join(f"{share:.0%}" for share in (now.core, now.database, now.disk, now.redis))
        print(f"| {number:,} | {processes} | {now.p50_s / MS:.1f} ms | {now.p99_s / MS:.1f} ms | {shares} |")
    print("\n| processes | boards | what stops more |\n|---|---|---|")
    found = {}
    for processes in (1, 2, 3, 4):
        found[processes], limit = largest(processes)
        print(f"| {processes} | {found[processes]:,} | {limit} |")
    print("\n| one database for all: what stops first | at boards |\n|---|---|")
    for limit, at in bottlenecks(CELL // 4):
        print(f"| {limit} | {at:,} |")
    print("\n| boards | cells | fullest | machines | proxies | journal | traffic a month | euros a month |")
    print("|---|---|---|---|---|---|---|---|")
    for number in boards:
        all_ = fleet(number, CELL, 4)
        print(
            f"| {number:,} | {all_.cells} of {CELL:,} | {all_.fullest:.0%} | {all_.machines} | {all_.proxies} "
            f"| {all_.journal_gb / 1000:,.1f} TB | {all_.traffic_tb:,.0f} TB | {all_.euros:,.0f} |"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Simulate large installations.")
    parser.add_argument("boards", nargs="*", type=int, default=[10_000, 100_000, 1_000_000])
    tell(parser.parse_args().boards)
