"""Seat claims, and what a phone may do in its seat."""

from collections.abc import Sequence

from clocks.engine.clock import SEATS, Seat
from clocks.engine.closed_sets import Official, Party, Status
from clocks.engine.commands import (
    Agree,
    Call,
    Command,
    Decline,
    GrantSeat,
    Hit,
    Pass,
    ReleaseSeat,
    Stop,
    Take,
    TakeSeat,
)
from clocks.engine.events import SeatTaken
from clocks.engine.match import Match
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words, counted
from clocks.journal import entries, stored
from clocks.journal.stored import StoredMatch
from clocks.journal.tenure import reseated
from clocks.seats import absence, presence

HARMLESS = (Hit, Stop, Call)  # commands open to a phone that borrows its seat
AWAY_MS = 120_000  # silence after which helpers, or players without a director, may give a phone's seat away
PLAYED_MS = 2_000  # shortest turn that the opponent's phone may end
ANSWERS = (Agree, Decline, Take, Pass)


def first_game_begun(match: Match) -> bool:
    """True once the first game has begun: from then on, seats can decide results."""
    return match.turn_number > 0 or match.game > 1 or match.status not in (Status.SETUP, Status.READY)


def bound(board: StoredMatch, seat: Seat) -> bool:
    """True if claiming a silent phone's seat only borrows it.

    True once its player has confirmed or the match has begun, and in a casual rematch.
    """
    match = board.match
    begun = match.status != Status.SETUP or match.halt is not None  # a break is `setup` again, with a stop
    return begun or match.confirmed[seat.index] or (board.casual and stored.is_rematch(board))


def seat_claim(board: StoredMatch, command: TakeSeat, by: Party, now: int, may_end: bool = True) -> TakeSeat:
    """Check a claim to exactly these seats; return it with `lent` and `together` set.

    A helper (`may_end` false) can transfer only one of the two seats for good, and only that of a silent phone;
    otherwise the new phone borrows it. Raises Refused(Why.NO_SEAT) for a seat whose phone may be online, unless that
    phone or the director gave it away, or the claimant owns it.
    """
    device, started = command.device, first_game_begun(board.match)
    lent: list[Seat] = []
    new = [seat for seat in command.seats if device not in (board.devices[seat.index], board.tenure.owners[seat.index])]
    for_good = may_end or not _would_seat_both(board, new)
    given, taken = False, False  # given by the holder or the director; claimed without being given
    for seat in command.seats:
        holder, owner = board.devices[seat.index], board.tenure.owners[seat.index]
        if device == owner or (device == holder and owner is None):
            continue
        if device == holder:
            lent.append(seat)
            continue
        rightful = holder if owner is None else owner
        if by == Official.DIRECTOR or rightful in (command.given or ()):
            given = True
            unasked = not may_end and rightful not in (command.given or ())
            in_use = unasked and bound(board, seat) and not _is_gone(board, seat, now)
            if holder is not None and (in_use or not for_good):
                lent.append(seat)
            continue
        taken = True
        if holder is None:
            continue
        _must_be_offline(board, seat, now)
        _must_be_known(board, seat, now)
        if bound(board, seat):
            lent.append(seat)
    both = len(command.seats) == 2 and not lent
    by_right = not started or by == Official.DIRECTOR or (given and not taken and board.casual)
    return TakeSeat(device, command.seats, command.given, tuple(lent), both and by_right)


def changes_nothing(board: StoredMatch, claim: TakeSeat) -> bool:
    """True if the phone already holds exactly these seats, with the same owners."""
    devices, tenure = reseated(board.devices, board.tenure, SeatTaken(0, claim.device, claim.seats, claim.lent))
    return (devices, tenure.owners) == (board.devices, board.tenure.owners)


def replaced_by(board: StoredMatch, claim: TakeSeat) -> tuple[int, ...]:
    """Return the phones that lose a seat to a claim."""
    holders = {board.devices[seat.index] for seat in claim.seats}
    return tuple(sorted(holder for holder in holders if holder not in (None, claim.device)))


def must_fit_the_phone(board: StoredMatch, command: ReleaseSeat | GrantSeat) -> None:
    """Reject if the seat has no phone, or a grant would add no rights."""
    holder, tenure = board.devices[command.seat.index], board.tenure
    if holder is None:
        raise Refused(Why.BAD_VALUE, Words("No phone holds %(name)s’s seat.", name=_name(board, command.seat)))
    shares = board.devices == (holder, holder) and tenure.between != holder
    if isinstance(command, GrantSeat) and not tenure.borrowed(command.seat) and not shares:
        raise Refused(Why.STALE, "That phone may already do everything.")


def must_leave_a_seat(board: StoredMatch, command: ReleaseSeat | GrantSeat, may_end: bool, now: int) -> None:
    """Reject a helper's command if helpers would then have assigned both seats.

    A helper also may not give away a confirmed player's seat until its owner has not been heard from for two minutes,
    or let a phone keep a seat that a helper gave it.
    """
    if may_end:
        return
    borrowed, frees = board.tenure.borrowed(command.seat), isinstance(command, ReleaseSeat)
    if frees and borrowed:
        return  # a borrowed seat goes back to its owner
    if first_game_begun(board.match):
        holder = board.devices[command.seat.index]
        seats = [seat for seat in Seat if board.devices[seat.index] == holder] if frees else [command.seat]
        if _would_seat_both(board, seats):
            raise Refused(Why.NOT_DIRECTOR, "A director has to do this, because it decides who plays for both players.")
        if frees and _is_online(board, command.seat, now):
            raise Refused(
                Why.NOT_DIRECTOR, "That phone is online, so only its player or a director can give its seat away."
            )
        if not frees and command.seat in entries.seats_by_helpers(board.id):
            raise Refused(Why.NOT_DIRECTOR, "A helper has given this phone its seat, so a director has to agree.")
    if frees:
        _must_be_known(board, command.seat, now)
    if borrowed or (frees and bound(board, command.seat)):
        _must_be_away(board, command.seat, now)


def _would_seat_both(board: StoredMatch, seats: Sequence[Seat]) -> bool:
    """True if helpers would have assigned both seats since the first game began."""
    return first_game_begun(board.match) and len({*seats, *entries.seats_by_helpers(board.id)}) == 2


def must_grant(board: StoredMatch, command: GrantSeat, by: Party, device: int | None, at: int) -> None:
    """Reject a grant by a phone, except in a match without a director.

    There a phone may grant from a seat that it owns, or from either if it holds both. A borrowed seat can be granted
    once its owner, who may return until then, has not been heard from for two minutes. A phone that owns both seats
    cannot authorise itself to answer for both players.
    """
    if isinstance(by, Official) or board.match.setup.director:
        raise Refused(Why.NOT_DIRECTOR)
    held, seat = board.seats_of(device), SEATS[by]
    if seat not in held or (board.tenure.borrowed(seat) and len(held) == 1):
        raise Refused(Why.NO_SEAT)
    must_fit_the_phone(board, command)
    if not board.tenure.borrowed(command.seat):
        raise _cannot_answer_itself(board, command.seat)
    _must_be_away(board, command.seat, at)


def must_be_allowed(board: StoredMatch, command: Command, by: Party, device: int | None, at: int) -> None:
    """Reject a command that the phone may not give for this seat.

    A phone may hit for the other player if that player's phone is silent, once the turn has run for two seconds. A
    phone that borrows its seat may only press, stop and call. A phone with both seats may not answer its own proposal,
    unless it may act for both players.
    """
    if device is None or isinstance(by, Official):
        return
    seat = SEATS[by]
    if board.devices[seat.index] != device:
        _must_press_for_a_silent_phone(board, command, seat, device, at)
    elif board.tenure.borrowed(seat) and not isinstance(command, HARMLESS):
        words = Words(
            "This phone has %(name)s’s seat without the director’s yes, so it can only press, stop and call. "
            "For anything else %(name)s’s own phone must come back, or the director must agree.",
            name=_name(board, seat),
        )
        raise Refused(Why.NO_SEAT, words)
    elif isinstance(command, ANSWERS) and _answers_itself(board, device, seat, command):
        raise _cannot_answer_itself(board, seat)
    if isinstance(command, Hit) and _presses_for_another(board, device, seat):
        _must_have_run(board, seat, at)


def _presses_for_another(board: StoredMatch, device: int, seat: Seat) -> bool:
    """True unless the phone is known to belong to the player whose turn it ends."""
    if board.devices[seat.index] != device or board.tenure.borrowed(seat):
        return True
    owns_both = board.devices == (device, device) and not board.tenure.borrowed(seat.other)
    return owns_both and board.tenure.between != device


def _must_have_run(board: StoredMatch, seat: Seat, at: int) -> None:
    """Reject ending a turn that has just begun.

    Otherwise a player could press twice whenever the delay runs out, and so get a turn with a new delay.
    """
    clock = board.match.clock
    if clock.turn is seat and clock.used(at) < PLAYED_MS:
        words = Words(
            "%(name)s’s turn has only just begun. Press for %(name)s once it has run for %(seconds)s seconds.",
            name=_name(board, seat),
            seconds=PLAYED_MS // 1000,
        )
        raise Refused(Why.NO_SEAT, words)


def _answers_itself(board: StoredMatch, device: int, seat: Seat, command: Command) -> bool:
    """True if a phone with both seats would answer its own proposal or double."""
    if board.devices != (device, device) or board.tenure.between == device:
        return False
    proposal = board.match.proposal
    withdraws = isinstance(command, Decline) and proposal is not None and proposal.by == seat
    return not withdraws


def _cannot_answer_itself(board: StoredMatch, seat: Seat) -> Refused:
    words = Words(
        "One phone cannot both ask and answer. %(name)s must answer on another phone, or the director "
        "must let this one act for both players.",
        name=_name(board, seat),
    )
    return Refused(Why.NOT_YOURS_TO_SETTLE, words)


def _must_press_for_a_silent_phone(board: StoredMatch, command: Command, seat: Seat, device: int, at: int) -> None:
    if device not in board.devices:
        raise Refused(Why.NO_SEAT)
    name = _name(board, seat)
    if board.devices[seat.index] is None:
        raise Refused(Why.NO_SEAT, Words("%(name)s has not taken a seat yet.", name=name))
    if not isinstance(command, Hit) or not presence.silent(board.id, seat, at, board.runs):
        raise Refused(Why.NO_SEAT, Words("%(name)s is playing on another phone.", name=name))
    _must_be_known(board, seat, at)


def _must_be_away(board: StoredMatch, seat: Seat, now: int) -> None:
    """Reject if the seat's owner was online within the last two minutes."""
    back_ms = _last_sign(board, seat) + AWAY_MS - now
    if back_ms > 0:
        seconds = -(-back_ms // 1000)
        words = counted(
            "%(name)s’s own phone was online less than two minutes ago and may come back. "
            "Try again in %(seconds)s second.",
            "%(name)s’s own phone was online less than two minutes ago and may come back. "
            "Try again in %(seconds)s seconds.",
            seconds,
            name=_name(board, seat),
            seconds=seconds,
        )
        raise Refused(Why.NO_SEAT, words)


def _must_be_offline(board: StoredMatch, seat: Seat, now: int) -> None:
    """Reject replacing a phone that is online."""
    if _is_online(board, seat, now):
        words = Words(
            "Another phone holds %(name)s’s seat and was online a moment ago. It can be replaced once it has been "
            "offline for %(seconds)s seconds.",
            name=_name(board, seat),
            seconds=presence.SILENT_MS // 1000,
        )
        raise Refused(Why.NO_SEAT, words)


def _must_be_known(board: StoredMatch, seat: Seat, now: int) -> None:
    """Reject while an unresponsive process may have heard from this seat's phone."""
    if presence.unsure(now):
        words = Words(
            "The server cannot tell at the moment whether %(name)s’s phone is online, so nobody else can act for "
            "%(name)s. Try again in a minute, or ask the director.",
            name=_name(board, seat),
        )
        raise Refused(Why.NO_SEAT, words)


def _is_gone(board: StoredMatch, seat: Seat, now: int) -> bool:
    """True if a helper may give a seat away.

    Its phone must be silent, and its owner must have been silent for two minutes.
    """
    known_silent = not _is_online(board, seat, now) and not presence.unsure(now)
    return known_silent and now - _last_sign(board, seat) >= AWAY_MS


def _last_sign(board: StoredMatch, seat: Seat) -> int:
    """Latest time at which the seat's owner may have been heard from."""
    owner, lent_at = board.tenure.owners[seat.index], board.tenure.lent_at[seat.index]
    if owner is None or lent_at is None:
        return presence.seen_at(board.id)[seat.index]
    return max(lent_at, absence.last_heard(owner))


def _is_online(board: StoredMatch, seat: Seat, now: int) -> bool:
    return not presence.silent(board.id, seat, now, board.runs)


def _name(board: StoredMatch, seat: Seat) -> str:
    return board.match.setup.names[seat.index]
