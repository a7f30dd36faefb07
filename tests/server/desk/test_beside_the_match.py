"""Extra writes in the desk's transaction: before a batch, or with one request."""

import pytest
from django.db import connection

from clocks import desk
from clocks.desk import changes
from clocks.desk.batch import Desk
from clocks.desk.requests import Request
from clocks.engine.commands import Resume, Stop
from clocks.engine.refusals import Refused, Why
from clocks.host.server_time import now_ms
from clocks.models import Table, Tournament
from tests.server.house import running_match

pytestmark = pytest.mark.django_db(transaction=True)


def test_requests_share_one_write_that_comes_before_them() -> None:
    in_transaction = []
    requests = [Request(running_match().pk, Stop("dice"), "left") for _ in range(2)]
    replies = desk.submit_all_and_wait(requests, lambda: in_transaction.append(connection.in_atomic_block))
    assert ([reply.ok for reply in replies], in_transaction) == ([True, True], [True])


def test_write_without_requests_has_its_own_transaction() -> None:
    in_transaction = []
    assert desk.submit_all_and_wait([], lambda: in_transaction.append(connection.in_atomic_block)) == []
    assert in_transaction == [True]


def test_a_refused_command_writes_nothing_beside_the_match() -> None:
    match, written = running_match(), []
    reply = desk.submit_and_wait(Request(match.pk, Resume(), "left", alongside=lambda: written.append("beside")))
    assert (reply.ok, written) == (False, [])


def test_an_accepted_command_is_undone_if_the_write_beside_it_is_refused() -> None:
    match = running_match()

    def refuse() -> None:
        Tournament.objects.update(name="Winter Open")
        raise Refused(Why.BAD_VALUE, "The table is taken.")

    reply = desk.submit_and_wait(Request(match.pk, Stop("dice"), "left", alongside=refuse))
    assert (reply.ok, reply.code, reply.words) == (False, Why.BAD_VALUE, "The table is taken.")
    match.refresh_from_db()
    assert match.status == "running"
    assert not Tournament.objects.filter(name="Winter Open").exists()


def test_listeners_get_the_match_as_it_is_after_a_write_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    match, other, own, seen = running_match(), running_match(), Desk(), []
    monkeypatch.setattr(changes, "_listeners", [])
    changes.listen(lambda changed: seen.extend((one.stored.id, one.stored.table, one.moved) for one in changed))

    def rename() -> None:
        Table.objects.filter(pk=match.table_id).update(name="Final")

    stops = [Request(each.pk, Stop("dice"), "left", now_ms()) for each in (match, other)]
    stops[0].alongside = rename
    own.settle(stops)
    assert seen == [(match.pk, "Final", True), (other.pk, other.table.name, False)]
    own.settle([Request(match.pk, Resume(), "left", now_ms())])
    assert seen[2:] == [(match.pk, "Final", False)]
