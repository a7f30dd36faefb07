"""SQLite backups: made during play, verified, pruned and restored."""

import errno
import io
import json
import re
import shutil
import signal
import sqlite3
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from clocks.backups import last, postgresql, taking
from clocks.host import process_lock
from tests import prepared
from tests.server.copied import LAST, copied_while_they_press
from tests.server.daphne import ROOT, House

pytestmark = pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")


class Laptop:
    """A data folder with a database; commands run on it in this process."""

    def __init__(self, folder: Path, database: Path, settings: Any) -> None:
        self.folder, self.database, self._settings = folder, folder / "clock.sqlite3", settings
        folder.mkdir()
        shutil.copy(database, self.database)

    def run(self, *arguments: str) -> str:
        """Run a command on this database and return its output."""
        own = {"ENGINE": taking.SQLITE, "NAME": str(self.database)}
        self._settings.DATA_DIR, self._settings.DATABASES = self.folder, {"default": own}
        out = io.StringIO()
        call_command(*arguments, stdout=out)
        return out.getvalue()

    def refused(self, *arguments: str) -> str:
        """Run a command that must fail; return its error message."""
        with pytest.raises(CommandError) as error:
            self.run(*arguments)
        return str(error.value)

    def backup(self, *arguments: str) -> Path:
        """Make a backup; return its path."""
        return Path(self.run("backup", *arguments).split(" holds ")[0])

    def entries(self) -> list[Any]:
        """Journal entries of all matches, in storage order."""
        return self.sql("SELECT match_id, seq, event, command_id FROM clocks_journalentry ORDER BY id")

    def sql(self, statement: str) -> list[Any]:
        """Run an SQL statement on a new connection; return the rows."""
        with closing(sqlite3.connect(self.database)) as database, database:
            return database.execute(statement).fetchall()


@pytest.fixture(scope="module")
def a_match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Database file with one match."""
    folder = tmp_path_factory.mktemp("played") / "house"
    House(folder).manage("newmatch", "--rules", "us-2013", "--length", "3")
    with closing(sqlite3.connect(folder / "clock.sqlite3")) as database:
        database.execute("PRAGMA journal_mode=DELETE")
    return folder / "clock.sqlite3"


@pytest.fixture(autouse=True)
def in_memory(django_db_blocker: Any) -> Iterator[None]:
    """Allow database access, because the expected schema is built in memory."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip replaying all journals, which takes a second."""
    monkeypatch.setattr(taking, "run_on", lambda url, *command: "")


@pytest.fixture
def laptop(tmp_path: Path, a_match: Path, settings: Any) -> Laptop:
    return Laptop(tmp_path / "laptop", a_match, settings)


@pytest.fixture
def new_laptop(tmp_path: Path, settings: Any) -> Laptop:
    """Another laptop with an empty database."""
    prepared.database(tmp_path / "empty")
    return Laptop(tmp_path / "new", tmp_path / "empty" / "clock.sqlite3", settings)


def test_a_backup_taken_during_play_is_consistent_and_restores_elsewhere(house: House, new_laptop: Laptop) -> None:
    copied = copied_while_they_press(house)
    new_laptop.run("restore", copied.path, "--yes")
    restored = new_laptop.entries()
    with closing(sqlite3.connect(house.folder / "clock.sqlite3")) as database:
        columns = "SELECT match_id, seq, event, command_id FROM clocks_journalentry ORDER BY id"
        everything = database.execute(columns).fetchall()
    assert restored == everything[: copied.entries]
    assert len(everything) >= copied.pressed


def test_nothing_is_restored_under_a_running_server(house: House, laptop: Laptop, unchecked: None) -> None:
    backup, made = laptop.backup(), house.new_match()
    house.start()
    house.phone(made)
    laptop.database = house.folder / "clock.sqlite3"
    here = laptop.entries()
    assert laptop.refused("restore", str(backup), "--yes", "--over-play") == (
        "The clock is running on this database. Stop it first (Ctrl-C), then restore again."
    )
    assert laptop.entries() == here


def test_only_the_owner_can_read_a_backup(laptop: Laptop, unchecked: None) -> None:
    assert laptop.backup().stat().st_mode & 0o777 == 0o600


def test_restore_without_yes_changes_nothing(laptop: Laptop, new_laptop: Laptop, unchecked: None) -> None:
    backup = laptop.backup()
    said = new_laptop.run("restore", str(backup)).splitlines()
    assert re.fullmatch(rf"It would restore 0 tournaments, 1 matches, 1 journal entries, {LAST}\.", said[1])
    assert said[2:] == [
        "Here now: 0 tournaments and nothing that was played.",
        "Nothing has been changed. To restore it, stop the clock and add --yes.",
    ]
    assert new_laptop.entries() == []


def test_matches_are_replaced_only_with_over_play_after_a_backup(
    laptop: Laptop, new_laptop: Laptop, unchecked: None
) -> None:
    nothing, played = new_laptop.backup(), laptop.entries()
    assert re.fullmatch(
        rf"Here are 0 tournaments, 1 matches, 1 journal entries, {LAST}, and they would be replaced\. "
        r"To back them up and restore anyway: --over-play",
        laptop.refused("restore", str(nothing), "--yes"),
    )
    assert laptop.entries() == played
    said = laptop.run("restore", str(nothing), "--yes", "--over-play").splitlines()[-2:]
    assert said[0] == "Restored. Start the clock as usual: it brings the database up to date."
    assert laptop.entries() == []
    kept = said[1].removeprefix("What was here before is in ").removesuffix(".")
    laptop.run("restore", kept, "--yes")
    assert laptop.entries() == played


@pytest.mark.parametrize("harm", ["cut", "changed", "something else"])
def test_a_damaged_backup_is_named_and_not_restored(
    laptop: Laptop, new_laptop: Laptop, unchecked: None, harm: str
) -> None:
    backup = laptop.backup()
    whole = backup.read_bytes()
    wrong = {"cut": whole[:-200], "changed": whole[:5000] + b"\0" * 50 + whole[5050:], "something else": b"hello"}
    backup.write_bytes(wrong[harm])
    assert str(backup) in new_laptop.refused("restore", str(backup), "--yes")
    assert new_laptop.entries() == []


@pytest.mark.parametrize("harm", ["head", "pages"])
def test_a_restored_backup_replaces_a_damaged_database_and_keeps_it_aside(
    laptop: Laptop, unchecked: None, harm: str
) -> None:
    backup, played, whole = laptop.backup(), laptop.entries(), laptop.database.read_bytes()
    damaged = {"head": b"\0" * 100 + whole[100:], "pages": whole[:8192] + b"\xa5" * (len(whole) - 8192)}[harm]
    laptop.database.write_bytes(damaged)
    said = laptop.run("restore", str(backup)).splitlines()
    assert said[2].startswith("Here now: a damaged database, which would be set aside (")
    assert laptop.database.read_bytes() == damaged
    *_, last = laptop.run("restore", str(backup), "--yes").splitlines()
    aside = Path(last.removeprefix("What was here before is in ").removesuffix("."))
    assert aside.parent == laptop.folder / "backups"
    assert (aside / "clock.sqlite3").read_bytes() == damaged
    assert laptop.entries() == played


def test_a_damaged_database_in_use_is_left_alone(laptop: Laptop, unchecked: None) -> None:
    backup = laptop.backup()
    laptop.database.write_bytes(b"no database")
    with closing(process_lock._taken(process_lock.lock_beside(laptop.database))):
        assert laptop.refused("restore", str(backup), "--yes") == (
            "The clock is running on this database. Stop it first (Ctrl-C), then restore again."
        )
    assert laptop.database.read_bytes() == b"no database"


def test_a_backup_with_a_wrong_journal_is_kept_but_not_counted(laptop: Laptop, new_laptop: Laptop) -> None:
    laptop.sql("UPDATE clocks_match SET version = version + 1")
    words = laptop.refused("backup")
    assert "was taken, but its journals and its matches do not agree" in words
    assert words.endswith("1 matches, 2 journal entries: 1 differ from their journal")
    kept = next((laptop.folder / "backups").glob("clock-*.zip"))
    with zipfile.ZipFile(kept) as archive:
        assert json.loads(archive.read("about.json"))["checked"] is False
    assert not (laptop.folder / "last-backup.json").exists()
    assert "does not agree with its journals, and nothing has been changed" in new_laptop.refused(
        "restore", str(kept), "--yes"
    )
    assert new_laptop.entries() == []


def test_only_the_newest_backups_are_kept(laptop: Laptop, unchecked: None) -> None:
    taken = [laptop.backup("--keep", "2") for _ in range(3)]
    assert sorted((laptop.folder / "backups").glob("*")) == [laptop.folder / "backups/.copy-lock", *taken[1:]]


def test_other_files_do_not_count_when_old_backups_are_removed(laptop: Laptop, unchecked: None) -> None:
    first = laptop.backup()
    others = [first.with_name("clock-mine.zip"), first.with_name(first.name.replace("clock-2", "clock-3"))]
    for other in others:
        other.write_bytes(b"no zip")
    last = laptop.backup("--keep", "1")
    assert sorted(first.parent.glob("clock-*")) == sorted([last, *others])


def test_the_newest_good_backup_is_never_pruned(laptop: Laptop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking, "run_on", lambda url, *command: "")
    good = laptop.backup()
    monkeypatch.setattr(taking, "run_on", lambda url, *command: "wrong")
    laptop.refused("backup")
    laptop.refused("backup", "--keep", "1")
    assert good.exists()


def test_backups_to_a_stick_continue_while_the_data_disk_is_full(
    laptop: Laptop,
    unchecked: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(last, "note", Mock(side_effect=full))
    backups = [laptop.backup("--to", str(stick), "--keep", "1") for _ in range(2)]
    assert list(stick.glob("clock-*")) == backups[1:]
    assert [record.getMessage() for record in caplog.records] == [
        "the directors' pages cannot show that a backup was taken: No space left on device"
    ] * 2


def test_what_a_killed_backup_left_is_removed_by_the_next(house: House) -> None:
    folder = house.folder / "backups"
    house.manage("newmatch", "--rules", "us-2013", "--length", "3")
    with Popen([sys.executable, "manage.py", "backup"], cwd=ROOT, env=house.environment) as backup:
        while not list(folder.glob(".copy-*/trial-*/database")):
            assert backup.poll() is None
            time.sleep(0.01)  # polled, because there is no event
        backup.kill()
    (folder / "clock-2026-11-22T14-00-00-000000Z.part").write_bytes(b"half of a backup")
    assert [path.name for path in folder.glob(".copy-*/database")] == ["database"]
    house.manage("backup")
    assert sorted(path.suffix or path.name for path in folder.iterdir()) == [".copy-lock", ".zip"]


def test_a_backup_is_copied_elsewhere_by_the_command_after_it(laptop: Laptop, unchecked: None, tmp_path: Path) -> None:
    backup = laptop.backup("--then", f'cp "$BACKUP" {tmp_path}')
    assert (tmp_path / backup.name).read_bytes() == backup.read_bytes()
    sent = last.sent_at()
    assert sent is not None and f"{sent:%Y-%m-%dT%H-%M}" in backup.name
    assert laptop.refused("backup", "--then", "echo no network >&2; false").endswith(
        ".zip was taken, but the command after it failed: no network"
    )
    assert last.sent_at() == sent


def test_a_missing_stick_is_reported_and_no_folder_created(laptop: Laptop, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    assert laptop.refused("backup", "--to", str(stick)) == f"There is no folder {stick}. Is the stick in?"
    assert not stick.exists()


def test_backups_repeat_until_ctrl_c(house: House) -> None:
    backup = Popen(
        [sys.executable, "manage.py", "backup", "--every", "1s"],
        cwd=ROOT,
        env=house.environment,
        stdout=PIPE,
        text=True,
    )
    assert backup.stdout is not None
    first, second = (backup.stdout.readline() for _ in range(2))
    backup.send_signal(signal.SIGINT)
    rest = backup.stdout.read()
    assert (first.endswith("agrees with every journal.\n"), second != first, backup.wait(10)) == (True, True, 0)
    assert rest.endswith(f"Stopped. The backups are in {house.folder / 'backups'}.\n")


@pytest.mark.parametrize("pause", ["5", "m", "0m", "5 m", "five"])
def test_an_invalid_interval_is_named_with_a_valid_example(laptop: Laptop, pause: str) -> None:
    words = laptop.refused("backup", "--every", pause)
    assert words.endswith(f"must be a number with s, m, h or d behind it, such as 5m, not {pause!r}")


def test_no_password_appears_in_the_process_list() -> None:
    database = {"HOST": "db", "PORT": 5433, "USER": "clock", "PASSWORD": "p@ss/word", "NAME": "clock", "OPTIONS": {}}
    assert postgresql._parameters(database) == {
        "host": "db",
        "port": "5433",
        "user": "clock",
        "password": "p@ss/word",
        "dbname": "clock",
    }
    assert postgresql._url(database) == "postgres://clock:p%40ss%2Fword@db:5433/clock"
