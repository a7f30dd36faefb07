"""A second server process on SQLite refuses to start."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import SystemCheckError

from clocks.host import process_lock
from tests.ports import free_port
from tests.server.daphne import ROOT, House


def test_a_second_server_on_one_sqlite_is_refused_until_the_first_ends(house: House) -> None:
    house.start()
    assert house.refused("serve", "--bind", "127.0.0.1", "--port", str(free_port())) == (
        f"Another server process runs on {house.folder / 'clock.sqlite3'}, and SQLite serves one. Stop that one first. "
        "Several need PostgreSQL and Redis: DATABASE_URL, CHANNEL_REDIS_URL (docs/operations.md)."
    )
    assert process_lock.is_served(house.folder / "clock.sqlite3")
    house.close()  # kills the server
    shutil.rmtree(house.folder / "static", ignore_errors=True)
    assert not process_lock.is_served(house.folder / "clock.sqlite3")
    assert house.refused("serve", "--port", str(free_port())).startswith("Static files are missing.")


def test_a_second_server_started_by_daphne_ends_by_itself(house: House) -> None:
    house.start()
    daphne = (sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p", str(free_port()), "config.asgi:application")
    ended = subprocess.run(daphne, cwd=ROOT, env=house.environment, capture_output=True, text=True, timeout=120)
    assert "Another server process runs on" in ended.stderr


def test_commands_run_beside_a_server(house: House) -> None:
    house.start()
    assert house.manage("verify") == "0 matches, 0 journal entries: all as their journals say\n"


def test_the_lock_does_not_touch_the_database(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "clock.sqlite3")) as database:
        held = process_lock._taken(process_lock.lock_beside(tmp_path / "clock.sqlite3"))
        database.execute("CREATE TABLE played (at)")
        held.close()
    assert (tmp_path / "clock.sqlite3-server").stat().st_size == 0


@pytest.mark.parametrize(
    ("processes", "redis", "vendor", "found"),
    [
        (1, "", "sqlite", []),
        (2, "", "sqlite", ["clocks.E001", "clocks.E002"]),
        (2, "redis://host:6379/0", "sqlite", ["clocks.E001"]),
        (2, "", "postgresql", ["clocks.E002"]),
        (2, "redis://host:6379/0", "postgresql", []),
        (1, "", "postgresql", []),
    ],
)
def test_more_than_one_process_needs_postgresql_and_redis(
    settings: Any, monkeypatch: pytest.MonkeyPatch, processes: int, redis: str, vendor: str, found: list[str]
) -> None:
    settings.PROCESSES, settings.CHANNEL_REDIS_URL = processes, redis
    monkeypatch.setattr("clocks.host.checks.connection.vendor", vendor, raising=False)
    if not found:
        call_command("check")
        return
    with pytest.raises(SystemCheckError) as refused:
        call_command("check")
    assert [word.strip("?:() ") for word in str(refused.value).split() if "clocks.E" in word] == found


OURS = sorted(name for name, app in get_commands().items() if app == "clocks")
WITHOUT = ("makemessages", "replay")  # commands that open no database


@pytest.mark.parametrize("name", [name for name in OURS if name not in WITHOUT])
def test_each_of_our_commands_checks_the_processes_first(settings: Any, name: str) -> None:
    settings.PROCESSES, settings.CHANNEL_REDIS_URL = 2, ""
    command = load_command_class("clocks", name)
    tags = None if command.requires_system_checks == "__all__" else command.requires_system_checks
    with pytest.raises(SystemCheckError):
        command.check(tags=tags)
