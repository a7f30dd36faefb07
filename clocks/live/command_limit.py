"""Rate limits for commands: per phone, and per address in players' own matches.

Anybody may start a match and store data with its commands, so such matches are limited per address. Directors' matches
are not, so that a stranger behind the hall's address cannot delay them.

An address has the budget of a hall of 200 boards: a command per board every five seconds (40 a second; quick players
press every ten), and a burst of 20 per board (4,000), when all confirm, start and stop together. A press takes 217
bytes on disk, and a command with a note of 1,194 bytes takes 4,170, so each 60 bytes of a note count as a command. An
address can write at most 0.9 MB at once and 31 MB an hour; several processes divide that among them.

When that is used up, each seat has its own budget: a burst of 150 commands, then one every ten seconds, without notes.
Otherwise a stranger behind the address, or the opponent, could block a player's press. `casual_limit` bounds the total:
120 matches an hour per address, with 300 commands each, are 8 MB.

A client over a limit is slowed down, not disconnected: the command is rejected as `not-stored`, so a phone sends it
again, and its socket is not read for PAUSE_S. Without the pause each frame of a flood would cost a reply, and after a
disconnection a flood of new sockets would follow. Hand-overs, the longest frames, also pause if rejected on arrival.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from clocks.engine.commands import Command, HandOver
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.host.ratelimit import RateLimiter

NOTE_BYTES = 60  # bytes of notes charged as one command
PAUSE_S = 1.0

COMMANDS = RateLimiter(burst=60, per_s=5.0)  # per phone: nobody plays that fast
HAND_OVERS = RateLimiter(burst=12, per_s=0.2)  # per phone, charged before its commands are parsed; no refunds
OF_ADDRESS = RateLimiter(burst=4_000, per_s=40.0)
OF_SEAT = RateLimiter(burst=150, per_s=0.1)  # per match and seat

SENDS_TOO_MUCH = Words("This phone sends too much. This is sent again in a moment.")
BUSY = Words("Matches that players started send too much from your network. This is sent again in a moment.")


class OverLimit(Refused):
    """Rejected because a phone or an address has sent too much."""

    def __init__(self, words: Words) -> None:
        super().__init__(Why.NOT_STORED, words)


class Charge(NamedTuple):
    """Tokens taken for a command."""

    taken: Sequence[tuple[RateLimiter, Hashable, float]]
    refundable: bool

    def give_back(self) -> None:
        """Undo the charge of a command that changed nothing, if it is refundable."""
        if self.refundable:
            for allowance, who, cost in self.taken:
                allowance.give_back(who, cost)


def charge_hand_over(phone: int | None) -> None:
    """Charge a hand-over before its parts are parsed. Raises OverLimit."""
    if not HAND_OVERS.take(phone):
        raise OverLimit(SENDS_TOO_MUCH)


def charge(command: Command, phone: int | None, seat: Hashable, address: str) -> Charge:
    """Charge a command. Raises OverLimit.

    `seat` is (match, seat); `address` is "" in a director's match. A rejected hand-over stays charged, because the desk
    has looked up the ids of all its parts.
    """
    taken: list[tuple[RateLimiter, Hashable, float]] = []
    found = Charge(taken, refundable=not isinstance(command, HandOver))
    commands = [command]
    if isinstance(command, HandOver):
        commands = [kept.command for kept in command.kept]
    elif COMMANDS.take(phone):
        taken.append((COMMANDS, phone, 1))
    else:
        raise OverLimit(SENDS_TOO_MUCH)
    if not address:
        return found
    notes = sum(len(getattr(each, "note", "").encode()) for each in commands)
    cost = len(commands) + notes // NOTE_BYTES
    if OF_ADDRESS.take(address, cost):
        taken.append((OF_ADDRESS, address, cost))
    elif not notes and OF_SEAT.take(seat, cost):
        taken.append((OF_SEAT, seat, cost))
    else:
        found.give_back()
        raise OverLimit(BUSY)
    return found


def share_among(processes: int) -> None:
    """Divide the budget of each address by the number of processes."""
    OF_ADDRESS.share_among(processes)


def forget() -> None:
    """Refill all buckets."""
    for allowance in (COMMANDS, HAND_OVERS, OF_ADDRESS, OF_SEAT):
        allowance.clear()
