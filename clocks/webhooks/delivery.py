"""Webhook delivery thread, separate from the desk: no receiver can slow a hit.

Each event is kept per address until it is delivered or a day has passed; its id stays the same. At most one message is
in flight per address, so a receiver that hangs occupies one worker at most.

While this thread writes to SQLite, the desk waits. Everything is therefore read and prepared beforehand: each pass
stores its results in one short transaction of a few statements, whatever the number of messages, and claims messages
with one statement. Neither waits for the disk, and sending itself needs no database.
"""

import logging
import threading
from collections.abc import Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from time import monotonic
from typing import NamedTuple, TypeVar

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from clocks.feed.recorder import recorder, with_what_they_name
from clocks.host.server_time import now_ms
from clocks.models import Delivery, FeedEvent, Webhook
from clocks.people.roles import Action, tournaments_of
from clocks.webhooks import sending
from clocks.webhooks.sending import Answer

PLACES = 4
FAILING_PLACES = 2  # workers available to addresses whose last message failed
LOOK_S = 1.0
BREATH_S = 0.5  # minimum pause between two passes
LEASE_MS = 60_000  # longer than any round; messages of a dead process are retried after that
ROUND, ROUND_S = 20, 30.0  # limits of a round: consecutive messages to an address, and seconds
REST_S = 1.0  # minimum pause between attempts at a failing address
PAUSES_S = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600, 15_000)
DAY_MS = 24 * 3_600_000
KEPT_MS = 3 * DAY_MS  # retention of finished deliveries
AT_ONCE = 200
TIDY_S = 3_600.0

NOBODYS = Answer(False, "whoever added it is no owner any more: an owner has to add it again")

_DELIVERIES, _WEBHOOKS = Delivery._meta.db_table, Webhook._meta.db_table
_KEPT_OF_EACH = "webhook_id, event_id, state, tries, made_at, next_at"
_KEEP = f"INSERT INTO {_DELIVERIES} ({_KEPT_OF_EACH}) VALUES {{}} ON CONFLICT DO NOTHING"
_KEPT = f"UPDATE {_WEBHOOKS} SET upto = %s WHERE id IN ({{}}) AND upto < %s"
_SETTLE = f"UPDATE {_DELIVERIES} SET state = %s, tries = %s, next_at = %s WHERE id IN ({{}})"
_ANSWERED = f"UPDATE {_WEBHOOKS} SET last_answer = %s, last_at = %s WHERE id = %s"
_CLAIM = (
    f"UPDATE {_DELIVERIES} SET next_at = %s WHERE id IN ({{}}) AND state = 'waiting' AND next_at <= %s RETURNING id"
)

Of = TypeVar("Of", bound=Hashable)

logger = logging.getLogger(__name__)


class Message(NamedTuple):
    """A delivery prepared for sending.

    `may_be_told` is False if the user who added the address is no longer an owner.
    """

    delivery: Delivery
    webhook: Webhook
    may_be_told: bool
    id: str
    body: bytes


Round = list[Message]  # messages to one address, sent in order


class Outcome(NamedTuple):
    """New state of a delivery after an attempt; `next_at` is the time of the next one."""

    state: str
    tries: int
    next_at: int


class Answered(NamedTuple):
    """Last response of an address in words, and its time as stored in the database."""

    words: str
    at: str | datetime | None
    webhook: int


class DeliveryThread:
    """Delivers due messages with a small thread pool, one round per address at a time."""

    def __init__(self) -> None:
        self._woken = threading.Event()
        self._busy: set[int] = set()
        self._failed_at: dict[int, float] = {}  # by address, when its last message failed
        self._outcomes: list[tuple[Outcome, int]] = []  # (outcome, delivery), not stored yet
        self._answers: list[Answered] = []
        self._lock = threading.Lock()
        self._places = ThreadPoolExecutor(PLACES, "webhook")
        self._thread: threading.Thread | None = None
        self._tidied_at = monotonic()

    def start(self) -> None:
        """Start the delivery thread, once per process."""
        if self._thread is None:
            recorder.listeners.append(self.see)
            self._thread = threading.Thread(target=self._work, name="webhooks", daemon=True)
            self._thread.start()

    def see(self, events: Sequence[FeedEvent]) -> None:
        """Wake up; called in the recorder's thread."""
        self._woken.set()

    def _work(self) -> None:
        while True:
            self._woken.wait(LOOK_S)
            self._woken.clear()
            try:
                _without_waiting_for_the_disk()
                self.store(now_ms())
                for round_ in self.due(now_ms()):
                    self._places.submit(self._send, round_)
                if monotonic() - self._tidied_at > TIDY_S:
                    self._tidied_at = monotonic()
                    tidy(now_ms())
            except Exception:
                logger.exception("the webhooks failed once and continue")
                connection.close()
            threading.Event().wait(BREATH_S)

    def store(self, now: int) -> None:
        """Store the outcomes of the last messages, and create deliveries for new events."""
        with self._lock:
            outcomes, answers = self._outcomes[:], self._answers[:]
        new, upto = _new()
        if not (outcomes or new):
            return
        with transaction.atomic(), connection.cursor() as cursor:
            for outcome, deliveries in _together(outcomes).items():
                cursor.execute(_SETTLE.format(_marks(deliveries)), [*outcome, *deliveries])
            for answered in {each.webhook: each for each in answers}.values():
                cursor.execute(_ANSWERED, answered)
            for begin in range(0, len(new), AT_ONCE):
                some = new[begin : begin + AT_ONCE]
                rows = ", ".join(["(%s, %s, 'waiting', 0, %s, %s)"] * len(some))
                cursor.execute(_KEEP.format(rows), [value for each in some for value in (*each, now, now)])
            for number, webhooks in _together((number, webhook) for webhook, number in upto.items()).items():
                cursor.execute(_KEPT.format(_marks(webhooks)), [number, *webhooks, number])
        with self._lock:
            del self._outcomes[: len(outcomes)], self._answers[: len(answers)]

    def due(self, now: int) -> list[Round]:
        """Claim the oldest due messages of each address that has none in flight.

        A failing address gets only one, until it accepts a message again.
        """
        with self._lock:
            resting = {webhook for webhook, at in self._failed_at.items() if monotonic() - at < REST_S}
            busy, failed_at = set(self._busy), dict(self._failed_at)
        waiting = Delivery.objects.filter(state="waiting", next_at__lte=now).order_by("pk")
        found = waiting.exclude(webhook__in=busy | resting).order_by("webhook").values_list("webhook", flat=True)
        addresses = list(found.distinct())
        free, free_to_fail = PLACES - len(busy), FAILING_PLACES - len(busy & failed_at.keys())
        chosen = [webhook for webhook in addresses if webhook not in failed_at][:free]
        failing = sorted((webhook for webhook in addresses if webhook in failed_at), key=lambda each: failed_at[each])
        chosen += failing[: min(free - len(chosen), free_to_fail)]
        most = {webhook: 1 if webhook in failed_at else ROUND for webhook in chosen}
        rounds = _written({webhook: list(waiting.filter(webhook=webhook)[: most[webhook]]) for webhook in chosen})
        claimed = _claim([message.delivery.pk for round_ in rounds for message in round_], now)
        mine = [[message for message in round_ if message.delivery.pk in claimed] for round_ in rounds]
        mine = [round_ for round_ in mine if round_]
        with self._lock:
            self._busy |= {round_[0].webhook.pk for round_ in mine}
        return mine

    def _send(self, round_: Round) -> None:
        try:
            self.send(round_)
        except Exception:
            logger.exception("a webhook could not be tried; it is tried again")
        finally:
            self._woken.set()

    def send(self, round_: Round) -> None:
        """Send messages to an address until one fails; the rest become due again at once."""
        address = round_[0].webhook.pk
        try:
            answer = self._send_until_one_fails(round_)
            with self._lock:
                self._failed_at.pop(address, None)
                if not answer.taken:
                    self._failed_at[address] = monotonic()
        finally:
            with self._lock:
                self._busy.discard(address)

    def _send_until_one_fails(self, round_: Round) -> Answer:
        """Send messages in order; return the last answer."""
        began, answer, tried = monotonic(), Answer(True, ""), 0
        while tried < len(round_) and answer.taken and monotonic() - began < ROUND_S:
            message = round_[tried]
            may = message.may_be_told
            answer = sending.send(message.webhook, message.id, message.body) if may else NOBODYS
            self._settle(message.delivery, _outcome(message.delivery, answer.taken, now_ms()))
            tried += 1
        again_at = now_ms()
        for message in round_[tried:]:
            self._settle(message.delivery, Outcome("waiting", message.delivery.tries, again_at))
        at = connection.ops.adapt_datetimefield_value(timezone.now())
        with self._lock:
            self._answers.append(Answered(answer.words[:200], at, round_[0].webhook.pk))
        return answer

    def _settle(self, delivery: Delivery, outcome: Outcome) -> None:
        with self._lock:
            self._outcomes.append((outcome, delivery.pk))


def _without_waiting_for_the_disk() -> None:
    """Let SQLite commit without fsync in this thread; the desk's next commit syncs it.

    Writes lost in a power cut are sent again under the same id.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = NORMAL")


def _written(found: Mapping[int, Sequence[Delivery]]) -> list[Round]:
    """Prepare deliveries, grouped by address; each event is read and encoded once."""
    events = FeedEvent.objects.filter(pk__in={each.event_id for round_ in found.values() for each in round_})
    bodies = {
        event.pk: (f"evt_{event.tournament_id}_{event.number}", sending.body_of(event))
        for event in with_what_they_name(events)
    }
    webhooks = Webhook.objects.select_related("made_by").in_bulk(found)
    of_owners: dict[tuple[int, int], bool] = {}  # cache by (tournament, user who added the address)
    rounds = []
    for address, deliveries in found.items():
        webhook = webhooks.get(address)
        if webhook is None:  # removed in the meantime
            continue
        by = webhook.tournament_id, webhook.made_by_id
        if by not in of_owners:
            of_owners[by] = _is_owners(webhook)
        there = [each for each in deliveries if each.event_id in bodies]
        rounds.append([Message(each, webhook, of_owners[by], *bodies[each.event_id]) for each in there])
    return rounds


def _together(pairs: Iterable[tuple[Of, int]]) -> dict[Of, list[int]]:
    """Group the second items by the first."""
    found: dict[Of, list[int]] = {}
    for first, second in pairs:
        found.setdefault(first, []).append(second)
    return found


def _marks(values: Sequence[int]) -> str:
    return ", ".join(["%s"] * len(values))


def _is_owners(webhook: Webhook) -> bool:
    """True if the person who added the webhook still owns the tournament.

    Former owners receive nothing more.
    """
    return tournaments_of(webhook.made_by, Action.PEOPLE).filter(pk=webhook.tournament_id).exists()


def _new() -> tuple[list[tuple[int, int]], dict[int, int]]:
    """Missing deliveries as (webhook, event), and the new `upto` of each webhook."""
    new, upto = [], {}
    behind = Webhook.objects.filter(tournament__feed_events__number__gt=F("upto")).distinct()
    events: dict[tuple[int, int], list[tuple[int, int]]] = {}  # by (tournament, last number)
    for webhook, *since in behind.values_list("pk", "tournament_id", "upto"):
        tournament, told = since
        if (tournament, told) not in events:
            later = FeedEvent.objects.filter(tournament=tournament, number__gt=told).order_by("number")
            events[tournament, told] = list(later.values_list("pk", "number")[:AT_ONCE])
        for event, number in events[tournament, told]:
            new.append((webhook, event))
            upto[webhook] = number
    return new, upto


def _claim(deliveries: Sequence[int], now: int) -> set[int]:
    """Claim these messages for this process, except those that another one has."""
    if not deliveries:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM.format(_marks(deliveries)), [now + LEASE_MS, *deliveries, now])
        return {row[0] for row in cursor.fetchall()}


def _outcome(delivery: Delivery, taken: bool, now: int) -> Outcome:
    """Outcome of an attempt: retried with growing pauses, given up after a day."""
    tries = delivery.tries + 1
    if taken:
        return Outcome("delivered", tries, delivery.made_at)
    pause_ms = PAUSES_S[min(tries, len(PAUSES_S)) - 1] * 1000
    late = now + pause_ms - delivery.made_at > DAY_MS
    return Outcome("given-up" if late else "waiting", tries, now + pause_ms)


def tidy(now: int) -> None:
    """Delete old deliveries that were completed or given up."""
    Delivery.objects.exclude(state="waiting").filter(made_at__lt=now - KEPT_MS).delete()


deliveries = DeliveryThread()
