"""The desk: group commit, journal, repeated requests, failures."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from clocks import desk
from clocks.desk import boards, changes, handler
from clocks.desk.batch import Desk
from clocks.desk.requests import Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Call, Confirm, Expire, Hit, Propose, Resume, Stop
from clocks.engine.proposals import EndMatch, GiveTime
from clocks.engine.refusals import REFUSALS
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.journal import chain, entries
from clocks.models import JournalEntry, Match, Table
from clocks.tournament import tables
from tests.server.house import US_2013, make_match, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)


def stored(match: Match) -> tuple[Any, ...]:
    """All columns of a match and its journal entries."""
    return (
        Match.objects.filter(pk=match.pk).values().get(),
        list(JournalEntry.objects.filter(match=match).order_by("seq").values()),
    )


def settle(*requests: Request) -> list[Reply]:
    """Settle requests as one batch on a new desk; return the replies in order."""
    answers: list[Reply | None] = [None] * len(requests)
    for number, request in enumerate(requests):
        request.answered = lambda answer, number=number: answers.__setitem__(number, answer)
    Desk().settle(list(requests))
    return answers  # type: ignore[return-value]


def entries_of(match: Match) -> list[tuple[Any, ...]]:
    """Journal of a match as (seq, by, event, command)."""
    rows = JournalEntry.objects.filter(match=match).order_by("seq")
    return list(rows.values_list("seq", "by", "event", "command"))


# --- cached matches ------------------------------------------------------------------------------------------------


def test_an_ended_or_unused_board_leaves_the_cache_until_asked_for(
    monkeypatch,
) -> None:
    monkeypatch.setattr(boards, "AT_HAND", 2)
    first, second, third, over = (running_match() for _ in range(4))
    own = Desk()

    def stop(match: Match, by: str = "left") -> None:
        own.settle([Request(match.pk, Stop("dice"), by, now_ms())])

    for match in (first, second):
        stop(match)
    own.settle([Request(first.pk, Resume(), "left", now_ms())])
    stop(third)
    assert list(own._matches) == [first.pk, third.pk]
    end = Propose(EndMatch(Seat.LEFT))
    own.settle([Request(over.pk, end, "director", now_ms())])
    assert Match.objects.get(pk=over.pk).status == "over"
    assert list(own._matches) == [first.pk, third.pk]
    own.settle([Request(second.pk, Resume(), "left", now_ms())])
    assert (list(own._matches), Match.objects.get(pk=second.pk).status) == ([third.pk, second.pk], "running")


def test_a_board_silent_for_two_minutes_leaves_the_cache(monkeypatch) -> None:
    first, second = running_match(), running_match()
    own = Desk()
    own.settle([Request(first.pk, Stop("dice"), "left", now_ms())])
    later = now_ms() + 121_000
    monkeypatch.setattr(boards, "now_ms", lambda: later)
    own.settle([Request(second.pk, Stop("dice"), "left", later)])
    assert list(own._matches) == [second.pk]
    own.settle([Request(first.pk, Resume(), "left", later)])
    assert (list(own._matches), Match.objects.get(pk=first.pk).status) == ([second.pk, first.pk], "running")


# --- stored data ---------------------------------------------------------------------------------------------------


def test_a_match_begins_with_its_setup_as_the_first_entry() -> None:
    match = make_match()
    assert JournalEntry.objects.filter(match=match).values("seq", "by", "event", "data", "command").get() == {
        "seq": 1,
        "by": "server",
        "event": "setup",
        "data": Setup.parse({**US_2013, "director": False}).to_dict(),
        "command": None,
    }
    assert (match.version, match.status, match.table.current_id) == (1, "setup", match.pk)


def test_the_journal_keeps_author_time_and_arguments_of_a_command() -> None:
    match = running_match()
    device, _ = sit_down(match, "right")
    at = now_ms()
    [answer] = settle(Request(match.pk, Hit(turn_number=1), "right", at, "one", device.pk, None, at - 900, 120))
    assert answer == Reply(True, 5, credit_ms=120)
    entry = JournalEntry.objects.filter(match=match).values().get(seq=5)
    del entry["id"]
    assert entry == {
        "match_id": match.pk,
        "seals": None,
        "hash": chain.head(match.pk),
        "seq": 5,
        "at": at,
        "by": "right",
        "device_id": device.pk,
        "user_id": None,
        "event": "hit",
        "data": {"at": at, "seat": "right", "credit_ms": 120},
        "command": {"do": "hit", "turn_number": 1, "credit_ms": 120},
        "command_id": "one",
        "claimed_at": at - 900,
        "credit_ms": 120,
        "heard_at": None,
        "user_name": "",
        "user_role": "",
    }
    match.refresh_from_db()
    assert (match.version, match.status) == (5, "running")
    assert match.flag_at == at + 12_000 + 14 * 60_000
    call_command("verify")


def test_only_the_first_event_of_a_command_carries_it() -> None:
    match = running_match()
    [answer] = settle(Request(match.pk, Call("dice"), "left", now_ms(), "one"))
    assert answer == Reply(True, 5)
    assert entries_of(match)[3:] == [
        (4, "left", "stopped", {"do": "call", "note": "dice"}),
        (5, "left", "director_called", None),
    ]


def test_a_late_press_is_stored_until_its_seat_is_given_time() -> None:
    match, at = running_match(), now_ms() + 20_000
    assert settle(Request(match.pk, Hit(), "right", at, claimed_at=at - 5_000))[0].ok
    late = {"seat": "right", "at": at, "late_ms": 5_000, "credit_ms": 0}
    assert stored(match)[0]["late"].items() >= late.items()
    assert settle(Request(match.pk, Propose(GiveTime(Seat.RIGHT, 5_000)), "director", at))[0].ok
    assert Match.objects.filter(late__isnull=True).count() == 1


def test_a_refused_command_changes_nothing() -> None:
    match = running_match()
    before = stored(match)
    assert settle(Request(match.pk, Hit(), "left", now_ms(), "one")) == [
        Reply(False, 3, "not-your-turn", "Bob’s clock is running.")
    ]
    assert stored(match) == before


def test_the_time_of_a_match_never_goes_back() -> None:
    match = running_match()
    last = JournalEntry.objects.get(match=match, seq=3).at
    assert settle(Request(match.pk, Hit(), "right", last - 5_000)) == [Reply(True, 4)]
    assert JournalEntry.objects.get(match=match, seq=4).at == last


def test_a_fallen_flag_is_stored_even_if_the_command_is_refused() -> None:
    match = running_match(options={"reserve_ms": 1_000})
    assert match.flag_at is not None
    [answer] = settle(Request(match.pk, Hit(), "right", match.flag_at + 400, "late"))
    assert (answer.ok, answer.v, answer.code) == (False, 4, "flagged")
    flag = JournalEntry.objects.get(match=match, seq=4)
    assert (flag.event, flag.by, flag.at, flag.command, flag.command_id) == (
        "flag_fell",
        "server",
        match.flag_at,
        None,
        None,
    )
    match.refresh_from_db()
    assert (match.status, match.flag_at, match.version) == ("flagged", None, 4)


def test_a_watch_lets_a_flag_fall_only_after_the_lag_allowance() -> None:
    match = running_match(options={"reserve_ms": 1_000})
    assert match.flag_at is not None
    assert settle(Request(match.pk, Expire(), "server", match.flag_at + 249)) == [Reply(True, 3)]
    assert settle(Request(match.pk, Expire(), "server", match.flag_at + 250)) == [Reply(True, 4)]
    assert settle(Request(match.pk, Expire(), "server", match.flag_at + 500)) == [Reply(True, 4)]
    assert entries_of(match)[3:] == [(4, "server", "flag_fell", None)]


# --- batches -------------------------------------------------------------------------------------------------------


def test_commands_of_one_batch_on_the_same_match_see_each_other() -> None:
    match = running_match()
    at = now_ms()
    hit = [
        Request(match.pk, Hit(turn_number=1), by, at, f"{by} {n}") for n, by in enumerate(["right", "right", "left"])
    ]
    hit[2].command = Hit(turn_number=2)
    assert settle(*hit) == [
        Reply(True, 4),
        Reply(False, 4, "stale", REFUSALS["stale"]),
        Reply(True, 5),
    ]


def test_an_exception_in_the_rules_affects_no_other_request(monkeypatch, caplog) -> None:
    one, other = running_match(), running_match()
    perform = handler.perform

    def broken(match, command, by, at, flags):
        if isinstance(command, Stop):
            raise ZeroDivisionError
        return perform(match, command, by, at, flags)

    monkeypatch.setattr(handler, "perform", broken)
    at = now_ms()
    assert settle(
        Request(one.pk, Hit(), "right", at),
        Request(one.pk, Stop("dice"), "left", at, "bad"),
        Request(other.pk, Hit(), "right", at),
        Request(one.pk, Hit(), "left", at),
    ) == [
        Reply(True, 4),
        Reply(False, 4, "bad-message", "The server could not carry that out."),
        Reply(True, 4),
        Reply(True, 5),
    ]
    assert "ZeroDivisionError" in caplog.text
    call_command("verify")


def test_a_database_error_affects_no_other_request(caplog) -> None:
    one, other = running_match(), running_match()
    at = now_ms()
    assert settle(
        Request(one.pk, Hit(), "right", at, "one"),
        Request(other.pk, Hit(), "right", at, "two", user_id=987_654),
        Request(other.pk, Hit(), "right", at, "three"),
    ) == [
        Reply(True, 4),
        Reply(False, 0, "not-stored", REFUSALS["not-stored"]),
        Reply(True, 4),
    ]
    call_command("verify")


def test_if_nothing_can_be_stored_all_are_refused_and_may_retry(monkeypatch, caplog) -> None:
    one, other = running_match(), running_match()
    before = stored(one), stored(other)
    desk_ = Desk()
    published: list[list[tuple[int, int]]] = []
    see = lambda changed: published.append([(change.stored.id, change.stored.version) for change in changed])  # noqa: E731
    monkeypatch.setattr(changes, "_listeners", [see])
    answers: list[Reply] = []
    at = now_ms()

    def ask() -> list[Request]:
        return [Request(m.pk, Hit(), "right", at, f"{m.pk}", answered=answers.append) for m in (one, other)]

    with monkeypatch.context() as full_disk:

        def append(*given):
            raise OperationalError("database or disk is full")

        full_disk.setattr(entries, "append", append)
        desk_.settle(ask())
    assert answers == [Reply(False, 0, "not-stored", REFUSALS["not-stored"])] * 2
    assert (stored(one), stored(other)) == before
    assert published == [[]]
    answers.clear()
    desk_.settle(ask())
    assert answers == [Reply(True, 4)] * 2
    assert published == [[], [(one.pk, 4), (other.pk, 4)]]
    call_command("verify")


def test_an_unknown_match_is_refused() -> None:
    assert settle(Request(999, Hit(), "left", now_ms(), "x")) == [
        Reply(False, 0, "bad-value", "There is no such match.")
    ]


def test_a_match_changed_by_another_process_is_reread() -> None:
    match = running_match()
    mine, theirs = Desk(), Desk()
    answers: list[Reply] = []

    def hit(at_desk: Desk, by: str, turn_number: int) -> None:
        at_desk.settle([Request(match.pk, Hit(turn_number), by, now_ms(), answered=answers.append)])

    hit(mine, "right", 1)
    hit(theirs, "left", 2)
    hit(theirs, "right", 3)
    hit(mine, "left", 4)
    hit(mine, "left", 4)
    assert answers == [Reply(True, v) for v in (4, 5, 6, 7)] + [Reply(False, 7, "stale", REFUSALS["stale"])]
    call_command("verify")


def test_waiting_for_the_desk_inside_a_transaction_is_an_error() -> None:
    match = make_match()
    with transaction.atomic(), pytest.raises(RuntimeError, match="inside a transaction"):
        desk.submit_and_wait(Request(match.pk, Confirm(), "director"))


def test_a_desk_that_does_not_answer_is_given_up_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    match, table = running_match(), Table(tournament=tables.casual_tournament(), name="", code="BCDF")
    monkeypatch.setattr(desk, "WAIT_S", 0.01)
    monkeypatch.setattr(desk._desk.writer, "enqueue", lambda *requests: None)
    for asked in (
        lambda: desk.submit_and_wait(Request(match.pk, Call(), "left")),
        lambda: desk.make_at_new_table(table, Setup.parse(US_2013)),
    ):
        with pytest.raises(TimeoutError, match="the desk did not answer within 30 s"):
            asked()


def test_a_batch_takes_as_many_statements_as_a_single_command() -> None:
    matches = [running_match() for _ in range(5)]
    desk_ = Desk()
    desk_.settle([Request(match.pk, Hit(), "right", now_ms(), "x") for match in matches])
    with CaptureQueriesContext(connection) as queries:
        desk_.settle([Request(match.pk, Hit(), "left", now_ms(), "y") for match in matches])
    statements = [query["sql"].split()[0] for query in queries.captured_queries]
    lock, first_answers, insert, update = "SELECT", "SELECT", "5", "5"
    assert statements == ["BEGIN", lock, first_answers, insert, update, "COMMIT"]
