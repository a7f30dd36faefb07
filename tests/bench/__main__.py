"""Run the benchmark and print a table, or with `--json` one JSON object."""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench import machine, report
from tests.bench.product import Backend, make_boards, serve_product, serve_relay
from tests.bench.rounds import compare, hall
from tests.bench.server import cores, data_home


def options(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--boards", type=int, default=600, help="boards in the closed loop (600)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of relay and server in turn (5)")
    parser.add_argument("--warm", type=float, default=1.0, help="seconds before each measurement (1)")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of each measurement (2)")
    parser.add_argument("--hall-boards", type=int, default=1000, help="boards of the latency, 0: none (1000)")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two hits of such a board (5)")
    parser.add_argument("--hall-seconds", type=float, default=15.0, help="seconds of the latency (15)")
    parser.add_argument("--postgresql", metavar="URL", help="measure with this empty database too")
    parser.add_argument("--redis", metavar="URL", help="the channel layer beside --postgresql")
    return parser.parse_args(arguments)


def backends(chosen: argparse.Namespace) -> list[Backend]:
    """Return what the product is measured on: SQLite, and PostgreSQL where one is given."""
    found = [Backend("sqlite", {"DATABASE_URL": None, "CHANNEL_REDIS_URL": None})]
    if chosen.postgresql:
        found.append(Backend("postgresql", {"DATABASE_URL": chosen.postgresql, "CHANNEL_REDIS_URL": chosen.redis}))
    return found


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Measure everything and return the figures."""
    server_core, load_core = cores()
    os.sched_setaffinity(0, {load_core})
    result: dict[str, Any] = {"durable_hits": {}, "latency": {}}
    with (
        tempfile.TemporaryDirectory(prefix="bench-", dir=data_home()) as folder,
        serve_relay(server_core) as relay,
    ):
        result["machine"] = machine.describe(Path(folder), server_core, load_core)
        for number, backend in enumerate(backends(chosen)):
            boards = max(chosen.boards, 0 if number else chosen.hall_boards)
            places = make_boards(boards, backend.environment(folder))
            with serve_product(server_core, backend.environment(folder)) as server:
                result["durable_hits"][backend.name] = asyncio.run(
                    compare(server, relay, places[: chosen.boards], chosen.rounds, chosen.warm, chosen.seconds)
                )
                if not number and chosen.hall_boards:
                    result["latency"] = asyncio.run(
                        hall(server, places[: chosen.hall_boards], chosen.every, chosen.hall_seconds)
                    )
    return result


if __name__ == "__main__":
    chosen = options(sys.argv[1:])
    figures = run(chosen)
    print(json.dumps(figures) if chosen.json else report.table(figures))
