"""Backup page: list, alerts, and a backup on request."""

import re
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from clocks.backups import at_once, last
from clocks.backups.folder import MOMENT
from clocks.models import Tournament
from tests.server.hall import client_of

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/director/open/backups/"
BEGIN = at_once.begin  # the original: conftest.py replaces it, so that no other test starts a program


class Process:
    """Stand-in for Popen that runs until `code` is set."""

    started: list[list[str]] = []
    code: int | None = None

    def __init__(self, command: list[str], **options: Any) -> None:
        Process.started.append(command)

    def poll(self) -> int | None:
        return Process.code


@pytest.fixture
def owner(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    settings.BACKUP_DIR = str(tmp_path)
    Process.started, Process.code = [], None
    monkeypatch.setattr(at_once, "Popen", Process)
    monkeypatch.setattr(at_once, "_latest", None)
    monkeypatch.setattr(at_once, "begin", BEGIN)
    Tournament.objects.create(slug="open", name="Summer Open")
    return client_of("owner")


def text(client: Client) -> str:
    """The page's text."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", client.get(PATH).content.decode()))


def test_backups_are_listed_newest_first_with_their_sizes(owner: Client, tmp_path: Path) -> None:
    assert "No backup has been taken on this server yet." in text(owner)
    for day, size in ((1, 2_000_000), (2, 3_000_000)):
        (tmp_path / f"clock-{datetime(2026, 5, day, tzinfo=UTC):{MOMENT}}.zip").write_bytes(b" " * size)
    shown = text(owner)
    assert re.findall(r"(\d\.\d) MB", shown) == ["2.9", "1.9"]
    assert shown.index("clock-2026-05-02") < shown.index("clock-2026-05-01")


def test_a_backup_begins_at_once_and_not_twice(owner: Client) -> None:
    assert "A backup is being taken. It counts" in owner.post(PATH, follow=True).content.decode()
    assert "A backup is being taken already." in owner.post(PATH, follow=True).content.decode()
    assert [command[-1] for command in Process.started] == ["backup"]
    Process.code = 0
    assert "failed" not in text(owner)
    owner.post(PATH)
    Process.code = 1
    assert "The last backup from this page failed." in text(owner)


def test_of_two_requests_at_the_same_moment_one_begins_a_backup(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []
    other = threading.Thread(target=lambda: answers.append(at_once.begin()))

    class Slow(Process):
        """Process whose start first sends the other request and gives it 0.1 s."""

        def __init__(self, command: list[str], **options: Any) -> None:
            if other.ident is None:
                other.start()
                other.join(0.1)  # times out, because the other thread waits for this one
            super().__init__(command, **options)

    monkeypatch.setattr(at_once, "Popen", Slow)
    assert at_once.begin()
    other.join()
    assert (answers, len(Process.started)) == ([False], 1)


def test_the_page_says_that_backups_are_overdue(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ago = datetime.now(UTC) - timedelta(hours=2)
    monkeypatch.setattr(last, "state", lambda: last.State(ago, "", timedelta(minutes=5), 10**12))
    shown = text(owner)
    assert "Backups are overdue." in shown and "The last good backup was taken 2 hours ago." in shown


def test_a_full_disk_is_told(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last, "state", lambda: last.State(None, "", None, 5))
    assert "The server’s disk is nearly full" in text(owner)
