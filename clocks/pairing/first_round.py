"""First round of an event, drawn from a list of players."""

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from random import Random
from typing import NamedTuple

Pair = tuple[str, str | None]

_STEP = 10_000  # ratio of the weights of successive groups; more than the matches of any draw


class Entry(NamedTuple):
    """A player to draw, with clubs or countries to keep apart.

    Earlier `groups` take precedence over later ones; "" is none.
    """

    name: str
    groups: tuple[str, ...] = ()


def bracket_order(size: int) -> list[int]:
    """Seeds, from 0, by their place in a bracket of `size` places, a power of two.

    If all favourites win, each round pairs the best remaining player with the worst, so the two best meet in the final.
    Source: the standard bracket, as in Wikipedia, *Single-elimination tournament*, “Seeding”, and the FIDE World Cup.
    """
    order = [0]
    while len(order) < size:
        order = [seed for best in order for seed in (best, 2 * len(order) - 1 - best)]
    return order


def bracket_size(players: int) -> int:
    """Size of the smallest bracket for this many players: a power of two, at least 2."""
    return 1 << max(1, (players - 1).bit_length())


def knockout(entries: Sequence[Entry], seeds: int, chance: Random, *, drawn_byes: bool = False) -> list[Pair]:
    """Draw a knockout in bracket order: winners of neighbouring matches meet.

    `entries` are ordered best first: the first `seeds` of them are seeded, and the others are drawn. Byes go to the
    best players or, with `drawn_byes`, are drawn among the first half, seeds included.
    """
    placed = [*entries[:seeds], *_shuffled(entries[seeds:], chance)]
    if len(placed) < 2:
        return [(each.name, None) for each in placed]
    half = bracket_size(len(placed)) // 2
    opponents: dict[int, int] = {}
    playing = (
        sorted(chance.sample(range(half), len(placed) - half)) if drawn_byes else range(2 * half - len(placed), half)
    )
    for best, worst in zip(playing, reversed(range(half, len(placed))), strict=True):
        opponents[best] = worst
    pairs = [(best, opponents.get(best)) for best in bracket_order(half)]
    found = [(placed[best].name, None if other is None else placed[other].name) for best, other in pairs]
    # Seeds of the first half keep their places; everybody else may be moved.
    fixed = {each.name for each in placed[: min(seeds, half)]}
    return separate(found, placed, fixed)


def swiss(entries: Sequence[Entry], seeds: int, chance: Random) -> list[Pair]:
    """Pair the upper half with the lower half; in an odd field the last has a bye.

    Source: FIDE Handbook C.04.3 (Dutch system), first round.
    """
    placed = [*entries[:seeds], *_shuffled(entries[seeds:], chance)]
    half = len(placed) // 2
    pairs: list[Pair] = [(placed[i].name, placed[half + i].name) for i in range(half)]
    rested: list[Pair] = [(placed[-1].name, None)] if len(placed) % 2 else []
    return [*separate(pairs, placed, {each.name for each in placed[:half]}), *rested]


def all_play_all(entries: Sequence[Entry], seeds: int, chance: Random) -> list[Pair]:
    """First round of a round robin by the circle method: the first meets the last.

    With an odd number of players, the first has a bye.
    """
    placed = [*entries[:seeds], *_shuffled(entries[seeds:], chance)]
    names: list[str | None] = [each.name for each in placed]
    if len(names) % 2:
        names.append(None)
    half = len(names) // 2
    return [(name, other) for name, other in zip(names[:half], reversed(names[half:]), strict=True) if name is not None]


def as_listed(entries: Sequence[Entry], *, bracket: bool) -> list[Pair]:
    """Pair neighbours in the list; a `bracket` has its byes where top seeds would be."""
    names = [each.name for each in entries]
    if not bracket or len(names) < 2:
        return [(left, right) for left, right in zip_longest(names[::2], names[1::2])]
    half = bracket_size(len(names)) // 2
    rest = iter(names)
    return [(next(rest), next(rest) if seed >= 2 * half - len(names) else None) for seed in bracket_order(half)]


def separate(pairs: Sequence[Pair], ranked: Sequence[Entry], fixed: Collection[str] = ()) -> list[Pair]:
    """Swap players to reduce pairings within a group: a local search.

    `fixed` players are not moved. A player swaps with the nearest in rank whose swap saves the whole cost of the pair,
    else with the one whose swap saves most. If players have one group each, exchanging more than two players at once
    would do no better: where two of a group still meet, every other pair within reach has one of that group.
    """
    table = _Table(pairs, ranked, fixed)
    while table.improve():
        pass
    return [(left, right) for left, right in table.seats if left is not None]


class _Table:
    """Pairs during swaps. Players with the same groups are interchangeable: one kind."""

    def __init__(self, pairs: Sequence[Pair], ranked: Sequence[Entry], fixed: Collection[str]) -> None:
        self.seats: list[list[str | None]] = [list(pair) for pair in pairs]
        self.at = {name: i for i, pair in enumerate(pairs) for name in pair if name is not None}
        kinds = {groups: i for i, groups in enumerate(dict.fromkeys(each.groups for each in ranked))}
        self.kind = {each.name: kinds[each.groups] for each in ranked}
        # The last row and column are for a bye, which never costs anything.
        self.costs = [[*(_cost(one, other) for other in kinds), 0] for one in kinds] + [[0] * (len(kinds) + 1)]
        self.bye = len(kinds)
        self.movable = [each.name for each in ranked if each.name in self.at and each.name not in fixed]
        self.rank = {name: i for i, name in enumerate(self.movable)}

    def improve(self) -> bool:
        """Separate opponents of one group by swapping players; False if nothing improved."""
        hopeless: set[tuple[int, int]] = set()
        moved = False
        for left, right in [pair[:] for pair in self.seats]:
            for name in (right, left):
                if name is None or name not in self.rank:
                    continue
                other = self._opponent(name)
                kinds = self.kind[name], self._kind(other)
                if not self.costs[kinds[0]][kinds[1]] or kinds in hopeless:
                    continue
                found = self._exchange(name, *kinds)
                if found is None:
                    hopeless.add(kinds)
                else:
                    _swap(name, found, self.seats, self.at)
                    moved = True
        return moved

    def _opponent(self, name: str) -> str | None:
        left, right = self.seats[self.at[name]]
        return right if left == name else left

    def _kind(self, name: str | None) -> int:
        return self.bye if name is None else self.kind[name]

    def _exchange(self, name: str, kind: int, opponent: int) -> str | None:
        """Player to swap with: the nearest who saves the pair's whole cost, else the best."""
        with_opponent, with_name = self.costs[opponent], self.costs[kind]
        own = with_opponent[kind]
        best, gained = None, 0
        tried = set[tuple[int, int]]()
        for candidate in _outward(self.movable, self.rank[name]):
            partner = self._kind(self._opponent(candidate))
            theirs = self.kind[candidate]
            if (theirs, partner) in tried:
                continue
            tried.add((theirs, partner))
            gain = own + self.costs[theirs][partner] - with_opponent[theirs] - with_name[partner]
            if gain > gained:
                best, gained = candidate, gain
                if gain >= own:
                    break
        return best


def _outward(names: Sequence[str], start: int) -> Iterator[str]:
    """Yield the names other than that at `start`, the nearest first."""
    for distance in range(1, max(start + 1, len(names) - start)):
        if start + distance < len(names):
            yield names[start + distance]
        if distance <= start:
            yield names[start - distance]


def _swap(one: str, other: str, seats: Sequence[list[str | None]], at: dict[str, int]) -> None:
    i, j = at[one], at[other]
    k, m = seats[i].index(one), seats[j].index(other)
    seats[i][k], seats[j][m] = other, one
    at[one], at[other] = j, i


def _cost(one: Sequence[str], other: Sequence[str]) -> int:
    total = 0
    for left, right in zip(one, other, strict=True):
        total = total * _STEP + (left == right != "")
    return total


def _shuffled(entries: Sequence[Entry], chance: Random) -> list[Entry]:
    return chance.sample(list(entries), len(entries))
