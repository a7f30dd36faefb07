"""PostgreSQL backups: made during play, verified and restored in full."""

import io
import re
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import environ
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from clocks.backups import taking
from clocks.management.commands import backup
from tests.ports import free_port
from tests.server.copied import copied_while_they_press
from tests.server.daphne import ROOT, House, migrated
from tests.services import PostgreSQL

pytestmark = pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")

MATCH = ("newmatch", "--rules", "us-2013", "--length", "3")
ENTRIES = "SELECT match_id, seq, event, command_id FROM clocks_journalentry ORDER BY id"


class Hall:
    """A PostgreSQL database and a data folder; commands run on them in this process."""

    def __init__(self, server: PostgreSQL, name: str, folder: Path, settings: Any) -> None:
        self.server, self.name, self.folder, self._settings = server, name, folder, settings
        self.url = server.url_of(name)
        folder.mkdir()

    def run(self, *arguments: str) -> str:
        """Run a command on this database and return its output."""
        own = {"USER": "", "PASSWORD": "", **environ.Env.db_url_config(self.url), "OPTIONS": {"pool": True}}
        self._settings.DATA_DIR, self._settings.DATABASES = self.folder, {"default": own}
        out = io.StringIO()
        call_command(*arguments, stdout=out)
        return out.getvalue()

    def refused(self, *arguments: str) -> str:
        """Run a command that must fail; return its error message."""
        with pytest.raises(CommandError) as error:
            self.run(*arguments)
        return str(error.value)

    def backup(self) -> Path:
        """Make a backup; return its path."""
        return Path(self.run("backup").split(" holds ")[0])

    def house(self) -> House:
        """The same database with commands and a server in separate processes."""
        return House(self.folder, DATABASE_URL=self.url)

    def entries(self) -> list[Any]:
        """Journal entries of all matches, in storage order."""
        return self.server.run(ENTRIES, self.name)

    def databases(self) -> list[Any]:
        """Names of the databases into which backups are restored for checking."""
        return self.server.run("SELECT datname FROM pg_database WHERE datname LIKE 'clock_check_%'")


@pytest.fixture(scope="module")
def played(postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Name of a database with one match."""
    name = migrated(postgresql)
    House(tmp_path_factory.mktemp("played"), DATABASE_URL=postgresql.url_of(name)).manage(*MATCH)
    return name


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip replaying all journals, which takes a second."""
    monkeypatch.setattr(taking, "run_on", lambda url, *command: "")


@pytest.fixture
def hall(postgresql: PostgreSQL, played: str, tmp_path: Path, settings: Any) -> Hall:
    return Hall(postgresql, postgresql.new_database(played), tmp_path / "hall", settings)


@pytest.fixture
def new_hall(postgresql: PostgreSQL, tmp_path: Path, settings: Any) -> Hall:
    """Another, empty database."""
    return Hall(postgresql, migrated(postgresql), tmp_path / "new", settings)


@pytest.fixture
def served(new_hall: Hall) -> Iterator[House]:
    house = new_hall.house()
    yield house
    house.close()


def test_a_dump_taken_during_play_is_consistent_and_restores_elsewhere(
    served: House, new_hall: Hall, hall: Hall
) -> None:
    copied = copied_while_they_press(served)
    everything = new_hall.entries()
    hall.run("restore", copied.path, "--yes", "--over-play")
    assert hall.entries() == everything[: copied.entries]
    assert len(everything) >= copied.pressed
    assert hall.databases() == []


def test_nothing_is_restored_under_a_running_server(served: House, new_hall: Hall, unchecked: None) -> None:
    backup, made = new_hall.backup(), served.new_match()
    served.start()
    served.phone(made)
    here = new_hall.entries()
    assert new_hall.refused("restore", str(backup), "--yes", "--over-play") == (
        "The clock is running on this database. Stop every process of it first, then restore again."
    )
    assert (new_hall.entries(), len(here)) == (here, 3)


def test_matches_are_replaced_only_with_over_play_after_a_backup(hall: Hall, new_hall: Hall, unchecked: None) -> None:
    nothing, played = new_hall.backup(), hall.entries()
    assert hall.refused("restore", str(nothing), "--yes").endswith(
        "and they would be replaced. To back them up and restore anyway: --over-play"
    )
    assert hall.entries() == played
    said = hall.run("restore", str(nothing), "--yes", "--over-play").splitlines()[-2:]
    assert said[0] == "Restored. Start the clock as usual: it brings the database up to date."
    assert hall.entries() == []
    hall.run("restore", said[1].removeprefix("What was here before is in ").removesuffix("."), "--yes")
    assert hall.entries() == played


LOCKED = "SELECT FROM pg_locks JOIN pg_database ON oid = database WHERE locktype = 'advisory' AND datname = '{}'"


def test_what_a_killed_backup_left_is_removed_by_the_next(hall: Hall) -> None:
    house = hall.house()
    with Popen([sys.executable, "manage.py", "backup"], cwd=ROOT, env=house.environment) as backup:
        while not hall.databases():
            assert backup.poll() is None
            time.sleep(0.01)  # polled, because there is no event
        backup.kill()
    while hall.server.run(LOCKED.format(hall.name)):
        time.sleep(0.01)  # until PostgreSQL notices that its client is gone
    assert len(hall.databases()) == 1
    other = hall.server.new_database().replace("clock_", "clock_check_1_")
    hall.server.run(f"CREATE DATABASE {other}")  # of another installation
    house.manage("backup")
    assert hall.databases() == [(other,)]
    assert list((house.folder / "backups").glob(".copy-*/*")) == []
    hall.server.run(f"DROP DATABASE {other}")


def test_a_restore_that_fails_halfway_changes_nothing(hall: Hall, unchecked: None) -> None:
    backup, played = hall.backup(), hall.entries()
    hall.server.run("DROP TABLE clocks_signoflife", hall.name)
    hall.server.run("CREATE VIEW clocks_signoflife AS SELECT 1 AS in_the_way", hall.name)
    words = hall.refused("restore", str(backup), "--yes", "--over-play")
    assert words.startswith("psql failed: ") and 'relation "clocks_signoflife" already exists' in words
    assert hall.entries() == played


def test_an_earlier_versions_backup_replaces_later_tables_too(hall: Hall, unchecked: None) -> None:
    house, played = hall.house(), hall.entries()
    house.manage("migrate", "clocks", "0021", "-v", "0", "--skip-checks")
    earlier = hall.backup()
    said = house.manage("upgrade").splitlines()
    assert re.fullmatch(r"A backup of everything as it was is in \S+\.", said[0])
    assert said[1:] == ["The database is up to date."]
    hall.run("restore", str(earlier), "--yes", "--over-play")
    assert house.manage("upgrade").splitlines()[-1] == "The database is up to date."
    assert house.manage("verify") == "1 matches, 1 journal entries: all as their journals say\n"
    assert hall.entries() == played


PROMOTE = """
CREATE FUNCTION promote() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.is_superuser := true; RETURN NEW; END $$;
CREATE TRIGGER promote BEFORE UPDATE ON auth_user FOR EACH ROW EXECUTE FUNCTION promote();
CREATE VIEW spy AS SELECT * FROM auth_user;
"""


def test_a_dump_with_foreign_objects_is_refused_and_verify_names_them(
    hall: Hall, new_hall: Hall, unchecked: None
) -> None:
    for statement in filter(str.strip, PROMOTE.split(";\n")):
        hall.server.run(statement, hall.name)
    backup = hall.backup()
    assert new_hall.refused("restore", str(backup), "--yes") == (
        f"{backup} has what this program does not make: FUNCTION public promote(), VIEW public spy, "
        "TRIGGER public auth_user promote. Nothing has been changed."
    )
    assert (
        hall.house()
        .refused("verify")
        .endswith("the database has what this program does not make: function promote, trigger promote")
    )


def test_a_dump_too_large_for_the_disk_is_not_restored(
    hall: Hall, new_hall: Hall, unchecked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_hall.server.run("INSERT INTO django_session VALUES ('long', repeat('x', 60000000), now())", new_hall.name)
    path = new_hall.backup()
    assert path.stat().st_size < 2_000_000
    before = hall.entries()
    room = SimpleNamespace(total=10**9, used=9 * 10**8, free=10**8)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: room)
    words = hall.refused("restore", str(path), "--yes", "--over-play")
    assert re.fullmatch(rf"{path} unpacks to 6\d MB. Restoring it takes 1\d\d MB on .+ are free. Nothing .+", words)
    assert (hall.entries(), hall.databases()) == (before, [])


def test_a_table_of_contents_can_hide_sql_that_runs_while_tried(hall: Hall, new_hall: Hall, unchecked: None) -> None:
    harmless, hidden = "a note about phones of this clock", "'; SELECT 1/0 AS it_ran; --"
    hall.server.run(f"COMMENT ON TABLE clocks_device IS '{harmless}'", hall.name)
    backup = hall.backup()
    with ZipFile(backup) as archive:
        about, dump = archive.read("about.json"), archive.read("clock.pgdump")
    with ZipFile(backup, "w") as archive:
        archive.writestr("about.json", about)
        archive.writestr("clock.pgdump", dump.replace(harmless.encode(), hidden.ljust(len(harmless)).encode()))
    words = new_hall.refused("restore", str(backup), "--yes")
    assert words.startswith("pg_restore failed: ") and "division by zero" in words
    assert new_hall.entries() == []


def test_a_file_that_is_no_dump_or_is_damaged_is_named_and_not_restored(
    hall: Hall, new_hall: Hall, unchecked: None
) -> None:
    backup = hall.backup()
    whole = backup.read_bytes()
    for harmed in (whole[:-200], b"hello"):
        backup.write_bytes(harmed)
        assert str(backup) in new_hall.refused("restore", str(backup), "--yes")
    backup.write_bytes(whole)
    with ZipFile(backup) as archive:
        about = archive.read("about.json")
    with ZipFile(backup, "w") as archive:
        archive.writestr("about.json", about)
        archive.writestr("clock.pgdump", b"no dump at all")
    assert new_hall.refused("restore", str(backup), "--yes") == (
        f"{backup} holds no database of this program, and nothing has been changed. Choose another backup."
    )
    assert new_hall.entries() == []


def test_without_createdb_the_user_is_told_what_the_administrator_must_do(hall: Hall) -> None:
    hall.server.run(f"CREATE ROLE {hall.name} LOGIN")
    hall.server.run(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {hall.name}", hall.name)
    hall.server.run(f"GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {hall.name}", hall.name)
    hall.url = hall.url.replace("clock@", f"{hall.name}@")
    assert hall.refused("backup") == (
        "A backup is tried in a database of its own, and this user may not create one. "
        f"Run once, as PostgreSQL's administrator: ALTER ROLE {hall.name} CREATEDB"
    )


def test_an_unreachable_database_is_reported_and_backups_are_tried_again(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hall.url = hall.url.replace(f":{hall.server.port}/", f":{free_port()}/")
    assert hall.refused("backup").startswith("The database cannot be reached: connection failed: ")
    pauses: list[float] = []

    def rest(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(backup, "time", SimpleNamespace(monotonic=time.monotonic, sleep=rest))
    hall.run("backup", "--every", "5m")
    assert capsys.readouterr().err.count("The database cannot be reached") == 2


def test_a_backup_uses_the_writable_one_of_several_servers(hall: Hall) -> None:
    servers = f"127.0.0.1:{free_port()},127.0.0.1:{hall.server.port}"
    hall.url = f"postgres://clock@{servers}/{hall.name}?target_session_attrs=read-write"
    printed = hall.house().manage("backup")
    assert printed.endswith("and agrees with every journal.\n"), printed


def test_without_postgresqls_programs_backup_says_what_to_install(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hall.refused("backup") == "pg_dump is missing. Debian, Ubuntu: apt install postgresql-client"
