"""Restore from the archive of `deploy/postgresql/archive` when all else is lost."""

import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.bench.play import Place
from tests.bench.product import make_boards
from tests.faults.houses import BOARDS, SECRET, serve
from tests.faults.players import Play
from tests.server.daphne import START_S, House
from tests.services import Missing, PostgreSQL, new_folder

SCRIPT = "archive"
LOST_S = 5.0  # play that may be lost with the database's machine


class Archived(PostgreSQL):
    """PostgreSQL server whose WAL another machine receives in its folder `archive`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, durable=True)
        self.archive = folder / "archive"
        self.archive.mkdir()
        if user := self._user():
            shutil.chown(self.archive, user)

    def archived(self, *arguments: str) -> str:
        """Run the archive script with these arguments; return its output."""
        return self.script(SCRIPT, *arguments, ARCHIVE=str(self.archive))

    @contextmanager
    def received(self) -> Iterator[None]:
        """Receive the WAL within the block, by whose end the server must be lost."""
        with (self.folder / "wal.log").open("wb") as log:
            receiver = self.start_script(SCRIPT, log, "wal", ARCHIVE=str(self.archive))
        try:
            until = time.monotonic() + START_S
            while self.run("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") != [(1,)]:
                assert receiver.poll() is None and time.monotonic() < until, (self.folder / "wal.log").read_text()
                time.sleep(0.05)  # polled, because there is no event
            yield
            receiver.wait(START_S)
        finally:
            receiver.kill()
            receiver.wait()

    def command_ids(self, database: str) -> set[object]:
        """Command ids in all journals of a database."""
        return {id_ for (id_,) in self.run("SELECT command_id FROM clocks_journalentry", database)}

    def lose(self) -> None:
        """Kill the server and delete its data."""
        self.signal(signal.SIGKILL)
        shutil.rmtree(self.data)

    def restore(self, *moment: str) -> None:
        """Restore from the archive, up to `moment` if given, and start the server."""
        self.archived("restore", str(self.data), *moment)
        self.configure()
        self.start()
        until = time.monotonic() + START_S
        while self.run("SELECT pg_is_in_recovery()") != [(False,)]:
            assert time.monotonic() < until, self.log()
            time.sleep(0.05)  # polled, because there is no event


@pytest.fixture
def server() -> Iterator[Archived]:
    try:
        with new_folder() as folder, Archived(folder) as made:
            yield made
    except Missing as missing:
        assert os.environ.get("CI") != "true", missing
        pytest.skip(str(missing))


def house_on(server: Archived, folder: Path, name: str) -> House:
    return House(folder, DATABASE_URL=server.url_of(name), SECRET_KEY=SECRET)


def played(house: House, places: list[Place]) -> Play:
    """Play until each phone has had two acknowledgements."""
    with Play([house.port], places) as play:
        play.recovered_s(time.time())
        play.recovered_s(time.time())
    return play


def ids(play: Play) -> set[str]:
    return {one.id for one in play.acknowledged()}


def test_the_archive_restores_any_moment_and_all_but_five_seconds(server: Archived, tmp_path: Path) -> None:
    name = server.new_database()
    house = house_on(server, tmp_path / "house", name)
    places = make_boards(BOARDS, house.environment)
    serve(house)
    try:
        with server.received():
            server.archived("base")
            before = played(house, places)
            ((moment,),) = server.run("SELECT clock_timestamp()::text")
            after = played(house, places)
            lost_at = time.time()
            server.lose()
    finally:
        house.close()
    shutil.rmtree(tmp_path / "house")

    server.restore(str(moment))
    stored = server.command_ids(name)
    assert (ids(before) - stored, ids(after) & stored) == (set(), set())
    server.lose()

    server.restore()
    stored = server.command_ids(name)
    lost = [one for one in (*before.acknowledged(), *after.acknowledged()) if one.id not in stored]
    print(f"\n{len(ids(before) | ids(after))} acknowledged, {len(lost)} lost with the server")
    assert all(one.at > lost_at - LOST_S for one in lost)
    house = house_on(server, tmp_path / "new", name)
    assert house.manage("verify").endswith("all as their journals say\n")
    house.start()
    try:
        played(house, places)
    finally:
        house.close()
