"""Cores, boards, server, PostgreSQL and Redis of one measurement."""

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
SPARE_FILES = 300  # what a process opens beside its sockets
FULL = 0.9  # of a core: a load generator beyond that measures itself


class LeftOut(Exception):
    """This machine cannot hold a figure; the words say why."""


@dataclass
class Rig:
    """What all rows share. `scale` makes every number smaller, to try the benchmark itself out."""

    chosen: argparse.Namespace
    folder: Path
    server_core: int
    _made: dict[str, tuple[Path, list[Place]]] = field(default_factory=dict)

    def scaled(self, number: int) -> int:
        """Return a number of boards, readers or hits as this run wants it."""
        return max(2, round(number * self.chosen.scale))

    def places(self, number: int, **options: int) -> tuple[Path, list[Place]]:
        """Return a data folder of one's own with so many boards, in SQLite, and these boards.

        They are made once and copied for each who asks.
        """
        key = json.dumps([number, options])
        if key not in self._made:
            folder = self.new_folder()
            self._made[key] = (folder, make_boards(number, SQLITE.environment(str(folder)), **options))
        made, places = self._made[key]
        return Path(shutil.copytree(made, self.new_folder(), dirs_exist_ok=True)), places

    def new_folder(self) -> Path:
        """Return an empty folder on the disk that is measured."""
        return Path(mkdtemp(dir=self.folder))

    def serve(self, folder: Path) -> AbstractContextManager[Server]:
        """Run the product on a folder that `places` gave."""
        return serve_product(self.server_core, SQLITE.environment(str(folder)))

    @contextmanager
    def serve_boards(self, number: int, **options: int) -> Iterator[tuple[Server, list[Place]]]:
        """Run the product with so many boards of its own."""
        folder, places = self.places(number, **options)
        with self.serve(folder) as server:
            yield server, places

    def relay(self) -> AbstractContextManager[Server]:
        """Run the relay."""
        return serve_relay(self.server_core)

    @contextmanager
    def postgresql(self) -> Iterator[Backend]:
        """Yield PostgreSQL and Redis: those that were named, or some of this run's own; both may use all cores."""
        with ExitStack() as stack:
            url, layer = self.chosen.postgresql, self.chosen.redis
            if not url:
                url, layer = stack.enter_context(_own_services(self.folder))
            yield Backend("postgresql", {"DATABASE_URL": url, "CHANNEL_REDIS_URL": layer})


@contextmanager
def _own_services(folder: Path) -> Iterator[tuple[str, str]]:
    """Start a PostgreSQL that waits for the measured disk, and a Redis; raises `LeftOut` where one is missing."""
    from tests.services import Missing, postgresql, redis

    mine = os.sched_getaffinity(0)
    try:
        with ExitStack() as stack:
            os.sched_setaffinity(0, range(os.cpu_count() or 1))  # what is started takes this over
            beside = folder if os.geteuid() else None  # root's PostgreSQL is somebody else, who may not go there
            database = stack.enter_context(postgresql(durable=True, beside=beside))
            layer = stack.enter_context(redis())
            os.sched_setaffinity(0, mine)
            yield database.url_of(database.new_database()), layer.url
    except Missing as missing:
        raise LeftOut(str(missing)) from None


def must_hold(sockets: int) -> None:
    """Let this process, and the servers that it starts, open so many sockets; raise `LeftOut` where they may not.

    What the system grants a process is raised too, where this one may do that (root, unless it was denied).
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
    """Raise `LeftOut` where the load generator had no time left: it would have measured itself."""
    if load_cpu > FULL:
        raise LeftOut(f"the load generator is full: it used {load_cpu:.0%} of its core")
