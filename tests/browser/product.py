"""The product's server in its own process, and management commands on its data."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from websockets.sync.client import connect

from tests import forked, prepared
from tests.bench.server import PROJECT
from tests.ports import free_port

START_S = 60
P = TypeVar("P", bound="Product")


class Product:
    """Server with its own data folder, on a free loopback port."""

    serve: tuple[str, ...] = ("manage.py", "serve")

    def __init__(self, folder: Path) -> None:
        """Prepare the database and static files in `folder`; do not start the server."""
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self.log = folder / "server.log"
        self._environment = {
            **{name: value for name, value in os.environ.items() if name not in ("BASE_URL", "DATABASE_URL", "DEBUG")},
            "DATA_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONUNBUFFERED": "1",
        }
        self._process: forked.Process | None = None
        self._errands = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.errands"],
            cwd=PROJECT,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        prepared.database(folder)
        prepared.static_files(folder)

    def manage(self, *arguments: str, stdin: str | None = None) -> str:
        """Run `manage.py` on the server's data; return its output."""
        assert self._errands.stdin is not None and self._errands.stdout is not None
        self._errands.stdin.write(json.dumps({"arguments": arguments, "stdin": stdin}).encode() + b"\n")
        self._errands.stdin.flush()
        done = json.loads(self._errands.stdout.readline())
        assert done["code"] == 0, f"manage.py {' '.join(arguments)}:\n{done['said']}{done['complained']}"
        said: str = done["said"]
        return said

    def rest(self) -> None:
        """Kill the process that runs management commands."""
        self._errands.kill()
        self._errands.communicate()

    def newmatch(self, *arguments: str, rules: str = "us-2013", length: int = 3) -> dict[str, Any]:
        """Create a match between Ann (left) and Bob; return its code, URL and number."""
        setting = ["--rules", rules, "--length", str(length), "--names", "Ann", "Bob", *arguments]
        made: dict[str, Any] = json.loads(self.manage("newmatch", *setting, "--json"))
        return made

    def replay(self, lines: str) -> list[dict[str, Any]]:
        """Run `manage.py replay` on JSON lines; return the resulting objects."""
        return [json.loads(line) for line in self.manage("replay", "-", stdin=lines).splitlines()]

    def snapshot(self, code: str) -> dict[str, Any]:
        """Snapshot of the match at a table, as received by a spectator."""
        with connect(f"ws://127.0.0.1:{self.port}/ws/table/{code}/") as socket:
            frame: dict[str, Any] = json.loads(socket.recv(timeout=10))
        return frame

    def start(self) -> None:
        """Start the server and wait until it is healthy."""
        with self.log.open("ab") as log:
            command = (*self.serve, "--bind", "127.0.0.1", "--port", str(self.port))
            self._process = forked.start(command, self._environment, log)
        deadline = time.monotonic() + START_S
        while not self._is_well():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server does not answer:\n{self.log.read_text()}")
            time.sleep(0.05)

    def _is_well(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def kill(self) -> None:
        """Kill the server, like a power cut."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Interrupt the server, like Ctrl-C, and wait until it has exited."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(15)
        finally:
            self._process.kill()

    def last_sign_of_life(self) -> int:
        """Time of the last stored heartbeat, in milliseconds since 1970."""
        with closing(sqlite3.connect(f"file:{self._folder}/clock.sqlite3?mode=ro", uri=True)) as database:
            (at,) = database.execute("SELECT max(at) FROM clocks_signoflife").fetchone()
        return int(at)

    def complaints(self, since: int) -> list[str]:
        """Errors and tracebacks in the log after the first `since` bytes."""
        with self.log.open("rb") as log:
            log.seek(since)
            lines = log.read().decode(errors="replace").splitlines()
        return [line for line in lines if "Traceback" in line or " ERROR " in line or " CRITICAL " in line]


@contextmanager
def running(product: P) -> Iterator[P]:
    """Run a product in a `with` block."""
    product.start()
    try:
        yield product
    finally:
        product.stop()
        product.rest()
