"""Snake seeding of groups."""

from clocks.pairing.groups import blocks, snake


def test_seeds_are_dealt_forwards_and_backwards() -> None:
    assert snake(range(1, 13), 4) == [[1, 8, 9], [2, 7, 10], [3, 6, 11], [4, 5, 12]]


def test_groups_differ_by_at_most_one_player() -> None:
    for players in range(4, 60):
        for groups in range(2, players // 2 + 1):
            sizes = [len(group) for group in snake(range(players), groups)]
            assert max(sizes) - min(sizes) <= 1 and sum(sizes) == players


def test_a_list_is_split_into_neighbours() -> None:
    assert blocks("ABCDEFG", 2) == [["A", "B", "C"], ["D", "E", "F", "G"]]
