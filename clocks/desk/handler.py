"""What is handed to the desk, and what it decides of one such request: who may ask, what credit, then the rules."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Party
from clocks.engine.commands import Command, Hit, Press, Propose, ReleaseSeat, TakeSeat
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.proposals import GiveTime
from clocks.engine.refusals import Refused
from clocks.engine.words import Words
from clocks.journal import entries
from clocks.journal.late_presses import Board, LatePress, late_press
from clocks.live.protocol import with_credit
from clocks.seats import presence


class Answer(NamedTuple):
    """What became of a request: stored as version `v`, or refused (`code`, `words`) at version `v`.

    `again` marks the first answer given once more, to the same command id.
    """

    ok: bool
    v: int
    code: str = ""
    words: str = ""
    credit_ms: int = 0
    again: bool = False


@dataclass(slots=True)
class Request:
    """A command for a match. `by` is left, right, director or server; `at` the instant at which it arrived.

    `device_id` is the phone that asks (None: a trusted caller within the server). `claimed_at` is the press by the
    phone's reckoning, `credit_ms` what the measured network allows of it. `answered` is called once, in the event
    loop's thread if `on_loop`, else in the desk's. `alongside` changes what the command changes beside the match,
    in the same transaction; it is called only if the rules accept, and may still refuse. `beforehand` is called before
    the request is decided, in the same transaction, and once for all requests of a batch that share it.
    """

    match_id: int
    command: Command
    by: Party
    at: int
    command_id: str | None = None
    device_id: int | None = None
    user_id: int | None = None
    claimed_at: int | None = None
    credit_ms: int = 0
    answered: Callable[[Answer], None] | None = None
    on_loop: bool = False
    alongside: Callable[[], None] | None = None
    beforehand: Callable[[], None] | None = None


class Decided(NamedTuple):
    """What a request leads to: its answer, the journal entries, and the board as it will be."""

    answer: Answer
    rows: list[entries.Row]
    match: Match
    devices: tuple[int | None, int | None]
    replaced: tuple[int, ...] = ()
    late: LatePress | None = None


def decide(request: Request, board: Board) -> Decided:
    """Decide a request on a board; changes nothing. A refusal is an answer, never an exception."""
    command, credit_ms = request.command, 0
    at = max(request.at, board.match.at)  # the time of a match never goes back
    devices, replaced = board.devices, tuple[int, ...]()
    try:
        if isinstance(command, TakeSeat):
            devices, replaced = _seated(command, board, request.by, request.at)
            if devices == board.devices:
                return Decided(Answer(True, board.version), [], board.match, devices)
        elif isinstance(command, ReleaseSeat):
            devices = _released(command, board) if request.by == Official.DIRECTOR else devices
        else:
            _must_hold_seat(request, board)
        if isinstance(command, Press):
            credit_ms = max(0, min(request.credit_ms, board.match.lag_credit_ms))
            command = with_credit(command, credit_ms)
    except Refused as refusal:
        return Decided(_refused(board.version, refusal), [], board.match, board.devices)
    outcome = perform(board.match, command, request.by, at)
    asked = entries.Asked(
        request.by,
        command,
        request.command_id,
        request.device_id,
        request.user_id,
        request.claimed_at,
        credit_ms,
    )
    rows = entries.event_rows(board.id, board.version, outcome.events, asked) if outcome.events else []
    v = board.version + len(rows)
    if outcome.refusal is not None:
        return Decided(_refused(v, outcome.refusal), rows, outcome.match, board.devices, late=board.late)
    late = _late_after(request, board, at, credit_ms)
    return Decided(Answer(True, v, credit_ms=credit_ms), rows, outcome.match, devices, replaced, late)


def _late_after(request: Request, board: Board, at: int, credit_ms: int) -> LatePress | None:
    """Return the late press to be shown once this request is accepted: its own, or the one that is still unsettled."""
    command = request.command
    if isinstance(command, Press):
        return late_press(board.match, request.by, at, request.claimed_at, credit_ms) or board.late
    terms = command.terms if isinstance(command, Propose) and request.by == Official.DIRECTOR else None
    settled = isinstance(terms, GiveTime) and board.late is not None and terms.seat is board.late.seat
    return None if settled else board.late


def _refused(v: int, refusal: Refused) -> Answer:
    return Answer(False, v, refusal.code, refusal.words)


def _must_hold_seat(request: Request, board: Board) -> None:
    """Refuse a phone that acts for a seat it does not hold; it may hit for one whose phone has fallen silent."""
    if request.device_id is None or isinstance(request.by, Official):
        return
    seat = Seat(request.by)
    if board.devices[seat.index] == request.device_id:
        return
    if not board.seats_of(request.device_id):
        raise Refused("no-seat")
    name = board.match.setup.names[seat.index]
    if board.devices[seat.index] is None:
        raise Refused("no-seat", Words("%(name)s has not taken a seat yet.", name=name))
    if not isinstance(request.command, Hit) or not presence.silent(board.id, seat, request.at):
        raise Refused("no-seat", Words("%(name)s is playing on another phone.", name=name))


def _released(command: ReleaseSeat, board: Board) -> tuple[int | None, int | None]:
    """Return who holds the seats once a phone has lost those that it held."""
    holder = board.devices[command.seat.index]
    if holder is None:
        name = board.match.setup.names[command.seat.index]
        raise Refused("bad-value", Words("No phone holds %(name)s’s seat.", name=name))
    left, right = (None if device == holder else device for device in board.devices)
    return left, right


def _seated(
    command: TakeSeat, board: Board, by: Party, now: int
) -> tuple[tuple[int | None, int | None], tuple[int, ...]]:
    """Return who holds the seats once a device holds exactly those it asks for, and which devices lost one.

    A phone that was heard a moment ago loses its seat only by its own word or the director's.
    """
    device = command.device
    left, right = (
        device if seat in command.seats else None if holder == device else holder
        for seat, holder in zip(Seat, board.devices, strict=True)
    )
    replaced = set()
    for seat in command.seats:
        holder = board.devices[seat.index]
        if holder in (None, device):
            continue
        allowed = by == Official.DIRECTOR or holder in (command.given or ())
        if not allowed and not presence.silent(board.id, seat, now):
            name = board.match.setup.names[seat.index]
            words = Words(
                "Another phone holds %(name)s’s seat and was online a moment ago. It can be replaced once it "
                "has been offline for %(seconds)s seconds.",
                name=name,
                seconds=presence.SILENT_MS // 1000,
            )
            raise Refused("no-seat", words)
        replaced.add(holder)
    return (left, right), tuple(sorted(replaced))
