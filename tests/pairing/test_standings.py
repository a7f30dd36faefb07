"""Standings with tie-breaks, compared with published tables and small examples."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clocks.pairing.standings import HALF, WIN, Played, TieBreak, knockout_places, standings
from tests.pairing.test_real_tournament import FILE, HALF_POINTS

TABLE = Path(__file__).parent / "bunratty-masters-2011.txt"
SCORES = {"+": WIN, "=": HALF, "-": 0}


def published() -> dict[str, tuple[int, int, list[Played]]]:
    """Published place, score and rounds of each player in the Masters, by number."""
    found = {}
    for line in TABLE.read_text().splitlines():
        if line.startswith("#"):
            continue
        number, place, score, *rounds = line.split()
        games = []
        for cell in rounds:
            opponent, result = cell[:-1], cell[-1]
            games.append(Played(opponent or None, SCORES[result]))
        found[number] = (int(place), int(float(score) * WIN), games)
    return found


def test_the_masters_of_bunratty_have_their_published_places() -> None:
    players = published()
    lines = standings({name: games for name, (_place, _score, games) in players.items()}, [TieBreak.MEDIAN])
    assert [int(line.name) for line in lines] == [
        int(name) for name in sorted(players, key=lambda name: players[name][0])
    ]
    assert {line.name: line.score for line in lines} == {name: score for name, (_place, score, _) in players.items()}


def test_the_minor_of_bunratty_with_103_players_has_its_published_scores() -> None:
    played = {
        str(player.number): [
            Played(str(each.opponent) if each.opponent else None, HALF_POINTS[each.result])
            if each is not None
            else Played(None, HALF)
            for each in player.rounds
        ]
        for player in FILE.players
    }
    lines = standings(played)
    assert len(lines) == 103
    assert {line.name: line.wins for line in lines} == {str(player.number): player.points for player in FILE.players}


def table(**rounds: str) -> dict[str, list[Played]]:
    """Rounds by player: `b+7` beat B with 7 points, `b-3` lost to B, `+` is a bye."""
    found = {}
    for name, text in rounds.items():
        cells = [re.fullmatch(r"(\w?)([+-])(\d*)", cell) for cell in text.split()]
        found[name] = [Played(cell[1] or None, SCORES[cell[2]], int(cell[3] or 0)) for cell in cells if cell]
    return found


def places(*order: TieBreak, **rounds: str) -> list[tuple[str, int]]:
    """Names and places in our standings with these tie-breaks."""
    return [(line.name, line.place) for line in standings(table(**rounds), order)]


CIRCLE = {"a": "d+7 c+7 b-5", "b": "c-6 d+7 a+7", "c": "b+7 a-1 d+7", "d": "a-2 b-2 c-2"}


def test_three_with_equal_wins_who_beat_each_other_share_a_place() -> None:
    assert places(TieBreak.DIRECT, **CIRCLE) == [("a", 1), ("b", 1), ("c", 1), ("d", 4)]


def test_points_won_decide_between_them() -> None:
    assert places(TieBreak.DIRECT, TieBreak.POINTS, **CIRCLE) == [("b", 1), ("a", 2), ("c", 3), ("d", 4)]


def test_two_with_equal_wins_are_ranked_by_their_match() -> None:
    assert places(TieBreak.DIRECT, a="b- c+", b="a+ c-", c="b+ a-") == [("a", 1), ("b", 1), ("c", 1)]
    met = {"a": "b- c+ d+", "b": "a+ c+ d-", "c": "a- b- d+", "d": "a- b+ c-"}
    assert places(TieBreak.DIRECT, **met) == [("b", 1), ("a", 2), ("c", 3), ("d", 4)]


def test_the_direct_encounter_counts_only_if_all_of_a_group_have_met() -> None:
    assert places(TieBreak.DIRECT, a="b+ -", b="a- +", c="+ -") == [("a", 1), ("b", 1), ("c", 1)]


def test_the_median_drops_the_weakest_or_the_strongest_opponent() -> None:
    lines = standings(table(**CIRCLE), [TieBreak.MEDIAN])
    assert {line.name: line.values for line in lines} == {"a": (8,), "b": (8,), "c": (8,), "d": (8,)}


def test_the_median_drops_two_opponents_from_nine_rounds_on() -> None:
    for rounds, median in ((8, 7 * 8 * WIN), (9, 7 * 9 * WIN)):
        lines = standings(table(a="b+ " * rounds, b="a- " * rounds), [TieBreak.MEDIAN])
        assert {line.name: line.values for line in lines} == {"a": (0,), "b": (median,)}


def test_buchholz_is_the_sum_of_the_opponents_wins() -> None:
    lines = standings(table(**CIRCLE), [TieBreak.BUCHHOLZ])
    assert {line.name: line.values for line in lines} == {"a": (8,), "b": (8,), "c": (8,), "d": (12,)}


@given(st.integers(0, 40), st.randoms(use_true_random=False))
def test_a_place_is_one_more_than_the_number_of_better_players(number: int, chance: object) -> None:
    played: dict[str, list[Played]] = {f"p{i}": [] for i in range(number)}
    for _round in range(4):
        names = list(played)
        chance.shuffle(names)  # type: ignore[attr-defined]
        for one, other in zip(names[::2], names[1::2], strict=False):
            played[one].append(Played(other, WIN, 5))
            played[other].append(Played(one, 0, chance.randrange(5)))  # type: ignore[attr-defined]
        if number % 2:
            played[names[-1]].append(Played(None, WIN))
    lines = standings(played)
    assert sorted(line.name for line in lines) == sorted(played)
    for line in lines:
        better = [other for other in lines if (other.score, other.values) > (line.score, line.values)]
        assert line.place == len(better) + 1


def test_places_of_a_knockout_are_shared_by_those_out_in_one_round() -> None:
    first = [("a", "b"), ("c", "d"), ("e", "f"), ("g", None)]
    assert knockout_places([first]) == [(name, 1) for name in "aceg"] + [(name, 5) for name in "bdf"]
    whole = [first, [("a", "c"), ("g", "e")], [("g", "a")]]
    assert knockout_places(whole) == [("g", 1), ("a", 2), ("c", 3), ("e", 3), ("b", 5), ("d", 5), ("f", 5)]


@pytest.mark.parametrize("order", [[], [TieBreak.POINTS], list(TieBreak)])
def test_nobody_played_yet_and_all_share_the_first_place(order: list[TieBreak]) -> None:
    assert [line.place for line in standings({"a": [], "b": []}, order)] == [1, 1]
