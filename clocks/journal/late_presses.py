"""Presses that reached the server late: what of their time the players lost, which may be given back."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import F

from clocks.engine.clock import Seat
from clocks.engine.events import event_from_dict
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.models import JournalEntry

PRESSES = ("hit", "doubled", "took")
LATE_MS = 1_000  # phones' clocks are off by less than this: what was delayed for longer was delayed by the network


class LatePress(NamedTuple):
    """A press that reached the server `late_ms` after it was made, of which `credit_ms` were charged to nobody.

    `charged_ms` is what of the rest its reserve lost: less where the delay took part of it. It may be given back.
    """

    seat: Seat
    at: int
    late_ms: int
    credit_ms: int
    charged_ms: int


def late_press(
    match: Match, by: str, at: int, claimed_at: int | None, credit_ms: int, heard_at: int | None
) -> LatePress | None:
    """Return what is to be shown of a press of `match` by `by` that arrived at `at`.

    None where its seat was not on turn, which costs nothing, where the credit makes up for its delay, and where its
    phone was heard after the press that it claims (`heard_at`; None: unknown). Whatever is claimed, a press cannot have
    lost more than its turn has run.
    """
    if claimed_at is None or match.turn is None or match.turn != by or was_heard(claimed_at, heard_at):
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


def late_presses(match_ids: Sequence[int]) -> dict[int, LatePress]:
    """Return the last late press of each of these matches, unless that seat has been given time since."""
    held_up = JournalEntry.objects.filter(
        match_id__in=match_ids, event__in=PRESSES, claimed_at__lte=F("at") - F("credit_ms") - LATE_MS
    )
    found = {match_id: _late_press(match_id) for match_id in held_up.values_list("match_id", flat=True).distinct()}
    return {match_id: press for match_id, press in found.items() if press is not None}


def _late_press(match_id: int) -> LatePress | None:
    """Go through a journal: a late press costs time only where its seat was on turn, which only the state shows."""
    entries = JournalEntry.objects.filter(match_id=match_id).order_by("seq")
    (first, *later) = entries.values_list("event", "by", "at", "claimed_at", "credit_ms", "heard_at", "data")
    match = Match.begin(Setup.parse(first[-1]))
    late: LatePress | None = None
    for name, by, at, claimed_at, credit_ms, heard_at, data in later:
        if name in PRESSES:
            late = late_press(match, by, at, claimed_at, credit_ms, heard_at) or late
        elif name == "time_given" and late is not None and late.seat == data["seat"]:
            late = None
        match = evolve(match, event_from_dict(name, data))
    return late
