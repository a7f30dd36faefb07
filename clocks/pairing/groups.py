"""Groups of a first stage, each of which plays a round robin."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def snake(ranked: Sequence[T], groups: int) -> list[list[T]]:
    """Deal players to groups by snake seeding, the best first.

    The first row goes to groups 1, 2, 3, the second to 3, 2, 1, and so on, so that the sums of the seeds are nearly
    equal. Source: ITTF Handbook 3.6.2, draw of groups (“snake system”).
    """
    found: list[list[T]] = [[] for _ in range(groups)]
    for number, each in enumerate(ranked):
        row, place = divmod(number, groups)
        found[groups - 1 - place if row % 2 else place].append(each)
    return found


def blocks(listed: Sequence[T], groups: int) -> list[list[T]]:
    """Split a list into groups of neighbours, of the same sizes as `snake`."""
    found, rest = [], iter(listed)
    for like in snake(listed, groups):
        found.append([next(rest) for _ in like])
    return found
