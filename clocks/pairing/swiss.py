"""The Swiss system: equal scores meet, nobody meets the same opponent or rests twice while that can be avoided."""

from collections.abc import Collection, Mapping, Sequence

import rustworkx

Pair = tuple[str, str | None]

# Each cost weighs so much more than the next that no sum of lesser ones, over any field, outweighs it.
_STEP = 10**8


def pair(
    players: Sequence[str],
    score: Mapping[str, int],
    played: Collection[frozenset[str]] = (),
    rested: Collection[str] = (),
) -> list[Pair]:
    """Return a round in which everybody plays once, or has a bye (None as the opponent) where their number is odd.

    It is a perfect matching of least cost (Edmonds, *Paths, Trees, and Flowers*, 1965), with these costs, the gravest
    first: a rematch or a second bye; the score of the player with the bye; the squares of the differences in score;
    how far the two are from meeting as the upper half of their score group meets the lower. `players` are in the order
    of their seeds or places, `score` their wins. The highest scores come first.
    """
    order = sorted(players, key=lambda name: -score[name])
    groups = {points: [name for name in order if score[name] == points] for points in {score[name] for name in order}}
    lowest = min(groups, default=0)
    edges = []
    for i, one in enumerate(order):
        for j in range(i + 1, len(order)):
            other = order[j]
            again = frozenset((one, other)) in played
            apart = score[one] - score[other]
            group = groups[score[one]]
            fold = 0 if apart else abs(j - i - len(group) // 2)
            edges.append((i, j, again * _STEP**3 + apart**2 * _STEP + fold))
        if len(order) % 2:
            above = score[one] - lowest
            edges.append((i, len(order), (one in rested) * _STEP**3 + above * _STEP**2 + len(order) - 1 - i))
    most = max((cost for _one, _other, cost in edges), default=0)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(order) + len(order) % 2))
    graph.add_edges_from([(i, j, most - cost) for i, j, cost in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = sorted((min(pair), max(pair)) for pair in matched)
    return [(order[i], order[j] if j < len(order) else None) for i, j in pairs]
