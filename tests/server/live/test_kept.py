"""Backup status and free disk space on the director's pages."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from channels.db import database_sync_to_async

from clocks.backups import last
from clocks.backups.archives import About
from clocks.backups.contents import Contents
from clocks.backups.folder import own_folder
from clocks.live import catchup
from tests.server.house import Page, in_loop
from tests.server.live.test_gallery_sockets import director_page, make_tournament_, sign_in_

pytestmark = pytest.mark.django_db(transaction=True)

MADE_AT = datetime(2026, 11, 22, 14, tzinfo=UTC)
AT = int(MADE_AT.timestamp() * 1000)
look = database_sync_to_async(catchup.look)


class Usage(NamedTuple):
    free: int


@pytest.fixture
def disk(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Free bytes on the disk, in a mutable list of one; the folder has no backups."""
    settings.DATA_DIR = tmp_path
    free = [71_234_567_890]
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(free[0]))
    return free


def note(pause: timedelta | None) -> None:
    last.note(Path("/stick/clock.zip"), About(MADE_AT, "clock.sqlite3", "1", True, Contents((), 0, 0, 0, None)), pause)


@in_loop
async def test_a_director_is_told_of_backups_and_disk_at_once_and_on_change(disk: list[int]) -> None:
    await make_tournament_()
    client = await sign_in_("dora", "director")
    page, hall = director_page(client), Page("/ws/hall/open/")
    for each in (page, hall):
        await each.open()
    await look()
    never = {"t": "kept", "at": None, "overdue_at": None, "free": 71_200_000_000, "little": False}
    assert await page.hear("kept") == never
    later = director_page(client)
    await later.open()
    assert await later.hear("kept") == never
    note(timedelta(minutes=5))
    await look()
    taken = never | {"at": AT, "overdue_at": AT + 15 * 60_000}
    assert [await each.hear("kept") for each in (page, later)] == [taken, taken]
    disk[0] -= 1_000
    await look()
    disk[0] = 999_999_999
    await look()
    assert await page.hear("kept") == taken | {"free": 900_000_000, "little": True}
    assert await hall.is_silent()


def test_processes_with_their_own_data_folders_share_the_backup_status(
    disk: list[int], settings: Any, tmp_path: Path
) -> None:
    settings.BACKUP_DIR = tmp_path / "copies"
    settings.BACKUP_DIR.mkdir()
    note(None)
    settings.DATA_DIR = tmp_path / "another"
    assert (last.state().at, own_folder()) == (MADE_AT, tmp_path / "copies")


def test_no_backup_is_overdue_after_the_schedule_ended(disk: list[int]) -> None:
    note(timedelta(minutes=5))
    last.note_end()
    assert last.state() == last.State(MADE_AT, "/stick/clock.zip", None, disk[0])
    assert last.state().overdue_at is None


def test_a_single_backup_sets_no_schedule(disk: list[int]) -> None:
    note(None)
    last.note_end()
    assert last.state() == last.State(MADE_AT, "/stick/clock.zip", None, disk[0])


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"at": "noon", "path": ""}'])
def test_an_unreadable_backup_note_counts_as_none(disk: list[int], tmp_path: Path, note: str) -> None:
    (tmp_path / "last-backup.json").write_text(note)
    assert last.state() == last.State(None, "", None, disk[0])
