"""Rate limits for commands: per phone, and per address in players' own matches.

Anybody may start a match and store data with its commands, so such matches are limited per address. Directors' matches
are not, so that a stranger behind the hall's address cannot delay them.

An address has the budget of a hall of 200 boards: a command per board every five seconds (40 a second; quick players
press every ten), and a burst of 20 per board (4,000), when all confirm, start and stop together. A press takes 217
bytes on disk and a note of 1,194 bytes 4,170, so each 60 bytes of a note count as a command. An address can write at
most 0.9 MB at once and 31 MB an hour.

When that is used up, each seat has its own budget: a burst of 150 commands and one in ten seconds, without notes.
Otherwise a stranger behind the address, or the opponent, could block a player's press. `casual_limit` bounds the total:
120 matches an hour per address, with 300 commands each, are 8 MB.

A phone resends a command that was refused as `not-stored`.
"""

from collections.abc import Hashable
from typing import NamedTuple

from clocks.engine.commands import Command, HandOver
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.host.ratelimit import RateLimiter

NOTE_BYTES = 60  # bytes of notes charged as one command

COMMANDS = RateLimiter(burst=60, per_s=5.0)  # per phone: nobody plays that fast
HAND_OVERS = RateLimiter(burst=40, per_s=0.5)  # per phone: each has at most 64 commands
OF_ADDRESS = RateLimiter(burst=4_000, per_s=40.0)
OF_SEAT = RateLimiter(burst=150, per_s=0.1)  # per match and seat

BUSY = Words("Matches that players started send too much from your network. This is sent again in a moment.")


class Charge(NamedTuple):
    """Tokens to return if a command changes nothing."""

    taken: tuple[tuple[RateLimiter, Hashable, float], ...]

    def give_back(self) -> None:
        """Undo the charge of a command that changed nothing."""
        for allowance, who, cost in self.taken:
            allowance.give_back(who, cost)


def charge(command: Command, phone: int | None, seat: Hashable, address: str) -> Charge | None:
    """Charge a command; None if the phone is over its limit.

    `seat` is the pair of match and seat; `address` is "" in a director's match. Raises Refused(Why.NOT_STORED) if the
    address is over its limit. A refused hand-over stays charged to its phone, because the desk has looked up the ids of
    all its parts.
    """
    hands_over = isinstance(command, HandOver)
    by_phone = HAND_OVERS if hands_over else COMMANDS
    if not by_phone.take(phone):
        return None
    taken: tuple[tuple[RateLimiter, Hashable, float], ...] = () if hands_over else ((by_phone, phone, 1),)
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
    """Refill all buckets."""
    for allowance in (COMMANDS, HAND_OVERS, OF_ADDRESS, OF_SEAT):
        allowance.clear()
