"""Late presses: network delay beyond the credit, which the director may give back.

The time that a press lost can be computed only from the state before it, that is by folding the journal. So the desk
detects late presses as it writes, and stores the one to show with the match.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from django.db.models import F, QuerySet

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import HowWon
from clocks.engine.events import Event, GameEnded, TimeGiven, event_from_dict
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.models import JournalEntry
from clocks.models import Match as StoredRow

PRESSES = ("hit", "doubled", "took")
LATE_MS = 1_000  # more than the error of a phone's clock, so a longer delay is the network's

logger = logging.getLogger(__name__)


class LatePress(NamedTuple):
    """Press that arrived `late_ms` late, of which `credit_ms` were credited.

    `charged_ms` is the part of the rest that was taken from the seat's reserve; the turn's delay may have covered some.
    """

    seat: Seat
    at: int
    late_ms: int
    credit_ms: int
    charged_ms: int

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "LatePress":
        """Parse the output of `_asdict`."""
        return cls(**{**plain, "seat": Seat(plain["seat"])})


class Written(Protocol):
    """Columns of a press's entry: seat, arrival, claimed time, credit, last contact."""

    @property
    def by(self) -> str: ...
    @property
    def at(self) -> int: ...
    @property
    def claimed_at(self) -> int | None: ...
    @property
    def credit_ms(self) -> int: ...
    @property
    def heard_at(self) -> int | None: ...


def late_press(match: Match, written: Written) -> LatePress | None:
    """Late press of an entry that followed state `match`, or None.

    None if it was not the seat's turn, less than LATE_MS remains uncredited, or the phone was heard from LATE_MS or
    more after the claimed time (`heard_at`; None: unknown). Even a false claim gains at most the time that the turn has
    run.
    """
    at, claimed_at, credit_ms = written.at, written.claimed_at, written.credit_ms
    if claimed_at is None or at - claimed_at - credit_ms < LATE_MS:
        return None
    if match.turn is None or match.turn != written.by or was_heard(claimed_at, written.heard_at):
        return None
    used = match.clock.used(at)
    late_ms = min(at - claimed_at, used)
    if late_ms - credit_ms < LATE_MS:
        return None
    in_time, as_it_came = (match.clock.after_turn(max(0, used - ms)) for ms in (late_ms, credit_ms))
    charged_ms = in_time[match.turn.index] - as_it_came[match.turn.index]
    return LatePress(match.turn, at, late_ms, credit_ms, charged_ms)


def was_heard(claimed_at: int, heard_at: int | None) -> bool:
    """True if a phone was heard from LATE_MS or more after its claimed press.

    That disproves a delay by the network.
    """
    return heard_at is not None and heard_at - claimed_at >= LATE_MS


def shown_after(late: LatePress | None, match: Match, entries: Iterable[tuple[Event, Written]]) -> LatePress | None:
    """Late press to show after these entries, given `match` and `late` before them.

    A later one replaces an earlier one, and time given to its seat removes it.
    """
    before: Event | None = None
    for event, written in entries:
        if before is not None:
            match = evolve(match, before)
        before = event
        if _is_press(event):
            late = late_press(match, written) or late
        elif late is not None and isinstance(event, TimeGiven) and event.seat is late.seat:
            late = None
    return late


def _is_press(event: Event) -> bool:
    return event.name in PRESSES or (isinstance(event, GameEnded) and event.how is HowWon.PASS)


def by_journal(match_id: int) -> LatePress | None:
    """Return the late press to show for a match, from its whole journal."""
    entries = JournalEntry.objects.filter(match_id=match_id)
    if not _held_up(entries).exists():
        return None
    fields = ("event", "data", "by", "at", "claimed_at", "credit_ms", "heard_at")
    setup, *later = entries.order_by("seq").values_list(*fields, named=True)
    match = Match.begin(Setup.from_dict(setup.data))
    return shown_after(None, match, ((event_from_dict(entry.event, entry.data), entry) for entry in later))


def write_down() -> None:
    """Store the late presses of matches that an earlier version stored without.

    Skips matches with an unreadable journal; `manage.py verify` reports them.
    """
    for match_id in list(_held_up(JournalEntry.objects.all()).values_list("match_id", flat=True).distinct()):
        try:
            late = by_journal(match_id)
        except Exception:
            logger.exception("match %d: its journal does not tell which press came late", match_id)
            continue
        StoredRow.objects.filter(pk=match_id).update(late=None if late is None else late._asdict())


def _held_up(entries: QuerySet[JournalEntry]) -> QuerySet[JournalEntry]:
    """Entries whose claimed delay exceeds their credit by LATE_MS or more."""
    return entries.filter(claimed_at__lte=F("at") - F("credit_ms") - LATE_MS)
