"""All against all by the circle method: one player stays, the others move on by one place each round."""

from collections.abc import Collection, Sequence

Pair = tuple[str, str | None]


def rounds(first: Sequence[Pair]) -> list[list[Pair]]:
    """Return every round of an all-play-all whose first round is given; None as an opponent is a bye, at most one.

    Source: Kirkman, *On a Problem in Combinations*, 1847; the circle method of Lucas, *Récréations*, 1883.
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
    """Return the first round of the circle of which nothing has been played yet; None where none is left."""
    for pairs in rounds(first):
        if not any(right is not None and frozenset((left, right)) in played for left, right in pairs):
            return pairs
    return None
