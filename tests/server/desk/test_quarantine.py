"""A failing request is rejected alone and cheaply, and causes no outage."""

import logging
from collections.abc import Mapping, Sequence

import psycopg
import pytest
from django.core.management import call_command
from django.db import DataError, IntegrityError, InternalError, NotSupportedError, OperationalError, ProgrammingError
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from clocks.desk import outage
from clocks.desk.batch import Desk
from clocks.desk.quarantine import SUSPECT_S, Quarantine
from clocks.desk.requests import Reply, Request
from clocks.engine.commands import Call, Hit
from clocks.engine.refusals import REFUSALS
from clocks.host.server_time import now_ms
from clocks.journal import entries
from clocks.models import Device, JournalEntry, Match
from tests.server.house import running_match, sit_down
from tests.server.set_clocks import Clocks

pytestmark = pytest.mark.django_db(transaction=True)

NOT_STORED = Reply(False, 0, "not-stored", REFUSALS["not-stored"])
OK = (True, "")


def caused_by(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


FAULTS_OF_A_REQUEST = [
    *(IntegrityError("one_entry_a_command"), DataError("value too long"), ProgrammingError(), InternalError()),
    *(NotSupportedError(), ValueError("a NUL"), OverflowError(), KeyError("id"), MemoryError()),
    UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogate"),
    caused_by(OperationalError(), psycopg.errors.DeadlockDetected()),
    caused_by(OperationalError(), psycopg.errors.QueryCanceled()),
    caused_by(OperationalError(), psycopg.errors.SerializationFailure()),
]


class Poison:
    """Matches that cannot be stored; if `phones` is set, only their requests fail."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.matches: set[int] = set()
        self.phones: set[int] = set()
        self.error: Exception = IntegrityError("one_entry_a_command")
        self.raised = 0
        self._append = entries.append
        patch.setattr(entries, "append", self.append)

    def append(self, rows: Sequence[entries.Row], *heads: Mapping[int, str]) -> dict[int, str]:
        for row in rows:
            if row.match_id in self.matches and (not self.phones or row.device_id in self.phones):
                self.raised += 1
                raise self.error
        return self._append(rows, *heads)


@pytest.fixture
def poison(monkeypatch: pytest.MonkeyPatch) -> Poison:
    return Poison(monkeypatch)


def desk_at(now_s: list[float]) -> Desk:
    """Desk whose quarantine reads the time from `now_s[0]`."""
    desk = Desk()
    desk._quarantine = Quarantine(lambda: now_s[0])
    return desk


def call(match: Match, at: int, answers: list[Reply] | None = None, device: Device | None = None) -> Request:
    """Request to call the director, accepted until the match is over."""
    who = None if device is None else device.pk
    return Request(
        match.pk, Call(f"{at}"), "left", at, device_id=who, answered=None if answers is None else answers.append
    )


def begun(queries: CaptureQueriesContext) -> int:
    """Number of transactions begun."""
    return sum(query["sql"].startswith("BEGIN") for query in queries.captured_queries)


@pytest.mark.parametrize("error", FAULTS_OF_A_REQUEST, ids=lambda error: type(error.__cause__ or error).__name__)
def test_a_match_whose_requests_fail_for_six_seconds_stops_no_clock(
    error: Exception, clocks: Clocks, poison: Poison
) -> None:
    one, other, desk = running_match(), running_match(), Desk()
    poison.matches, poison.error = {one.pk}, error
    outage.record(clocks.wall)
    outage.heartbeat.start(clocks.wall)
    desk.settle([])
    for _ in range(12):  # the only request of its batch, so that nothing else causes a heartbeat
        clocks.pass_ms(500)
        desk.settle([call(one, clocks.wall)])
    assert [Match.objects.get(pk=match.pk).status for match in (one, other)] == ["running"] * 2
    answers: list[Reply] = []
    desk.settle([Request(other.pk, Hit(), "right", clocks.wall, answered=answers.append)])
    assert answers == [Reply(True, 4)]
    assert not JournalEntry.objects.filter(event="stopped").exists()


def test_after_three_failures_the_client_is_refused(poison: Poison, caplog: pytest.LogCaptureFixture) -> None:
    match, desk, answers = running_match(), desk_at([0.0]), list[Reply]()
    poison.matches = {match.pk}
    for number in range(100):
        desk.settle([call(match, now_ms() + number, answers)])
    refused = Reply(
        False, 0, "bad-message", "The server failed at the last commands from here. Try again in 5 seconds."
    )
    assert answers == [NOT_STORED] * 3 + [refused] * 97
    assert poison.raised == 3
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 3 + [logging.WARNING]


def test_a_refusal_is_of_one_match_phone_and_user() -> None:
    quarantine = Quarantine(lambda: 0.0)
    who = [(match, phone, user) for match in (1, 2) for phone in (3, 4, None) for user in (5, None)]
    requests = [Request(match, Hit(), "left", 0, device_id=phone, user_id=user) for match, phone, user in who]
    for _ in range(3):
        quarantine.add(requests[0])
    assert [asker for asker, request in zip(who, requests, strict=True) if quarantine.refuses(request)] == [(1, 3, 5)]


def test_a_phone_with_both_seats_is_refused_for_both(poison: Poison) -> None:
    match, desk, answers = running_match(), Desk(), list[Reply]()
    phone = sit_down(match, "left", "right")[0]
    poison.matches = {match.pk}
    for _ in range(3):
        desk.settle([call(match, now_ms(), device=phone)])
    poison.matches = set()
    hit = Request(match.pk, Hit(), "right", now_ms(), device_id=phone.pk, answered=answers.append)
    desk.settle([hit])
    assert [(answer.ok, answer.code) for answer in answers] == [(False, "bad-message")]


def test_the_client_is_accepted_again_after_five_seconds(poison: Poison) -> None:
    now_s, match, answers = [0.0], running_match(), list[Reply]()
    desk = desk_at(now_s)
    poison.matches = {match.pk}
    for _ in range(4):
        desk.settle([call(match, now_ms(), answers)])
    poison.matches = set()
    for now_s[0] in (4.9, 5.0):
        desk.settle([call(match, now_ms(), answers)])
    assert [answer.code for answer in answers] == ["not-stored"] * 3 + ["bad-message"] * 2 + [""]


def test_the_other_phone_of_the_match_still_presses(poison: Poison) -> None:
    match, desk, answers = running_match(), Desk(), list[Reply]()
    ann, bob = sit_down(match, "left")[0], sit_down(match, "right")[0]
    poison.matches, poison.phones = {match.pk}, {ann.pk}
    for _ in range(5):
        desk.settle([call(match, now_ms(), device=ann)])
    hit = Request(match.pk, Hit(), "right", now_ms(), device_id=bob.pk, answered=answers.append)
    desk.settle([call(match, now_ms(), device=ann), hit])
    assert [(answer.ok, answer.code) for answer in answers] == [OK]


def test_a_failing_request_among_many_is_found_by_bisection(poison: Poison, caplog: pytest.LogCaptureFixture) -> None:
    matches, desk, answers = [running_match() for _ in range(16)], Desk(), list[Reply]()
    poison.matches = {matches[11].pk}
    with CaptureQueriesContext(database) as queries:
        desk.settle([call(match, now_ms(), answers) for match in matches])
    assert [answer.ok for answer in answers].count(False) == 1
    assert (poison.raised, begun(queries)) == (
        5,
        10,
    )  # batches of 16, 8, 4, 2 and 1 fail; of 8, 4, 2, 1 and 0 succeed
    call_command("verify")


@pytest.mark.parametrize(("later_s", "transactions"), [(SUSPECT_S - 1, 3), (SUSPECT_S, 10)])
def test_a_suspects_requests_are_stored_apart(poison: Poison, later_s: float, transactions: int) -> None:
    now_s, matches = [100.0], [running_match() for _ in range(16)]
    desk = desk_at(now_s)
    poison.matches = {matches[11].pk}
    desk.settle([call(matches[11], now_ms())])
    now_s[0] += later_s
    with CaptureQueriesContext(database) as queries:
        desk.settle([call(match, now_ms()) for match in matches])
    assert begun(queries) == transactions  # 3: for the others, the suspect and a heartbeat; 10: a bisection
    assert JournalEntry.objects.filter(event="director_called").count() == 15


def test_a_new_suspect_outlasts_an_earlier_one() -> None:
    now_s = [0.0]
    quarantine = Quarantine(lambda: now_s[0])
    requests = [Request(match, Hit(), "left", 0) for match in (1, 2)]
    for now_s[0], request in zip((0.0, SUSPECT_S + 1), requests, strict=True):
        quarantine.add(request)
    assert [quarantine.suspects(request) for request in requests] == [False, True]


def test_a_bisected_batch_calls_beforehand_once(poison: Poison) -> None:
    matches, desk, done = [running_match() for _ in range(8)], Desk(), list[int]()
    poison.matches = {matches[0].pk}

    def beforehand() -> None:
        done.append(Device.objects.create(token_hash=f"{len(done)}").pk)

    requests = [call(match, now_ms()) for match in matches]
    for request in requests:
        request.beforehand = beforehand
    desk.settle(requests)
    assert list(Device.objects.values_list("pk", flat=True)) == [done[-1]]


def test_after_an_outage_an_unreadable_match_does_not_keep_others_running(clocks: Clocks) -> None:
    bad, *others = (running_match() for _ in range(5))
    desk = Desk()
    began = clocks.wall
    outage.record(began)
    outage.heartbeat.start(began)
    desk.settle([])
    Match.objects.filter(pk=bad.pk).update(state={"not": "a match"})
    clocks.pass_ms(10_000)
    desk.settle([])
    stops = JournalEntry.objects.filter(event="stopped").order_by("match")
    assert [(stop.match_id, stop.at) for stop in stops] == [(match.pk, began) for match in others]
    clocks.pass_ms(500)
    answers: list[Reply] = []
    desk.settle([Request(others[0].pk, Hit(), "right", clocks.wall, answered=answers.append)])
    assert answers[0].code == "stopped"


def test_an_outage_is_not_over_until_all_clocks_are_stopped(clocks: Clocks, monkeypatch: pytest.MonkeyPatch) -> None:
    failing, other, desk = running_match(), running_match(), Desk()
    began, append = clocks.wall, entries.append

    def faulty(rows: Sequence[entries.Row], *heads: Mapping[int, str]) -> dict[int, str]:
        if len(rows) > 1:
            raise IntegrityError  # so that the stops are stored one by one
        if rows[0].match_id == failing.pk:
            raise OperationalError
        return append(rows, *heads)

    outage.record(began)
    outage.heartbeat.start(began)
    desk.settle([])
    clocks.pass_ms(10_000)
    with monkeypatch.context() as patch:
        patch.setattr(entries, "append", faulty)
        desk.settle([])
    desk.settle([])
    stops = JournalEntry.objects.filter(event="stopped").order_by("match")
    assert [(stop.match_id, stop.at) for stop in stops] == [(failing.pk, began), (other.pk, began)]


def test_an_unreadable_match_stops_no_other(clocks: Clocks) -> None:
    bad, other, desk, answers = running_match(), running_match(), Desk(), list[Reply]()
    Match.objects.filter(pk=bad.pk).update(state={"not": "a match"})
    outage.record(clocks.wall)
    outage.heartbeat.start(clocks.wall)
    desk.settle([])
    for _ in range(12):
        clocks.pass_ms(500)
        desk.settle([call(bad, clocks.wall), call(other, clocks.wall, answers)])
    assert [answer.ok for answer in answers] == [True] * 12
    assert not JournalEntry.objects.filter(event="stopped", by="server").exists()
