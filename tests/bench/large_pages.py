"""CPU time of pages with 1,000 players, relative to the machine's speed."""

import json
import subprocess
import sys
from typing import Any

from tests.bench.rig import SQLITE, Rig
from tests.bench.server import PROJECT

PLAYERS = 1_000
PARTS = ("draw", "standings", "bracket")


def slowest(rig: Rig) -> dict[str, Any]:
    """Measure in a separate process; return the longest time, and all times by page."""
    command = [sys.executable, "-m", "tests.bench.pages", "--players", str(rig.scaled(PLAYERS)), *PARTS]
    environment = SQLITE.environment(str(rig.new_folder()))
    done = subprocess.run(command, cwd=PROJECT, env=environment, check=True, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    slowest = sorted(found, key=lambda name: found[name], reverse=True)
    return {"page_ms": found[slowest[0]], "slowest": {name: found[name] for name in slowest}}
