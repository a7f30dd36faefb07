"""CPU time per press in each part of a cell.

`python -m tests.bench.cost_of_a_press`. Each board's two phones connect to different processes on PostgreSQL and Redis.
`scale_out.py` uses these costs.
"""

# ruff: noqa: E402 (models can be imported only after the set-up)
import argparse
import json
import os
import tempfile
import time
from pathlib import Path

import django
import psutil

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from tests.faults.houses import Pair, pair
from tests.faults.players import Play

PAUSES_S = {"seldom": (0.9, 1.1), "often": (0.0, 0.02)}  # between presses of a board
WARM_UP_S, SECONDS = 3.0, 15.0


def worked_s(pid: int) -> float:
    """CPU time used so far by a process and its children."""
    process = psutil.Process(pid)
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return float(sum(time.user + time.system for time in times))


def parts_of(two: Pair) -> dict[str, list[int]]:
    """Process ids of each part of the cell."""
    servers = [house.pid() for house in two.houses]
    return {"server": servers, "postgresql": [two.database.pid()], "redis": [two.layer.pid()]}


def measure(two: Pair, pause_s: tuple[float, float]) -> dict[str, float]:
    """Presses per second, and CPU time per press in each part (µs)."""
    with Play(two.ports, two.places, pause_s=pause_s) as play:
        play.recovered_s(time.time(), within_s=60)
        time.sleep(WARM_UP_S)
        presses, began = len(play.acknowledged()), time.monotonic()
        before = {part: sum(map(worked_s, pids)) for part, pids in parts_of(two).items()}
        time.sleep(SECONDS)
        after = {part: sum(map(worked_s, pids)) for part, pids in parts_of(two).items()}
        lasted, pressed = time.monotonic() - began, len(play.acknowledged()) - presses
    costs = {f"{part}_us": (after[part] - before[part]) / pressed * 1e6 for part in after}
    return {"presses_a_second": pressed / lasted, **costs}


def main(boards: int) -> None:
    with tempfile.TemporaryDirectory(prefix="clock-cost-") as folder, pair(Path(folder), boards) as two:
        for name, pause_s in PAUSES_S.items():
            told = {key: round(value) for key, value in measure(two, pause_s).items()}
            print(json.dumps({"pace": name, "boards": boards, **told}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure what a press costs in each part of a cell.")
    parser.add_argument("--boards", type=int, default=40)
    main(parser.parse_args().boards)
