"""Thread that records feed events after the commit, from the journals and logs.

Notifications from the desk only wake it up; what it records, it reads from the database. So nothing is lost while no
recorder runs: the next one to start catches up. If two processes find the same event, one of them records it.
"""

import logging
import threading
from collections.abc import Callable, Sequence

import orjson
from django.db import connection
from django.db.models import Max, Min, QuerySet

from clocks.desk import changes
from clocks.desk.changes import Change
from clocks.feed import kinds, numbering
from clocks.feed.folds import Folds
from clocks.feed.kinds import Happened
from clocks.feed.numbering import Numberless
from clocks.journal import entries
from clocks.models import FeedEvent, HallEntry, JournalEntry

LOOK_S = 1.0  # poll interval in seconds, for messages and other processes' entries
AT_A_TIME = 500  # entries per query
BREATH_S = 0.1  # minimum pause between two passes, in seconds
# Latest events that each pass rereads, because PostgreSQL transactions may become visible out of order.
LATE = 100 if connection.vendor == "postgresql" else 0

logger = logging.getLogger(__name__)

Found = tuple[int, int, Happened, JournalEntry | HallEntry]  # tournament id, timestamp, event, source


class Recorder:
    """Records feed events and notifies listeners of new ones."""

    def __init__(self) -> None:
        self._woken = threading.Event()
        self._thread: threading.Thread | None = None
        self._upto: int | None = None
        self._log_upto = 0
        self._oldest = 0
        self._told = 0
        self._lately_told: set[int] = set()
        self._nothing: set[int] = set()  # ids of entries in the overlap that have no feed event
        self._folds = Folds()
        self.listeners: list[Callable[[Sequence[FeedEvent]], None]] = []

    def start(self) -> None:
        """Start the recorder thread, once per process."""
        if self._thread is None:
            changes.listen(self.see)
            self._thread = threading.Thread(target=self._work, name="feed", daemon=True)
            self._thread.start()

    def see(self, changed: Sequence[Change]) -> None:
        """Wake the recorder for changes that may be feed events, unlike presses.

        Runs in the desk's thread.
        """
        if any(not kinds.IN_JOURNAL.isdisjoint(change.events) for change in changed):
            self._woken.set()

    def _work(self) -> None:
        while True:
            try:
                self.record()
                self.tell()
            except Exception:
                logger.exception("the feed failed once and continues")
                connection.close()
            threading.Event().wait(BREATH_S)
            self._woken.wait(LOOK_S)
            self._woken.clear()

    def forget(self) -> None:
        """Drop cached positions and matches; the next pass rereads them."""
        self._upto = None
        self._nothing.clear()
        self._folds = Folds()

    def record(self) -> None:
        """Record the events since the last pass."""
        if self._upto is None:
            self._begin()
        assert self._upto is not None
        newest = max(entries.newest_entry(), self._upto)
        since = max(self._oldest, self._upto - entries.OVERLAP)
        found = [*self._in_journals(since), *_in_logs(self._log_upto)]
        by_tournament: dict[int, list[Numberless]] = {}
        for tournament_id, at, happened, source in sorted(found, key=lambda each: each[1]):
            by_tournament.setdefault(tournament_id, []).append(_numberless(at, happened, source))
        for tournament_id, events in by_tournament.items():
            numbering.store(tournament_id, events)
        self._upto = newest

    def _in_journals(self, since: int) -> list[Found]:
        self._nothing = {key for key in self._nothing if key > since}
        known = FeedEvent.objects.filter(entry__gt=since).values("entry")
        new = JournalEntry.objects.filter(pk__gt=since, event__in=kinds.IN_JOURNAL).exclude(pk__in=known)
        keys = [key for key in new.order_by("pk").values_list("pk", flat=True) if key not in self._nothing]
        found: list[Found] = []
        for begin in range(0, len(keys), AT_A_TIME):
            entries_ = JournalEntry.objects.filter(pk__in=keys[begin : begin + AT_A_TIME])
            where = dict(entries_.values_list("pk", "match__table__tournament"))
            for entry in entries_.order_by("pk"):
                told = kinds.of_entry(entry, self._folds)
                found += [(where[entry.pk], entry.at, happened, entry) for happened in told]
                if not told:
                    self._nothing.add(entry.pk)
        return found

    def _begin(self) -> None:
        """Find where recording stopped; a new installation starts at the next event."""
        recorded = FeedEvent.objects.aggregate(
            last=Max("entry"),
            first=Min("entry"),
            last_log=Max("log_entry"),
            first_log=Min("log_entry"),
            newest=Max("pk"),
        )
        newest_log = HallEntry.objects.aggregate(last=Max("pk"))["last"] or 0
        self._upto = recorded["last"] or entries.newest_entry()
        self._oldest = recorded["first"] or self._upto
        self._log_upto = max(recorded["first_log"] or newest_log, (recorded["last_log"] or 0) - LATE)
        self._told = recorded["newest"] or 0
        self._lately_told = set(FeedEvent.objects.filter(pk__gt=self._told - LATE).values_list("pk", flat=True))

    def tell(self) -> None:
        """Notify the listeners of new events, whichever process recorded them."""
        lately = FeedEvent.objects.filter(pk__gt=self._told - LATE)
        fresh = with_what_they_name(lately.exclude(pk__in=self._lately_told).order_by("pk"))
        if fresh:
            self._told = max(self._told, fresh[-1].pk)
            self._lately_told |= {event.pk for event in fresh}
            self._lately_told = {pk for pk in self._lately_told if pk > self._told - LATE}
            for listener in self.listeners:
                listener(fresh)


def with_what_they_name(events: QuerySet[FeedEvent]) -> list[FeedEvent]:
    """Load events with related matches, tables, rounds and log entries."""
    related = ("tournament", "match__table", "match__round__section", "match__pairing", "log_entry")
    return list(events.select_related(*related))


def _in_logs(since: int) -> list[Found]:
    known = FeedEvent.objects.filter(log_entry__gt=since).values("log_entry")
    new = HallEntry.objects.filter(pk__gt=since, event__in=kinds.IN_LOG).exclude(pk__in=known)
    return [
        (entry.tournament_id, entry.at, happened, entry)
        for entry in new.order_by("pk")
        for happened in kinds.of_log_entry(entry)
    ]


def _numberless(at: int, happened: Happened, source: JournalEntry | HallEntry) -> Numberless:
    """Prepare an event for storing, except for its number."""
    where = (source.match_id, source.pk, None) if isinstance(source, JournalEntry) else (None, None, source.pk)
    return Numberless(at, happened.kind, orjson.dumps(happened.data).decode(), *where)


recorder = Recorder()
