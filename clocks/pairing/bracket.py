"""Bracket of a knockout: matches by round and place, as far as they are known."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from clocks.pairing.first_round import bracket_size


class Entry(NamedTuple):
    """A match or a bye of a round, with its place in the bracket and its winner.

    `place` is None if the round has no bracket, `right` is None for a bye.
    """

    left: str
    right: str | None
    winner: str = ""
    place: int | None = None
    key: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Both players, or the player with the bye."""
        return (self.left,) if self.right is None else (self.left, self.right)


Slot = Entry | None  # None: not drawn yet


def arrange(rounds: Sequence[Sequence[Entry]], alone: bool = True) -> list[list[Slot]]:
    """Slots of each round, from the first to the final.

    Slots 2k and 2k + 1 lead to slot k of the next round. Stored places are kept if all players advance this way. The
    next round, not drawn yet, then has the players known so far, unless the event also takes losers of another event
    (`alone` is False).

    Otherwise, as in a losers bracket, matches are placed by the later match that they lead to, and the rest fill the
    free places in the order of the draw.
    """
    drawn = [list(entries) for entries in rounds if entries]
    if not drawn:
        return []
    placed = all(entry.place is not None for entries in drawn for entry in entries)
    leads_on = placed and _lead_on(drawn)
    if not leads_on:
        drawn = _by_later_rounds(drawn, byes_drawn=placed)
    width = (
        max(bracket_size(2 * (1 + max(entry.place or 0 for entry in entries))) << i for i, entries in enumerate(drawn))
        // 2
    )
    slots: list[list[Slot]] = []
    for i in range(width.bit_length()):
        row: list[Slot] = [None] * (width >> i)
        for entry in drawn[i] if i < len(drawn) else ():
            row[entry.place or 0] = entry
        slots.append(row)
    if leads_on and alone and len(drawn) < len(slots):
        slots[len(drawn)] = _known(slots[len(drawn) - 1])
    return slots


def _known(last: Sequence[Slot]) -> list[Slot]:
    """Slots of the next round, with the players known so far.

    These entries have no key. If a slot of the last round is empty, all slots of the next are, because places may still
    change.
    """
    if None in last:
        return [None] * (len(last) // 2)
    winners = [entry.left if entry.right is None else entry.winner for entry in last if entry]
    return [Entry(*both) if any(both) else None for both in zip(winners[::2], winners[1::2], strict=True)]


def _lead_on(rounds: Sequence[Sequence[Entry]]) -> bool:
    """True if players of successive rounds advance by the stored places."""
    for before, after in pairwise(rounds):
        came = {name: (entry.place or 0) // 2 for entry in before for name in entry.names}
        if any(came.get(name, entry.place) != entry.place for entry in after for name in entry.names):
            return False
    return True


def _by_later_rounds(rounds: Sequence[Sequence[Entry]], byes_drawn: bool) -> list[list[Entry]]:
    """Place the entries of each round by their next matches, from the last round back.

    A player who is not in the round before had a bye there or, with `byes_drawn`, came from another event.
    """
    placed = [[entry._replace(place=i) for i, entry in enumerate(rounds[-1])]]
    for entries in reversed(rounds[:-1]):
        wanted: dict[str, int] = {
            name: 2 * (entry.place or 0) + seat for entry in placed[0] for seat, name in enumerate(entry.names)
        }
        taken: dict[int, Entry] = {}
        left = []
        for entry in entries:
            place = next((wanted[name] for name in entry.names if name in wanted), None)
            if place is None or place in taken:
                left.append(entry)
            else:
                taken[place] = entry
        if not byes_drawn:
            for name, place in wanted.items():
                taken.setdefault(place, Entry(name, None, name))
        kept = {*taken, *wanted.values()}
        free = (place for place in range(len(kept) + len(left)) if place not in kept)
        taken |= dict(zip(free, left, strict=False))
        placed.insert(0, [entry._replace(place=place) for place, entry in sorted(taken.items())])
    return placed


def sheets(slots: Sequence[Sequence[Slot]], most: int = 16) -> list[list[list[Slot]]]:
    """Split a bracket into parts with at most `most` matches in their first round.

    Further parts have the remaining rounds, up to the final.
    """
    if not slots or len(slots[0]) <= most:
        return [list(map(list, slots))]
    depth = most.bit_length()  # rounds of a part, down to one match
    parts = len(slots[0]) // most
    cut = [[list(slots[i][n * (most >> i) : (n + 1) * (most >> i)]) for i in range(depth)] for n in range(parts)]
    return [*cut, *sheets([list(row) for row in slots[depth:]], most)]
