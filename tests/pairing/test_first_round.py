"""First rounds from a list: everybody once, byes, seeds, few clashes in groups."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from clocks.pairing import circle, first_round, knockout
from clocks.pairing.first_round import Entry, Pair

METHODS = {
    "knockout": first_round.knockout,
    "drawn byes": lambda entries, seeds, chance: first_round.knockout(entries, seeds, chance, drawn_byes=True),
    "swiss": first_round.swiss,
    "all play all": first_round.all_play_all,
    "by hand": lambda entries, seeds, chance: first_round.as_listed(entries, bracket=True),
    "by hand without bracket": lambda entries, seeds, chance: first_round.as_listed(entries, bracket=False),
}


def entries(groups: Sequence[str]) -> list[Entry]:
    """Players p0, p1, ..., each in the group at its index."""
    return [Entry(f"p{i}", (group,)) for i, group in enumerate(groups)]


def clashes(pairs: Sequence[Pair], players: Sequence[Entry]) -> int:
    """Number of matches between players of the same group."""
    group = {each.name: each.groups[0] for each in players}
    return sum(right is not None and group[left] == group[right] != "" for left, right in pairs)


def matchings(names: Sequence[str]) -> Iterator[list[Pair]]:
    """Yield all ways to pair an even number of players."""
    if not names:
        yield []
    for i in range(1, len(names)):
        rest = [*names[1:i], *names[i + 1 :]]
        yield from ([(names[0], names[i]), *others] for others in matchings(rest))


@given(st.sampled_from(sorted(METHODS)), st.lists(st.sampled_from("ABC"), min_size=2, max_size=70), st.data())
def test_everybody_is_drawn_once(method: str, groups: list[str], data: st.DataObject) -> None:
    players = entries(groups)
    seeds = data.draw(st.integers(0, len(players)))
    pairs = METHODS[method](players, seeds, data.draw(st.randoms(use_true_random=False)))
    drawn = [name for pair in pairs for name in pair if name is not None]
    assert sorted(drawn) == sorted(each.name for each in players)
    byes = sum(right is None for _left, right in pairs)
    if method in ("knockout", "drawn byes", "by hand"):
        assert len(pairs) == first_round.bracket_size(len(players)) // 2
        assert len(pairs) + len(pairs) - byes == len(players)
    else:
        assert byes == len(players) % 2


@given(st.integers(2, 200), st.integers(0, 200), st.randoms(use_true_random=False))
def test_the_best_seeds_have_the_byes_and_meet_late(number: int, seeds: int, chance: Random) -> None:
    seeds = min(seeds, number)
    players = entries([""] * number)
    pairs = first_round.knockout(players, seeds, chance)
    byes = {left for left, right in pairs if right is None}
    best = {each.name for each in players[:seeds]}
    assert len(byes) == first_round.bracket_size(number) - number
    assert byes <= best or best & byes == {each.name for each in players[: min(seeds, len(byes))]}
    strength = {each.name: i for i, each in enumerate(players)}
    left = seeds
    while len(pairs) > 1 and left > 1:  # favourites win, so the better half of the remaining seeds advances
        alive = [min(filter(None, pair), key=lambda name: strength[name]) for pair in pairs]
        pairs = knockout.pair(alive)
        left = min(left, len(pairs) * 2)
        there = {name for pair in pairs for name in pair}
        assert {f"p{i}" for i in range(min(seeds, len(pairs) * 2))} <= there


def test_the_standard_bracket_of_eight_and_sixteen() -> None:
    assert first_round.bracket_order(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    assert first_round.bracket_order(16) == [0, 15, 7, 8, 3, 12, 4, 11, 1, 14, 6, 9, 2, 13, 5, 10]


def test_a_seeded_knockout_of_six_pairs_four_with_five_and_three_with_six() -> None:
    pairs = first_round.knockout(entries([""] * 6), 6, Random(1))
    assert pairs == [("p0", None), ("p3", "p4"), ("p1", None), ("p2", "p5")]


def test_drawn_byes_go_to_anybody_and_favourites_may_have_to_play() -> None:
    drawn = [first_round.knockout(entries([""] * 6), 6, Random(lot), drawn_byes=True) for lot in range(40)]
    assert {left for pairs in drawn for left, right in pairs if right is None} == {"p0", "p1", "p2", "p3"}
    assert all(sum(right is None for _left, right in pairs) == 2 for pairs in drawn)


@given(st.lists(st.sampled_from("AAABC"), min_size=4, max_size=10).filter(lambda groups: len(groups) % 2 == 0))
def test_as_few_as_possible_meet_somebody_of_their_own_group(groups: list[str]) -> None:
    players = entries(groups)
    pairs = first_round.separate(first_round.as_listed(players, bracket=False), players)
    fewest = min(clashes(each, players) for each in matchings([each.name for each in players]))
    assert clashes(pairs, players) == fewest


@given(st.lists(st.sampled_from(["A", "A", "B", "C", ""]), min_size=2, max_size=64), st.randoms(use_true_random=False))
def test_a_random_knockout_keeps_groups_apart_where_possible(groups: list[str], chance: Random) -> None:
    players = entries(groups)
    pairs = first_round.knockout(players, 0, chance)
    matches = sum(right is not None for _left, right in pairs)
    largest = max((count for group, count in Counter(groups).items() if group), default=0)
    assert clashes(pairs, players) == max(0, largest - len(pairs) if matches else 0)


@given(st.lists(st.sampled_from(["A", "B", "C", "D"]), min_size=2, max_size=64), st.randoms(use_true_random=False))
def test_seeds_stay_where_they_are_while_groups_are_kept_apart(groups: list[str], chance: Random) -> None:
    players = entries(groups)
    alike = entries([""] * len(groups))
    separated = first_round.knockout(players, len(players), chance)
    assert [left for left, _right in separated] == [
        left for left, _right in first_round.knockout(alike, len(alike), chance)
    ]


def test_of_two_groups_the_first_counts_more() -> None:
    players = [Entry("a", ("X", "DK")), Entry("b", ("X", "SE")), Entry("c", ("Y", "DK")), Entry("d", ("Z", "DK"))]
    pairs = first_round.separate([("a", "b"), ("c", "d")], players)
    assert sorted(tuple(sorted(filter(None, pair))) for pair in pairs) in (
        [("a", "c"), ("b", "d")],
        [("a", "d"), ("b", "c")],
    )


@given(st.integers(2, 30))
def test_the_first_round_of_a_circle_leads_to_a_whole_one(number: int) -> None:
    first = first_round.all_play_all(entries([""] * number), number, Random(0))
    met = [frozenset(pair) for pairs in circle.rounds(first) for pair in pairs if pair[1] is not None]
    assert len(met) == len(set(met)) == number * (number - 1) // 2
