"""US rules of 2007 and 2013: time controls, breaks and ends of games."""

import pytest

from tests.engine.board import Board, running, shown

BOTH = pytest.mark.parametrize("rules", ["us-2007", "us-2013"])
MINUTE = 60_000


@BOTH
def test_1_1_clocks_are_added_between_games_for_the_current_score(rules: str) -> None:
    look = Board(rules, 9, score=[5, 3]).look(0)
    assert shown(look, "status", "score", "turn", "reserve_ms") == {
        "status": "ready",
        "score": [5, 3],
        "turn": None,
        "reserve_ms": [10 * MINUTE, 10 * MINUTE],
    }


@pytest.mark.parametrize(("rules", "flag_at"), [("us-2007", 14 * MINUTE), ("us-2013", 14 * MINUTE + 12_000)])
def test_1_1_the_system_of_the_clocks_is_the_books_own(rules: str, flag_at: int) -> None:
    assert running(rules=rules).look(0)["flag_at"] == flag_at


@BOTH
def test_2_2_both_teams_confirm_the_setting(rules: str) -> None:
    board = Board(rules, confirmed=False, format="doubles", names=["Ann & Cem", "Bob & Dee"])
    board.does(0, "right", "confirm")
    assert board.refuses(0, "right", "hit") == "setup-not-confirmed"
    assert board.does(0, "left", "confirm")["status"] == "ready"


@BOTH
def test_3_2_mixing_the_dice_before_a_game_needs_no_clock(rules: str) -> None:
    assert shown(Board(rules).look(90_000), "status", "turn", "flag_at", "reserve_ms") == {
        "status": "ready",
        "turn": None,
        "flag_at": None,
        "reserve_ms": [14 * MINUTE, 14 * MINUTE],
    }


@BOTH
def test_4_3_the_clock_runs_while_a_player_considers_an_illegal_play(rules: str) -> None:
    board = running(rules=rules)
    board.does(9_000, "right", "hit")
    assert board.look(39_000)["reserve_ms"][0] < 14 * MINUTE


@BOTH
def test_5_1_the_result_is_agreed_after_the_last_checker(rules: str) -> None:
    board = running(rules=rules)
    stopped = board.does(5_000, "right", "propose", what="game", winner="right", points=2)
    assert shown(stopped, "status", "flag_at") == {"status": "stopped", "flag_at": None}
    assert shown(board.does(6_000, "left", "agree"), "status", "score", "turn") == {
        "status": "ready",
        "score": [0, 2],
        "turn": None,
    }


@BOTH
def test_5_2_a_break_ends_when_both_have_confirmed_their_times(rules: str) -> None:
    board = running(rules=rules)
    board.does(5_000, "director", "propose", what="game", winner="left", points=1)
    away = board.does(10_000, "left", "stop", reason="break")
    assert shown(away, "status", "reserve_ms", "game") == {
        "status": "setup",
        "reserve_ms": [14 * MINUTE, 14 * MINUTE],
        "game": 2,
    }
    board.does(600_000, "left", "confirm")
    assert board.does(601_000, "right", "confirm")["status"] == "ready"


@BOTH
def test_5_2_to_stop_for_the_director_calls_the_director(rules: str) -> None:
    look = running(rules=rules).does(1_000, "left", "stop", reason="director")
    assert shown(look, "status", "called", "flag_at") == {"status": "stopped", "called": True, "flag_at": None}


@BOTH
def test_time_lost_by_mistake_is_for_the_director_to_give_back(rules: str) -> None:
    board = running(rules=rules)
    board.does(30_000, "right", "propose", what="time", seat="right", by_ms=5_000)
    assert board.refuses(31_000, "left", "agree") == "not-yours-to-settle"
    assert board.does(32_000, "director", "agree")["proposal"] is None
