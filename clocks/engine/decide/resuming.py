"""Decide resumes: which turn continues, and whether the opponent must agree."""

from collections.abc import Sequence

from clocks.engine import commands as c
from clocks.engine import events as e
from clocks.engine.clock import Clock, Seat
from clocks.engine.closed_sets import Official, Party, Status, Swap
from clocks.engine.evolve.turn_events import apply_resumed
from clocks.engine.match import Match
from clocks.engine.proposals import ResumePlay
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words

_NOT_UNDER_WAY = {
    Status.OVER: Why.MATCH_OVER,
    Status.SETUP: Why.SETUP_NOT_CONFIRMED,
    Status.FLAGGED: Why.FLAGGED,
}


def decide_resume(match: Match, command: c.Resume, by: Party, at: int) -> Sequence[e.Event]:
    """Resume the interrupted turn, or give the turn to the other seat.

    A player's request for a full delay, or to resume after a contested stop, becomes a proposal.
    """
    must_be_resumable(match, command.fresh_delay, by)
    assert match.turn is not None
    moved = match.moves_stopped and match.cube.offered_by is None  # a double is still to be answered
    turn_of = command.turn_of or (match.turn.other if moved else match.turn)
    asks = by != Official.DIRECTOR and (command.fresh_delay or match.contested)
    event = resumed(match, turn_of, command.fresh_delay, by, at, agreed=asks)
    must_be_startable(match, event)
    return (e.Proposed(at, by, ResumePlay(turn_of, command.fresh_delay)),) if asks else (event,)


def decide_resume_all(match: Match, command: c.ResumeAll, by: Party, at: int) -> Sequence[e.Event]:
    """Resume after the given stop of the whole hall."""
    if by != Official.DIRECTOR:
        raise Refused(Why.NOT_DIRECTOR)
    if match.halt is None or match.halt.hall != command.hall:
        raise Refused(Why.NOT_STOPPED, "These clocks were not stopped with the rest of the hall.")
    return decide_resume(match, c.Resume(), by, at)


def resumed(match: Match, turn_of: Seat, fresh: bool, by: Party, at: int, agreed: bool = False) -> e.Resumed:
    """Resume event; the other seat's turn is new, or continues an earlier one.

    After a move with the clocks stopped it is always new (US 4.2).
    """
    if turn_of is match.turn:
        return e.Resumed(at, turn_of, fresh)
    new = fresh or match.moves_stopped or match.contested
    back = not new and (match.set_aside is not None or (not agreed and _had_ended_its_turn(match, turn_of, by)))
    return e.Resumed(at, turn_of, by=by, swap=Swap.BACK if back else Swap.NEW, uncredited=True)


def _had_ended_its_turn(match: Match, seat: Seat, by: Party) -> bool:
    """True if `by` takes back the turn that it has just ended itself by a hit.

    Such a turn gets no second delay.
    """
    last = match.last_hit
    return by == seat and last is not None and last.clock.turn is seat is last.seat


def must_be_resumable(match: Match, fresh: bool, by: Party) -> None:
    """Reject unless the clocks are stopped and this party may resume them."""
    must_be_under_way(match)
    if match.proposal is not None:
        raise Refused(Why.PROPOSAL_PENDING)
    if match.status != Status.STOPPED:
        raise Refused(Why.NOT_STOPPED)
    assert match.halt is not None and match.turn is not None
    if by == Official.DIRECTOR:
        return
    if match.halt.by == Official.DIRECTOR:
        raise Refused(Why.NOT_DIRECTOR, "The director stopped the clocks, and only the director can restart them.")
    if fresh and not match.rules.fresh_delay:
        raise Refused(Why.NOT_DIRECTOR, "Under these rules only the director may restart a delay.")
    if match.moves_stopped and by != match.turn:
        words = Words("%(name)s is moving with the clocks stopped.", name=name_of(match, match.turn))
        raise Refused(Why.NOT_YOUR_TURN, words)


def must_be_startable(match: Match, event: e.Resumed) -> None:
    """Reject passing the turn while a double is pending, and starting a spent clock."""
    swaps = event.turn_of is not match.turn
    if swaps and match.cube.offered_by is not None:
        raise Refused(Why.DOUBLE_PENDING)
    must_have_time(match, event.turn_of, apply_resumed(match, event).clock if swaps else match.clock)


def must_have_time(match: Match, seat: Seat, clock: Clock) -> None:
    """Reject starting a clock with no time left, if reserves can run out now."""
    if clock.spent and match.limits:
        words = Words("%(name)s has no time left. The director decides what happens next.", name=name_of(match, seat))
        raise Refused(Why.FLAGGED, words)


def must_be_under_way(match: Match) -> None:
    """Reject before confirmation, after the end, and while a flag is pending."""
    if match.status in _NOT_UNDER_WAY:
        raise Refused(_NOT_UNDER_WAY[match.status])


def name_of(match: Match, seat: Seat) -> str:
    """Return the name of a player."""
    return match.setup.names[seat.index]
