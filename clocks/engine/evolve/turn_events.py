"""Apply events of play: confirmations, hits, stops, resumes, undone hits."""

from dataclasses import replace

from clocks.engine import events as e
from clocks.engine.clock import Seat, with_seat
from clocks.engine.closed_sets import Official, Reason, Status, Swap
from clocks.engine.evolve.reopening import without_last_hit
from clocks.engine.frozen import changed
from clocks.engine.lag import NO_LAG, Lag
from clocks.engine.match import Cube, Halt, LastHit, Match, SetAside


def apply_confirmed(match: Match, event: e.Confirmed) -> Match:
    confirmed = match.confirmed
    for seat in event.seats:
        confirmed = with_seat(confirmed, seat, True)
    status, halt = (Status.READY, None) if all(confirmed) else (Status.SETUP, match.halt)
    return changed(match, at=event.at, confirmed=confirmed, status=status, halt=halt)


def apply_hit(match: Match, event: e.ClockHit) -> Match:
    return _pass_turn(match, event.seat, event.at, event.credit_ms, match.cube)


def apply_doubled(match: Match, event: e.Doubled) -> Match:
    return _pass_turn(match, event.seat, event.at, event.credit_ms, changed(match.cube, offered_by=event.seat))


def apply_took(match: Match, event: e.Took) -> Match:
    cube = changed(match.cube, value=2 * match.cube.value, owner=event.seat, offered_by=None)
    return _pass_turn(match, event.seat, event.at, event.credit_ms, cube)


def _pass_turn(match: Match, seat: Seat, at: int, credit_ms: int, cube: Cube) -> Match:
    """End the turn of `seat`, or start the game, and begin the other seat's turn."""
    clock = match.clock
    begun = clock.turn is not None
    used = max(0, clock.used(at) - credit_ms)
    last_hit = LastHit(
        seat=seat,
        clock=changed(clock, used_ms=used, since=None),
        cube=match.cube,
        turn_number=match.turn_number,
        hits=match.hits,
        forfeit=match.forfeit,
        last_end=match.last_end,
        set_aside=without_last_hit(match.set_aside),
    )
    return changed(
        match,
        at=at,
        status=Status.RUNNING,
        clock=clock.hit(at, credit_ms) if begun else clock.start(seat.other, at),
        turn_number=match.turn_number + 1,
        cube=cube,
        halt=None,
        call_note=match.call_note if match.called else "",
        owed_hit=None,
        last_hit=last_hit,
        last_end=None,
        set_aside=None,
        forfeit=served(match, used),
        hits=with_seat(match.hits, seat, match.hits[seat.index] + 1),
        lag=lag_after(match, seat, credit_ms) if begun else NO_LAG.after(seat, 0),
    )


def lag_after(match: Match, seat: Seat, credit_ms: int) -> Lag:
    """Return the lag budget after a press.

    The press after an `uncredited` swap of the turn does not add to it: otherwise a player could repeat such swaps to
    gain credit.
    """
    taken_back = match.set_aside is not None and match.set_aside.uncredited
    return match.lag if taken_back else match.lag.after(seat, credit_ms)


def served(match: Match, used: int) -> tuple[bool, bool]:
    """Return the pending forfeits after a turn of `used` milliseconds.

    A player's forfeit is served by a turn of that player that lasts at least the delay (US 4.1).
    """
    turn = match.clock.turn
    if turn is None or used < match.clock.control.delay_ms:
        return match.forfeit
    return with_seat(match.forfeit, turn, False)


def apply_stopped(match: Match, event: e.Stopped) -> Match:
    halt = Halt(event.by, event.reason, event.at)
    if match.status == Status.READY:
        # A break between games: both players confirm their times when they return (Michigan, 3.9).
        return changed(match, at=event.at, status=Status.SETUP, confirmed=(False, False), halt=halt)
    return changed(match, at=event.at, status=Status.STOPPED, clock=match.clock.stop(event.at), halt=halt)


def apply_stop_explained(match: Match, event: e.StopExplained) -> Match:
    assert match.halt is not None
    return changed(match, at=event.at, halt=replace(match.halt, reason=event.reason))


def apply_stop_contested(match: Match, event: e.StopContested) -> Match:
    assert match.halt is not None
    return changed(match, at=event.at, halt=replace(match.halt, reason=Reason.DICE_CONTESTED))


def apply_stopped_all(match: Match, event: e.StoppedAll) -> Match:
    halt = Halt(Official.DIRECTOR, Reason.DIRECTOR, event.at, event.hall, event.note)
    return changed(match, at=event.at, status=Status.STOPPED, clock=match.clock.stop(event.at), halt=halt)


def apply_resumed(match: Match, event: e.Resumed) -> Match:
    clock = match.clock
    note = match.call_note if match.called else ""
    resumed = changed(match, at=event.at, status=Status.RUNNING, halt=None, owed_hit=None, call_note=note)
    if event.swap is not None:
        return _swapped(resumed, event)
    if event.turn_of is not clock.turn:  # from an earlier version: nothing is set aside
        return changed(
            resumed,
            clock=clock.start(event.turn_of, event.at),
            turn_number=match.turn_number + 1,
            forfeit=served(match, clock.used_ms),
            last_hit=None,
        )
    if event.fresh:
        forfeit = served(match, clock.used_ms)
        return changed(resumed, clock=clock.restart_delay(event.at), forfeit=forfeit, last_hit=None)
    return changed(resumed, clock=clock.resume(event.at))


def _swapped(match: Match, event: e.Resumed) -> Match:
    """Set the interrupted turn aside, charged; begin or continue the other seat's."""
    assert event.by is not None
    interrupted, seat = match.clock.set_aside(event.at), event.turn_of
    swapped = changed(
        match,
        clock=interrupted.start(seat, event.at),
        turn_number=match.turn_number + 1,
        forfeit=served(match, interrupted.used_ms),
        last_hit=None,
        set_aside=SetAside(event.by, interrupted, match.turn_number, match.forfeit, match.last_hit, event.uncredited),
    )
    if event.swap is Swap.NEW:
        return swapped
    earlier = match.set_aside or match.last_hit
    assert earlier is not None and earlier.clock.turn is seat
    swapped = changed(
        swapped,
        clock=interrupted.go_on(earlier.clock, event.at),
        forfeit=with_seat(swapped.forfeit, seat, earlier.forfeit[seat.index]),
    )
    if isinstance(earlier, LastHit):
        return swapped  # the seat had ended its turn itself, so the turn number keeps increasing
    return changed(swapped, turn_number=earlier.turn_number, last_hit=earlier.last_hit)


def apply_hit_undone(match: Match, event: e.HitUndone) -> Match:
    last = match.last_hit
    assert last is not None
    begun = last.clock.turn is not None
    halt = None if match.contested else match.halt  # the contested stop is moot, because its turn is undone
    return changed(
        match,
        at=event.at,
        status=Status.STOPPED if begun else Status.READY,
        clock=last.clock,
        cube=last.cube,
        turn_number=last.turn_number,
        hits=last.hits,
        forfeit=last.forfeit,
        last_hit=None,
        last_end=last.last_end,
        owed_hit=None,
        halt=(halt or Halt(event.by, Reason.UNDO, event.at)) if begun else None,
        set_aside=last.set_aside,
    )
