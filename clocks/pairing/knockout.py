"""Pair a knockout, a consolation or the losers bracket of a double elimination."""

from collections.abc import Collection, Sequence

import rustworkx

Pair = tuple[str, str | None]

_AGAIN = 10**6  # cost of a rematch; outweighs any distance


def pair(places: Sequence[str], had_bye: Sequence[str] = ()) -> list[Pair]:
    """Pair the players from adjacent tables: 1 with 2, 3 with 4, and so on.

    None as the opponent means a bye. Players who `had_bye` in the previous round meet those from the first
    tables, and each other if there are more of them.
    """
    order: list[str] = []
    for i, place in enumerate(places):
        order += [had_bye[i], place] if i < len(had_bye) else [place]
    order += had_bye[len(places) :]
    pairs: list[Pair] = [(order[i], order[i + 1]) for i in range(0, len(order) - 1, 2)]
    return [*pairs, (order[-1], None)] if len(order) % 2 and len(order) > 1 else pairs


def cross(stayed: Sequence[str], came: Sequence[str], played: Collection[frozenset[str]]) -> list[Pair]:
    """Pair a losers bracket: players who stayed in it meet those who dropped into it.

    The first meets the last, so that they come from different parts of the draw, and rematches are avoided where
    possible: a minimum-cost assignment. Leftover players meet each other. The result is in table order.
    """
    both = min(len(stayed), len(came))
    left, right = stayed[:both], came[:both]
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(2 * both))
    most = _AGAIN + both**2
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            cost = (frozenset((one, other)) in played) * _AGAIN + (both - 1 - i - j) ** 2
            graph.add_edge(i, both + j, most - cost)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs: list[Pair] = [(left[i], right[j - both]) for i, j in sorted((min(edge), max(edge)) for edge in matched)]
    rest = [*stayed[both:], *came[both:]]
    pairs += [(rest[i], rest[i + 1]) for i in range(0, len(rest) - 1, 2)]
    return [*pairs, (rest[-1], None)] if len(rest) % 2 else pairs
