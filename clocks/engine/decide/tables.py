"""Decide administrative commands: seats, tables, codes and names.

Mostly given by directors. They do not affect play.
"""

from collections.abc import Sequence

from clocks.engine import commands as c
from clocks.engine import events as e
from clocks.engine.closed_sets import Official, Party, Status
from clocks.engine.match import Match
from clocks.engine.refusals import Refused, Why


def decide_take_seat(match: Match, command: c.TakeSeat, by: Party, at: int) -> Sequence[e.Event]:
    """Seat a phone; the desk has checked the claim."""
    return (e.SeatTaken(at, command.device, command.seats, command.lent, command.together),)


def decide_release_seat(match: Match, command: c.ReleaseSeat, by: Party, at: int) -> Sequence[e.Event]:
    """Free a seat, or return it to its owner; director or server only."""
    _must_direct_or_serve(by)
    return (e.SeatReleased(at, command.seat, command.note),)


def decide_grant_seat(match: Match, command: c.GrantSeat, by: Party, at: int) -> Sequence[e.Event]:
    """Make the phone in a seat the seat's owner; for players if there is no director."""
    if match.setup.director:
        _must_direct(by)
    return (e.SeatGranted(at, command.seat, command.note),)


def decide_move(match: Match, command: c.Move, by: Party, at: int) -> Sequence[e.Event]:
    """Move an unfinished match to another table."""
    _must_direct(by)
    if match.status == Status.OVER:
        raise Refused(Why.MATCH_OVER)
    return (e.Moved(at, command.before, command.after, command.note),)


def decide_replace_code(match: Match, command: c.ReplaceCode, by: Party, at: int) -> Sequence[e.Event]:
    """Give the table a new code."""
    _must_direct(by)
    return (e.CodeReplaced(at, command.before, command.after, command.note),)


def decide_correct_names(match: Match, command: c.CorrectNames, by: Party, at: int) -> Sequence[e.Event]:
    """Correct the players' names, in any state of the match."""
    _must_direct_or_serve(by)
    return () if command.names == match.setup.names else (e.NamesCorrected(at, command.names, command.note),)


def decide_remove_names(match: Match, command: c.RemoveNames, by: Party, at: int) -> Sequence[e.Event]:
    """Remove the players' names; director or server only.

    Rejected while a clock runs.
    """
    _must_direct_or_serve(by)
    if match.status == Status.RUNNING:
        raise Refused(Why.BAD_VALUE, "A clock is running. Names can be removed once it has stopped.")
    return (e.NamesRemoved(at, command.names),)


def decide_hand_over(match: Match, command: c.HandOver, by: Party, at: int) -> Sequence[e.Event]:
    """Reject: the desk handles hand-overs, because only it knows the shared phone."""
    raise Refused(Why.NO_SEAT, "Only the phone between the players hands over what was played on it.")


def _must_direct(by: Party) -> None:
    if by != Official.DIRECTOR:
        raise Refused(Why.NOT_DIRECTOR)


def _must_direct_or_serve(by: Party) -> None:
    if by != Official.SERVER:
        _must_direct(by)
