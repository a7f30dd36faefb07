"""`serve` with a clock that tests can advance: `python -m tests.browser.hurried`.

A test advances the clock through the port in PASS_PORT, one second at a time. Each second waits for the server's next
heartbeat, so that the server sees elapsed time instead of an outage, and for the answers to its pings, so that
connected phones do not look silent. A phone that once left a ping unanswered is not waited for again.
"""

import os
import sys
import threading
import time
from multiprocessing.connection import Client, Listener
from pathlib import Path

from django.core.management import execute_from_command_line

from tests.browser.product import Product
from tests.ports import free_port

STEP_MS = 1_000
ANSWER_S = 1.0  # timeout for the answer to a ping, in seconds of real time
KEY = b"time"


class HurriedProduct(Product):
    """Server whose clock can be advanced."""

    serve = ("-m", "tests.browser.hurried")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._passes = free_port()
        self._environment["PASS_PORT"] = str(self._passes)

    def let_pass(self, ms: int) -> None:
        """Advance the server's clock and wait until it is done."""
        with Client(("127.0.0.1", self._passes), authkey=KEY) as server:
            server.send(ms)
            server.recv()


def main() -> None:
    """Serve with a clock that can be advanced."""
    steady_ns, ahead_ns = time.clock_gettime_ns, 0
    silent: set[int] = set()
    time.clock_gettime_ns = lambda clock: steady_ns(clock) + ahead_ns

    def let_pass(ms: int) -> None:
        nonlocal ahead_ns
        from clocks.desk.outage import heartbeat
        from clocks.host.server_time import now_ms
        from clocks.live.flag_watch import watch
        from clocks.seats import presence

        def pinged() -> set[int]:
            return {match for match, silence in presence._silences.copy().items() if silence._missed_at is not None}

        for _ in range(ms // STEP_MS):
            deadline = time.monotonic() + ANSWER_S
            while pinged() - silent and time.monotonic() < deadline:
                time.sleep(0.001)
            silent.update(pinged())
            ahead_ns += STEP_MS * 1_000_000
            now = now_ms()
            watch._woken.set()
            while heartbeat._beat_at is None or heartbeat._beat_at < now:
                time.sleep(0.001)

    def listen() -> None:
        with Listener(("127.0.0.1", int(os.environ["PASS_PORT"])), authkey=KEY) as listener:
            while True:
                with listener.accept() as test:
                    let_pass(test.recv())
                    test.send(None)

    threading.Thread(target=listen, daemon=True).start()
    execute_from_command_line(["manage.py", "serve", *sys.argv[1:]])


if __name__ == "__main__":
    main()
