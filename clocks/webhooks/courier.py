"""The thread that sends what is due: beside everything else, so that no receiver can make a hit slower.

Each event is kept for each address until it is delivered or a day has passed; its id stays the same. A receiver that
hangs holds one of a few places, and never more than one.
"""

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from django.db import connection, transaction
from django.db.models import F, Min
from django.utils import timezone

from clocks.feed.recorder import recorder, with_what_they_name
from clocks.host.server_time import now_ms
from clocks.models import Delivery, FeedEvent, Webhook
from clocks.webhooks import sending

PLACES = 4
LOOK_S = 1.0
LEASE_MS = 60_000  # longer than any try; if its process died, it is tried again after that
PAUSES_S = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600, 15_000)
DAY_MS = 24 * 3_600_000
KEPT_MS = 3 * DAY_MS  # what was delivered or given up
AT_ONCE = 200

logger = logging.getLogger(__name__)


class Courier:
    """Sends what is due, a few at a time and never two to the same address."""

    def __init__(self) -> None:
        self._woken = threading.Event()
        self._busy: set[int] = set()
        self._lock = threading.Lock()
        self._places = ThreadPoolExecutor(PLACES, "webhook")
        self._thread: threading.Thread | None = None

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
                keep_what_is_new()
                for delivery in self.due(now_ms()):
                    self._places.submit(self._try, delivery)
            except Exception:
                logger.exception("the webhooks failed once and continue")
                connection.close()

    def due(self, now: int) -> list[Delivery]:
        """Claim the message that waits longest for each address that has one due, and has none under way."""
        with self._lock:
            busy = set(self._busy)
        waiting = Delivery.objects.filter(state="waiting", next_at__lte=now).exclude(webhook__in=busy)
        first = waiting.order_by("webhook").values("webhook").annotate(first=Min("pk"))
        claimed = []
        for delivery in Delivery.objects.filter(pk__in=[each["first"] for each in first][:PLACES]):
            mine = Delivery.objects.filter(pk=delivery.pk, next_at=delivery.next_at, state="waiting")
            if mine.update(next_at=now + LEASE_MS, tries=F("tries") + 1):
                delivery.tries += 1
                claimed.append(delivery)
        with self._lock:
            self._busy |= {delivery.webhook_id for delivery in claimed}
        return claimed

    def _try(self, delivery: Delivery) -> None:
        try:
            attempt(delivery)
        except Exception:
            logger.exception("a webhook could not be tried; it is tried again")
        finally:
            with self._lock:
                self._busy.discard(delivery.webhook_id)
            connection.close()
            self._woken.set()


def keep_what_is_new() -> None:
    """Keep a delivery for each event that an address has not been told of, and drop what is finished."""
    for webhook in Webhook.objects.filter(tournament__feed_events__number__gt=F("upto")).distinct():
        with transaction.atomic():
            locked = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
            if locked is None:
                continue
            later = FeedEvent.objects.filter(tournament=locked.tournament_id, number__gt=locked.upto)
            events = list(later.order_by("number")[:AT_ONCE])
            now = now_ms()
            Delivery.objects.bulk_create(
                [Delivery(webhook=locked, event=event, made_at=now, next_at=now) for event in events],
                ignore_conflicts=True,
            )
            locked.upto = max((event.number for event in events), default=locked.upto)
            locked.save(update_fields=["upto"])
            Delivery.objects.exclude(state="waiting").filter(made_at__lt=now - KEPT_MS).delete()


def attempt(delivery: Delivery) -> None:
    """Try a delivery once, and say when it is tried next: after a growing pause, for a day."""
    webhook = Webhook.objects.filter(pk=delivery.webhook_id).first()
    found = with_what_they_name(FeedEvent.objects.filter(pk=delivery.event_id))
    if webhook is None or not found:
        return
    event = found[0]
    answer = sending.send(webhook, f"evt_{event.tournament_id}_{event.number}", sending.body_of(event))
    now = now_ms()
    pause_ms = PAUSES_S[min(delivery.tries, len(PAUSES_S)) - 1] * 1000
    late = now + pause_ms - delivery.made_at > DAY_MS
    state = "delivered" if answer.taken else "given-up" if late else "waiting"
    Delivery.objects.filter(pk=delivery.pk).update(state=state, next_at=now + pause_ms)
    Webhook.objects.filter(pk=webhook.pk).update(last_answer=answer.words[:200], last_at=timezone.now())


courier = Courier()
