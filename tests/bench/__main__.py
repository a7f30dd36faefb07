"""Run the benchmark and print a table, or with `--json` one JSON object."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests import prepared
from tests.bench import machine, report, rows
from tests.bench.rig import Rig
from tests.bench.server import cores, data_home


def options(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    words = f"rows to measure, of {', '.join(row.key for row in rows.ROWS)}, or latency.N for N boards (all)"
    parser.add_argument("--only", nargs="+", default=[], metavar="ROW", help=words)
    parser.add_argument("--boards", type=int, default=600, help="boards in the closed loop (600)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of relay and server in turn (5)")
    parser.add_argument("--warm", type=float, default=1.0, help="seconds before each measurement (1)")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of each measurement (2)")
    words = "seconds between two hits of a board in a hall (5; in a cell on fewer than four cores 10)"
    parser.add_argument("--every", type=float, metavar="SECONDS", help=words)
    parser.add_argument("--hall-seconds", type=float, default=15.0, help="seconds of a hall (15)")
    words = "a fraction of all numbers of boards, readers and hits, to try the benchmark itself out (1)"
    parser.add_argument("--scale", type=float, default=1.0, help=words)
    words = "an empty PostgreSQL database to measure with, instead of a server of this run’s own"
    parser.add_argument("--postgresql", metavar="URL", help=words)
    parser.add_argument("--redis", metavar="URL", help="the channel layer beside --postgresql")
    chosen = parser.parse_args(arguments)
    try:
        chosen.rows = rows.chosen(chosen.only)
    except ValueError as error:
        parser.error(str(error))
    return chosen


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Measure the selected rows; return the figures, nested along their dotted keys."""
    server_core, load_core = cores()
    os.sched_setaffinity(0, {load_core})
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data_home()) as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as another user
        result["machine"] = machine.describe(Path(folder), server_core, load_core)
        rig = Rig(chosen, Path(folder), server_core)
        if not chosen.json:
            print(report.head(result["machine"]))
        for row in chosen.rows:
            figures = row.take(rig)
            if not chosen.json:
                print(report.lines(row.words, figures), flush=True)
            *steps, last = row.key.split(".")
            inner = result
            for step in steps:
                inner = inner.setdefault(step, {})
            inner[last] = figures
    return result


if __name__ == "__main__":
    chosen = options(sys.argv[1:])
    try:
        figures = run(chosen)
    finally:
        prepared.forget()
    if chosen.json:
        print(json.dumps(figures))
