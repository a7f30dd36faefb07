"""Start a server under load on its own core, measure it, stop it."""

import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
HOST = "127.0.0.1"
START_S = 90  # timeout for a server to start listening


def data_home() -> Path:
    """This installation's data folder, on the disk to be measured."""
    home = Path(os.environ.get("DATA_DIR", PROJECT / "var"))
    home.mkdir(parents=True, exist_ok=True)
    return home


def cores() -> tuple[int, int]:
    """Cores for the servers and for the load, from those available to this process."""
    mine = sorted(os.sched_getaffinity(0))
    return mine[0], mine[-1]


def _confine(core: int | None, files: int) -> None:
    """Pin this process to a core (None: all) and limit its open files (0: do not)."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1) if core is None else {core})
    if files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


class Server:
    """Process listening on a loopback port, optionally pinned to `core`."""

    def __init__(
        self, command: list[str], port: int, core: int | None, environment: Mapping[str, str], files: int = 0
    ) -> None:
        """Run `python <command>` in the project folder and wait until it listens.

        `files`, unless 0, is its soft limit on open files. Raises RuntimeError if it does not listen in time.
        """
        self.port = port
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `stop`)
        self._process = subprocess.Popen(
            [sys.executable, *command],
            cwd=PROJECT,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            preexec_fn=partial(_confine, core, files),
        )
        deadline = time.monotonic() + START_S
        while not self._listens():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{' '.join(command)} does not listen on port {port}:\n{self.stop()}")
            time.sleep(0.05)

    def cpu_s(self) -> float:
        """CPU time used by the process, in seconds."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory_mb(self) -> float:
        """Resident memory of the process, in megabytes."""
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def threads(self) -> int:
        """Number of threads in the process."""
        return len(list(Path(f"/proc/{self._process.pid}/task").iterdir()))

    def files(self) -> int:
        """Number of open files and connections of the process."""
        return len(list(Path(f"/proc/{self._process.pid}/fd").iterdir()))

    def stop(self) -> str:
        """Terminate the process and return its output."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        written = self.written()
        self._log.close()
        return written

    def written(self) -> str:
        """Output of the process so far."""
        number = self._log.fileno()
        return os.pread(number, os.fstat(number).st_size, 0).decode(errors="replace")

    def _listens(self) -> bool:
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0
