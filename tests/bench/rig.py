"""Resources of a measurement: cores, boards, server, PostgreSQL and Redis."""

import argparse
import json
import os
import resource
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp

from tests.bench.play import Place
from tests.bench.product import Backend, make_boards, serve_product, serve_relay
from tests.bench.server import Server

SQLITE = Backend("sqlite", {"DATABASE_URL": None, "CHANNEL_REDIS_URL": None})
SPARE_FILES = 300  # a process's open files that are not client sockets
HALL_EVERY_S = 5.0
FULL = 0.9  # of a core; above this, the load generator is the bottleneck


class LeftOut(Exception):
    """This machine cannot measure a row; the message says why."""


@dataclass
class Rig:
    """Resources shared by all rows; `chosen.scale` shrinks them for a trial run."""

    chosen: argparse.Namespace
    folder: Path
    server_core: int
    _made: dict[str, tuple[Path, list[Place]]] = field(default_factory=dict)

    def scaled(self, number: int) -> int:
        """A number of boards, readers or hits, scaled for this run; at least 2."""
        return max(2, round(number * self.chosen.scale))

    @property
    def every_s(self) -> float:
        """Seconds between hits of a board in a hall."""
        return self.chosen.every or HALL_EVERY_S

    def places(self, number: int, **options: int) -> tuple[Path, list[Place]]:
        """Return a new data folder with this many boards in SQLite, and the boards.

        The boards are created once and copied for each caller.
        """
        key = json.dumps([number, options])
        if key not in self._made:
            folder = self.new_folder()
            self._made[key] = (folder, make_boards(number, SQLITE.environment(str(folder)), **options))
        made, places = self._made[key]
        return Path(shutil.copytree(made, self.new_folder(), dirs_exist_ok=True)), places

    def new_folder(self) -> Path:
        """Create an empty folder on the measured disk."""
        return Path(mkdtemp(dir=self.folder))

    def serve(self, folder: Path) -> AbstractContextManager[Server]:
        """Run the product on a folder returned by `places`."""
        return serve_product(self.server_core, SQLITE.environment(str(folder)))

    @contextmanager
    def serve_boards(self, number: int, **options: int) -> Iterator[tuple[Server, list[Place]]]:
        """Run the product with this many boards in a new folder."""
        folder, places = self.places(number, **options)
        with self.serve(folder) as server:
            yield server, places

    def relay(self) -> AbstractContextManager[Server]:
        """Run the relay."""
        return serve_relay(self.server_core)

    @contextmanager
    def postgresql(self) -> Iterator[Backend]:
        """Yield the given PostgreSQL and Redis, or new ones that may use all cores."""
        with ExitStack() as stack:
            url, layer = self.chosen.postgresql, self.chosen.redis
            if not url:
                url, layer = stack.enter_context(_own_services(self.folder))
            yield Backend("postgresql", {"DATABASE_URL": url, "CHANNEL_REDIS_URL": layer})


@contextmanager
def _own_services(folder: Path) -> Iterator[tuple[str, str]]:
    """Start a durable PostgreSQL and a Redis; raise `LeftOut` if one is missing."""
    from tests.services import Missing, postgresql, redis

    mine = os.sched_getaffinity(0)
    try:
        with ExitStack() as stack:
            os.sched_setaffinity(0, range(os.cpu_count() or 1))  # inherited by the started servers
            beside = folder if os.geteuid() else None  # root's PostgreSQL runs as another user, without access to it
            database = stack.enter_context(postgresql(durable=True, beside=beside))
            layer = stack.enter_context(redis())
            os.sched_setaffinity(0, mine)
            yield database.url_of(database.new_database()), layer.url
    except Missing as missing:
        raise LeftOut(str(missing)) from None


def must_hold(sockets: int) -> None:
    """Allow enough open files for this many sockets; raise `LeftOut` if impossible.

    Servers started by this process inherit the limit. Also raises the hard limit if needed and permitted (as root,
    unless denied).
    """
    needed, hard = sockets + SPARE_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if needed > hard:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (needed, needed))
            return
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if needed > hard:
        words = f"{sockets:,} sockets need {needed:,} open files; a process may have {hard:,} here"
        raise LeftOut(f"{words} (ulimit -Hn)")


def must_keep_up(load_cpu: float) -> None:
    """Raise `LeftOut` if the load generator was the bottleneck."""
    if load_cpu > FULL:
        raise LeftOut(f"the load generator is full: it used {load_cpu:.0%} of its core")
