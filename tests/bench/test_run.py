"""Output of a tiny benchmark run, as parsed by scripts."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import prepared
from tests.bench.report import lines
from tests.bench.rows import chosen

TINY = ["--boards", "100", "--rounds", "1", "--warm", "0.2", "--seconds", "0.5"]
HALL = ["--every", "0.5", "--hall-seconds", "0.5"]
ONLY = ["--only", "durable_hits.sqlite", "latency.4", "latency.1000000"]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    data = tmp_path_factory.mktemp("bench")
    run = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--json", *TINY, *HALL, *ONLY],
        cwd=Path(__file__).resolve().parents[2],
        env={"PATH": "/usr/bin:/bin", "DATA_DIR": str(data), "TESTS_PREPARED": str(prepared.MADE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert list(data.iterdir()) == []
    return run.stdout


LIMIT = {"figure": "str", "bound": "number", "unit": "str", "at_least": "number", "holds": "number"}


def kinds(value: Any) -> Any:
    """Shape of a JSON value: keys, and types of leaves."""
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
            | {"rounds": [["number"], ["number"]], "limits": [LIMIT]},
        },
        "latency": {
            "4": dict.fromkeys(
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
                    "viewers",
                    "kb_a_socket",
                ],
                "number",
            )
            | {"limits": []},
            "1000000": {"left_out": "str", "limits": []},
        },
        "machine": {
            "processor": "str",
            "cores": ["number", "number"],
            "python": "str",
            "daphne": "str",
            "load_average": "number",
            "flush_ms": "number",
        },
    }


def test_every_board_of_the_tiny_run_hit_and_was_seen(printed: str) -> None:
    figures = json.loads(printed)
    assert figures["durable_hits"]["sqlite"]["boards"] == 100
    assert figures["durable_hits"]["sqlite"]["per_second"] > 0
    assert figures["durable_hits"]["sqlite"]["relay"] > 0
    assert (figures["latency"]["4"]["boards"], figures["latency"]["4"]["hits"] > 0) == (4, True)


def test_what_this_machine_cannot_hold_is_said_instead_of_a_number(printed: str) -> None:
    left_out = json.loads(printed)["latency"]["1000000"]["left_out"]
    assert left_out.startswith("2,000,000 sockets need 2,000,300 open files; a process may have ")


def test_the_table_for_people_has_each_figure_beside_its_limit() -> None:
    limits = [{"figure": "ratio", "bound": 0.4, "unit": "of the bare relay", "at_least": True, "holds": False}]
    shown = lines("durable hits", {"ratio": 0.31, "boards": 600, "limits": limits})
    assert shown.splitlines() == [
        "durable hits",
        "    ratio                0.31 at least 0.4 of the bare relay  MISSED",
        "        600 boards",
    ]
    assert lines("10,000 boards", {"left_out": "too many", "limits": limits}).splitlines()[1:] == [
        "    not measured: too many"
    ]


def test_a_row_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r"there is no row latency\.x"):
        chosen(["latency.x"])
