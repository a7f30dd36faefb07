"""Apply events that end games or the match: results, flags, corrected scores."""

from clocks.engine import events as e
from clocks.engine.clock import Clock, Kind, Seat, with_seat
from clocks.engine.closed_sets import ConsequenceKind, Crawford, HowWon, Official, Reason, Status, Win, WonBy
from clocks.engine.evolve.reopening import before_end
from clocks.engine.evolve.rulings import called_director, numbered
from clocks.engine.evolve.turn_events import lag_after, served
from clocks.engine.frozen import changed
from clocks.engine.match import Cube, Halt, LastEnd, Match
from clocks.engine.proposals import Expiry, Proposal
from clocks.engine.setup import default_crawford


def apply_game_ended(match: Match, event: e.GameEnded) -> Match:
    score = scored(match, event.winner, event.points)
    if event.how == HowWon.PASS:
        match = changed(match, lag=lag_after(match, event.winner.other, event.credit_ms))
    last_end = before_end(match, event.at, event.credit_ms)
    ended = changed(settle(match, event.at, event.credit_ms), score=score)
    if score[event.winner.index] == match.setup.length:
        return over(ended, event.winner, last_end, how_won(event, match.cube.value))
    return changed(
        ended,
        last_end=last_end,
        status=Status.READY,
        game=match.game + 1,
        crawford=_next_crawford(match.crawford, score, match.setup.length),
        cube=Cube(frozen=match.freeze_next),
        freeze_next=False,
    )


def apply_match_ended(match: Match, event: e.MatchEnded) -> Match:
    return over(settle(match, event.at), event.winner, before_end(match, event.at), WonBy.ENDED)


def apply_score_set(match: Match, event: e.ScoreSet) -> Match:
    # The cube is frozen only while a player needs one point; a correction can change that.
    frozen = match.cube.frozen and match.setup.length - 1 in event.score
    corrected = changed(
        match,
        at=event.at,
        score=event.score,
        crawford=event.crawford,
        cube=changed(match.cube, frozen=frozen),
        freeze_next=match.freeze_next and frozen,
    )
    for seat in Seat:
        if event.score[seat.index] == match.setup.length:
            return over(settle(corrected, event.at), seat, before_end(match, event.at))
    if match.status == Status.OVER:
        return _goes_on(corrected, event.keeps)
    return corrected


def _goes_on(match: Match, keeps: bool) -> Match:
    """Reopen a match whose corrected score does not end it, before the next game."""
    last = match.last_end
    goes_on = changed(match, status=Status.READY, winner=None, won_by=None)
    if last is not None and last.clock.turn is None:  # the match ended before its next game began
        goes_on = changed(goes_on, last_end=last.last_end)
        if keeps:
            return changed(goes_on, status=last.status, halt=last.halt)
    cube = Cube(frozen=keeps and match.freeze_next)
    return changed(goes_on, cube=cube, freeze_next=match.freeze_next and not keeps, game=match.game + 1)


def apply_flag_fell(match: Match, event: e.FlagFell) -> Match:
    fallen = changed(
        numbered(match, Proposal(Official.SERVER, Expiry(event.seat, event.consequence))),
        at=event.at,
        status=Status.FLAGGED,
        clock=match.clock.stop(event.at),
        halt=Halt(Official.SERVER, Reason.FLAG, event.at),
        flagged=event.seat,
    )
    return called_director(fallen, Official.SERVER, event.at, "")


def apply_expiry_applied(match: Match, event: e.ExpiryApplied) -> Match:
    terms, seat = event.consequence, event.seat
    if terms.kind == ConsequenceKind.LOSE_MATCH:
        return over(_lost_on_time(match, event), seat.other, before_end(match, event.at), WonBy.TIME)
    score = scored(match, seat.other, terms.points)
    applied = changed(
        match,
        at=event.at,
        status=Status.STOPPED,
        flagged=None,
        last_hit=None,
        set_aside=None,
        called=False,
        call_note="",
        score=score,
        forfeit=served(match, match.clock.used_ms),
    )
    if terms.kind not in (ConsequenceKind.GRACE, ConsequenceKind.NEXT_CONTROL):
        applied = changed(applied, offences=with_seat(match.offences, seat, match.offences[seat.index] + 1))
    if score[seat.other.index] == match.setup.length:
        return over(_lost_on_time(applied, event), seat.other, before_end(match, event.at), WonBy.TIME)
    cube = match.cube
    if terms.cube_frozen and not cube.frozen:
        cube = changed(cube, frozen=True, offered_by=None)
        applied = changed(applied, freeze_next=match.rules.freezes_next)
    clock = changed(match.clock, reserve_ms=terms.reserve_ms, used_ms=0, since=None)
    if terms.kind == ConsequenceKind.GRACE:
        applied = changed(applied, graced=with_seat(match.graced, seat, True))
    if terms.kind == ConsequenceKind.NEXT_CONTROL:
        clock = _second_control(match, clock)
        applied = changed(applied, control=2)
    return changed(applied, cube=cube, clock=clock)


def _lost_on_time(match: Match, event: e.ExpiryApplied) -> Match:
    """Settle a match lost on time: the expired clock stays at 0.

    Earlier versions, without `lost_at_zero`, added the delay to it.
    """
    settled = settle(match, event.at)
    if not event.lost_at_zero:
        return settled
    return changed(settled, clock=changed(settled.clock, reserve_ms=event.consequence.reserve_ms))


def _second_control(match: Match, clock: Clock) -> Clock:
    """Clock under the second control, precredited by option (Michigan, 5.1)."""
    control = match.setup.second_control
    precredit = match.setup.precredited and control.kind is Kind.BRONSTEIN
    return changed(clock, control=control, precredit=precredit)


def scored(match: Match, winner: Seat, points: int) -> tuple[int, int]:
    """Score after the winner gets `points`, capped at the length of the match."""
    return with_seat(match.score, winner, min(match.setup.length, match.score[winner.index] + points))


def _next_crawford(crawford: Crawford, score: tuple[int, int], length: int) -> Crawford:
    """Crawford state of the next game: `now` once, when a player needs one point."""
    return Crawford.DONE if crawford != Crawford.NONE else default_crawford(score, length)


def settle(match: Match, at: int, credit_ms: int = 0) -> Match:
    """End and charge the turn; stop both clocks and clear a pending proposal or flag."""
    return changed(
        match,
        at=at,
        clock=match.clock.settle(at, credit_ms),
        forfeit=served(match, match.clock.used(at) - credit_ms),
        halt=None,
        proposal=None,
        flagged=None,
        last_hit=None,
        owed_hit=None,
        set_aside=None,
    )


def how_won(event: e.GameEnded, cube: int) -> WonBy | None:
    """Return how the match was won; None if no result at this cube gives the points."""
    if event.how == HowWon.GAME:
        win = Win.scoring(event.points, cube)
        return None if win is None else WonBy(win)
    return WonBy(event.how)


def over(match: Match, winner: Seat, last_end: LastEnd | None, won_by: WonBy | None = None) -> Match:
    """Mark the match as over; `last_end` is the state to which it can be reopened."""
    return changed(
        match,
        status=Status.OVER,
        winner=winner,
        won_by=won_by,
        cube=changed(match.cube, offered_by=None),
        called=False,
        call_note="",
        last_end=last_end,
    )
