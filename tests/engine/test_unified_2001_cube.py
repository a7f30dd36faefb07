"""Unified rules of 2001, paragraph 5.2: frozen cube and Crawford game."""

from tests.engine.board import shown, unified

MINUTE = 60_000


def test_5_2_a_penalty_to_one_point_away_freezes_the_cube() -> None:
    board = unified(score=[6, 0], options={"reserve_ms": MINUTE})
    board.flag()
    assert board.consequence() == {
        "kind": "penalty",
        "points": 2,
        "reserve_ms": [6 * MINUTE, 5 * MINUTE],
        "cube_frozen": True,
    }
    look = board.does(MINUTE, "director", "agree")
    assert shown(look, "score", "crawford", "cube") == {
        "score": [8, 0],
        "crawford": False,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": True},
    }
    board.does(MINUTE, "right", "resume")
    assert board.refuses(MINUTE + 1_000, "right", "double") == "cube-frozen"
    board.does(MINUTE + 2_000, "right", "hit")
    assert board.refuses(MINUTE + 3_000, "left", "double") == "cube-frozen"


def test_5_2_a_frozen_cube_still_multiplies_the_result() -> None:
    board = unified(score=[6, 0], options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "double")
    board.does(2_000, "left", "take")
    board.does(3_000, "right", "hit")
    board.does(4_000, "left", "double")
    board.does(5_000, "right", "take")
    board.does(6_000, "left", "hit")
    look = board.expires()
    assert look["cube"] == {"value": 4, "owner": "right", "offered_by": None, "frozen": True}
    board.does(board.match.at, "right", "resume")
    assert board.refuses(board.match.at, "right", "double") == "cube-frozen"  # even though Bob owns it
    ended = board.does(board.match.at, "director", "propose", what="game", winner="right", points=4)
    assert ended["score"] == [8, 4]


def test_5_2_the_next_game_is_the_crawford_game_and_the_one_after_is_free() -> None:
    board = unified(score=[6, 0], options={"reserve_ms": MINUTE})
    board.expires()
    second = board.does(MINUTE, "director", "propose", what="game", winner="right", points=1)
    assert shown(second, "game", "crawford", "cube") == {
        "game": 2,
        "crawford": True,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": False},
    }
    board.does(MINUTE, "left", "hit")
    assert board.refuses(MINUTE + 1_000, "right", "double") == "crawford"
    third = board.does(MINUTE + 2_000, "director", "propose", what="game", winner="right", points=1)
    assert shown(third, "game", "crawford") == {"game": 3, "crawford": False}
    board.does(MINUTE + 3_000, "left", "hit")
    assert board.does(MINUTE + 4_000, "right", "double")["cube"]["offered_by"] == "right"


def test_5_2_no_crawford_game_if_a_frozen_one_leads_to_double_match_point() -> None:
    board = unified(score=[6, 6], options={"reserve_ms": MINUTE})
    board.expires()
    look = board.does(MINUTE, "director", "propose", what="game", winner="right", points=2)
    assert shown(look, "score", "crawford", "limits") == {"score": [8, 8], "crawford": False, "limits": False}


def test_5_2_a_crawford_game_already_played_is_not_played_again() -> None:
    board = unified(score=[8, 6], crawford="done", options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "hit")
    look = board.expires()  # Ann's time expires: now both need one point
    assert shown(look, "score", "crawford", "limits", "cube") == {
        "score": [8, 8],
        "crawford": False,
        "limits": False,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": True},
    }
    assert board.match.crawford == "done"


def test_5_2_the_game_after_the_crawford_game_stays_free_after_a_penalty() -> None:
    board = unified(score=[8, 0], options={"reserve_ms": MINUTE})
    assert board.look(0)["crawford"] is True
    board.does(1_000, "right", "hit")
    penalty = board.expires()
    assert shown(penalty, "score", "crawford", "cube") == {
        "score": [8, 2],
        "crawford": True,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": False},
    }
    after = board.does(board.match.at, "director", "propose", what="game", winner="right", points=1)
    assert shown(after, "score", "crawford", "game") == {"score": [8, 3], "crawford": False, "game": 2}


def test_5_2_a_crawford_game_can_reach_double_match_point_by_penalty() -> None:
    board = unified(score=[8, 6], options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "hit")
    look = board.expires()
    assert shown(look, "score", "crawford", "limits") == {"score": [8, 8], "crawford": True, "limits": False}


def test_5_2_a_penalty_that_skips_one_point_away_does_not_freeze_the_cube() -> None:
    board = unified(score=[5, 0], options={"reserve_ms": MINUTE})
    assert board.expires()["cube"]["frozen"] is False


def test_5_2_reading_an_unanswered_double_is_void_when_the_cube_freezes() -> None:
    board = unified(score=[0, 6], options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "double")
    look = board.expires()  # Ann's time expires: Bob needs one point
    assert shown(look, "status", "score", "turn", "cube") == {
        "status": "stopped",
        "score": [0, 8],
        "turn": "left",
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": True},
    }
    back = board.does(board.match.at, "left", "resume", turn_of="right")  # Bob has not rolled yet
    assert shown(back, "status", "turn", "turn_number") == {"status": "running", "turn": "right", "turn_number": 3}


def test_5_2_a_double_stays_offered_if_the_cube_does_not_freeze() -> None:
    board = unified(options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "double")
    look = board.expires()
    assert look["cube"] == {"value": 1, "owner": None, "offered_by": "right", "frozen": False}
    board.does(board.match.at, "left", "resume")
    assert board.does(board.match.at, "left", "take")["cube"]["value"] == 2


def test_5_2_a_corrected_score_keeps_the_frozen_cube() -> None:
    board = unified(score=[6, 2], options={"reserve_ms": MINUTE})
    board.expires()
    look = board.does(MINUTE, "director", "propose", what="score", score=[8, 3])
    assert shown(look, "crawford", "cube") == {
        "crawford": False,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": True},
    }
    following = board.does(MINUTE, "director", "propose", what="game", winner="right", points=1)
    assert shown(following, "score", "crawford") == {"score": [8, 4], "crawford": True}


def test_5_2_the_crawford_game_follows_a_result_entered_wrongly() -> None:
    board = unified(score=[6, 0], options={"reserve_ms": MINUTE})
    board.expires()
    board.does(MINUTE, "director", "propose", what="game", winner="left", points=1)
    look = board.does(MINUTE, "director", "propose", what="score", score=[8, 1], note="Bob won")
    assert shown(look, "status", "game", "crawford") == {"status": "ready", "game": 2, "crawford": True}
    board.does(MINUTE, "left", "hit")
    assert board.refuses(MINUTE, "right", "double") == "crawford"
    third = board.does(MINUTE, "director", "propose", what="game", winner="right", points=1)
    assert shown(third, "game", "crawford") == {"game": 3, "crawford": False}


def test_5_2_the_cube_thaws_if_a_corrected_score_leaves_nobody_at_one() -> None:
    board = unified(score=[6, 2], options={"reserve_ms": MINUTE})
    board.expires()
    look = board.does(MINUTE, "director", "propose", what="score", score=[6, 2])
    assert look["cube"]["frozen"] is False
