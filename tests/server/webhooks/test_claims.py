"""Claiming webhook messages: two processes, crashes, and late results."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.db import connection

from clocks.host.server_time import now_ms
from clocks.models import Delivery, Tournament, Webhook
from clocks.webhooks import delivery, outbox, sending
from clocks.webhooks.outbox import Outcome, Result, State
from clocks.webhooks.sending import Answer
from tests.server.webhooks.test_webhooks import Inline, Receiver, hook, receiver, say, tournament

__all__ = ["hook", "receiver", "tournament"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

OK = Answer(True, "204")


def run(sender: delivery.DeliveryThread, at: int) -> None:
    """Run one pass of the claim loop and store the results."""
    for batch in sender.claim(at):
        sender.submit(batch)
    sender.settle(now_ms())


def sent_ids(receiver: Receiver) -> list[str]:
    """Ids of the messages received, in order."""
    return [headers["webhook-id"] for headers, _body in receiver.got]


def test_a_crash_within_a_batch_does_not_resend_what_was_accepted(
    tournament: Tournament, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        say(tournament, f"Lunch {number}")
    send, calls = sending.send, []

    def crashing(*given: object) -> Answer:
        calls.append(given)
        if len(calls) == 2:
            raise RuntimeError("the library failed")
        return send(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(sending, "send", crashing)
    run(delivery.DeliveryThread(Inline()), now_ms())
    states = list(Delivery.objects.order_by("pk").values_list("state", "tries"))
    assert states == [(State.DELIVERED, 1), (State.WAITING, 1), (State.WAITING, 0)]
    later = now_ms() + outbox.LEASE_MS + 1
    run(delivery.DeliveryThread(Inline()), later)
    assert len(sent_ids(receiver)) == len(set(sent_ids(receiver))) == 3


def test_two_processes_send_each_message_once(tournament: Tournament, hook: Webhook, receiver: Receiver) -> None:
    for number in range(20):
        say(tournament, f"Lunch {number}")
    now = now_ms()

    def claimed(_: int) -> list[int]:
        try:
            return [message.delivery.pk for batch in outbox.claim({hook.pk: 20}, now) for message in batch]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as processes:
        found = [key for keys in processes.map(claimed, range(8)) for key in keys]
    assert sorted(found) == sorted(Delivery.objects.values_list("pk", flat=True))


def test_what_a_dead_process_claimed_is_sent_once_its_lease_ends(
    tournament: Tournament, hook: Webhook, receiver: Receiver
) -> None:
    say(tournament)
    now = now_ms()
    assert len(outbox.claim({hook.pk: 20}, now)) == 1  # by a process that dies
    assert outbox.due_webhooks(now + outbox.LEASE_MS - 1, []) == []
    run(delivery.DeliveryThread(Inline()), now + outbox.LEASE_MS)
    assert [each.state for each in Delivery.objects.all()] == [State.DELIVERED]
    assert len(receiver.got) == 1


def test_a_late_failure_does_not_reopen_a_delivered_message(tournament: Tournament, hook: Webhook) -> None:
    say(tournament)
    (message,) = Delivery.objects.all()
    at = datetime.now(UTC)
    failed = Outcome(State.WAITING, 1, now_ms())
    outbox.store([Result(hook.pk, [(Outcome(State.DELIVERED, 1, message.made_at), message.pk)], OK, at)], now_ms())
    outbox.store([Result(hook.pk, [(failed, message.pk)], Answer(False, "timeout"), at)], now_ms())
    message.refresh_from_db()
    assert (message.state, message.tries) == (State.DELIVERED, 1)
