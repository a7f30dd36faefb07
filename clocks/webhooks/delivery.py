"""Webhook delivery thread, separate from the desk: no receiver can slow a hit.

A claim loop. Each pass stores the results of finished batches, claims due messages and hands them to a small pool of
workers, which send them without the database. An event keeps its id however often it is sent. A process sends at most
one batch of a webhook at a time, so a receiver that hangs occupies one of its workers at most.
"""

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from time import monotonic, sleep

from django.db import connection
from django.utils import timezone

from clocks.feed.recorder import recorder
from clocks.host.server_time import now_ms
from clocks.models import FeedEvent
from clocks.webhooks import outbox, sending
from clocks.webhooks.outbox import Batch, Message, Outcome, Result, State
from clocks.webhooks.sending import Answer

WORKERS = 4
FAILING_WORKERS = 2  # maximum number of workers for addresses whose last message failed
POLL_S = 1.0
PAUSE_S = 0.5  # minimum pause between two passes, in seconds
BATCH, BATCH_S = 20, 30.0  # maximum messages in a batch, and seconds after which it sends no further one
REST_S = 1.0  # minimum pause between attempts at a failing address, in seconds
TIDY_S = 3_600.0

NOT_ALLOWED = Answer(False, "the person who added this is no longer an owner: an owner has to add it again")
CRASHED = Answer(False, "the server failed while sending; it tries again")

logger = logging.getLogger(__name__)


class DeliveryThread:
    """Claims due messages and sends them, one batch per webhook at a time."""

    def __init__(self, workers: Executor | None = None) -> None:
        self._woken = threading.Event()
        self._sending: dict[int, Future[Result]] = {}  # batches in flight, by webhook, until their results are stored
        self._failed_at: dict[int, float] = {}  # monotonic time of the last message if it failed, by webhook
        self._workers = workers or ThreadPoolExecutor(WORKERS, "webhook")
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the delivery thread, once per process."""
        if self._thread is None:
            recorder.listeners.append(self.see)
            self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)
            self._thread.start()

    def see(self, events: Sequence[FeedEvent]) -> None:
        """Wake up; called in the recorder's thread."""
        self._woken.set()

    def _run(self) -> None:
        tidied_at = monotonic()
        while True:
            self._woken.wait(POLL_S)
            self._woken.clear()
            try:
                _do_not_wait_for_the_disk()
                self.settle(now_ms())
                for batch in self.claim(now_ms()):
                    self.submit(batch)
                if monotonic() - tidied_at > TIDY_S:
                    tidied_at = monotonic()
                    outbox.tidy(now_ms())
            except Exception:
                logger.exception("the webhooks failed once and continue")
                connection.close()
            sleep(PAUSE_S)

    def settle(self, now: int) -> None:
        """Store the results of finished batches, and create deliveries for new events."""
        finished = {webhook: future for webhook, future in self._sending.items() if future.done()}
        results = [future.result() for future in finished.values() if future.exception() is None]
        outbox.store(results, now)
        for result in results:
            self._failed_at.pop(result.webhook, None)
            if not result.answer.taken:
                self._failed_at[result.webhook] = monotonic()
        for webhook, future in finished.items():
            del self._sending[webhook]
            if future.exception() is not None:  # its messages become due again when their lease expires
                logger.error("a webhook could not be tried; it is tried again", exc_info=future.exception())

    def claim(self, now: int) -> list[Batch]:
        """Claim due messages for the free workers.

        A failing address gets one message at a time until it accepts one.
        """
        resting = {webhook for webhook, at in self._failed_at.items() if monotonic() - at < REST_S}
        due = outbox.due_webhooks(now, self._sending.keys() | resting)
        free = WORKERS - len(self._sending)
        free_to_fail = FAILING_WORKERS - len(self._sending.keys() & self._failed_at.keys())
        chosen = [webhook for webhook in due if webhook not in self._failed_at][:free]
        failing = sorted(self._failed_at.keys() & set(due), key=lambda webhook: self._failed_at[webhook])
        chosen += failing[: min(free - len(chosen), free_to_fail)]
        return outbox.claim({webhook: 1 if webhook in self._failed_at else BATCH for webhook in chosen}, now)

    def submit(self, batch: Batch) -> None:
        """Hand a claimed batch to a worker."""
        future = self._workers.submit(send, batch)
        self._sending[batch[0].webhook.pk] = future
        future.add_done_callback(lambda _: self._woken.set())


def send(batch: Batch) -> Result:
    """Send messages in order until one fails or time is up; the rest stay due."""
    began, answer = monotonic(), Answer(True, "")
    outcomes: list[tuple[Outcome, int]] = []
    for message in batch:
        if not answer.taken or monotonic() - began >= BATCH_S:
            break
        answer = _sent(message)
        outcomes.append((outbox.outcome(message.delivery, answer.taken, now_ms()), message.delivery.pk))
    now = now_ms()
    for message in batch[len(outcomes) :]:
        outcomes.append((Outcome(State.WAITING, message.delivery.tries, now), message.delivery.pk))
    return Result(batch[0].webhook.pk, outcomes, answer, timezone.now())


def _sent(message: Message) -> Answer:
    """Send a message; a crash counts as a failed attempt.

    Otherwise the messages before it would be sent again.
    """
    try:
        return sending.send(message.webhook, message.id, message.body) if message.allowed else NOT_ALLOWED
    except Exception:
        logger.exception("a message to webhook %d could not be sent", message.webhook.pk)
        return CRASHED


def _do_not_wait_for_the_disk() -> None:
    """Let SQLite commit without fsync in this thread; the desk's next commit syncs it.

    If a power cut loses results, their messages are sent again under the same ids.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = NORMAL")


deliveries = DeliveryThread()
