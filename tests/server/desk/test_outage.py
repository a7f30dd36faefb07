"""Outages, and agreeing on the time between processes after a clock change."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from clocks.desk import agreed_time, outage
from clocks.desk.batch import Desk
from clocks.desk.figures import figures
from clocks.desk.requests import Reply, Request
from clocks.engine.commands import Hit, Stop
from clocks.journal import entries
from clocks.models import JournalEntry, Match, SignOfLife
from tests.server.house import make_match, running_match
from tests.server.set_clocks import Clocks

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = 3_600_000


def start(desk: Desk, now: int) -> None:
    """Start a desk just after another server has stopped."""
    outage.record(now)
    outage.heartbeat.start(now)
    desk.settle([])


def ask(desk: Desk, match: Match, now: int) -> Reply:
    """Press for Bob, whose turn it is; return the reply."""
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
            desk.settle([])  # the heartbeat can still be stored
    clocks.pass_ms(1_000)
    assert ask(desk, match, clocks.wall).code == "stopped"
    told = JournalEntry.objects.filter(match=match).order_by("seq").last()
    assert told is not None
    assert (told.event, told.by, told.at, told.data["reason"]) == ("stopped", "server", began, "outage")
    assert figures.outages_ms == before + 6_000


def test_no_press_counts_before_the_stops_of_an_outage_are_stored(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, desk = running_match(), Desk()
    start(desk, clocks.wall)
    clocks.pass_ms(4_000)
    append, faults = entries.append, iter([OperationalError("disk I/O error")])

    def fail_once(*given: Any) -> Any:
        for fault in faults:
            raise fault
        return append(*given)

    monkeypatch.setattr(entries, "append", fail_once)
    assert [ask(desk, match, clocks.wall).code for _ in range(2)] == ["not-stored", "stopped"]


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


# Heartbeat calls after a recovery at 1,000 ms; present in ms; last beat before the gap, or None if there is no gap.
HEARTBEATS: list[tuple[list[tuple[Any, ...]], int, int | None]] = [
    ([], 4_000, None),
    ([], 4_001, 1_000),
    ([("recovered", 500)], 4_001, 1_000),
    ([("recovered", 2_000)], 5_000, None),
    ([("recovered", 2_000)], 5_001, 2_000),
    ([("beat", 3_000, False)], 6_000, None),
    ([("beat", 3_000, False)], 6_001, 3_000),
    ([("beat", 9_000, True)], 9_000, 1_000),
    ([("beat", 9_000, True), ("beat", 20_000, True)], 20_000, 1_000),
    ([("beat", 9_000, True), ("recovered", 9_000)], 9_000, None),
    ([("failed", 2_000), ("beat", 3_000, False)], 4_000, None),
    ([("failed", 2_000), ("beat", 3_000, False)], 4_001, 1_000),
    ([("failed", 2_000), ("beat", 3_000, False)], 4_500, 1_000),
    ([("failed", 2_000), ("beat", 3_000, False)], 4_501, None),
    ([("failed", 2_000), ("beat", 3_000, True)], 4_400, None),
    ([("failed", 2_000), ("beat", 3_000, False), ("failed", 4_000)], 4_001, 1_000),
    ([("failed", 2_000), ("beat", 4_000, False), ("failed", 5_000)], 7_000, None),
    ([("failed", 2_000), ("beat", 4_000, False), ("failed", 5_000)], 7_001, 4_000),
    ([("failed", 3_000), ("recovered", 3_500)], 4_400, None),
    ([("failed", 3_000), ("stop",)], 99_000, None),
]


@pytest.mark.parametrize(("steps", "now", "lost_at"), HEARTBEATS)
def test_a_gap_of_more_than_three_seconds_is_noticed(
    steps: list[tuple[Any, ...]], now: int, lost_at: int | None
) -> None:
    heartbeat = outage.Heartbeat()
    assert (heartbeat.beats, heartbeat.lost_at(99_000)) == (False, None)
    heartbeat.failed(500)
    heartbeat.beat(500, commands=True)
    heartbeat.start(1_000)
    assert (heartbeat.beats, heartbeat.lost_at(1_000)) == (True, 0)
    heartbeat.recovered(1_000)
    for name, *values in steps:
        getattr(heartbeat, name)(*values)
    assert (heartbeat.lost_at(now), heartbeat.beats) == (lost_at, steps[-1:] != [("stop",)])


def test_a_sign_of_life_is_stored_each_second_while_a_clock_runs() -> None:
    match, heartbeat = running_match(), outage.Heartbeat()

    def sign(now: int) -> int:
        heartbeat.give_sign(now)
        return outage.last_sign_of_life()

    assert sign(1_000) == 0
    heartbeat.start(1_000)
    assert sign(1_000) == 0
    heartbeat.recovered(1_000)
    assert [sign(now) for now in (1_000, 1_999, 2_000, 3_500)] == [1_000, 1_000, 2_000, 3_500]
    heartbeat.failed(4_000)
    assert [sign(now) for now in (6_500, 6_501)] == [3_500, 6_501]
    Match.objects.filter(pk=match.pk).update(status="stopped")
    assert sign(8_000) == 6_501


@pytest.mark.parametrize(
    ("lost_at", "sign", "now", "began"),
    [
        (None, 0, 9_000, None),
        (0, 0, 2_000, 0),
        (0, 1, 3_001, None),
        (0, 5_000, 8_000, None),
        (0, 5_000, 8_001, 5_000),
        (6_000, 5_000, 9_000, None),
        (6_000, 5_000, 9_001, 6_000),
    ],
)
def test_an_outage_stops_all_clocks_as_of_the_last_sign(
    lost_at: int | None, sign: int, now: int, began: int | None
) -> None:
    running, _ = running_match(), make_match()
    if sign:
        SignOfLife.objects.create(process="one", at=sign)
        SignOfLife.objects.create(process="other", at=sign - 1)
    stops = outage.stops_after(lost_at, now)
    expected = [] if began is None else [Request(running.pk, Stop("outage"), "server", began)]
    assert stops == expected
    before = figures.outages_ms
    outage.tell(stops * 2, now)
    assert figures.outages_ms - before == 2 * (now - began if began else 0)


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
