"""Duration of `manage.py whatif` for a large tournament, on one core."""

import os
import subprocess
import sys
import time
from typing import Any

from tests.bench.rig import SQLITE, Rig
from tests.bench.server import PROJECT

MATCHES, TURNS = 10_000, 100


def whatif(rig: Rig) -> dict[str, Any]:
    """Seconds to rerun matches under one rule book, with their reports."""
    number = rig.scaled(MATCHES)
    environment = SQLITE.environment(str(rig.new_folder()))
    making = [sys.executable, "-m", "tests.bench.played_matches", str(number), str(TURNS)]
    subprocess.run(making, cwd=PROJECT, env=environment, check=True)
    before, began = os.times(), time.monotonic()
    command = [sys.executable, "manage.py", "whatif", "--tournament", "bench", "--rules", "unified-2001", "--json"]
    # This process is pinned to one core, which the command inherits.
    subprocess.run(command, cwd=PROJECT, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return {"matches": number, "seconds": round(time.monotonic() - began, 1), "cpu_s": round(used, 1)}
