"""A real server process with its own database."""

import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests import forked, prepared
from tests.ports import free_port
from tests.services import PostgreSQL

ROOT = Path(__file__).resolve().parents[2]
START_S = 90.0


def wait_for_page(address: str, process: "subprocess.Popen[Any]") -> None:
    """Wait until a page of a starting process loads."""
    deadline = time.monotonic() + START_S
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            assert process.poll() is None and time.monotonic() < deadline, address
            time.sleep(0.1)  # no event signals an open port


def migrated(server: PostgreSQL) -> str:
    """Create a PostgreSQL database from a migrated template; return its name."""
    return server.new_database(_first(server))


@cache
def _first(server: PostgreSQL) -> str:
    name = server.new_database()
    own = {"DATABASE_URL": server.url_of(name), "CHANNEL_REDIS_URL": ""}
    with TemporaryDirectory(prefix="clock-") as folder:
        environment = {**os.environ, "DATA_DIR": folder, **own}
        forked.run(("migrate", "-v", "0", "--skip-checks"), environment).check_returncode()
    return name


class House:
    """Data folder and server; `settings` are extra environment variables."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        embedded = {"DATABASE_URL": "", "CHANNEL_REDIS_URL": ""}
        self.environment = {**os.environ, "DATA_DIR": str(folder), **embedded, **settings}
        self.table = ""  # socket path at a table, set by tests
        self.log = folder / "log"
        self._process: forked.Process | None = None
        self.port = free_port()
        folder.mkdir(exist_ok=True)
        if not settings.get("DATABASE_URL"):
            prepared.database(folder)

    def manage(self, *arguments: str) -> str:
        """Run a management command, which must succeed; return its output."""
        done = forked.run(arguments, self.environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def refused(self, *arguments: str) -> str:
        """Run a management command, which must fail; return its error message."""
        done = forked.run(arguments, self.environment)
        assert done.returncode == 1, done.stdout + done.stderr
        return done.stderr.strip().removeprefix("CommandError: ")

    def python(self, code: str) -> Any:
        """Run Python code in another Django process; return its output, parsed as JSON."""
        return json.loads(self.manage("shell", "--no-imports", "-c", code))

    def new_match(self, *options: str) -> dict[str, Any]:
        """Create a match with two phones; return `{code, url, match, tokens}`."""
        command = ["newmatch", "--rules", "us-2013", "--length", "3", "--names", "Ann", "Bob", *options, "--json"]
        made: dict[str, Any] = self.python(
            "import io, json\n"
            "from django.core.management import call_command\n"
            "from clocks import desk\n"
            "from clocks.seats import devices\n"
            "said = io.StringIO()\n"
            f"call_command(*{command}, stdout=said)\n"
            "made = json.loads(said.getvalue())\n"
            "phones = [devices.join_device({}) for _ in range(2)]\n"
            "for seat, (device, _) in zip(('left', 'right'), phones):\n"
            "    desk.claim_seat(made['match'], [seat], device)\n"
            "print(json.dumps(made | {'tokens': [token for _, token in phones]}))"
        )
        return made

    def start(self, *command: str) -> None:
        """Start `manage.py serve`, or `python <command>`, and wait until it listens."""
        if not command:
            prepared.static_files(self.folder)
            command = self.product()
        with self.log.open("ab") as log:
            self._process = forked.start(command, self.environment, log)
        self.wait_until_it_listens(self._process)

    def wait_until_it_listens(self, process: forked.Process) -> None:
        """Wait until a started process listens on the port."""
        deadline = time.monotonic() + START_S
        while True:
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            log = self.log.read_text() if self.log.exists() else ""
            assert process.poll() is None and time.monotonic() < deadline, log
            time.sleep(0.05)  # no event signals an open port

    def product(self) -> tuple[str, ...]:
        """Command line of the product's server, which needs static files."""
        return ("manage.py", "serve", "--bind", "127.0.0.1", "--port", str(self.port))

    def signal(self, number: signal.Signals) -> None:
        """Send the server a signal; wait for its exit unless the signal only suspends it."""
        assert self._process is not None
        self._process.send_signal(number)
        if number not in (signal.SIGSTOP, signal.SIGCONT):
            self.wait_for_its_end()

    def wait_for_its_end(self) -> None:
        """Wait until the server has exited."""
        assert self._process is not None
        self._process.wait(20)
        self._process = None

    def pid(self) -> int:
        """Process id of the server."""
        assert self._process is not None
        return self._process.pid

    def close(self) -> None:
        """Kill the server if it is running."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def phone(self, made: dict[str, Any], seat: str = "") -> "Phone":
        """Connect as a seat's phone, or as a spectator."""
        token = made["tokens"][("left", "right").index(seat)] if seat else ""
        return Phone(f"ws://127.0.0.1:{self.port}/ws/table/{made['code']}/", token)


class Phone:
    """Socket of a phone; `snapshot` is the newest received."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"Cookie": f"device={token}"} if token else {}
        self.socket: ClientConnection = connect(url, additional_headers=headers, legacy=True)
        self.snapshot = self.hear("match")

    def hear(self, *kinds: str) -> dict[str, Any]:
        """Receive the next frame of one of these kinds (`t`); skip others."""
        while True:
            frame: dict[str, Any] = json.loads(self.socket.recv(timeout=20))
            if frame["t"] == "match":
                self.snapshot = frame
            if frame["t"] in kinds:
                return frame

    def hears(self, kind: str, within_s: float) -> bool:
        """True if a frame of this kind arrives in time."""
        ends = time.monotonic() + within_s
        try:
            while json.loads(self.socket.recv(timeout=max(0.0, ends - time.monotonic())))["t"] != kind:
                pass
        except TimeoutError:
            return False
        return True

    def see(self, **fields: Any) -> dict[str, Any]:
        """Wait for a snapshot with these fields; return it."""
        while any(self.snapshot[name] != value for name, value in fields.items()):
            self.hear("match")
        return self.snapshot

    def do(self, do: str, id_: str, **arguments: Any) -> dict[str, Any]:
        """Send a command and return the reply."""
        self.say({"t": "do", "id": id_, "do": do, **arguments})
        return self.hear("ack", "refused")

    def say(self, frame: dict[str, Any]) -> None:
        """Send a frame."""
        self.socket.send(json.dumps(frame))

    def close_code(self) -> int:
        """Wait until the server closes the socket; return its close code."""
        try:
            while True:
                self.socket.recv(timeout=20)
        except ConnectionClosed as closed:
            assert closed.rcvd is not None, "the connection was cut"
            return closed.rcvd.code
