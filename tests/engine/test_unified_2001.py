"""Unified rules of 2001, paragraphs 1 to 4: setup, playing, conceding, stopping."""

import pytest

from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from tests.engine.board import Board, shown, unified

MINUTE = 60_000
RULES = "unified-2001"


# 1.1 and 2.1: adding clocks, and their starting time


def test_1_1_clocks_are_added_between_games_for_the_current_score() -> None:
    look = Board(RULES, 9, score=[5, 3]).look(0)
    assert shown(look, "status", "score", "turn", "reserve_ms") == {
        "status": "ready",
        "score": [5, 3],
        "turn": None,
        "reserve_ms": [30 * MINUTE, 30 * MINUTE],
    }


@pytest.mark.parametrize(
    ("length", "score", "minutes"),
    [
        (9, [0, 0], 54),  # example printed in the book
        (9, [5, 3], 30),  # example printed in the book: one player needs 4 points, the other 6
        (10, [6, 4], 30),  # the same points needed, in a longer match
        (1, [0, 0], 6),
        (25, [0, 0], 150),
        (25, [24, 0], 78),
    ],
)
def test_2_1_each_point_that_both_need_adds_three_minutes(length: int, score: list[int], minutes: int) -> None:
    look = Board(RULES, length, score=score).look(0)
    assert look["reserve_ms"] == [minutes * MINUTE, minutes * MINUTE]
    assert look["delay_ms"] == [0, 0]


def test_2_1_the_amounts_are_suggested_and_the_director_may_choose_another() -> None:
    look = Board(RULES, options={"reserve_ms": [20 * MINUTE, 15 * MINUTE]}).look(0)
    assert look["reserve_ms"] == [20 * MINUTE, 15 * MINUTE]


def test_2_1_reading_both_players_confirm_the_setting() -> None:
    board = Board(RULES, confirmed=False)
    assert board.refuses(0, "left", "hit") == "setup-not-confirmed"
    board.does(0, "left", "confirm")
    assert board.refuses(0, "left", "hit") == "setup-not-confirmed"
    assert board.does(0, "right", "confirm")["status"] == "ready"


def test_2_1_doubles_are_refused_with_a_hint_at_other_books() -> None:
    with pytest.raises(Refused) as refusal:
        Setup.parse({"rules": RULES, "length": 9, "format": "doubles"})
    assert refusal.value.words == (
        "unified-2001 does not cover doubles. Doubles can be played under us-2013, us-2007, modern, custom."
    )


# 3.2 to 3.5: dice, opening, turns, cube


def test_3_2_mixing_the_dice_before_a_game_needs_no_clock() -> None:
    assert shown(Board(RULES).look(90_000), "status", "turn", "flag_at", "reserve_ms") == {
        "status": "ready",
        "turn": None,
        "flag_at": None,
        "reserve_ms": [42 * MINUTE, 42 * MINUTE],
    }


def test_3_3_a_hit_by_the_lower_die_starts_the_opponents_clock() -> None:
    look = unified().look(10_000)
    assert shown(look, "status", "turn", "turn_number", "reserve_ms", "delay_ms", "flag_at") == {
        "status": "running",
        "turn": "right",
        "turn_number": 1,
        "reserve_ms": [54 * MINUTE, 54 * MINUTE - 10_000],
        "delay_ms": [0, 0],
        "flag_at": 54 * MINUTE,
    }


def test_3_4_a_hit_ends_the_turn_and_every_second_of_it_is_charged() -> None:
    look = unified().does(25_000, "right", "hit")
    assert shown(look, "turn", "reserve_ms") == {"turn": "left", "reserve_ms": [54 * MINUTE, 54 * MINUTE - 25_000]}


def test_3_4_a_player_without_a_move_continues_to_hit() -> None:
    board = unified()
    board.does(5_000, "right", "hit")
    look = board.does(5_200, "left", "hit")
    assert shown(look, "turn", "hits", "reserve_ms") == {
        "turn": "right",
        "hits": [2, 1],
        "reserve_ms": [54 * MINUTE - 200, 54 * MINUTE - 5_000],
    }


def test_3_4_dice_touched_in_the_opponents_turn_bring_no_penalty_here() -> None:
    board = unified()
    claim = {"what": "dice-penalty", "against": "left"}
    assert board.refuses(1_000, "right", "propose", **claim) == "no-offer-of-that-kind"
    assert board.refuses(1_000, "director", "propose", **claim) == "no-offer-of-that-kind"
    board.does(2_000, "right", "stop", reason="dice-picked-up")
    assert board.does(9_000, "right", "resume")["turn"] == "right"  # nor does the stop change the turn


def test_3_5_a_double_and_a_take_hit() -> None:
    board = unified()
    doubled = board.does(4_000, "right", "double")
    assert shown(doubled, "turn", "cube") == {
        "turn": "left",
        "cube": {"value": 1, "owner": None, "offered_by": "right", "frozen": False},
    }
    taken = board.does(10_000, "left", "take")
    assert shown(taken, "turn", "cube", "reserve_ms") == {
        "turn": "right",
        "cube": {"value": 2, "owner": "left", "offered_by": None, "frozen": False},
        "reserve_ms": [54 * MINUTE - 6_000, 54 * MINUTE - 4_000],
    }


def test_3_5_a_pass_stops_both_clocks_for_the_next_game() -> None:
    board = unified()
    board.does(4_000, "right", "double")
    look = board.does(10_000, "left", "pass")
    assert shown(look, "status", "turn", "score", "game", "reserve_ms", "flag_at") == {
        "status": "ready",
        "turn": None,
        "score": [0, 1],
        "game": 2,
        "reserve_ms": [54 * MINUTE - 6_000, 54 * MINUTE - 4_000],
        "flag_at": None,
    }


# 3.6: concessions


def test_3_6_an_accepted_concession_ends_the_game() -> None:
    board = unified()
    offered = board.does(10_000, "right", "propose", what="offer", winner="left", outcome="gammon")
    assert shown(offered, "status", "turn", "flag_at", "reserve_ms") == {
        "status": "stopped",
        "turn": "right",
        "flag_at": None,
        "reserve_ms": [54 * MINUTE, 54 * MINUTE - 10_000],
    }
    look = board.does(60_000, "left", "agree")
    assert shown(look, "status", "score", "game", "reserve_ms") == {
        "status": "ready",
        "score": [2, 0],
        "game": 2,
        "reserve_ms": [54 * MINUTE, 54 * MINUTE - 10_000],
    }


def test_3_6_after_a_rejection_the_offering_player_owes_a_hit() -> None:
    board = unified()
    board.does(10_000, "right", "propose", what="offer", winner="left", outcome="single")
    rejected = board.does(20_000, "left", "decline")
    assert shown(rejected, "status", "turn", "proposal", "called", "flag_at") == {
        "status": "stopped",
        "turn": "right",
        "proposal": None,
        "called": False,
        "flag_at": None,
    }
    assert board.refuses(25_000, "left", "hit") == "stopped"
    look = board.does(30_000, "right", "hit", turn_number=1)
    assert shown(look, "status", "turn", "turn_number", "hits", "reserve_ms") == {
        "status": "running",
        "turn": "left",
        "turn_number": 2,
        "hits": [1, 1],
        "reserve_ms": [54 * MINUTE, 54 * MINUTE - 10_000],
    }


def test_3_6_an_offer_right_after_the_hit_is_valid() -> None:
    board = unified()
    board.does(10_000, "right", "hit")
    board.does(11_000, "right", "propose", what="offer", winner="left", outcome="single")
    board.does(20_000, "left", "decline")
    look = board.does(30_000, "right", "hit")
    assert shown(look, "status", "turn", "turn_number", "hits", "reserve_ms", "flag_at") == {
        "status": "running",
        "turn": "left",
        "turn_number": 2,
        "hits": [1, 1],
        "reserve_ms": [54 * MINUTE - 1_000, 54 * MINUTE - 10_000],
        "flag_at": 54 * MINUTE + 29_000,
    }


def test_3_6_no_offer_in_the_opponents_turn_before_completing_ones_own() -> None:
    board = unified()
    concede = {"what": "offer", "winner": "right", "outcome": "single"}
    assert board.refuses(1_000, "left", "propose", **concede) == "not-your-turn"


def test_3_6_no_hit_is_owed_while_the_director_stops_the_clocks() -> None:
    board = unified()
    board.does(5_000, "right", "hit")
    board.does(6_000, "director", "stop")
    board.does(7_000, "right", "propose", what="offer", winner="left", outcome="single")
    look = board.does(8_000, "left", "decline")
    assert shown(look, "status", "turn", "proposal") == {"status": "stopped", "turn": "left", "proposal": None}
    assert board.match.owed_hit is None
    assert board.refuses(9_000, "right", "hit") == "stopped"
    assert board.does(10_000, "director", "resume")["turn"] == "left"


def test_3_6_the_owed_hit_survives_another_failed_proposal() -> None:
    board = unified()
    board.does(10_000, "right", "propose", what="offer", winner="left", outcome="single")
    board.does(20_000, "left", "decline")
    board.does(21_000, "left", "propose", what="score", score=[1, 0])
    assert board.refuses(22_000, "right", "hit") == "stopped"
    board.does(23_000, "right", "decline")
    assert board.does(24_000, "right", "hit")["turn"] == "left"


def test_3_6_the_director_may_start_either_clock_instead_of_the_owed_hit() -> None:
    board = unified()
    board.does(10_000, "right", "propose", what="offer", winner="left", outcome="single")
    board.does(20_000, "left", "decline")
    look = board.does(30_000, "director", "resume", turn_of="left")
    assert shown(look, "status", "turn", "turn_number") == {"status": "running", "turn": "left", "turn_number": 2}


@pytest.mark.parametrize(
    ("setup", "outcome"),
    [
        ({}, "backgammon"),
        ({"score": [8, 0]}, "single"),  # a single game already wins the match
        ({"score": [7, 0]}, "gammon"),
    ],
)
def test_3_6_the_greatest_concession_cannot_be_declined(setup, outcome: str) -> None:
    board = unified(**setup)
    board.does(10_000, "right", "propose", what="offer", winner="left", outcome=outcome)
    assert board.refuses(20_000, "left", "decline") == "not-yours-to-settle"
    assert board.does(21_000, "left", "agree")["proposal"] is None


@pytest.mark.parametrize(("setup", "outcome"), [({}, "gammon"), ({"score": [7, 0]}, "single")])
def test_3_6_any_smaller_concession_can_be_declined(setup, outcome: str) -> None:
    board = unified(**setup)
    board.does(10_000, "right", "propose", what="offer", winner="left", outcome=outcome)
    assert board.does(20_000, "left", "decline")["proposal"] is None


def test_3_6_the_director_alone_may_turn_down_the_greatest_concession() -> None:
    board = unified()
    board.does(10_000, "right", "propose", what="offer", winner="left", outcome="backgammon")
    assert board.does(20_000, "director", "decline")["proposal"] is None
    assert board.does(21_000, "right", "hit")["turn"] == "left"


def test_3_6_claims_are_refused() -> None:
    board = unified()
    claim = {"what": "offer", "winner": "right", "outcome": "single"}
    assert board.refuses(1_000, "right", "propose", **claim) == "no-offer-of-that-kind"


def test_3_6_a_completed_game_ends_with_an_agreed_result() -> None:
    board = unified()
    stopped = board.does(10_000, "right", "propose", what="game", winner="right", points=2)
    assert shown(stopped, "status", "flag_at") == {"status": "stopped", "flag_at": None}
    look = board.does(12_000, "left", "agree")
    assert shown(look, "status", "score", "game", "turn") == {
        "status": "ready",
        "score": [0, 2],
        "game": 2,
        "turn": None,
    }


# 4.1: stopping


@pytest.mark.parametrize("reason", ["concession", "break", "dice", "contest", "director"])
def test_4_1_a_stop_for_a_listed_reason_does_not_change_the_turn(reason: str) -> None:
    board = unified()
    before = board.does(20_000, "left", "stop", reason=reason)
    assert before["reserve_ms"] == [54 * MINUTE, 54 * MINUTE - 20_000]
    after = board.does(620_000, "right", "resume")
    fields = ("reserve_ms", "delay_ms", "turn", "turn_number")
    assert shown(after, *fields) == shown(before, *fields)


def test_4_1_to_stop_for_the_director_calls_the_director() -> None:
    assert unified().does(1_000, "left", "stop", reason="director")["called"] is True


def test_4_1_after_a_break_between_games_both_confirm_their_times_again() -> None:
    board = unified()
    board.does(5_000, "director", "propose", what="game", winner="left", points=1)
    away = board.does(10_000, "left", "stop", reason="break")
    assert shown(away, "status", "reserve_ms", "game") == {
        "status": "setup",
        "reserve_ms": [54 * MINUTE, 54 * MINUTE - 5_000],
        "game": 2,
    }
    assert board.refuses(600_000, "left", "hit") == "setup-not-confirmed"
    board.does(610_000, "left", "confirm")
    back = board.does(611_000, "right", "confirm")
    assert shown(back, "status", "reserve_ms") == {"status": "ready", "reserve_ms": [54 * MINUTE, 54 * MINUTE - 5_000]}
    assert board.does(612_000, "left", "hit")["turn"] == "right"


# Not covered by the book


def test_time_lost_by_mistake_is_for_the_director_to_give_back() -> None:
    board = unified()
    board.does(10_000, "right", "propose", what="time", seat="right", by_ms=5_000, note="forgot to stop")
    assert board.refuses(11_000, "left", "agree") == "not-yours-to-settle"
    look = board.does(12_000, "director", "agree")
    assert look["reserve_ms"] == [54 * MINUTE, 54 * MINUTE - 5_000]
