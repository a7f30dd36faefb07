"""Readiness check for load balancers: every component, within about a second."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from django.db import connection

from clocks import desk
from clocks.live.flag_watch import watch
from clocks.live.peers import peers
from clocks.models import Match

WRITER_S = 5.0
ANSWER_S = 1.0  # the driver gives up on a hung connection much later
FRESH_S = 0.5
WARNINGS = frozenset({"layer"})  # without Redis play goes on, and no other process could do better

T = TypeVar("T")
logger = logging.getLogger(__name__)


class Lookup(Generic[T]):
    """Query in its own thread, with a timeout of ANSWER_S.

    While it hangs, no second query starts. A result is reused for `fresh_s` seconds.
    """

    def __init__(self, read: Callable[[], T], fresh_s: float = 0.0) -> None:
        self._read, self._fresh_s = read, fresh_s
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._found: T | None = None
        self._at_s = -fresh_s

    def result(self) -> T | None:
        """Result of the query; None if it failed or takes too long."""
        with self._lock:
            if self._thread is None and time.monotonic() - self._at_s >= self._fresh_s:
                self._thread = threading.Thread(target=self._run, name="lookup", daemon=True)
                self._thread.start()
                self._thread.join(ANSWER_S)
            if self._thread is not None and self._thread.is_alive():
                return None
            self._thread = None
            return self._found

    def _run(self) -> None:
        try:
            self._found = self._read()
        except Exception:
            self._found = None
            logger.exception("the database does not answer")
        finally:
            connection.close()
            self._at_s = time.monotonic()


def _reads() -> bool:
    Match.objects.values_list("pk").first()
    return True


database = Lookup(_reads, FRESH_S)  # cached, because anybody may ask


def parts() -> dict[str, bool]:
    """Readiness of each part of the server; failures are logged."""
    found = {
        "database": database.result() is True,
        "layer": peers.connected(),
        "writer": desk.busy_s() < WRITER_S,  # a batch takes milliseconds even on slow disks
        "clock": watch.disciplined(),
    }
    for name, works in found.items():
        if not works:
            logger.log(logging.WARNING if name in WARNINGS else logging.ERROR, "not ready: %s", name)
    return found


def is_ready(found: dict[str, bool]) -> bool:
    """True if requests can be routed here: all parts work, except any that only warn."""
    return all(works for name, works in found.items() if name not in WARNINGS)
