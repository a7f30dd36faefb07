"""Benchmark rows with their limits; to add a row, append it to `ROWS`."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from tests.bench import (
    arranging,
    at_rest,
    cell,
    elsewhere,
    followers,
    held,
    large_pages,
    long_journal,
    waits,
    what_if,
)
from tests.bench.product import make_boards, serve_product
from tests.bench.rig import SQLITE, LeftOut, Rig, must_hold, must_keep_up
from tests.bench.rounds import compare, hall
from tests.bench.viewers import console_and_hall

Figures = dict[str, Any]


class Limit(NamedTuple):
    """Upper or lower bound of a figure."""

    figure: str
    bound: float
    unit: str = ""
    at_least: bool = False

    def holds(self, figures: Figures) -> bool:
        """True if the figure is within the limit."""
        value: float = figures[self.figure]
        return value >= self.bound if self.at_least else value <= self.bound


@dataclass(frozen=True)
class Row:
    """A measurement, selected by `key`, which is also its dotted path in the JSON."""

    key: str
    words: str
    measure: Callable[[Rig], Figures]
    limits: Sequence[Limit]

    def take(self, rig: Rig) -> Figures:
        """Return the figures with their limits, or why this machine cannot measure them."""
        try:
            figures = self.measure(rig)
        except LeftOut as why:
            return {"left_out": str(why), "limits": [limit._asdict() for limit in self.limits]}
        limits = [limit._asdict() | {"holds": limit.holds(figures)} for limit in self.limits]
        return figures | {"limits": limits}


def hits_on_sqlite(rig: Rig) -> Figures:
    """Hits per second in a closed loop on SQLite, compared with the relay."""
    folder, places = rig.places(rig.scaled(rig.chosen.boards))
    with rig.relay() as relay, rig.serve(folder) as server:
        return asyncio.run(compare(server, relay, places, rig.chosen))


def hits_on_postgresql(rig: Rig) -> Figures:
    """Hits per second in a closed loop on PostgreSQL and Redis, against the relay."""
    with rig.postgresql() as backend:
        environment = backend.environment(str(rig.new_folder()))
        places = make_boards(rig.scaled(rig.chosen.boards), environment)
        with rig.relay() as relay, serve_product(rig.server_core, environment) as server:
            return asyncio.run(compare(server, relay, places, rig.chosen))


def latency(number: int, watched: bool, rig: Rig) -> Figures:
    """Delays at the pace of a hall, optionally watched by a console and a hall screen."""
    boards = rig.scaled(number)
    must_hold(2 * boards)
    folder, places = rig.places(boards)
    with rig.serve(folder) as server:
        viewers = console_and_hall(server.port, SQLITE.environment(str(folder))) if watched else ()
        figures = asyncio.run(hall(server, places, viewers, rig.every_s, rig.chosen.hall_seconds))
    must_keep_up(figures["load_cpu"])
    return figures


ROWS = [
    Row(
        "durable_hits.sqlite",
        "durable hits in a closed loop, SQLite FULL",
        hits_on_sqlite,
        [Limit("ratio", 0.5, "of the bare relay", at_least=True)],
    ),
    Row(
        "durable_hits.postgresql",
        "durable hits in a closed loop, PostgreSQL and Redis",
        hits_on_postgresql,
        [Limit("ratio", 0.22, "of the bare relay", at_least=True)],
    ),
    Row(
        "latency.1000",
        "1,000 boards, a console and a hall’s screen",
        partial(latency, 1_000, True),
        [Limit("p99_ms", 12, "ms")],
    ),
    Row("latency.4000", "4,000 boards", partial(latency, 4_000, False), [Limit("p99_ms", 15, "ms")]),
    Row(
        "latency.10000",
        "10,000 boards",
        partial(latency, 10_000, False),
        [Limit("p99_ms", 50, "ms"), Limit("kb_a_socket", 40, "kB")],
    ),
    Row(
        "cell",
        "10,000 boards in a cell: four processes, PostgreSQL, Redis, nginx",
        cell.latency,
        [Limit("p99_ms", 50, "ms"), Limit("kb_a_socket", 40, "kB")],
    ),
    Row(
        "sockets_at_rest",
        "sockets at rest, 6,000",
        at_rest.sockets_at_rest,
        [Limit("kb_a_socket", 40, "kB"), Limit("frames_in_10_s", 1, "each 10 s")],
    ),
    Row(
        "elsewhere",
        "hits at another process, PostgreSQL and Redis",
        elsewhere.cost,
        [Limit("ratio", 0.03, "of a hit’s cost")],
    ),
    Row("flags", "flags after their lag allowance, 200 boards", waits.flags, [Limit("p99_ms", 50, "ms")]),
    Row("restart", "restart with 1,000 running boards", waits.restart, [Limit("all_back_s", 5, "s")]),
    Row(
        "journal",
        "a journal of 1,000,000 hits",
        long_journal.compare,
        [Limit(f"{part}_ratio", 1.2, "of an empty one") for part in ("board", "console", "hit")],
    ),
    Row(
        "feed",
        "500 feed readers beside 1,000 boards",
        followers.feed,
        [Limit("p99_ratio", 1.1, "of the p99 without")],
    ),
    Row(
        "webhooks",
        "webhooks that nobody takes, 1,000 boards",
        followers.webhooks,
        [Limit("p99_ratio", 1.1, "of the p99 without")],
    ),
    Row(
        "write_lock.beside",
        "a round of 1,000 arranged beside 1,000 boards",
        arranging.compare,
        [Limit("p99_ratio", 2.0, "of the p99 without")],
    ),
    Row(
        "write_lock.held",
        "the write lock outside the desk, 1,000 of everything",
        held.longest,
        [Limit("held_ms", 25.0, "ms")],
    ),
    Row(
        "pages",
        "draw, standings and bracket of 1,000 players, in proportion to the machine",
        large_pages.slowest,
        [Limit("page_ms", 300.0, "ms")],
    ),
    Row("what_if", "10,000 matches of 100 turns under another book", what_if.whatif, [Limit("seconds", 60.0, "s")]),
]


def chosen(only: Sequence[str]) -> list[Row]:
    """Rows selected by key or prefix (default: all); `latency.N` takes any N."""
    if not only:
        return ROWS
    rows = [row for row in ROWS if any(row.key == each or row.key.startswith(f"{each}.") for each in only)]
    known = {row.key for row in rows}
    for each in only:
        number = each.removeprefix("latency.")
        if each not in known and each.startswith("latency.") and number.isdecimal():
            rows.append(Row(each, f"{int(number):,} boards", partial(latency, int(number), False), []))
        elif not any(row.key == each or row.key.startswith(f"{each}.") for row in rows):
            raise ValueError(f"there is no row {each}; the rows are {', '.join(row.key for row in ROWS)}, latency.N")
    return rows
