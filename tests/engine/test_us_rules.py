"""US rules of 2007 (Bronstein) and 2013 (simple delay), paragraph by paragraph."""

import pytest

from tests.engine.board import Board, running

BOTH = pytest.mark.parametrize("rules", ["us-2007", "us-2013"])
MINUTE = 60_000


def shown(look: dict, *fields: str) -> dict:
    return {field: look[field] for field in fields}


@BOTH
@pytest.mark.parametrize(
    ("format_", "length", "score", "reserve_ms", "delay_ms"),
    [
        ("singles", 11, [0, 0], 22 * MINUTE, 12_000),
        ("singles", 5, [2, 1], 7 * MINUTE, 12_000),
        ("doubles", 5, [2, 1], 8 * MINUTE + 45_000, 18_000),
        ("doubles", 1, [0, 0], 2 * MINUTE + 30_000, 18_000),
        ("singles", 7, [6, 6], 2 * MINUTE, 12_000),
    ],
)
def test_2_1_and_2_2_the_reserve_follows_from_length_and_score(
    rules: str, format_: str, length: int, score: list[int], reserve_ms: int, delay_ms: int
) -> None:
    board = Board(rules, length, confirmed=False, format=format_, score=score)
    assert shown(board.look(0), "status", "reserve_ms", "delay_ms") == {
        "status": "setup",
        "reserve_ms": [reserve_ms, reserve_ms],
        "delay_ms": [delay_ms, delay_ms],
    }


@BOTH
def test_2_1_both_players_confirm_the_setting_before_a_clock_can_start(rules: str) -> None:
    board = Board(rules, confirmed=False)
    assert board.refuses(0, "left", "hit") == "setup-not-confirmed"
    assert board.does(0, "left", "confirm")["status"] == "setup"
    assert board.refuses(0, "left", "hit") == "setup-not-confirmed"
    assert board.does(0, "right", "confirm")["status"] == "ready"


@BOTH
def test_3_3_the_player_with_the_lower_die_starts_the_opponents_clock(rules: str) -> None:
    board = Board(rules)
    look = board.does(1_000, "right", "hit", turn_number=0)
    assert shown(look, "status", "turn", "turn_number", "hits", "delay_ms") == {
        "status": "running",
        "turn": "left",
        "turn_number": 1,
        "hits": [0, 1],
        "delay_ms": [12_000, 12_000],
    }


def test_3_4_a_hit_gives_the_opponent_a_full_delay_2013() -> None:
    board = running()
    look = board.does(25_000, "right", "hit")
    assert look["turn"] == "left"
    assert look["reserve_ms"] == [14 * MINUTE, 14 * MINUTE - 13_000]
    assert look["delay_ms"] == [12_000, 12_000]


def test_3_4_a_hit_pays_back_what_the_turn_used_up_to_the_deductible_2007() -> None:
    board = running(rules="us-2007")
    assert board.look(8_000)["reserve_ms"] == [14 * MINUTE, 14 * MINUTE - 8_000]
    assert board.does(8_000, "right", "hit")["reserve_ms"] == [14 * MINUTE, 14 * MINUTE]
    assert board.does(33_000, "left", "hit")["reserve_ms"] == [14 * MINUTE - 13_000, 14 * MINUTE]


@BOTH
def test_3_4_closed_out_play_two_presses_of_different_seats_both_count(rules: str) -> None:
    board = running(rules=rules)
    board.does(5_000, "right", "hit", turn_number=1)
    look = board.does(5_200, "left", "hit", turn_number=2)
    assert shown(look, "turn", "turn_number", "reserve_ms", "hits") == {
        "turn": "right",
        "turn_number": 3,
        "reserve_ms": [14 * MINUTE, 14 * MINUTE],
        "hits": [2, 1],
    }


@BOTH
def test_3_4_a_second_press_of_the_same_seat_does_not_count(rules: str) -> None:
    board = running(rules=rules)
    board.does(5_000, "right", "hit", turn_number=1)
    assert board.refuses(5_010, "right", "hit", turn_number=1) == "stale"
    assert board.refuses(5_020, "right", "hit") == "not-your-turn"


@BOTH
def test_3_5_double_and_take_are_hits_and_the_taker_owns_the_cube(rules: str) -> None:
    board = running(rules=rules)
    offered = board.does(6_000, "right", "double")
    assert shown(offered, "turn", "cube", "hits") == {
        "turn": "left",
        "cube": {"value": 1, "owner": None, "offered_by": "right", "frozen": False},
        "hits": [1, 1],
    }
    assert board.refuses(7_000, "left", "hit") == "double-pending"
    assert board.refuses(7_000, "right", "take") == "not-your-turn"
    taken = board.does(11_000, "left", "take")
    assert shown(taken, "turn", "cube", "hits", "reserve_ms", "delay_ms") == {
        "turn": "right",
        "cube": {"value": 2, "owner": "left", "offered_by": None, "frozen": False},
        "hits": [2, 1],
        "reserve_ms": [14 * MINUTE, 14 * MINUTE],
        "delay_ms": [12_000, 12_000],
    }
    assert board.refuses(12_000, "right", "double") == "cube-not-yours"
    board.does(12_000, "right", "hit")
    assert board.does(13_000, "left", "double")["cube"]["offered_by"] == "left"


@BOTH
def test_3_5_a_pass_stops_both_clocks_and_scores_the_cube_as_it_was(rules: str) -> None:
    board = running(rules=rules)
    board.does(6_000, "right", "double")
    board.does(7_000, "left", "take")
    board.does(8_000, "right", "hit")
    board.does(9_000, "left", "double")
    look = board.does(10_000, "right", "pass")
    assert shown(look, "status", "turn", "score", "game", "cube", "flag_at") == {
        "status": "ready",
        "turn": None,
        "score": [2, 0],
        "game": 2,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": False},
        "flag_at": None,
    }


@BOTH
def test_4_1_after_a_claim_the_offender_waits_out_the_delay(rules: str) -> None:
    board = running(rules=rules)
    board.does(3_000, "right", "propose", what="dice-penalty", against="left")
    assert board.refuses(4_000, "right", "agree") == "not-yours-to-settle"
    agreed = board.does(5_000, "left", "agree")
    assert shown(agreed, "status", "forfeit", "wait_until", "proposal") == {
        "status": "stopped",
        "forfeit": [True, False],
        "wait_until": None,
        "proposal": None,
    }
    board.does(6_000, "right", "resume")
    look = board.does(10_000, "right", "hit")
    assert (look["turn"], look["wait_until"], look["forfeit"]) == ("left", 22_000, [True, False])
    served = board.does(22_000, "left", "hit")
    assert (served["forfeit"], served["wait_until"]) == ([False, False], None)


@BOTH
def test_4_1_a_turn_that_ends_within_the_wait_leaves_the_forfeit_pending(rules: str) -> None:
    board = running(rules=rules)
    board.does(1_000, "director", "propose", what="dice-penalty", against="left")
    board.does(2_000, "right", "hit")
    assert board.does(5_000, "left", "double")["forfeit"] == [True, False]
    board.does(6_000, "right", "take")
    assert board.does(17_999, "left", "hit")["forfeit"] == [True, False]
    board.does(20_000, "right", "hit")
    assert board.does(32_000, "left", "hit")["forfeit"] == [False, False]


@BOTH
def test_4_1_a_forfeit_survives_the_end_of_a_game(rules: str) -> None:
    board = running(rules=rules)
    board.does(1_000, "director", "propose", what="dice-penalty", against="left")
    board.does(2_000, "director", "propose", what="game", winner="left", points=1)
    look = board.does(3_000, "right", "hit")
    assert (look["game"], look["forfeit"], look["wait_until"]) == (2, [True, False], 15_000)


def test_4_1_a_stop_inside_the_wait_moves_its_end() -> None:
    board = running()
    board.does(1_000, "director", "propose", what="dice-penalty", against="left")
    board.does(2_000, "right", "hit")
    board.does(7_000, "right", "stop", reason="dice")
    assert board.look(8_000)["wait_until"] is None
    assert board.does(60_000, "left", "resume")["wait_until"] == 67_000


@BOTH
def test_4_1_an_offender_who_declines_leaves_the_claim_to_the_director(rules: str) -> None:
    board = running(rules=rules)
    board.does(3_000, "right", "propose", what="dice-penalty", against="left")
    declined = board.does(4_000, "left", "decline", note="I did not touch them")
    assert declined["called"] is True
    assert declined["proposal"] == {
        "what": "dice-penalty",
        "against": "left",
        "by": "right",
        "agreed": [],
        "disputed": True,
    }
    ruled = board.does(60_000, "director", "decline", note="not seen")
    assert (ruled["proposal"], ruled["forfeit"], ruled["called"]) == (None, [False, False], False)
    assert ruled["status"] == "stopped"


def test_4_1_under_strict_bronstein_the_wait_flags_with_12_s_or_less() -> None:
    board = running(rules="us-2007", options={"reserve_ms": [11_000, 60_000]})
    board.does(1_000, "director", "propose", what="dice-penalty", against="left")
    look = board.does(2_000, "right", "hit")
    assert (look["wait_until"], look["flag_at"]) == (14_000, 13_000)


@BOTH
def test_4_2_the_opponent_moves_with_the_clocks_stopped(rules: str) -> None:
    board = running(rules=rules)
    assert board.refuses(20_000, "left", "stop", reason="dice-picked-up") == "not-your-turn"
    board.does(20_000, "right", "stop", reason="dice-picked-up")
    assert board.refuses(80_000, "left", "resume") == "not-your-turn"
    look = board.does(80_000, "right", "resume")
    assert shown(look, "status", "turn", "turn_number", "reserve_ms", "delay_ms") == {
        "status": "running",
        "turn": "left",
        "turn_number": 2,
        "reserve_ms": [14 * MINUTE, 14 * MINUTE - 8_000],
        "delay_ms": [12_000, 12_000],
    }


@BOTH
def test_4_2_a_move_with_the_clocks_stopped_gives_a_new_turn_each_time(rules: str) -> None:
    board = running(rules=rules)
    board.does(20_000, "right", "stop", reason="dice-picked-up")
    board.does(50_000, "right", "resume")
    board.does(55_000, "left", "stop", reason="dice-picked-up")
    look = board.does(90_000, "left", "resume")
    assert shown(look, "turn", "turn_number", "reserve_ms", "delay_ms") == {
        "turn": "right",
        "turn_number": 3,
        "reserve_ms": [14 * MINUTE, 14 * MINUTE - 8_000],
        "delay_ms": [12_000, 12_000],
    }


@BOTH
def test_4_2_a_double_is_answered_before_the_opponents_turn_begins(rules: str) -> None:
    board = running(rules=rules)
    board.does(5_000, "right", "double")
    board.does(7_000, "left", "stop", reason="dice-picked-up")
    look = board.does(60_000, "left", "resume")
    assert shown(look, "status", "turn", "delay_ms") == {
        "status": "running",
        "turn": "left",
        "delay_ms": [10_000, 12_000],
    }
    assert board.does(61_000, "left", "take")["cube"]["value"] == 2


@BOTH
def test_4_3_an_illegal_play_sent_back_is_a_turn_like_any_other(rules: str) -> None:
    board = running(rules=rules)
    board.does(9_000, "right", "hit")
    board.does(12_000, "left", "hit")
    look = board.does(15_000, "right", "hit")
    assert (look["turn"], look["delay_ms"]) == ("left", [12_000, 12_000])
