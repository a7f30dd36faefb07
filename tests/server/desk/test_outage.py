"""Outages, and the time agreed between processes after a system clock was set."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from clocks.desk import agreed_time, outage
from clocks.desk.batch import Desk
from clocks.desk.figures import figures
from clocks.desk.requests import Reply, Request
from clocks.engine.commands import Hit
from clocks.journal import entries
from clocks.models import JournalEntry, Match, SignOfLife
from tests.server.house import running_match
from tests.server.set_clocks import Clocks

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = 3_600_000


def start(desk: Desk, now: int) -> None:
    """Start a desk just after another server has stopped."""
    outage.record(now)
    outage.heartbeat.start(now)
    desk.settle([])


def ask(desk: Desk, match: Match, now: int) -> Reply:
    """Press for the player on turn, and return the reply."""
    answers: list[Reply] = []
    desk.settle([Request(match.pk, Hit(), "right", now, answered=answers.append)])
    return answers[0]


def test_a_database_that_stores_nothing_for_three_seconds_is_an_outage(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, desk = running_match(), Desk()
    began, before = clocks.wall, figures.outages_ms
    start(desk, began)

    def full(*rows: Any, **at: Any) -> None:
        raise OperationalError("database or disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(entries, "append", full)
        for _ in range(5):
            clocks.pass_ms(1_000)
            assert ask(desk, match, clocks.wall).code == "not-stored"
            desk.settle([])  # a heartbeat still fits on the disk
    clocks.pass_ms(1_000)
    assert ask(desk, match, clocks.wall).code == "stopped"
    told = JournalEntry.objects.filter(match=match).order_by("seq").last()
    assert told is not None
    assert (told.event, told.by, told.at, told.data["reason"]) == ("stopped", "server", began, "outage")
    assert figures.outages_ms == before + 6_000


def test_a_single_press_that_was_not_stored_is_no_outage(clocks: Clocks, monkeypatch: pytest.MonkeyPatch) -> None:
    match, desk = running_match(), Desk()
    start(desk, clocks.wall)

    def fail(*given: Any) -> None:
        raise OperationalError("deadlock detected")

    with monkeypatch.context() as broken:
        broken.setattr(entries, "append", fail)
        assert ask(desk, match, clocks.wall).code == "not-stored"
    for _ in range(5):
        clocks.pass_ms(1_000)
        desk.settle([])
    assert ask(desk, match, clocks.wall).ok


def test_a_desk_that_commits_every_second_has_no_outage(clocks: Clocks) -> None:
    match, desk = running_match(), Desk()
    start(desk, clocks.wall)
    for _ in range(5):
        desk.settle([])
        clocks.pass_ms(1_000)
    assert ask(desk, match, clocks.wall).ok


def test_the_database_s_clock_is_followed_at_the_start_and_as_it_drifts(clocks: Clocks) -> None:
    clocks.database_ahead = 700_000
    agreed_time.begin()
    assert clocks.ahead_ms == 700_000
    clocks.database_ahead += 30
    agreed_time.keep()
    assert clocks.ahead_ms == 700_030


@pytest.mark.parametrize("hours", [1, -1])
def test_a_database_s_clock_that_is_set_by_an_hour_moves_no_process(clocks: Clocks, hours: int) -> None:
    running_match()
    agreed_time.begin()
    outage.record(clocks.timebase.now_ms())
    clocks.database_ahead = hours * HOUR
    agreed_time.keep()
    clocks.pass_ms(10)
    assert clocks.ahead_ms == 0


def test_a_suspended_process_follows_the_time_of_database_and_peers(clocks: Clocks) -> None:
    agreed_time.begin()
    clocks.database_ahead = 60_000
    SignOfLife.objects.create(process="another", at=int(clocks.database_ms()) - 500)
    agreed_time.keep()
    assert clocks.ahead_ms == 60_000


def test_a_process_that_starts_after_a_clock_change_takes_its_peers_time(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    running_match()
    clocks.database_ahead = HOUR
    signs = iter([clocks.wall - 300] * 3 + [clocks.wall + 20] * 9)
    monkeypatch.setattr(agreed_time.outage, "last_sign_of_life", lambda: next(signs))
    agreed_time.begin()
    assert clocks.ahead_ms == 20


def test_after_the_system_clock_is_set_back_time_continues(clocks: Clocks, monkeypatch: Any) -> None:
    monkeypatch.setattr(agreed_time, "connection", SimpleNamespace(vendor="sqlite"))
    outage.record(clocks.timebase.now_ms())
    clocks.wall -= HOUR
    clocks.start()
    agreed_time.begin()
    assert clocks.ahead_ms == HOUR + outage.SIGN_MS
