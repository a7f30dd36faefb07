"""The next round of a knockout or a consolation: those who come from tables 1 and 2 meet, then 3 and 4, and so on."""

from collections.abc import Sequence

Pair = tuple[str, str | None]


def pair(places: Sequence[str | None], rested: Sequence[str] = ()) -> list[Pair]:
    """Return the matches whose two players are known; None as the opponent is a bye.

    `places` holds who comes from each table, in table order, None where that is not decided. Those who have `rested`
    (a bye in the round before) meet those from the first tables, and each other where there are more of them.
    """
    alone = len(rested) - len(places)
    order: list[str | None] = []
    for i, place in enumerate(places):
        order += [rested[i], place] if i < len(rested) else [place]
    if alone > 0:
        order += rested[len(places) :]
    pairs = [(order[i], order[i + 1]) for i in range(0, len(order) - 1, 2)]
    known: list[Pair] = [(left, right) for left, right in pairs if left is not None and right is not None]
    last = order[-1] if len(order) % 2 else None
    return [*known, (last, None)] if last is not None and len(order) > 1 else known
