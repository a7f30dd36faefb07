"""Properties of every pairing method, for any history."""

from collections.abc import Iterator
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clocks.pairing import circle, knockout, swiss

Pair = tuple[str, str | None]


def names(number: int) -> list[str]:
    """Names of `number` players."""
    return [f"P{i}" for i in range(number)]


def everybody(pairs: list[Pair]) -> list[str]:
    """Sorted names of all players in a round, including duplicates."""
    return sorted(name for pair in pairs for name in pair if name is not None)


def all_rounds(players: list[str]) -> Iterator[list[Pair]]:
    """Yield all possible pairings of these players."""
    if not players:
        yield []
        return
    first, *rest = players
    if len(players) % 2:
        yield from ([(first, None), *others] for others in all_rounds(rest))
    for i, other in enumerate(rest):
        yield from ([(first, other), *others] for others in all_rounds(rest[:i] + rest[i + 1 :]))


@st.composite
def histories(draw: st.DrawFn, most: int) -> tuple[list[str], dict[str, int], set[frozenset[str]], set[str]]:
    """Players, their scores, pairs that have met, and players who had a bye."""
    players = names(draw(st.integers(2, most)))
    score = {name: draw(st.integers(0, 4)) for name in players}
    met = draw(st.sets(st.sampled_from([frozenset(pair) for pair in combinations(players, 2)]), max_size=20))
    return players, score, met, draw(st.sets(st.sampled_from(players)))


@given(histories(7))
@settings(max_examples=60, deadline=None)
def test_a_swiss_round_has_minimum_cost(
    history: tuple[list[str], dict[str, int], set[frozenset[str]], set[str]],
) -> None:
    players, score, met, had_bye = history

    def cost(pairs: list[Pair]) -> tuple[int, int, int]:
        again = sum(pair[0] in had_bye if pair[1] is None else frozenset(pair) in met for pair in pairs)
        bye = sum(score[left] for left, right in pairs if right is None)
        return again, bye, sum((score[left] - score[right]) ** 2 for left, right in pairs if right is not None)

    found = swiss.pair(players, score, met, had_bye)
    assert everybody(found) == sorted(players)
    assert cost(found) == min(map(cost, all_rounds(players)))


@given(st.integers(2, 40), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_a_whole_swiss_has_no_rematch_or_second_bye(number: int, chance: object) -> None:
    players = names(number)
    score, met, had_bye = dict.fromkeys(players, 0), set(), set()
    for _ in range(min(5, number // 2)):
        pairs = swiss.pair(players, score, met, had_bye)
        assert everybody(pairs) == sorted(players)
        for left, right in pairs:
            if right is None:
                assert left not in had_bye
                had_bye.add(left)
                score[left] += 1
            else:
                assert frozenset((left, right)) not in met
                met.add(frozenset((left, right)))
                score[chance.choice((left, right))] += 1  # type: ignore[attr-defined]


def test_a_swiss_minimises_squared_score_differences() -> None:
    score = {"A": 2, "B": 1, "C": 3, "D": 5, "E": 0, "F": 0}
    met = {frozenset("BC"), frozenset("CD")}
    # 1² + 4² is less than 3² + 1² + 3², though 1³ + 4³ is more than 3³ + 1³ + 3³.
    assert {frozenset(filter(None, pair)) for pair in swiss.pair(list(score), score, met)} == {
        frozenset("AC"),
        frozenset("BD"),
        frozenset("EF"),
    }


def test_a_leader_has_the_bye_if_everybody_else_had_one() -> None:
    score = {"A": 3, "B": 0, "C": 0}
    assert swiss.pair("ABC", score, had_bye="BC") == [("A", None), ("B", "C")]


def test_the_first_swiss_round_pairs_upper_with_lower_half() -> None:
    players = names(7)
    found = swiss.pair(players, dict.fromkeys(players, 0))
    assert ("P6", None) in found
    assert swiss.pair(names(6), dict.fromkeys(names(6), 0)) == [("P0", "P3"), ("P1", "P4"), ("P2", "P5")]


@given(st.integers(1, 12), st.booleans())
def test_a_round_robin_pairs_everybody_once(half: int, odd: bool) -> None:
    players = names(2 * half)
    first: list[Pair] = [(players[2 * i], players[2 * i + 1]) for i in range(half)]
    if odd:
        first.append(("alone", None))
        players.append("alone")
    rounds = circle.rounds(first)
    assert set(map(frozenset, rounds[0])) == set(map(frozenset, first))
    assert all(everybody(pairs) == sorted(players) for pairs in rounds)
    met = [frozenset((left, right)) for pairs in rounds for left, right in pairs if right is not None]
    assert sorted(map(sorted, met)) == sorted(map(sorted, combinations(players, 2)))


def test_the_next_round_of_the_circle_is_the_first_not_played() -> None:
    first: list[Pair] = [("A", "B"), ("C", "D")]
    played: set[frozenset[str]] = set()
    for pairs in circle.rounds(first):
        assert circle.next_round(first, played) == pairs
        played |= {frozenset((left, str(right))) for left, right in pairs}
    assert circle.next_round(first, played) is None


@pytest.mark.parametrize(
    ("places", "had_bye", "pairs"),
    [
        (["A", "B", "C", "D"], [], [("A", "B"), ("C", "D")]),
        (["A", "B", "C"], [], [("A", "B"), ("C", None)]),
        (["A", "B", "C"], ["X"], [("X", "A"), ("B", "C")]),
        (["A", "B", "C"], ["X", "Y"], [("X", "A"), ("Y", "B"), ("C", None)]),
        (["A"], ["X", "Y", "Z"], [("X", "A"), ("Y", "Z")]),
        (["A"], [], []),
        ([], [], []),
    ],
)
def test_winners_of_adjacent_tables_meet_after_players_with_a_bye(
    places: list[str], had_bye: list[str], pairs: list[Pair]
) -> None:
    assert knockout.pair(places, had_bye) == pairs


@pytest.mark.parametrize(
    ("stayed", "came", "met", "pairs"),
    [
        (["A", "B"], ["X", "Y"], [], [("A", "Y"), ("B", "X")]),
        (["A", "B"], ["X", "Y"], ["AY"], [("A", "X"), ("B", "Y")]),
        (["A"], ["X"], ["AX"], [("A", "X")]),
        (["A", "B", "C"], ["X"], [], [("A", "X"), ("B", "C")]),
        (["A"], ["X", "Y", "Z", "W"], [], [("A", "X"), ("Y", "Z"), ("W", None)]),
        ([], ["X", "Y"], [], [("X", "Y")]),
    ],
)
def test_a_lower_half_crosses_players_without_rematches(
    stayed: list[str], came: list[str], met: list[str], pairs: list[Pair]
) -> None:
    assert knockout.cross(stayed, came, [frozenset(pair) for pair in met]) == pairs


@given(st.integers(1, 12), st.integers(1, 12), st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11))))
@settings(max_examples=60, deadline=None)
def test_a_lower_half_has_the_fewest_possible_rematches(stays: int, comes: int, met: set[tuple[int, int]]) -> None:
    stayed, came = [f"S{i}" for i in range(stays)], [f"C{i}" for i in range(comes)]
    played = {frozenset((f"S{i}", f"C{j}")) for i, j in met}
    found = knockout.cross(stayed, came, played)
    assert everybody(found) == sorted([*stayed, *came])
    if stays == comes <= 6:
        least = min(
            sum(frozenset(pair) in played for pair in zip(stayed, order, strict=True)) for order in permutations(came)
        )
        assert sum(frozenset((left, str(right))) in played for left, right in found) == least
