"""Server without garbage collection that reports live connection objects.

It also reports its number of open database handles. Usage: `python -m tests.server.freed PORT`, with the environment of
a `House`.
"""

import gc
import json
import sys
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

WATCHED = {"ClockSocket", "ClockChannel", "ClockRequest", "TableSocket", "HallSocket", "Server", "DaphneTransport"}


def answer() -> None:
    """Print a report for each line of input."""
    for _ in sys.stdin:
        kinds = Counter(type(each).__name__ for each in gc.get_objects())
        held = {name: number for name, number in kinds.items() if name in WATCHED}
        print(json.dumps({"held": held, "database": handles()}), flush=True)


def handles() -> int:
    """Number of handles that this process has on the database file."""
    from django.conf import settings

    here = Path("/proc/self/fd")
    files = []
    for handle in here.iterdir():
        with suppress(OSError):  # the handle of this listing is closed by now
            files.append(handle.readlink())
    return files.count(Path(settings.DATABASES["default"]["NAME"]).resolve())


def main() -> None:
    """Serve until killed."""
    gc.disable()
    import django

    django.setup()
    from daphne.endpoints import build_endpoint_description_strings

    from clocks.serving.server import ClockServer
    from config.asgi import application

    endpoints = build_endpoint_description_strings(host="127.0.0.1", port=int(sys.argv[1]))
    threading.Thread(target=answer, daemon=True).start()
    ClockServer(application, endpoints, lambda: None, lambda scope: None).run()


if __name__ == "__main__":
    main()
