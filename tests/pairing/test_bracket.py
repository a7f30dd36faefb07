"""Brackets: positions of matches, byes and undrawn rounds."""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from clocks.pairing import bracket, first_round, knockout
from clocks.pairing.bracket import Entry


def played(players: int, rounds: int, chance: Random, placed: bool) -> list[list[Entry]]:
    """Knockout rounds with random winners; unless `placed`, byes last, as if imported."""
    pairs = first_round.knockout([first_round.Entry(f"p{i}") for i in range(players)], players, chance)
    found = []
    for _round in range(rounds):
        winners = [chance.choice([name for name in pair if name]) for pair in pairs]
        entries = [
            Entry(left, right, winner, place)
            for place, ((left, right), winner) in enumerate(zip(pairs, winners, strict=True))
        ]
        if not placed:
            entries = [each._replace(place=None) for each in sorted(entries, key=lambda each: each.right is None)]
        found.append(entries)
        pairs = knockout.pair(winners)
    return found


def test_slots_of_five_players_end_in_a_final_that_is_not_drawn() -> None:
    first = [Entry("a", None, "a", 0), Entry("b", "c", "c", 1), Entry("d", None, "d", 2), Entry("e", None, "e", 3)]
    second = [Entry("a", "c", "", 0)]
    assert bracket.arrange([first, second]) == [first, [second[0], None], [None]]


def test_winners_and_byes_stand_in_the_next_round_before_it_is_drawn() -> None:
    first = [Entry("a", None, "", 0), Entry("b", "c", "c", 1), Entry("d", "e", "", 2), Entry("f", "g", "", 3)]
    assert bracket.arrange([first]) == [first, [Entry("a", "c"), None], [None]]
    first[2] = first[2]._replace(winner="e")
    assert bracket.arrange([first])[1] == [Entry("a", "c"), Entry("e", "")]
    assert bracket.arrange([first], alone=False)[1] == [None, None]
    assert bracket.arrange([first[:3]])[1] == [None, None]


def test_those_who_come_from_another_event_have_no_slot_before() -> None:
    first = [Entry("b", "d", "b", 0), Entry("f", "h", "f", 1)]
    second = [Entry("b", "g", "b", 0), Entry("f", "c", "c", 1)]
    third = [Entry("b", "c", "", 0)]
    slots = bracket.arrange([first, second, third])
    assert [[entry and entry.names for entry in row] for row in slots] == [
        [("b", "d"), None, ("f", "h"), None],
        [("b", "g"), ("f", "c")],
        [("b", "c")],
    ]


def test_a_bye_that_another_player_takes_over_moves_the_slots() -> None:
    first = [Entry("i", "h", "h", 0), Entry("c", "e", "c", 1), Entry("g", None, "g", 2)]
    second = [Entry("h", "g", "", 0), Entry("c", None, "c", 1)]
    slots = bracket.arrange([first, second])
    assert [[entry and entry.names for entry in row] for row in slots] == [
        [("i", "h"), ("g",), ("c", "e"), None],
        [("h", "g"), ("c",)],
        [None],
    ]


@given(st.integers(2, 256), st.booleans(), st.randoms(use_true_random=False))
def test_winners_of_two_slots_meet_in_the_next(players: int, placed: bool, chance: Random) -> None:
    size = first_round.bracket_size(players)
    depth = size.bit_length() - 1
    slots = bracket.arrange(played(players, depth, chance, placed))
    assert [len(row) for row in slots] == [size >> i for i in range(1, depth + 1)]
    for row, after in pairwise(slots):
        for k, entry in enumerate(row):
            meets = after[k // 2]
            assert entry is not None and meets is not None and entry.winner in meets.names
    assert sum(entry is not None and entry.right is not None for row in slots for entry in row) == players - 1


@given(st.sampled_from([8, 32, 128, 256]), st.integers(1, 3), st.randoms(use_true_random=False))
def test_each_drawn_match_is_in_the_bracket_once(players: int, rounds: int, chance: Random) -> None:
    drawn = played(players, rounds, chance, placed=False)
    slots = bracket.arrange(drawn)
    shown = [sorted(entry.names for entry in row if entry) for row in slots[:rounds]]
    assert shown == [sorted(entry.names for entry in entries) for entries in drawn]
    assert len(slots[-1]) == 1


def test_a_large_bracket_is_cut_into_sheets() -> None:
    slots = bracket.arrange(played(256, 8, Random(1), placed=True))
    sheets = bracket.sheets(slots)
    assert [[len(row) for row in sheet] for sheet in sheets] == [*[[16, 8, 4, 2, 1]] * 8, [4, 2, 1]]
    assert [entry for sheet in sheets[:8] for entry in sheet[0]] == slots[0]
    assert sheets[8] == slots[5:]
    assert bracket.sheets(slots[3:]) == [slots[3:]]


def test_no_round_has_no_slots() -> None:
    assert bracket.arrange([]) == []
    assert bracket.arrange([[]]) == []
