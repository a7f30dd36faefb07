"""Outbox of deliveries: create, claim, settle and delete them.

The desk waits while anybody writes to SQLite. Everything is therefore read and prepared first: results and new
deliveries are stored in one short transaction of a few statements, and messages are claimed with one statement.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

from django.db import connection, transaction
from django.db.models import F

from clocks.feed.recorder import with_what_they_name
from clocks.host.slices import ROWS, delete_in_slices
from clocks.models import Delivery, FeedEvent, Webhook
from clocks.people.roles import Action, tournaments_of
from clocks.webhooks import sending
from clocks.webhooks.sending import Answer

State = Delivery.State

LEASE_MS = 60_000  # longer than any batch takes; after that, messages claimed by a dead process are sent again
PAUSES_S = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600, 15_000)
DAY_MS = 24 * 3_600_000
KEPT_MS = 3 * DAY_MS  # retention of finished deliveries, from their creation
AT_ONCE = 200  # rows per statement, and new events per webhook and pass

_DELIVERIES, _WEBHOOKS = Delivery._meta.db_table, Webhook._meta.db_table
_CREATE = (
    f"INSERT INTO {_DELIVERIES} (webhook_id, event_id, state, tries, made_at, next_at) VALUES {{}} "
    "ON CONFLICT DO NOTHING"
)
_CREATED = f"UPDATE {_WEBHOOKS} SET upto = %s WHERE id IN ({{}}) AND upto < %s"
_SETTLE = (  # unless another process has finished it since its lease expired
    f"UPDATE {_DELIVERIES} SET state = %s, tries = %s, next_at = %s"
    f" WHERE id IN ({{}}) AND state = '{State.WAITING.value}'"
)
_ANSWERED = f"UPDATE {_WEBHOOKS} SET last_answer = %s, last_at = %s WHERE id = %s"
_CLAIM = (
    f"UPDATE {_DELIVERIES} SET next_at = %s "
    f"WHERE id IN ({{}}) AND state = '{State.WAITING.value}' AND next_at <= %s RETURNING id"
)

Key = TypeVar("Key", bound=Hashable)


class Message(NamedTuple):
    """A claimed delivery, ready to send.

    `allowed` is False if the user who added the address is no longer an owner.
    """

    delivery: Delivery
    webhook: Webhook
    allowed: bool
    id: str
    body: bytes


Batch = list[Message]  # messages to one address, in order; never empty


class Outcome(NamedTuple):
    """New state of a delivery; `next_at` is when it is due again."""

    state: Delivery.State
    tries: int
    next_at: int


class Result(NamedTuple):
    """Outcomes of a batch by delivery, and the address's last response."""

    webhook: int
    outcomes: list[tuple[Outcome, int]]  # outcome and id of each delivery
    answer: Answer
    at: datetime


def outcome(delivery: Delivery, taken: bool, now: int) -> Outcome:
    """Outcome of an attempt: retry with backoff, give up after a day."""
    tries = delivery.tries + 1
    if taken:
        return Outcome(State.DELIVERED, tries, delivery.made_at)
    pause_ms = PAUSES_S[min(tries, len(PAUSES_S)) - 1] * 1000
    late = now + pause_ms - delivery.made_at > DAY_MS
    return Outcome(State.GIVEN_UP if late else State.WAITING, tries, now + pause_ms)


def store(results: Sequence[Result], now: int) -> None:
    """Settle deliveries, and create those for new events."""
    new, upto = _new()
    if not (results or new):
        return
    outcomes = _grouped(pair for result in results for pair in result.outcomes)
    with transaction.atomic(), connection.cursor() as cursor:
        for settled, deliveries in outcomes.items():
            cursor.execute(_SETTLE.format(_marks(deliveries)), [*settled, *deliveries])
        for result in results:
            at = connection.ops.adapt_datetimefield_value(result.at)
            cursor.execute(_ANSWERED, [result.answer.words[:200], at, result.webhook])
        for begin in range(0, len(new), AT_ONCE):
            some = new[begin : begin + AT_ONCE]
            rows = ", ".join([f"(%s, %s, '{State.WAITING.value}', 0, %s, %s)"] * len(some))
            cursor.execute(_CREATE.format(rows), [value for each in some for value in (*each, now, now)])
        for number, webhooks in _grouped((number, webhook) for webhook, number in upto.items()).items():
            cursor.execute(_CREATED.format(_marks(webhooks)), [number, *webhooks, number])


def _new() -> tuple[list[tuple[int, int]], dict[int, int]]:
    """Missing deliveries as (webhook, event), and the new `upto` of each webhook."""
    new, upto = [], {}
    behind = Webhook.objects.filter(tournament__feed_events__number__gt=F("upto")).distinct()
    events: dict[tuple[int, int], list[tuple[int, int]]] = {}  # by (tournament, last number)
    for webhook, *since in behind.values_list("pk", "tournament_id", "upto"):
        tournament, last = since
        if (tournament, last) not in events:
            later = FeedEvent.objects.filter(tournament=tournament, number__gt=last).order_by("number")
            events[tournament, last] = list(later.values_list("pk", "number")[:AT_ONCE])
        for event, number in events[tournament, last]:
            new.append((webhook, event))
            upto[webhook] = number
    return new, upto


def due_webhooks(now: int, without: Collection[int]) -> list[int]:
    """Ids of webhooks with due messages, except those in `without`."""
    due = Delivery.objects.filter(state=State.WAITING, next_at__lte=now).exclude(webhook__in=without)
    return list(due.order_by("webhook").values_list("webhook", flat=True).distinct())


def claim(most: Mapping[int, int], now: int) -> list[Batch]:
    """Claim due messages, oldest first, up to `most` per webhook."""
    due = Delivery.objects.filter(state=State.WAITING, next_at__lte=now).order_by("pk")
    prepared = _prepared({webhook: list(due.filter(webhook=webhook)[:many]) for webhook, many in most.items()})
    keys = [message.delivery.pk for batch in prepared for message in batch]
    if not keys:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM.format(_marks(keys)), [now + LEASE_MS, *keys, now])
        ours = {row[0] for row in cursor.fetchall()}
    batches = ([message for message in batch if message.delivery.pk in ours] for batch in prepared)
    return [batch for batch in batches if batch]


def _prepared(found: Mapping[int, Sequence[Delivery]]) -> list[Batch]:
    """Prepare deliveries, grouped by webhook; each event is read and encoded once."""
    events = FeedEvent.objects.filter(pk__in={each.event_id for batch in found.values() for each in batch})
    bodies = {
        event.pk: (f"evt_{event.tournament_id}_{event.number}", sending.body_of(event))
        for event in with_what_they_name(events)
    }
    webhooks = Webhook.objects.select_related("made_by").in_bulk(found)
    owned: dict[tuple[int, int], bool] = {}  # cache by (tournament, user who added the address)
    batches = []
    for key, deliveries in found.items():
        webhook = webhooks.get(key)
        if webhook is None:  # removed in the meantime
            continue
        by = webhook.tournament_id, webhook.made_by_id
        if by not in owned:
            owned[by] = tournaments_of(webhook.made_by, Action.PEOPLE).filter(pk=webhook.tournament_id).exists()
        there = [each for each in deliveries if each.event_id in bodies]
        batches.append([Message(each, webhook, owned[by], *bodies[each.event_id]) for each in there])
    return batches


def tidy(now: int) -> None:
    """Delete old deliveries that succeeded or were given up, in slices."""
    delete_in_slices(Delivery.objects.exclude(state=State.WAITING).filter(made_at__lt=now - KEPT_MS), ROWS)


def _grouped(pairs: Iterable[tuple[Key, int]]) -> dict[Key, list[int]]:
    """Group pairs: the second items by the first."""
    found: dict[Key, list[int]] = {}
    for first, second in pairs:
        found.setdefault(first, []).append(second)
    return found


def _marks(values: Sequence[int]) -> str:
    return ", ".join(["%s"] * len(values))
