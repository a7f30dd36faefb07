"""Decide one request: permission of the phone, lag credit, then the rules."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from clocks.desk import hand_over
from clocks.desk.requests import Key, Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Status
from clocks.engine.commands import Command, Expire, GrantSeat, HandOver, Press, Propose, ReleaseSeat, TakeSeat
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.proposals import Reopen
from clocks.engine.refusals import Refused, Why
from clocks.journal import entries
from clocks.journal.stored import StoredMatch
from clocks.journal.tenure import Devices, Tenure, reseated
from clocks.lag import credit, late_presses
from clocks.lag.late_presses import LATE_MS, LatePress
from clocks.seats import claims, presence

OF_A_SEAT = (ReleaseSeat, GrantSeat)
SEATING = (TakeSeat, *OF_A_SEAT)  # commands that change the tenure of seats

NO_FLAGS = {"flags": False}  # journal mark for commands decided while the shared phone was silent


class Decided(NamedTuple):
    """Result of a request: the reply, the journal entries, and the new state."""

    answer: Reply
    rows: list[entries.Row]
    match: Match
    devices: Devices
    tenure: Tenure
    replaced: tuple[int, ...] = ()
    late: LatePress | None = None


def handle(request: Request, board: StoredMatch, known: Mapping[Key, Reply]) -> Decided:
    """Decide a request, without side effects.

    A rejection is returned as a reply, never raised. `known` are the first replies to the ids in the request.
    """
    command, credit_ms = request.command, 0
    marks: dict[str, bool | int] = {}
    if isinstance(command, HandOver):
        return _handed_over(request, command, board, known)
    if isinstance(command, Expire) and _waits_for_its_phone(board):
        return Decided(Reply(True, board.version), [], board.match, board.devices, board.tenure, late=board.late)
    at = max(request.at, board.match.at)  # timestamps in a match never decrease
    held = (board.devices, board.tenure)
    try:
        if isinstance(command, TakeSeat):
            command = claims.seat_claim(board, command, request.by, request.at, request.may_end)
            if claims.changes_nothing(board, command):
                return Decided(Reply(True, board.version), [], board.match, *held)
        elif isinstance(command, OF_A_SEAT):
            if request.by == Official.DIRECTOR:
                claims.must_fit_the_phone(board, command)
                claims.must_leave_a_seat(board, command, request.may_end, request.at)
            elif isinstance(command, GrantSeat):
                claims.must_grant(board, command, request.by, request.device_id, request.at)
        else:
            claims.must_be_allowed(board, command, request.by, request.device_id, request.at)
        if isinstance(command, Press):
            _must_be_of_this_turn(request, command, board.match)
            credit_ms = credit.allowed_ms(board.match, request.by, request.credit_ms)
            made_at = _made_in_the_hand(request, board)
            if made_at < request.at - credit_ms:
                at, credit_ms = max(board.match.at, made_at), 0
                marks |= {"arrived_at": request.at}
            command = with_credit(command, credit_ms)
    except Refused as refusal:
        return Decided(_refused(board, board.version, refusal), [], board.match, *held)
    flags = not _is_alone(request, board)
    outcome = perform(_with_last_end(command, board), command, request.by, at, flags)
    if not request.may_end and _decides_the_end(board.match, outcome.match):
        denied = Refused(Why.NOT_DIRECTOR, "A director has to do this, because it decides how the match ends.")
        return Decided(_refused(board, board.version, denied), [], board.match, *held, late=board.late)
    same = command is request.command and credit_ms == request.credit_ms
    asked = request if same else replace(request, command=command, credit_ms=credit_ms)
    if not flags:
        marks |= NO_FLAGS
    rows = entries.event_rows(board.id, board.version, outcome.events, asked, marks) if outcome.events else []
    v = board.version + len(rows)
    if outcome.refusal is not None:
        return Decided(_refused(board, v, outcome.refusal), rows, outcome.match, *held, late=board.late)
    late = late_presses.shown_after(board.late, board.match, zip(outcome.events, rows, strict=True))
    replaced: tuple[int, ...] = ()
    if isinstance(command, SEATING):
        for event in outcome.events:
            held = reseated(*held, event)
        replaced = claims.replaced_by(board, command) if isinstance(command, TakeSeat) else ()
    return Decided(Reply(True, v, credit_ms=credit_ms), rows, outcome.match, *held, replaced, late)


def _handed_over(request: Request, command: HandOver, board: StoredMatch, known: Mapping[Key, Reply]) -> Decided:
    held = (board.devices, board.tenure)
    try:
        taken = hand_over.take_over(request, command, board, known)
    except Refused as refusal:
        return Decided(_refused(board, board.version, refusal), [], board.match, *held, late=board.late)
    return Decided(taken.answer, taken.rows, taken.match, *held, late=taken.late)


def _waits_for_its_phone(board: StoredMatch) -> bool:
    """True if a flag must wait, because the shared phone may hold an earlier press."""
    flag_at = board.match.flag_at
    return board.between is not None and flag_at is not None and presence.word_at(board.id) < flag_at


def _is_alone(request: Request, board: StoredMatch) -> bool:
    """True if another client acts while the shared phone is silent."""
    between = board.between
    if between is None or request.device_id == between or isinstance(request.command, Expire):
        return False
    return presence.silent(board.id, Seat.LEFT, request.at, board.runs)


def _made_in_the_hand(request: Request, board: StoredMatch) -> int:
    """Time at which a press counts: its arrival, unless a shared phone was silent.

    A late press of a shared phone is dated like a handed-over command.
    """
    claimed_at, between = request.claimed_at, board.between
    if claimed_at is None or between is None or request.device_id != between or request.at - claimed_at < LATE_MS:
        return request.at
    return hand_over.dated(request, claimed_at)


def _must_be_of_this_turn(request: Request, press: Press, match: Match) -> None:
    """Reject a delayed press meant for a turn set aside under the same turn number."""
    aside = None if match.last_hit is None else match.last_hit.set_aside
    if aside is None or match.clock.since is None or request.claimed_at is None:
        return
    if press.turn_number == aside.turn_number == match.turn_number and request.claimed_at < match.clock.since - LATE_MS:
        raise Refused(Why.STALE)


def _decides_the_end(before: Match, after: Match) -> bool:
    """True if a command ends a match, reopens it or changes its result."""
    ended = Status.OVER in (before.status, after.status)
    return ended and (before.status, before.winner, before.score) != (after.status, after.winner, after.score)


def reopens(command: Command, before: Match, after: Match) -> bool:
    """True if a command takes back an end, directly or by a corrected score."""
    return _takes_back_an_end(command) or (before.status == Status.OVER and after.status != Status.OVER)


def _takes_back_an_end(command: Command) -> bool:
    return isinstance(command, Propose) and isinstance(command.terms, Reopen)


def _with_last_end(command: Command, board: StoredMatch) -> Match:
    """Match with its last end, refolded from the journal if stored without it.

    Only matches stored by earlier versions lack it. Others are not refolded, because that is slow and anybody at the
    table may repeat the command.
    """
    if board.has_last_end or not _takes_back_an_end(command) or board.match.turn is not None:
        return board.match
    version, match = entries.refold(board.id)
    return match if version == board.version else board.match


def _refused(board: StoredMatch, v: int, refusal: Refused) -> Reply:
    """Refusal as a reply; its message mentions a director only if the match has one."""
    if not board.match.setup.director:
        refusal = refusal.between_players()
    return Reply(False, v, refusal.code, refusal.words)


def with_credit(command: Command, credit_ms: int) -> Command:
    """Set the credit of a press; other commands are returned unchanged."""
    if not isinstance(command, Press) or command.credit_ms == credit_ms:
        return command
    return replace(command, credit_ms=credit_ms)
