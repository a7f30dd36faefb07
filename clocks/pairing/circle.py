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


def next_round(first: Sequence[Pair], played: Collection[frozenset[str]]) -> list[Pair] | None:
    """First round of the circle with no pairing played yet; None if none is left."""
    for pairs in rounds(first):
        if not any(right is not None and frozenset((left, right)) in played for left, right in pairs):
            return pairs
    return None
