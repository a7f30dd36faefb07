"""How many commands are accepted: of a phone, and in matches that players started also from an address.

Anybody may start a match and have it stored what its phones say. So such commands are counted by address too; a match
that the director made is not, so that no stranger behind the hall's address holds it up.

The budget of an address is that of a hall of 200 boards. Quick players press every ten seconds; here each board has a
command every five (40 a second), and 20 at once (4,000): everybody confirms, starts and stops together. A press takes
217 bytes of the disk and a note of 1,194 bytes 4,170, so each 60 bytes of a note count as another command. So an
address writes 0.9 MB at once and 31 MB an hour, whatever it sends.

Where others behind the address have used that up, each seat goes on by a budget of its own: 150 commands at once and
one in ten seconds, without notes. Otherwise a stranger could keep somebody's press from counting, or a player the
opponent's. What that adds is bounded by how many matches an address may start (`casual_limit`): 120 an hour, 300
commands for both seats of each, are 8 MB.

A phone that is told to wait sends its command again by itself.
"""

from collections.abc import Hashable
from typing import NamedTuple

from clocks.engine.commands import Command, HandOver
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.host.ratelimit import RateLimiter

NOTE_BYTES = 60  # charged like one command

COMMANDS = RateLimiter(burst=60, per_s=5.0)  # by phone: nobody plays that fast
HAND_OVERS = RateLimiter(burst=40, per_s=0.5)  # by phone: each at most 64 commands
OF_ADDRESS = RateLimiter(burst=4_000, per_s=40.0)
OF_SEAT = RateLimiter(burst=150, per_s=0.1)  # by match and seat

BUSY = Words("Matches that players started send too much from your network. This is sent again in a moment.")


class Charge(NamedTuple):
    """Tokens that a command was charged."""

    taken: tuple[tuple[RateLimiter, Hashable, float], ...]

    def give_back(self) -> None:
        """Undo the charge of a command that changed nothing."""
        for allowance, who, cost in self.taken:
            allowance.give_back(who, cost)


def charge(command: Command, phone: int | None, seat: Hashable, address: str) -> Charge | None:
    """Charge a command of a phone; None if the phone has sent too much.

    `seat` is the match and the seat that asks; `address` is empty in a match that the director made. Raises
    Refused(Why.NOT_STORED) if too much comes from there.
    """
    by_phone = HAND_OVERS if isinstance(command, HandOver) else COMMANDS
    if not by_phone.take(phone):
        return None
    taken: tuple[tuple[RateLimiter, Hashable, float], ...] = ((by_phone, phone, 1),)
    if not address:
        return Charge(taken)
    commands = [kept.command for kept in command.kept] if isinstance(command, HandOver) else [command]
    notes = sum(len(getattr(each, "note", "").encode()) for each in commands)
    cost = len(commands) + notes // NOTE_BYTES
    if OF_ADDRESS.take(address, cost):
        return Charge((*taken, (OF_ADDRESS, address, cost)))
    if not notes and OF_SEAT.take(seat, cost):
        return Charge((*taken, (OF_SEAT, seat, cost)))
    Charge(taken).give_back()
    raise Refused(Why.NOT_STORED, BUSY)


def forget() -> None:
    """Fill all buckets."""
    for allowance in (COMMANDS, HAND_OVERS, OF_ADDRESS, OF_SEAT):
        allowance.clear()
