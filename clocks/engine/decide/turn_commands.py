"""Decide commands of play: confirm, hit, stop, double, take, pass, call."""

from collections.abc import Sequence

from clocks.engine import commands as c
from clocks.engine import events as e
from clocks.engine.clock import SEATS, Seat
from clocks.engine.closed_sets import REASONS, Crawford, HowWon, Official, Party, Reason, Status
from clocks.engine.decide.resuming import must_be_under_way, must_have_time, name_of
from clocks.engine.match import Match
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words


def decide_confirm(match: Match, command: c.Confirm, by: Party, at: int) -> Sequence[e.Event]:
    """Confirm the settings (US 2.1, ABA 2.1, Michigan 4.1).

    Confirming again changes nothing.
    """
    if match.status == Status.OVER:
        raise Refused(Why.MATCH_OVER)
    if match.status != Status.SETUP:
        raise Refused(Why.NOT_READY)
    seats = tuple(Seat) if by == Official.DIRECTOR else (Seat(by),)
    missing = tuple(seat for seat in seats if not match.confirmed[seat.index])
    return (e.Confirmed(at, missing),) if missing else ()


def decide_hit(match: Match, command: c.Hit, by: Party, at: int) -> Sequence[e.Event]:
    """End one's turn (US 3.4), or start the opponent's first (US 3.3)."""
    seat = _seat(by)
    if match.status == Status.STOPPED and match.owed_hit is seat and match.proposal is None:
        _must_be_current(match, command)
        _must_have_time(match, seat.other)
        # If the offer came after the hit, the opponent's turn had begun, and continues (Unified, 3.6).
        return (e.ClockHit(at, seat, 0) if match.turn is seat else e.Resumed(at, seat.other),)
    if match.status == Status.READY:
        if match.proposal is not None:
            raise Refused(Why.PROPOSAL_PENDING)
        _must_be_current(match, command)
        _must_have_time(match, seat.other)
    else:
        _must_be_on_turn(match, command, seat)
        if match.cube.offered_by is not None:
            raise Refused(Why.DOUBLE_PENDING)
    return (e.ClockHit(at, seat, _credit(match, command)),)


def decide_stop(match: Match, command: c.Stop, by: Party, at: int) -> Sequence[e.Event]:
    """Stop both clocks (US 5.2; Unified and ABA 4.1; Michigan 3.10).

    Between games, the reason `break` begins a break.
    """
    if by == Official.SERVER and command.reason != Reason.OUTAGE:
        raise Refused(Why.BAD_MESSAGE, "The server itself cannot ask for that.")
    if command.reason == Reason.BREAK and match.status == Status.READY:
        if match.proposal is not None:
            raise Refused(Why.PROPOSAL_PENDING)
        return (e.Stopped(at, by, Reason.BREAK),)
    if command.reason == Reason.CONTEST and _can_contest(match, by):
        return (e.StopContested(at, Seat(by)), e.DirectorCalled(at, by, ""))
    explains = command.reason != Reason.OTHER and _has_stopped_without_a_reason(match, by)
    if not explains:
        _must_run(match)
    if command.reason == Reason.OUTAGE and by != Official.SERVER:
        raise Refused(Why.BAD_VALUE, Words("reason must be one of %(known)s.", known=", ".join(REASONS)))
    picked_up = command.reason == Reason.DICE_PICKED_UP
    if picked_up and match.rules.dice_picked_up and by != Official.DIRECTOR and by != match.turn:
        raise Refused(Why.NOT_YOUR_TURN, _running_words(match))
    stopped = e.StopExplained(at, Seat(by), command.reason) if explains else e.Stopped(at, by, command.reason)
    if command.reason == Reason.DIRECTOR and by != Official.DIRECTOR:
        return (stopped, e.DirectorCalled(at, by, ""))
    return (stopped,)


def _has_stopped_without_a_reason(match: Match, by: Party) -> bool:
    """True if this player has stopped the clocks and not yet given a reason."""
    halt = match.halt
    if match.status != Status.STOPPED or match.proposal is not None or halt is None:
        return False
    return by in tuple(Seat) and (halt.by, halt.reason) == (by, Reason.OTHER)


def _can_contest(match: Match, by: Party) -> bool:
    """True if this player may contest that the dice were picked up (US 4.2)."""
    if match.status != Status.STOPPED or match.halt is None or match.turn is None or not match.moves_stopped:
        return False
    return match.halt.by == match.turn and by == match.turn.other


def decide_stop_all(match: Match, command: c.StopAll, by: Party, at: int) -> Sequence[e.Event]:
    """Stop both clocks as part of a stop of the whole hall."""
    if by != Official.DIRECTOR:
        raise Refused(Why.NOT_DIRECTOR)
    _must_run(match)
    return (e.StoppedAll(at, command.hall, command.note),)


def decide_double(match: Match, command: c.Double, by: Party, at: int) -> Sequence[e.Event]:
    """Double or redouble, which also hits the clock (US 3.5)."""
    seat = _seat(by)
    _must_be_on_turn(match, command, seat)
    cube = match.cube
    if cube.offered_by is not None:
        raise Refused(Why.DOUBLE_PENDING)
    if match.crawford == Crawford.NOW:
        raise Refused(Why.CRAWFORD)
    if cube.frozen:
        raise Refused(Why.CUBE_FROZEN)
    if cube.owner is seat.other:
        raise Refused(Why.CUBE_NOT_YOURS, Words("The cube is on %(name)s’s side.", name=name_of(match, seat.other)))
    return (e.Doubled(at, seat, _credit(match, command)),)


def decide_take(match: Match, command: c.Take, by: Party, at: int) -> Sequence[e.Event]:
    """Take the double, which also hits the clock (US 3.5)."""
    seat = _answers_double(match, command, by)
    return (e.Took(at, seat, _credit(match, command)),)


def decide_pass(match: Match, command: c.Pass, by: Party, at: int) -> Sequence[e.Event]:
    """Pass the double, which ends the game (US 3.5)."""
    seat = _answers_double(match, command, by)
    return (e.GameEnded(at, seat.other, match.cube.value, HowWon.PASS, _credit(match, command)),)


def _answers_double(match: Match, command: c.Take | c.Pass, by: Party) -> Seat:
    """Return the seat that answers the double."""
    seat = _seat(by)
    _must_be_on_turn(match, command, seat)
    if match.cube.offered_by is None:
        raise Refused(Why.NO_DOUBLE)
    return seat


def decide_call(match: Match, command: c.Call, by: Party, at: int) -> Sequence[e.Event]:
    """Stop both clocks and call the director (US 5.2 f).

    A repeated call without a new note changes nothing while the clocks are stopped.
    """
    seat = _seat(by)
    if match.status == Status.OVER:
        raise Refused(Why.MATCH_OVER)
    if match.called and match.status != Status.RUNNING and command.note in ("", match.call_note):
        return ()
    called = e.DirectorCalled(at, seat, command.note)
    return (e.Stopped(at, seat, Reason.DIRECTOR), called) if match.status == Status.RUNNING else (called,)


def decide_answer(match: Match, command: c.AnswerCall, by: Party, at: int) -> Sequence[e.Event]:
    """Answer a call: the director is on the way."""
    if by != Official.DIRECTOR:
        raise Refused(Why.NOT_DIRECTOR)
    if not match.called:
        raise Refused(Why.NO_PROPOSAL, "Nobody has called the director to this table.")
    return (e.CallAnswered(at, command.note, kept=True),)


def _seat(by: Party) -> Seat:
    """Return the seat of a player. Raises Refused for the director."""
    if by == Official.DIRECTOR:
        raise Refused(Why.NO_SEAT, "Only a player may do that.")
    return SEATS[by]


def _running_words(match: Match) -> Words:
    assert match.turn is not None
    return Words("%(name)s’s clock is running.", name=name_of(match, match.turn))


def _credit(match: Match, command: c.Press) -> int:
    """Lag credit of a press in ms, capped at the limit of the match."""
    return min(command.credit_ms, match.lag_credit_ms)


def _must_run(match: Match) -> None:
    """Reject unless a clock is running."""
    must_be_under_way(match)
    if match.status == Status.STOPPED:
        raise Refused(Why.STOPPED)
    if match.status == Status.READY:
        raise Refused(Why.NOT_RUNNING)


def _must_be_current(match: Match, command: c.Press) -> None:
    if command.turn_number is not None and command.turn_number != match.turn_number:
        raise Refused(Why.STALE)


def _must_be_on_turn(match: Match, command: c.Press, seat: Seat) -> None:
    """Reject a press unless it is the seat's turn and its clock is running."""
    _must_run(match)
    _must_be_current(match, command)
    if match.turn is not seat:
        raise Refused(Why.NOT_YOUR_TURN, _running_words(match))


def _must_have_time(match: Match, seat: Seat) -> None:
    """Reject a press that would start a clock with no time left."""
    clock = match.clock
    must_have_time(match, seat, clock if seat is clock.turn else clock.start(seat, match.at))


def decide_nothing(match: Match, command: c.Look | c.Expire, by: Party, at: int) -> Sequence[e.Event]:
    """Look, expire: no events, because a due flag has already fallen."""
    return ()
