"""Run management commands in forks of a process with Django already imported.

Imports take 0.55 s of the 0.7 s of CPU time of a short command. Each command still has its own process, settings and
connections: only libraries are preloaded, because the settings are read from the environment.
"""

import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, TypeAlias

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = (
    "channels.routing",
    "confusable_homoglyphs.confusables",
    "daphne.utils",
    "django.contrib.admin.sites",
    "django.contrib.auth.hashers",
    "django.contrib.sessions.backends.base",
    "django.core.handlers.asgi",
    "django.core.management",
    "django.core.management.commands.shell",
    "django.core.serializers.json",
    "django.db.backends.sqlite3.base",
    "django.db.migrations.executor",
    "django.db.models",
    "django.template.loader",
    "django.views.generic",
    "psutil",
    "sqlparse",
    "twisted.internet.asyncioreactor",
)


class Forked:
    """A running command: like `subprocess.Popen`, but not a child of this process."""

    def __init__(self, arguments: tuple[str, ...], environment: dict[str, str], out: IO[Any], err: IO[Any]) -> None:
        self._answers, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(_parent(), [b"."], [theirs.fileno(), out.fileno(), err.fileno()])
        self._answers.sendall(json.dumps([arguments, environment]).encode())
        self._answers.shutdown(socket.SHUT_WR)
        self._lines = self._answers.makefile()
        self.pid = int(self._lines.readline())
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the command to exit; return its exit status."""
        if self.returncode is None:
            self._answers.settimeout(timeout)
            try:
                self.returncode = int(self._answers.recv(16))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired("manage.py", timeout or 0) from None
            self._lines.close()
            self._answers.close()
        return self.returncode

    def poll(self) -> int | None:
        """Exit status; None while the command runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the command has exited."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the command."""
        self.send_signal(signal.SIGKILL)


Process: TypeAlias = "Forked | subprocess.Popen[bytes]"


def run(
    arguments: tuple[str, ...], environment: dict[str, str], timeout: float | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run a command to completion and capture its output.

    Like `subprocess.run`, kill it after `timeout` seconds.
    """
    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        command = Forked(arguments, environment, out, err)
        try:
            code = command.wait(timeout)
        except subprocess.TimeoutExpired:
            command.kill()
            raise
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(["manage.py", *arguments], code, out.read(), err.read())


def start(command: tuple[str, ...], environment: dict[str, str], log: IO[Any]) -> Process:
    """Start `python <command>`; fork for manage.py, except under `LD_PRELOAD`."""
    if command[0] == "manage.py" and "LD_PRELOAD" not in environment:
        return Forked(command[1:], environment, log, log)
    python = (sys.executable, *command)
    return subprocess.Popen(python, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


@cache
def _parent() -> socket.socket:
    """Socket to the process that forks commands; it exits when this one does."""
    ours, theirs = socket.socketpair()
    with theirs:
        command = [sys.executable, "-m", "tests.forked", str(theirs.fileno())]
        subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    return ours


def main(control: socket.socket) -> None:
    """Fork for each requested command. Returns only in the forks, which run it."""
    for library in LIBRARIES:
        import_module(library)
    gc.freeze()
    while True:
        _, files, _, _ = socket.recv_fds(control, 1, 3)
        if not files:
            os._exit(0)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass  # reap forks that have exited
        if os.fork() == 0:
            control.close()
            return _begin(socket.socket(fileno=files[0]), *files[1:])
        for file in files:
            os.close(file)


def _begin(answers: socket.socket, out: int, err: int) -> None:
    """Fork a command and wait for it. Returns only in the fork, which runs it."""
    with answers, answers.makefile() as asked:
        arguments, environment = json.load(asked)
        if pid := os.fork():
            answers.sendall(f"{pid}\n".encode())
            os.close(out)
            os.close(err)
            _, status = os.waitpid(pid, 0)
            answers.sendall(str(os.waitstatus_to_exitcode(status)).encode())
            os._exit(0)
    for file, number in ((out, 1), (err, 2)):
        os.dup2(file, number)
        os.close(file)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["manage.py", *arguments]


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_path("manage.py", run_name="__main__")
