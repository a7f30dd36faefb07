"""Start the product and the relay on Daphne with the same options."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from tests.bench.play import Place
from tests.bench.server import PROJECT, Server
from tests.ports import free_port

SLUG = "bench"  # of the tournament with all boards


@dataclass(frozen=True)
class Backend:
    """The product's storage: its name in the report, and environment (None: unset)."""

    name: str
    settings: Mapping[str, str | None]

    def environment(self, folder: str) -> dict[str, str]:
        """Environment of a server with its data in `folder`."""
        kept = {name: value for name, value in os.environ.items() if name not in self.settings}
        given = {name: value for name, value in self.settings.items() if value}
        return {**kept, **given, "DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}


def make_boards(number: int, environment: Mapping[str, str], slug: str = SLUG, **options: int) -> list[Place]:
    """Create tables and matches of a tournament through the product itself.

    Both players of each match have taken their seats and confirmed.
    """
    made = subprocess.run(
        [sys.executable, "-m", "tests.bench.make", str(number), json.dumps(options), slug],
        cwd=PROJECT,
        env=dict(environment),
        stdout=subprocess.PIPE,
        check=True,
    )
    return [Place(one["code"], tuple(one["cookies"])) for one in json.loads(made.stdout)]


def inside(environment: Mapping[str, str], code: str) -> Any:
    """Run code in the product's shell; return its JSON output."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
    done = subprocess.run(command, cwd=PROJECT, env=dict(environment), check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def run_product(core: int | None, environment: Mapping[str, str], files: int = 0, port: int = 0) -> Server:
    """Start the product on `core` (None: all), on `port` or a free one.

    `files` is its limit on open files (0: unchanged).
    """
    port = port or free_port()
    command = ["manage.py", "serve", "--bind", "127.0.0.1", "--port", str(port)]
    return Server(command, port, core, environment, files)


def serve_product(core: int | None, environment: Mapping[str, str], files: int = 0) -> AbstractContextManager[Server]:
    """Run the product's server in a context."""
    return _while_it_serves(run_product(core, environment, files))


def serve_relay(core: int) -> AbstractContextManager[Server]:
    """Run the relay on `core` in a context, with the same options as `serve`."""
    options = ["--ping-interval", "5", "--ping-timeout", "8", "--no-server-name", "-v", "0", "-b", "127.0.0.1"]
    port = free_port()
    command = ["-m", "daphne", *options, "tests.bench.relay:application", "-p", str(port)]
    return _while_it_serves(Server(command, port, core, os.environ))


@contextmanager
def _while_it_serves(server: Server) -> Iterator[Server]:
    try:
        yield server
    except BaseException:
        print(server.stop(), file=sys.stderr)
        raise
    server.stop()
