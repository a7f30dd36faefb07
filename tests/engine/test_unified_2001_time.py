"""Unified rules of 2001, paragraph 5.1: penalty points, games without a limit."""

import pytest

from tests.engine.board import shown, unified

MINUTE = 60_000


# 5.1: time expiration


def test_5_1_an_expiry_stops_both_clocks_and_calls_the_director() -> None:
    look = unified().look(60 * MINUTE)
    assert shown(look, "status", "turn", "flagged", "flag_at", "called", "score", "offences", "reserve_ms") == {
        "status": "flagged",
        "turn": "right",
        "flagged": "right",
        "flag_at": None,
        "called": True,
        "score": [0, 0],
        "offences": [0, 0],
        "reserve_ms": [54 * MINUTE, 0],
    }
    assert look["proposal"] == {
        "what": "expiry",
        "seat": "right",
        "consequence": {
            "kind": "penalty",
            "points": 2,
            "reserve_ms": [59 * MINUTE, 5 * MINUTE],
            "cube_frozen": False,
        },
        "by": "server",
        "agreed": [],
        "disputed": False,
    }


def test_5_1_a_first_offence_gives_the_opponent_two_points() -> None:
    board = unified()
    look = board.expires()
    assert shown(look, "status", "score", "offences", "game", "turn", "turn_number", "reserve_ms", "called") == {
        "status": "stopped",
        "score": [2, 0],
        "offences": [0, 1],
        "game": 1,
        "turn": "right",
        "turn_number": 1,
        "reserve_ms": [59 * MINUTE, 5 * MINUTE],
        "called": False,
    }
    resumed = board.does(55 * MINUTE, "right", "resume")
    assert shown(resumed, "status", "turn", "flag_at") == {
        "status": "running",
        "turn": "right",
        "flag_at": 60 * MINUTE,
    }


def test_5_1_each_repeat_offence_of_a_player_gives_one_point() -> None:
    board = unified(options={"reserve_ms": MINUTE})
    assert board.expires()["score"] == [2, 0]
    board.does(board.match.at, "right", "resume")
    again = board.expires()
    assert shown(again, "score", "offences", "reserve_ms") == {
        "score": [3, 0],
        "offences": [0, 2],
        "reserve_ms": [11 * MINUTE, 5 * MINUTE],
    }
    board.does(board.match.at, "right", "resume")
    board.does(board.match.at, "right", "hit")
    others_first = board.expires()
    assert shown(others_first, "score", "offences") == {"score": [3, 2], "offences": [1, 2]}


def test_5_1_offences_are_counted_through_the_whole_match() -> None:
    board = unified(options={"reserve_ms": MINUTE})
    board.expires()
    board.does(board.match.at, "director", "propose", what="game", winner="right", points=1)
    board.does(board.match.at, "left", "hit")
    assert shown(board.expires(), "score", "offences", "game") == {"score": [3, 1], "offences": [0, 2], "game": 2}


def test_5_1_reading_the_other_clock_gets_five_minutes_more() -> None:
    board = unified(options={"reserve_ms": [7 * MINUTE, MINUTE]})
    assert board.expires()["reserve_ms"] == [12 * MINUTE, 5 * MINUTE]


def test_5_1_option_set_puts_both_clocks_to_five_minutes() -> None:
    board = unified(options={"reserve_ms": [7 * MINUTE, MINUTE], "reset": "set"})
    board.flag()
    assert board.consequence()["reserve_ms"] == [5 * MINUTE, 5 * MINUTE]
    assert board.does(MINUTE, "director", "agree")["reserve_ms"] == [5 * MINUTE, 5 * MINUTE]


@pytest.mark.parametrize(("score", "after"), [([7, 3], [9, 3]), ([8, 3], [9, 3])])
def test_5_1_penalty_points_may_end_the_match_but_never_exceed_its_length(score: list[int], after: list[int]) -> None:
    board = unified(score=score, options={"reserve_ms": MINUTE})
    board.flag()
    assert board.consequence() == {
        "kind": "penalty",
        "points": 2,
        "reserve_ms": [MINUTE, 0],
        "cube_frozen": False,
    }
    look = board.does(MINUTE, "director", "agree")
    assert shown(look, "status", "winner", "score", "offences", "proposal", "called", "turn") == {
        "status": "over",
        "winner": "left",
        "score": after,
        "offences": [0, 1],
        "proposal": None,
        "called": False,
        "turn": None,
    }


def test_5_1_a_repeat_offence_ends_the_match_with_its_one_point() -> None:
    board = unified(length=3, options={"reserve_ms": MINUTE})
    board.expires()
    board.does(board.match.at, "right", "resume")
    look = board.expires()
    assert shown(look, "status", "winner", "score", "offences") == {
        "status": "over",
        "winner": "left",
        "score": [3, 0],
        "offences": [0, 2],
    }


def test_5_1_both_players_may_agree_to_the_penalty() -> None:
    board = unified(options={"reserve_ms": MINUTE})
    board.flag()
    board.does(61_000, "right", "agree")
    declined = board.does(62_000, "right", "decline", note="the clock was not mine")
    assert shown(declined, "status", "called") == {"status": "flagged", "called": True}
    assert shown(declined["proposal"], "agreed", "disputed") == {"agreed": [], "disputed": True}
    assert board.does(63_000, "left", "agree")["status"] == "flagged"
    assert board.does(64_000, "right", "agree")["score"] == [2, 0]


def test_5_1_the_director_who_declines_sets_time_score_or_result_himself() -> None:
    board = unified(options={"reserve_ms": MINUTE})
    board.flag()
    declined = board.does(61_000, "director", "decline", note="the opponent’s clock should have run")
    assert shown(declined, "status", "flagged", "score", "offences", "called") == {
        "status": "stopped",
        "flagged": None,
        "score": [0, 0],
        "offences": [0, 0],
        "called": False,
    }
    assert board.refuses(62_000, "right", "resume") == "flagged"
    board.does(63_000, "director", "propose", what="time", seat="right", by_ms=90_000)
    assert board.does(64_000, "right", "resume")["reserve_ms"] == [MINUTE, 90_000]


# 5.1: games whose every outcome ends the match


@pytest.mark.parametrize("score", [[8, 8]])
def test_5_1_double_match_point_has_no_time_limit(score: list[int]) -> None:
    board = unified(score=score)
    look = board.look(10 * 60 * MINUTE)
    assert shown(look, "status", "limits", "flag_at", "reserve_ms", "score") == {
        "status": "running",
        "limits": False,
        "flag_at": None,
        "reserve_ms": [6 * MINUTE, 0],
        "score": [8, 8],
    }
    hit = board.does(10 * 60 * MINUTE, "right", "hit")
    assert shown(hit, "turn", "hits", "reserve_ms") == {
        "turn": "left",
        "hits": [1, 1],
        "reserve_ms": [6 * MINUTE, 0],
    }
    back = board.does(10 * 60 * MINUTE + 1_000, "left", "hit")  # the press starts a clock that shows 0:00
    assert shown(back, "status", "turn", "reserve_ms") == {
        "status": "running",
        "turn": "right",
        "reserve_ms": [6 * MINUTE - 1_000, 0],
    }


def test_5_1_a_used_up_clock_without_a_limit_can_be_stopped() -> None:
    board = unified(score=[8, 8])
    board.does(7 * MINUTE, "right", "stop", reason="dice")
    assert board.does(8 * MINUTE, "left", "resume")["status"] == "running"


def test_5_1_the_limit_ends_if_a_take_makes_the_game_deciding() -> None:
    board = unified(score=[7, 7], options={"reserve_ms": MINUTE})
    assert board.does(10_000, "right", "double")["limits"] is True  # Ann may still pass
    taken = board.does(20_000, "left", "take")
    assert shown(taken, "limits", "flag_at", "turn") == {"limits": False, "flag_at": None, "turn": "right"}
    assert board.look(10 * MINUTE)["status"] == "running"


def test_5_1_while_a_double_waits_the_limit_still_stands() -> None:
    board = unified(score=[7, 7], options={"reserve_ms": MINUTE})
    board.does(10_000, "right", "double")
    look = board.flag()
    assert shown(look, "status", "flagged") == {"status": "flagged", "flagged": "left"}


def test_5_1_the_limit_ends_if_a_penalty_makes_the_game_deciding() -> None:
    board = unified(score=[6, 7], options={"reserve_ms": MINUTE})
    board.does(10_000, "right", "double")
    board.does(20_000, "left", "take")
    look = board.expires()  # Ann has 6 + 2 = 8 points and needs 1, Bob needs 2, the cube is at 2
    assert shown(look, "score", "limits", "cube", "reserve_ms") == {
        "score": [8, 7],
        "limits": False,
        "cube": {"value": 2, "owner": "left", "offered_by": None, "frozen": True},
        "reserve_ms": [MINUTE - 10_000 + 5 * MINUTE, 5 * MINUTE],
    }
    board.does(board.match.at, "right", "resume")
    assert shown(board.look(60 * MINUTE), "status", "flag_at", "reserve_ms") == {
        "status": "running",
        "flag_at": None,
        "reserve_ms": [MINUTE - 10_000 + 5 * MINUTE, 0],
    }


def test_5_1_a_game_is_deciding_only_if_either_win_ends_the_match() -> None:
    assert unified(score=[8, 7]).look(1_000)["limits"] is True
    assert unified(score=[7, 7]).look(1_000)["limits"] is True


def test_5_1_a_used_up_clock_flags_when_a_score_brings_the_limit_back() -> None:
    board = unified(score=[8, 8])
    board.look(7 * MINUTE)
    board.does(8 * MINUTE, "director", "propose", what="score", score=[8, 6])
    look = board.look(9 * MINUTE)
    assert shown(look, "status", "flagged", "limits") == {"status": "flagged", "flagged": "right", "limits": True}
    assert board.match.at == 8 * MINUTE
