"""Replay the turns of a match under other settings. Pure functions.

The engine applies the events of the journal and charges the time. Only flags differ: they fall as under the other
settings, and their consequence takes effect at once; where a flag of the match does not fall, the clocks still stop as
they did. Players are assumed to think as long, and to play on, as they did.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from clocks.engine import events as e
from clocks.engine.clock import SEATS, Seat
from clocks.engine.closed_sets import Official, Reason, Status, Swap
from clocks.engine.commands import PRESSES
from clocks.engine.decide.perform import due_flag
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.setup import LONGEST_RESERVE_MS, Setup

AFTER_THE_END = (*e.BESIDE_THE_RULES, e.Reopened, e.ScoreSet, e.MatchEnded, e.DirectorCalled, e.CallAnswered)


class Played(NamedTuple):
    """Journal event, and the time up to which due flags fall before it.

    `judged_at` is None if the server did not check for flags then.
    """

    event: e.Event
    judged_at: int | None


class Flag(NamedTuple):
    """A flag that fell: seat, time in ms, turn, game and score (left, right)."""

    seat: Seat
    at: int
    turn_number: int
    game: int
    score: tuple[int, int]


class Rerun(NamedTuple):
    """A match under other settings.

    `least_ms` is the minimum time that a running clock had left before its flag, `played_ms` the total time for which a
    clock ran.
    """

    match: Match
    flags: tuple[Flag, ...]
    least_ms: int
    played_ms: int


def played(
    name: str, data: dict[str, Any], at: int, by: str, command: Mapping[str, Any] | None, credit_ms: int
) -> Played:
    """Pair an entry's event with the time at which `perform` checked for flags."""
    event = e.event_from_dict(name, data)
    if command is None or command.get("flags") is False:
        return Played(event, None)
    return Played(event, at - credit_ms if by in SEATS and command["do"] in PRESSES else at)


def rerun(setup: Setup, entries: Iterable[Played]) -> Rerun:
    """Apply played events under `setup`.

    Ends where they no longer apply, as after a loss on time.
    """
    match = Match.begin(setup)
    flags: list[Flag] = []
    least_ms, ran = LONGEST_RESERVE_MS, 0
    pending: e.FlagFell | None = None
    for event, judged_at in entries:
        began = match.at
        runs = match.clock.since is not None
        while judged_at is not None and (fallen := due_flag(match, judged_at)) is not None:
            flags.append(_flag(match, fallen))
            match = _expired(match, fallen)
        if match.status is Status.OVER and not isinstance(event, AFTER_THE_END):
            ran += max(0, match.at - began) if runs else 0
            break
        if runs:
            ran += max(0, event.at - began)
            least_ms = _least(least_ms, match, event.at if judged_at is None else judged_at)
        if isinstance(event, e.FlagFell) and (same := due_flag(match, event.at)) is not None:
            flags.append(_flag(match, same))
            pending = same
            match = evolve(match, same)
            continue
        for applied in _fitting(match, event, pending):
            match = evolve(match, applied)
    return Rerun(match, tuple(flags), least_ms, ran)


def _flag(match: Match, fallen: e.FlagFell) -> Flag:
    return Flag(fallen.seat, fallen.at, match.turn_number, match.game, match.score)


def _expired(match: Match, fallen: e.FlagFell) -> Match:
    """Apply a flag's consequence at once; resume unless the match is over."""
    match = evolve(match, fallen)
    match = evolve(match, e.ExpiryApplied(fallen.at, fallen.seat, fallen.consequence, lost_at_zero=True))
    return match if match.status is Status.OVER else evolve(match, e.Resumed(fallen.at, fallen.seat))


def _least(least_ms: int, match: Match, at: int) -> int:
    """The lesser of `least_ms` and the time left to the flag of the running clock."""
    flag_at = match.clock.flag_at if match.limits else None
    return least_ms if flag_at is None else min(least_ms, flag_at - at)


def _fitting(match: Match, event: e.Event, pending: e.FlagFell | None) -> tuple[e.Event, ...]:
    """Translate an event of the original match to this one.

    The matches differ once a flag has fallen in only one of them. `pending` is the last flag that fell in both.
    """
    match event:
        case e.FlagFell():
            running = match.status is Status.RUNNING
            return (e.Stopped(event.at, Official.SERVER, Reason.FLAG),) if running else ()
        case e.ExpiryApplied():
            if match.status is not Status.FLAGGED or pending is None:
                return ()
            return (e.ExpiryApplied(event.at, pending.seat, pending.consequence, event.lost_at_zero),)
        case e.Agreed() | e.Declined() | e.AgreementWithdrawn() if match.proposal is None:
            return ()
        case e.StopExplained() | e.StopContested() if match.halt is None:
            return ()
        case e.DelayForfeited() if not match.rules.dice_penalty:
            return ()
        case e.Reopened() if match.last_end is None:
            return ()
        case e.HitUndone() if match.last_hit is None:
            return _turned_back(match, event.at)
        case e.Resumed(swap=Swap.BACK) if not _can_turn_back(match, event.turn_of):
            return (replace(event, swap=Swap.NEW),)
    return (event,)


def _can_turn_back(match: Match, seat: Seat) -> bool:
    earlier = match.set_aside or match.last_hit
    return earlier is not None and earlier.clock.turn is seat


def _turned_back(match: Match, at: int) -> tuple[e.Event, ...]:
    """Give the turn back, stopped, for an undo whose press is no longer known."""
    if match.clock.turn is None:
        return ()
    return (e.Resumed(at, match.clock.turn.other), e.Stopped(at, Official.SERVER, Reason.UNDO))
