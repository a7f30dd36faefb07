"""Measure how long each write holds SQLite's write lock, with 1,000 of everything.

Run in its own process and data folder: `python -m tests.bench.held [PART OF A NAME ...]` prints the longest time
outside the desk in milliseconds, by write, as JSON.
"""

import gc
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.bench.rig import Rig


def longest(rig: "Rig") -> dict[str, Any]:
    """Measure in a separate process and folder; return the longest times by write."""
    from tests.bench.rig import SQLITE
    from tests.bench.server import PROJECT

    command = [sys.executable, "-m", "tests.bench.held"]
    environment = SQLITE.environment(str(rig.new_folder()))
    done = subprocess.run(command, cwd=PROJECT, env=environment, check=True, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    slowest = sorted(found, key=lambda name: found[name], reverse=True)
    return {"held_ms": found[slowest[0]], "slowest": {name: found[name] for name in slowest[:12]}, "of": len(found)}


def main() -> None:
    """Measure each write three times, always from the same data; print the medians."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test.utils import override_settings, setup_test_environment

    call_command("migrate", verbosity=0)
    setup_test_environment()
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(STORAGES=settings.STORAGES | {"staticfiles": plain}):
        print(json.dumps(_measured(Path(settings.DATA_DIR))))


def _measured(folder: Path) -> dict[str, float]:
    from tests.server import lock_meter
    from tests.server.large_hall import Stored, make_large_hall
    from tests.server.writers import COMMANDS, FORMS, OPERATIONS

    hall = make_large_hall()
    stored, found = Stored(folder / "hall.sqlite3"), {}
    gc.collect()
    gc.freeze()
    for kind, writers in (("form", FORMS), ("api", OPERATIONS), ("command", COMMANDS)):
        for name, work in writers.items():
            if not any(part in f"{kind} {name}" for part in sys.argv[1:] or [""]):
                continue
            times = []
            for _try in range(3):
                stored.put_back()
                gc.disable()
                with lock_meter.measured() as meter:
                    work(hall)
                gc.enable()
                times.append(max((each.ms for each in meter.outside_the_desk), default=0.0))
            found[f"{kind} {name}"] = round(sorted(times)[1], 2)
    return found


if __name__ == "__main__":
    main()
