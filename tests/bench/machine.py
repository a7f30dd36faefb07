"""Description of the measuring machine."""

import os
import platform
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any


def describe(folder: Path, server_core: int, load_core: int) -> dict[str, Any]:
    """CPU, versions, load average, and time to flush 4 KiB to disk in `folder`."""
    return {
        "processor": _processor(),
        "cores": [server_core, load_core],
        "python": platform.python_version(),
        "daphne": version("daphne"),
        "load_average": round(os.getloadavg()[0], 2),
        "flush_ms": round(_flush_ms(folder / "flush"), 3),
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _flush_ms(path: Path) -> float:
    times = []
    with path.open("wb", buffering=0) as file:
        for _ in range(50):
            begin = time.perf_counter()
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - begin) * 1000)
    path.unlink()
    return median(times)
