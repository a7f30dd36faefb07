"""Round robin by the circle method: one player stays, the others rotate."""

from collections.abc import Collection, Sequence

Pair = tuple[str, str | None]


def rounds(first: Sequence[Pair]) -> list[list[Pair]]:
    """All rounds of a round robin with the given first round; None marks the bye.

    At most one player has a bye. Source: Kirkman, *On a Problem in Combinations*, 1847; the circle method of Lucas,
    *Récréations*, 1883.
    """
    ring: list[str | None] = [*(left for left, _right in first), *(right for _left, right in reversed(first))]
    half = len(ring) // 2
    found = []
    for _turn in range(len(ring) - 1):
        found.append([_bye_last(ring[i], ring[-1 - i]) for i in range(half)])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return found


def _bye_last(left: str | None, right: str | None) -> Pair:
    if left is None:
        left, right = right, None
    assert left is not None
    return left, right


def next_round(
    first: Sequence[Pair], played: Collection[frozenset[str]], withdrawn: Collection[str] = (), rested: int = 0
) -> list[Pair] | None:
    """First round of the circle in which nobody has met yet; None if none is left.

    Skips up to `rested` rounds in which every match has a withdrawn player: everybody else had a bye in them.
    """
    for pairs in rounds(first):
        matches = [frozenset((left, right)) for left, right in pairs if right is not None]
        if any(both in played for both in matches):
            continue
        if rested and not any(both.isdisjoint(withdrawn) for both in matches):
            rested -= 1
            continue
        return pairs
    return None
