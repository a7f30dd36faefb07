"""Swiss pairing: equal scores meet; rematches and second byes are avoided."""

from collections.abc import Collection, Mapping, Sequence

import rustworkx

Pair = tuple[str, str | None]

# Ratio between two cost levels: no sum of lower costs in a field of any realistic size outweighs a higher one.
_STEP = 10**8


def pair(
    players: Sequence[str],
    score: Mapping[str, int],
    played: Collection[frozenset[str]] = (),
    had_bye: Collection[str] = (),
) -> list[Pair]:
    """Pair all players; with an odd number, one has a bye (None as opponent).

    A minimum-cost perfect matching (Edmonds, *Paths, Trees, and Flowers*, 1965). Costs, the highest first: a rematch or
    a second bye; the score of the player with the bye; the squared differences in score; the distance from pairing the
    upper half of a score group with the lower half. `players` are in order of seed or place; `score` counts wins, byes
    included. The result begins with the highest scores.
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
            edges.append((i, len(order), (one in had_bye) * _STEP**3 + above * _STEP**2 - i))
    most = max((cost for _one, _other, cost in edges), default=0)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(order) + len(order) % 2))
    graph.add_edges_from([(i, j, most - cost) for i, j, cost in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = sorted((min(pair), max(pair)) for pair in matched)
    return [(order[i], order[j] if j < len(order) else None) for i, j in pairs]
