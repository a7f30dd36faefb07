"""Who holds the seats once somebody takes or gives up one, or why that is refused."""

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Party
from clocks.engine.commands import ReleaseSeat, TakeSeat
from clocks.engine.refusals import Refused
from clocks.engine.words import Words
from clocks.journal.stored import StoredMatch
from clocks.seats import presence


def released(command: ReleaseSeat, board: StoredMatch) -> tuple[int | None, int | None]:
    """Return who holds the seats once a phone has lost those that it held."""
    holder = board.devices[command.seat.index]
    if holder is None:
        name = board.match.setup.names[command.seat.index]
        raise Refused("bad-value", Words("No phone holds %(name)s’s seat.", name=name))
    left, right = (None if device == holder else device for device in board.devices)
    return left, right


def seated(
    command: TakeSeat, board: StoredMatch, by: Party, now: int
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
