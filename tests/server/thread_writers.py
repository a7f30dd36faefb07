"""Every thread and pool that writes, in its worst case, as `writers.py`."""

from collections.abc import Callable

from django.utils import timezone

from clocks.feed.recorder import Recorder
from clocks.host.server_time import now_ms
from clocks.models import Delivery, FeedEvent
from clocks.webhooks import outbox
from clocks.webhooks.delivery import BATCH, NOT_ALLOWED
from tests.server.large_hall import MANY, LargeHall

Work = Callable[[LargeHall], object]


def recorded(hall: LargeHall) -> object:
    """Record 1,000 events for the feed."""
    recorder = Recorder()
    recorder._begin()
    recorder._log_upto = 0
    recorder.record()
    assert FeedEvent.objects.filter(kind="result").count() == MANY
    return recorder


def created(hall: LargeHall) -> object:
    """Create the deliveries of 200 events to nine webhooks."""
    before = Delivery.objects.count()
    outbox.store([], now_ms())
    assert Delivery.objects.count() == before + 9 * outbox.AT_ONCE
    return before


def claimed(hall: LargeHall) -> object:
    """Claim a full batch and settle it as failed."""
    batch = max(outbox.claim(dict.fromkeys(outbox.due_webhooks(2, ()), BATCH), 2), key=len)
    assert len(batch) == BATCH
    outcomes = [(outbox.outcome(message.delivery, n == 0, 2), message.delivery.pk) for n, message in enumerate(batch)]
    outbox.store([outbox.Result(batch[0].webhook.pk, outcomes, NOT_ALLOWED, timezone.now())], 2)
    return batch


def tidied(hall: LargeHall) -> object:
    """Delete 38,400 finished deliveries."""
    outbox.tidy(now_ms())
    assert not Delivery.objects.filter(state="delivered").exists()
    return hall


# By thread name.
THREADS: dict[str, Work] = {
    "feed": recorded,
    "webhooks create": created,
    "webhooks claim": claimed,
    "webhooks tidy": tidied,
}
# The desk itself, threads that submit to it, and threads that only read or flush what was traced.
THREADS_THAT_STORE_NOTHING = {"desk", "agreeing", "flagwatch", "lookup", "flush"}
