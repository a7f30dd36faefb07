"""Worst-case writes of each thread and pool; see `writers.py`."""

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import override_settings
from django.utils import timezone

from clocks.engine.closed_sets import Status
from clocks.engine.commands import Confirm
from clocks.feed.recorder import Recorder
from clocks.host.server_time import now_ms
from clocks.live import lookups
from clocks.live.socket import Scope
from clocks.models import ApiToken, Delivery, FeedEvent, HallEntry, JournalEntry, Match, SeatAsk, Tournament
from clocks.people import api_tokens
from clocks.seats import absence, takeover
from clocks.seats.devices import by_token, join_device, renew_token
from clocks.tournament import forgetting
from clocks.webhooks import outbox
from clocks.webhooks.delivery import BATCH, NOT_ALLOWED
from tests.server.large_hall import MANY, LargeHall
from tests.server.lock_meter import preparing

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
    """Claim a full batch of deliveries and store it as failed."""
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
# The desk itself, threads that submit to it, and threads that only read or flush traces.
THREADS_THAT_STORE_NOTHING = {"desk", "agreeing", "flagwatch", "lookup", "flush"}


def settled(give: bool) -> Work:
    """The director's answer to a phone's request for a seat."""

    def work(hall: LargeHall) -> object:
        match, now = Match.objects.get(table__name="T7"), now_ms()
        with preparing():
            phone, _token = join_device({})
            asked = SeatAsk.objects.create(match=match, device=phone, seats="left", asked_at=now, until=now + 60_000)
        _match_id, claim, _asks = takeover.settle(asked.pk, give, None, now)
        assert (claim is not None) == give
        return claim

    return work


def heard(hall: LargeHall) -> object:
    """Hear from a phone whose seat is on loan."""
    with preparing():
        phone, _token = join_device({})
    absence.heard(phone.pk, now_ms())
    return phone


def with_new_token(hall: LargeHall) -> object:
    """Look up a phone by its renewed token for the first time."""
    with preparing():
        token = renew_token(join_device({})[0])
    assert by_token([token])
    return token


def by_director(look_up: Callable[[Scope, int], object]) -> Work:
    """Look-up for a director, whose session is extended."""

    def work(hall: LargeHall) -> object:
        with preparing():
            Session.objects.update(expire_date=timezone.now() + timedelta(hours=1))
        cookie = f"{settings.SESSION_COOKIE_NAME}={hall.session}".encode()
        scope = {"headers": [(b"cookie", cookie)], "url_route": {"kwargs": {"slug": "open"}}}
        return look_up(scope, hall.tournament.pk)

    return work


def _ruling(scope: Scope, tournament_id: int) -> object:
    return lookups.ruling(scope, tournament_id, _at_t7(), Confirm())


def _at_t7() -> int:
    return Match.objects.get(table__name="T7").pk


def used(hall: LargeHall) -> object:
    """First use of an API token within a minute."""
    with preparing():
        ApiToken.objects.update(last_used_at=None)
    token = api_tokens.find(hall.program.token)
    assert token is not None
    api_tokens.note_use(token)
    return token


def expired(hall: LargeHall) -> object:
    """Remove the names of 1,000 matches after KEEP_DAYS."""
    long_ago = timezone.now() - timedelta(days=100)
    with preparing():
        Match.objects.filter(status=Status.RUNNING).update(status=Status.STOPPED)
        Tournament.objects.update(created_at=long_ago)
        hall.tournament.entrants.update(entered_at=long_ago)
        for entries in (JournalEntry.objects, HallEntry.objects):
            entries.update(at=int(long_ago.timestamp() * 1000))
    with override_settings(KEEP_DAYS=30):
        return forgetting.forget_expired()


# By the source text of the callable passed to a pool.
POOLED: dict[str, Work] = {
    "takeover.settle": settled(give=True),
    "takeover.settle of a refusal": settled(give=False),
    "absence.heard": heard,
    "unless_gone": with_new_token,
    "unless_gone of a director": by_director(lambda scope, _: lookups.tournament_to_watch(scope)),
    "self._read": with_new_token,
    "self._find": used,
    "lookups.may_seat": by_director(lambda scope, key: lookups.may_seat(scope, key, 0)),
    "lookups.name_of_ruler": by_director(lambda scope, key: lookups.name_of_ruler(scope, key, f"{_at_t7()}:call:1")),
    "lookups.ruling": by_director(_ruling),
    "_forget_expired": expired,
}
# Passive checkpoints take no write lock.
POOLED_THAT_STORE_NOTHING = {"checkpoint", "process_lock.others", "read", "self._last"}
# Pages run in "page", sockets in "open" and "ruling", the command `demo` in the unnamed pool; the others use no
# database.
POOLS = {"page", "open", "ruling", "webhook", "hash", ""}
