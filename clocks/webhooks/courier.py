"""The thread that sends what is due: beside everything else, so that no receiver can make a hit slower.

Each event is kept for each address until it is delivered or a day has passed; its id stays the same. A receiver that
hangs holds one of a few places, and never more than one.

While SQLite stores something for the courier, the desk waits. So everything is read and prepared beforehand; all that
one look stores, whatever the number of addresses and messages, is one short transaction, and all that it takes to send
one statement.
"""

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from time import monotonic
from typing import NamedTuple

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
FAILING_PLACES = 2  # of them for addresses whose last answer was none or a wrong one
LOOK_S = 1.0
BREATH_S = 0.5  # between two looks, however much happens
LEASE_MS = 60_000  # longer than any round; if its process died, what was in it is tried again after that
ROUND, ROUND_S = 20, 30.0  # messages to an address one after another, while they are taken and for as long
REST_S = 1.0  # an address that failed is tried no more often than that
PAUSES_S = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600, 15_000)
DAY_MS = 24 * 3_600_000
KEPT_MS = 3 * DAY_MS  # what was delivered or given up
AT_ONCE = 200
TIDY_S = 3_600.0

NOBODYS = Answer(False, "whoever added it is no owner any more: an owner has to add it again")

_DELIVERIES, _WEBHOOKS = Delivery._meta.db_table, Webhook._meta.db_table
_KEEP = (
    f"INSERT INTO {_DELIVERIES} (webhook_id, event_id, state, tries, made_at, next_at) "
    "VALUES (%s, %s, 'waiting', 0, %s, %s) ON CONFLICT DO NOTHING"
)
_KEPT = f"UPDATE {_WEBHOOKS} SET upto = %s WHERE id = %s AND upto < %s"
_SETTLE = f"UPDATE {_DELIVERIES} SET state = %s, tries = %s, next_at = %s WHERE id = %s"
_ANSWERED = f"UPDATE {_WEBHOOKS} SET last_answer = %s, last_at = %s WHERE id = %s"
_CLAIM = (
    f"UPDATE {_DELIVERIES} SET next_at = %s WHERE id IN ({{}}) AND state = 'waiting' AND next_at <= %s RETURNING id"
)

logger = logging.getLogger(__name__)

Round = list[Delivery]  # messages to one address, to be sent one after another


class Outcome(NamedTuple):
    """What became of a message: its state, how often it was tried, and when it is tried next."""

    state: str
    tries: int
    next_at: int
    delivery: int


class Answered(NamedTuple):
    """What an address answered last, in words, and when (as the database has it)."""

    words: str
    at: str | datetime | None
    webhook: int


class Courier:
    """Sends what is due, a few at a time and never two to the same address."""

    def __init__(self) -> None:
        self._woken = threading.Event()
        self._busy: set[int] = set()
        self._failed_at: dict[int, float] = {}  # the addresses whose last message was not taken
        self._outcomes: list[Outcome] = []  # still to be stored
        self._answers: list[Answered] = []
        self._lock = threading.Lock()
        self._places = ThreadPoolExecutor(PLACES, "webhook")
        self._thread: threading.Thread | None = None
        self._tidied_at = monotonic()

    def start(self) -> None:
        """Begin to send: once a process."""
        if self._thread is None:
            recorder.listeners.append(self.see)
            self._thread = threading.Thread(target=self._work, name="webhooks", daemon=True)
            self._thread.start()

    def see(self, events: Sequence[FeedEvent]) -> None:
        """Wake up: in the recorder's thread."""
        self._woken.set()

    def _work(self) -> None:
        while True:
            self._woken.wait(LOOK_S)
            self._woken.clear()
            try:
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
        """Store what became of the last messages, and a delivery for each event that an address was not told of."""
        with self._lock:
            outcomes, answers = self._outcomes[:], self._answers[:]
        new, upto = _new()
        if not (outcomes or new):
            return
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(_SETTLE, outcomes)
            cursor.executemany(_ANSWERED, answers)
            cursor.executemany(_KEEP, [(*each, now, now) for each in new])
            cursor.executemany(_KEPT, [(number, webhook, number) for webhook, number in upto.items()])
        with self._lock:
            del self._outcomes[: len(outcomes)], self._answers[: len(answers)]

    def due(self, now: int) -> list[Round]:
        """Claim the messages that wait longest for each address that has some due, and has none under way."""
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
        rounds = [list(waiting.filter(webhook=webhook)[:ROUND]) for webhook in chosen]
        claimed = _claim([delivery.pk for round_ in rounds for delivery in round_], now)
        mine = [[delivery for delivery in round_ if delivery.pk in claimed] for round_ in rounds]
        mine = [round_ for round_ in mine if round_]
        with self._lock:
            self._busy |= {round_[0].webhook_id for round_ in mine}
        return mine

    def _send(self, round_: Round) -> None:
        try:
            self.send(round_)
        except Exception:
            logger.exception("a webhook could not be tried; it is tried again")
        finally:
            connection.close()
            self._woken.set()

    def send(self, round_: Round) -> None:
        """Send messages to an address until one is not taken: what is left of them is due again at once."""
        address = round_[0].webhook_id
        try:
            answer = self._send_until_one_fails(address, round_)
            with self._lock:
                self._failed_at.pop(address, None)
                if not answer.taken:
                    self._failed_at[address] = monotonic()
        finally:
            with self._lock:
                self._busy.discard(address)

    def _send_until_one_fails(self, address: int, round_: Round) -> Answer:
        """Return the last answer."""
        began, answer = monotonic(), Answer(True, "")
        webhook = Webhook.objects.select_related("made_by").filter(pk=address).first()
        may_be_told = webhook is not None and _is_owners(webhook)
        named = with_what_they_name(FeedEvent.objects.filter(pk__in=[delivery.event_id for delivery in round_]))
        events = {event.pk: event for event in named}
        for delivery in round_:
            event = events.get(delivery.event_id)
            if webhook is None or event is None:  # it was removed meanwhile
                continue
            if answer.taken and monotonic() - began < ROUND_S:
                id_ = f"evt_{event.tournament_id}_{event.number}"
                answer = sending.send(webhook, id_, sending.body_of(event)) if may_be_told else NOBODYS
                outcome = _outcome(delivery, answer.taken, now_ms())
            else:
                outcome = Outcome("waiting", delivery.tries, now_ms(), delivery.pk)
            with self._lock:
                self._outcomes.append(outcome)
        if answer.words:
            at = connection.ops.adapt_datetimefield_value(timezone.now())
            with self._lock:
                self._answers.append(Answered(answer.words[:200], at, address))
        return answer


def _is_owners(webhook: Webhook) -> bool:
    """Tell whether whoever added an address owns the tournament still: who was removed is told nothing more."""
    return tournaments_of(webhook.made_by, Action.PEOPLE).filter(pk=webhook.tournament_id).exists()


def _new() -> tuple[list[tuple[int, int]], dict[int, int]]:
    """Return what addresses were not told of, as (address, event), and up to which number each is told then."""
    new, upto = [], {}
    for webhook in Webhook.objects.filter(tournament__feed_events__number__gt=F("upto")).distinct():
        later = FeedEvent.objects.filter(tournament=webhook.tournament_id, number__gt=webhook.upto).order_by("number")
        for event, number in later.values_list("pk", "number")[:AT_ONCE]:
            new.append((webhook.pk, event))
            upto[webhook.pk] = number
    return new, upto


def _claim(deliveries: Sequence[int], now: int) -> set[int]:
    """Take these messages for this process, those that no other process has taken meanwhile."""
    if not deliveries:
        return set()
    with connection.cursor() as cursor:
        marks = ", ".join(["%s"] * len(deliveries))
        cursor.execute(_CLAIM.format(marks), [now + LEASE_MS, *deliveries, now])
        return {row[0] for row in cursor.fetchall()}


def _outcome(delivery: Delivery, taken: bool, now: int) -> Outcome:
    """Return what becomes of a message that was tried: after a growing pause it is tried again, for a day."""
    tries = delivery.tries + 1
    pause_ms = PAUSES_S[min(tries, len(PAUSES_S)) - 1] * 1000
    late = now + pause_ms - delivery.made_at > DAY_MS
    return Outcome("delivered" if taken else "given-up" if late else "waiting", tries, now + pause_ms, delivery.pk)


def tidy(now: int) -> None:
    """Drop what was delivered or given up some days ago."""
    Delivery.objects.exclude(state="waiting").filter(made_at__lt=now - KEPT_MS).delete()


courier = Courier()
