"""Presses that reached the server late: what of their time the players lost, which may be given back.

Whether a press cost its player anything shows only in the state that it met, so the journal has to be gone through from
its beginning. The desk does that step by step as it writes, and stores beside the match what is to be shown.
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
LATE_MS = 1_000  # phones' clocks are off by less than this: what was delayed for longer was delayed by the network

logger = logging.getLogger(__name__)


class LatePress(NamedTuple):
    """A press that reached the server `late_ms` after it was made, of which `credit_ms` were charged to nobody.

    `charged_ms` is what of the rest its reserve lost: less where the delay took part of it. It may be given back.
    """

    seat: Seat
    at: int
    late_ms: int
    credit_ms: int
    charged_ms: int

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "LatePress":
        """Return the late press that `_asdict` wrote down."""
        return cls(**{**plain, "seat": Seat(plain["seat"])})


class Written(Protocol):
    """What an entry says of a press beside its event: whose it was, and when it was made, heard of and credited."""

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


def late_press(
    match: Match, by: str, at: int, claimed_at: int | None, credit_ms: int, heard_at: int | None
) -> LatePress | None:
    """Return what is to be shown of a press of `match` by `by` that arrived at `at`.

    None where its seat was not on turn, which costs nothing, where the credit makes up for its delay, and where its
    phone was heard after the press that it claims (`heard_at`; None: unknown). Whatever is claimed, a press cannot have
    lost more than its turn has run.
    """
    if claimed_at is None or at - claimed_at - credit_ms < LATE_MS:
        return None
    if match.turn is None or match.turn != by or was_heard(claimed_at, heard_at):
        return None
    used = match.clock.used(at)
    late_ms = min(at - claimed_at, used)
    if late_ms - credit_ms < LATE_MS:
        return None
    in_time, as_it_came = (match.clock.after_turn(max(0, used - ms)) for ms in (late_ms, credit_ms))
    charged_ms = in_time[match.turn.index] - as_it_came[match.turn.index]
    return LatePress(match.turn, at, late_ms, credit_ms, charged_ms)


def was_heard(claimed_at: int, heard_at: int | None) -> bool:
    """Tell whether a phone was heard after the press that it claims, so that the network did not hold that up."""
    return heard_at is not None and heard_at - claimed_at >= LATE_MS


def shown_after(late: LatePress | None, match: Match, entries: Iterable[tuple[Event, Written]]) -> LatePress | None:
    """Return the late press to be shown once these entries follow the state `match`, in which `late` was shown.

    A later one takes the place of an earlier one; none is shown any more once its seat is given time.
    """
    before: Event | None = None
    for event, written in entries:
        if before is not None:
            match = evolve(match, before)
        before = event
        if _is_press(event):
            network = (written.claimed_at, written.credit_ms, written.heard_at)
            late = late_press(match, written.by, written.at, *network) or late
        elif late is not None and isinstance(event, TimeGiven) and event.seat is late.seat:
            late = None
    return late


def _is_press(event: Event) -> bool:
    return event.name in PRESSES or (isinstance(event, GameEnded) and event.how is HowWon.PASS)


def by_journal(match_id: int) -> LatePress | None:
    """Return the late press that is to be shown of a match by its journal."""
    entries = JournalEntry.objects.filter(match_id=match_id)
    if not _held_up(entries).exists():
        return None
    fields = ("event", "data", "by", "at", "claimed_at", "credit_ms", "heard_at")
    setup, *later = entries.order_by("seq").values_list(*fields, named=True)
    match = Match.begin(Setup.from_dict(setup.data))
    return shown_after(None, match, ((event_from_dict(entry.event, entry.data), entry) for entry in later))


def write_down() -> None:
    """Store beside each match what its journal says: for matches that were stored without it.

    A match whose journal cannot be read is left as it is; `manage.py verify` names it.
    """
    for match_id in list(_held_up(JournalEntry.objects.all()).values_list("match_id", flat=True).distinct()):
        try:
            late = by_journal(match_id)
        except Exception:
            logger.exception("match %d: its journal does not tell which press came late", match_id)
            continue
        StoredRow.objects.filter(pk=match_id).update(late=None if late is None else late._asdict())


def _held_up(entries: QuerySet[JournalEntry]) -> QuerySet[JournalEntry]:
    """Return those of these entries that say that they came late, whether it cost anybody time or not."""
    return entries.filter(claimed_at__lte=F("at") - F("credit_ms") - LATE_MS)
