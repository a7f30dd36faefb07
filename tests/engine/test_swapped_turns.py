"""Resuming as the other seat's turn: an interrupted turn keeps its used time."""

from typing import Any

import pytest

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Swap
from clocks.engine.events import Resumed, event_from_dict
from clocks.engine.evolve.fold import evolve
from tests.engine.board import Board, running, shown

KINDS: list[dict[str, Any]] = [
    {"rules": "us-2013"},
    {"rules": "us-2007"},
    {"rules": "us-2007", "options": {"bronstein": "precredited"}},
    {"rules": "unified-2001"},
]


def swap(board: Board, at: int, by: str, turn_of: str) -> dict[str, Any]:
    """Stop the clocks and resume at once with the given seat's turn."""
    board.does(at, by, "stop")
    return board.does(at, by, "resume", turn_of=turn_of)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_swaps_that_took_no_time_leave_the_match_as_a_stop_does(kind: dict[str, Any]) -> None:
    swapped, stopped = running(**kind), running(**kind)
    swap(swapped, 15_000, "right", "left")
    swap(swapped, 15_000, "right", "right")
    stopped.does(15_000, "right", "stop")
    stopped.does(15_000, "right", "resume")
    for at, by, do in ((40_000, "director", "stop"), (41_000, "director", "resume"), (42_000, "right", "hit")):
        assert swapped.does(at, by, do) == stopped.does(at, by, do)


@pytest.mark.parametrize(
    ("kind", "used"), list(zip(KINDS, ([8, 13], [8, 13], [-4, 1], [20, 25]), strict=True)), ids=str
)
def test_each_seat_is_charged_for_what_ran_on_its_own_clock(kind: dict[str, Any], used: list[int]) -> None:
    board = running(**kind)
    full = board.setup.opening_reserve_ms[0]
    swap(board, 10_000, "right", "left")
    swap(board, 20_000, "left", "right")
    swap(board, 25_000, "right", "left")
    swap(board, 35_000, "left", "right")
    assert board.does(45_000, "right", "hit")["reserve_ms"] == [full - 1_000 * seconds for seconds in used]


def test_a_turn_that_comes_back_has_its_number_again() -> None:
    board = running()
    assert swap(board, 10_000, "right", "left")["turn_number"] == 2
    assert swap(board, 20_000, "left", "right")["turn_number"] == 1
    assert board.refuses(21_000, "left", "hit", turn_number=2) == "stale"
    assert board.refuses(21_000, "right", "hit", turn_number=2) == "stale"
    assert board.does(22_000, "right", "hit", turn_number=1)["turn_number"] == 2


def test_after_a_press_in_between_the_next_turn_is_a_new_one() -> None:
    board = running()
    swap(board, 20_000, "right", "left")
    look = board.does(21_000, "left", "hit")
    assert shown(look, "turn", "delay_ms", "reserve_ms") == {
        "turn": "right",
        "delay_ms": [12_000, 12_000],
        "reserve_ms": [840_000, 832_000],
    }


def test_a_forfeit_goes_on_waiting_when_its_turn_comes_back() -> None:
    board = running()
    board.does(1_000, "director", "propose", what="dice-penalty", against="right")
    swap(board, 5_000, "right", "left")
    assert swap(board, 6_000, "right", "right")["wait_until"] == 13_000
    swap(board, 20_000, "right", "left")
    assert board.match.forfeit == (False, False)
    back = swap(board, 21_000, "right", "right")
    assert shown(back, "forfeit", "wait_until") == {"forfeit": [False, True], "wait_until": 14_000}
    assert board.does(22_000, "right", "hit")["forfeit"] == [False, False]


def test_a_forfeit_ruled_while_a_turn_is_set_aside_applies_on_its_return() -> None:
    board = running()
    swap(board, 5_000, "right", "left")
    board.does(6_000, "director", "propose", what="dice-penalty", against="right")
    assert swap(board, 7_000, "right", "right")["forfeit"] == [False, True]


def test_time_given_while_a_turn_is_set_aside_stays_given() -> None:
    board = running()
    swap(board, 20_000, "right", "left")
    board.does(21_000, "director", "propose", what="time", seat="right", by_ms=30_000)
    assert swap(board, 22_000, "right", "right")["reserve_ms"] == [840_000, 862_000]


def test_the_last_press_can_be_taken_back_once_its_turn_is_back() -> None:
    board = running()
    board.does(5_000, "right", "hit")
    swap(board, 10_000, "left", "right")
    assert board.refuses(11_000, "director", "propose", what="undo") == "bad-value"
    swap(board, 12_000, "left", "left")
    look = board.does(13_000, "director", "propose", what="undo")
    assert shown(look, "turn", "turn_number", "delay_ms") == {
        "turn": "right",
        "turn_number": 1,
        "delay_ms": [12_000, 7_000],
    }


def test_an_undo_restores_the_turn_that_was_set_aside() -> None:
    board = running()
    swap(board, 10_000, "right", "left")
    board.does(11_000, "left", "hit")
    board.does(12_000, "director", "propose", what="undo")
    assert board.does(13_000, "director", "resume", turn_of="right")["delay_ms"] == [12_000, 2_000]


def test_an_end_taken_back_restores_the_turn_that_was_set_aside() -> None:
    board = running()
    swap(board, 10_000, "right", "left")
    board.does(11_000, "director", "propose", what="game", winner="left", points=1)
    board.does(12_000, "director", "propose", what="reopen")
    assert board.does(13_000, "director", "resume", turn_of="right")["delay_ms"] == [12_000, 2_000]


def test_a_turn_without_time_left_is_not_restored() -> None:
    board = running(options={"reserve_ms": 20_000})
    board.does(31_900, "right", "stop")
    board.does(31_900, "director", "propose", what="time", seat="right", by_ms=-50)
    board.does(31_900, "left", "resume", turn_of="left")
    board.does(32_000, "director", "propose", what="time", seat="right", by_ms=-40)
    swap(board, 32_000, "left", "right")
    assert board.match.flag_at == 32_010
    flagged = board.look(32_010)
    assert flagged["status"] == "flagged"


def test_a_flag_that_falls_meanwhile_ends_what_was_set_aside() -> None:
    board = running(rules="unified-2001", options={"reserve_ms": 60_000})
    swap(board, 20_000, "right", "left")
    board.expires()
    assert board.match.set_aside is None
    swap_back = board.does(board.match.at, "left", "resume", turn_of="right")
    assert swap_back["reserve_ms"] == [300_000, 340_000]


def test_the_director_gives_a_full_delay_with_the_other_turn() -> None:
    board = running()
    swap(board, 20_000, "right", "left")
    board.does(21_000, "director", "stop")
    look = board.does(21_000, "director", "resume", turn_of="right", fresh_delay=True)
    assert shown(look, "delay_ms", "reserve_ms", "turn_number") == {
        "delay_ms": [12_000, 12_000],
        "reserve_ms": [840_000, 832_000],
        "turn_number": 3,
    }


def test_a_turn_given_away_by_the_player_on_turn_is_a_new_one() -> None:
    board = running()
    board.does(10_000, "right", "hit")
    assert swap(board, 11_000, "left", "right")["delay_ms"] == [12_000, 12_000]


def test_a_turn_taken_back_after_ones_own_press_goes_on() -> None:
    board = running()
    board.does(10_000, "right", "hit")
    look = swap(board, 11_000, "right", "right")
    assert shown(look, "turn", "turn_number", "hits", "delay_ms") == {
        "turn": "right",
        "turn_number": 3,
        "hits": [1, 1],
        "delay_ms": [12_000, 2_000],
    }


def test_pages_show_who_swapped_the_turn_until_a_press() -> None:
    board = running()
    assert board.match.wire(0)["resumed_by"] is None
    swap(board, 10_000, "right", "left")
    assert board.match.wire(10_000)["resumed_by"] == "right"
    board.does(11_000, "left", "hit")
    assert board.match.wire(11_000)["resumed_by"] is None


def test_an_event_of_an_earlier_version_sets_no_turn_aside() -> None:
    board = running()
    board.does(20_000, "right", "stop")
    old = event_from_dict("resumed", {"at": 20_000, "turn_of": "left", "fresh": False})
    match = evolve(board.match, old)
    assert old == Resumed(20_000, Seat.LEFT)
    assert (match.set_aside, match.turn_number, match.clock.reserve_ms) == (None, 2, (840_000, 832_000))


def test_the_event_says_who_resumed_and_whether_the_turn_is_new() -> None:
    board = running()
    swap(board, 10_000, "right", "left")
    swap(board, 11_000, "left", "right")
    swaps = [event for event in board.events if isinstance(event, Resumed)]
    assert swaps == [
        Resumed(10_000, Seat.LEFT, by=Seat.RIGHT, swap=Swap.NEW, uncredited=True),
        Resumed(11_000, Seat.RIGHT, by=Seat.LEFT, swap=Swap.BACK, uncredited=True),
    ]
