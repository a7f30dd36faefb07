"""A tiny run of the whole benchmark: what it prints has the shape that scripts read."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bench.report import table

TINY = ["--boards", "100", "--rounds", "1", "--warm", "0.2", "--seconds", "0.5"]
HALL = ["--hall-boards", "4", "--every", "0.5", "--hall-seconds", "0.5"]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    data = tmp_path_factory.mktemp("bench")
    run = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--json", *TINY, *HALL],
        cwd=Path(__file__).resolve().parents[2],
        env={"PATH": "/usr/bin:/bin", "DATA_DIR": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert list(data.iterdir()) == []
    return run.stdout


def kinds(value: Any) -> Any:
    """Return the shape of a JSON value: its keys, and the kinds of its leaves."""
    if isinstance(value, dict):
        return {key: kinds(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [kinds(inner) for inner in value]
    return "number" if isinstance(value, int | float) else type(value).__name__


def test_the_benchmark_prints_one_json_object_with_every_figure(printed: str) -> None:
    assert kinds(json.loads(printed)) == {
        "durable_hits": {
            "sqlite": dict.fromkeys(
                [
                    "per_second",
                    "relay",
                    "ratio",
                    "boards",
                    "server_cpu",
                    "load_cpu",
                    "relay_cpu",
                    "relay_load_cpu",
                ],
                "number",
            )
            | {"rounds": [["number"], ["number"]]},
        },
        "latency": dict.fromkeys(
            [
                "boards",
                "every_s",
                "hits",
                "p50_ms",
                "p99_ms",
                "max_ms",
                "hits_overdue",
                "server_cpu",
                "load_cpu",
                "server_mb",
            ],
            "number",
        ),
        "machine": {
            "processor": "str",
            "cores": ["number", "number"],
            "python": "str",
            "daphne": "str",
            "flush_ms": "number",
        },
    }


def test_every_board_of_the_tiny_run_hit_and_was_seen(printed: str) -> None:
    figures = json.loads(printed)
    assert figures["durable_hits"]["sqlite"]["boards"] == 100
    assert figures["durable_hits"]["sqlite"]["per_second"] > 0
    assert figures["durable_hits"]["sqlite"]["relay"] > 0
    assert (figures["latency"]["boards"], figures["latency"]["hits"] > 0) == (4, True)


def test_the_table_for_people_names_the_relay_and_the_backend(printed: str) -> None:
    lines = table(json.loads(printed)).splitlines()
    assert [line[2:30].strip() for line in lines[4:6]] == ["bare relay", "sqlite, 100 boards"]
