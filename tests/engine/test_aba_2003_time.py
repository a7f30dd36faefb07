"""Atlanta (ABA) rules of 2003, paragraph 5: penalty points, grace, frozen cube."""

from tests.engine.board import Board, running, shown

MINUTE = 60_000
BRONSTEIN = "aba-2003-bronstein"


def standard(length: int = 9, **setup) -> Board:
    """Match with standard clocks; Ann rolled lower, Bob's (right) turn began at 0."""
    return running(rules="aba-2003-standard", length=length, **setup)


# 5.1: time expiration


def test_5_1_with_bronstein_clocks_an_expiry_loses_the_match() -> None:
    board = running(rules=BRONSTEIN, score=[3, 4], options={"reserve_ms": 30_000})
    flagged = board.look(60_000)
    assert shown(flagged, "status", "flagged", "called") == {"status": "flagged", "flagged": "right", "called": True}
    assert board.consequence() == {
        "kind": "lose-match",
        "points": 0,
        "reserve_ms": [30_000, 0],
        "cube_frozen": False,
    }
    look = board.does(61_000, "director", "agree")
    assert shown(look, "status", "winner", "score") == {"status": "over", "winner": "left", "score": [3, 4]}


def test_5_1_with_bronstein_clocks_double_match_point_has_no_grace() -> None:
    board = running(rules=BRONSTEIN, length=5, score=[4, 4], options={"reserve_ms": 30_000})
    board.flag()
    assert board.consequence()["kind"] == "lose-match"


def test_5_1_with_standard_clocks_only_the_expired_clock_is_reset() -> None:
    board = standard(options={"reserve_ms": [7 * MINUTE, MINUTE]})
    board.flag()
    assert board.consequence() == {
        "kind": "penalty",
        "points": 2,
        "reserve_ms": [7 * MINUTE, 5 * MINUTE],
        "cube_frozen": False,
    }
    look = board.does(MINUTE, "director", "agree")
    assert shown(look, "status", "score", "offences", "reserve_ms", "turn", "game") == {
        "status": "stopped",
        "score": [2, 0],
        "offences": [0, 1],
        "reserve_ms": [7 * MINUTE, 5 * MINUTE],
        "turn": "right",
        "game": 1,
    }
    assert board.does(MINUTE, "right", "resume")["flag_at"] == 6 * MINUTE


def test_5_1_each_repeat_offence_of_a_player_gives_one_point() -> None:
    board = standard(options={"reserve_ms": MINUTE})
    board.expires()
    board.does(board.match.at, "right", "resume")
    assert shown(board.expires(), "score", "offences") == {"score": [3, 0], "offences": [0, 2]}
    board.does(board.match.at, "right", "resume")
    board.does(board.match.at, "right", "hit")
    assert shown(board.expires(), "score", "offences") == {"score": [3, 2], "offences": [1, 2]}


def test_5_1_penalty_points_may_end_the_match_immediately() -> None:
    board = standard(score=[8, 0], options={"reserve_ms": MINUTE})
    assert shown(board.expires(), "status", "winner", "score", "offences") == {
        "status": "over",
        "winner": "left",
        "score": [9, 0],
        "offences": [0, 1],
    }


def test_5_1_a_deciding_game_has_one_grace_without_an_offence() -> None:
    board = standard(score=[8, 8], options={"reserve_ms": MINUTE})
    assert board.look(0)["limits"] is True
    board.flag()
    assert board.consequence() == {
        "kind": "grace",
        "points": 0,
        "reserve_ms": [MINUTE, 5 * MINUTE],
        "cube_frozen": False,
    }
    look = board.does(MINUTE, "director", "agree")
    assert shown(look, "status", "score", "offences", "reserve_ms", "turn", "limits") == {
        "status": "stopped",
        "score": [8, 8],
        "offences": [0, 0],
        "reserve_ms": [MINUTE, 5 * MINUTE],
        "turn": "right",
        "limits": True,
    }


def test_5_1_after_the_grace_the_next_expiry_counts_as_usual() -> None:
    board = standard(score=[8, 8], options={"reserve_ms": MINUTE})
    board.expires()
    board.does(board.match.at, "right", "resume")
    board.flag()
    assert shown(board.consequence(), "kind", "points") == {"kind": "penalty", "points": 2}
    look = board.does(board.match.at, "director", "agree")
    assert shown(look, "status", "winner", "score", "offences") == {
        "status": "over",
        "winner": "left",
        "score": [9, 8],
        "offences": [0, 1],
    }


def test_5_1_reading_each_player_has_a_separate_grace() -> None:
    board = standard(score=[8, 8], options={"reserve_ms": MINUTE})
    board.expires()
    board.does(board.match.at, "right", "resume")
    board.does(board.match.at, "right", "hit")
    board.flag()
    assert board.consequence() == {
        "kind": "grace",
        "points": 0,
        "reserve_ms": [5 * MINUTE, 5 * MINUTE],
        "cube_frozen": False,
    }


def test_5_1_the_grace_applies_if_a_take_makes_the_game_deciding() -> None:
    board = standard(score=[7, 7], options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "double")
    board.does(2_000, "left", "take")
    board.flag()
    assert board.consequence()["kind"] == "grace"


def test_5_1_before_the_take_the_game_is_not_deciding_and_points_are_due() -> None:
    board = standard(score=[7, 7], options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "double")
    board.flag()
    assert shown(board.consequence(), "kind", "points") == {"kind": "penalty", "points": 2}


def test_5_1_the_grace_applies_if_a_penalty_makes_the_game_deciding() -> None:
    board = standard(score=[6, 8], crawford="done", options={"reserve_ms": MINUTE})
    look = board.expires()  # Bob's first offence, after which both need one point
    assert shown(look, "score", "offences", "reserve_ms") == {
        "score": [8, 8],
        "offences": [0, 1],
        "reserve_ms": [MINUTE, 5 * MINUTE],
    }
    board.does(board.match.at, "right", "resume")
    graced = board.expires()
    assert shown(graced, "status", "score", "offences") == {"status": "stopped", "score": [8, 8], "offences": [0, 1]}
    board.does(board.match.at, "right", "resume")
    board.flag()
    assert shown(board.consequence(), "kind", "points") == {"kind": "penalty", "points": 1}  # his second offence


def test_5_1_the_grace_is_agreed_to_like_any_other_consequence() -> None:
    board = standard(score=[8, 8], options={"reserve_ms": MINUTE})
    board.flag()
    board.does(61_000, "right", "agree")
    assert board.does(62_000, "left", "agree")["reserve_ms"] == [MINUTE, 5 * MINUTE]


# 5.2: the frozen cube


def test_5_2_a_penalty_to_within_one_point_freezes_the_cube() -> None:
    board = standard(score=[6, 0], options={"reserve_ms": MINUTE})
    board.flag()
    assert board.consequence() == {
        "kind": "penalty",
        "points": 2,
        "reserve_ms": [MINUTE, 5 * MINUTE],
        "cube_frozen": True,
    }
    board.does(MINUTE, "director", "agree")
    board.does(MINUTE, "right", "resume")
    assert board.refuses(MINUTE, "right", "double") == "cube-frozen"
    board.does(MINUTE, "right", "hit")
    assert board.refuses(MINUTE, "left", "double") == "cube-frozen"


def test_5_2_the_next_game_has_no_cube_either() -> None:
    board = standard(score=[6, 0], options={"reserve_ms": MINUTE})
    board.expires()
    second = board.does(MINUTE, "director", "propose", what="game", winner="right", points=1)
    assert shown(second, "game", "crawford", "cube") == {
        "game": 2,
        "crawford": True,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": True},
    }
    board.does(MINUTE, "left", "hit")
    assert board.refuses(MINUTE, "right", "double") == "crawford"
    third = board.does(MINUTE, "director", "propose", what="game", winner="right", points=1)
    assert shown(third, "game", "crawford", "cube") == {
        "game": 3,
        "crawford": False,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": False},
    }
    board.does(MINUTE, "left", "hit")
    assert board.does(MINUTE + 1_000, "right", "double")["cube"]["offered_by"] == "right"


def test_5_2_a_result_entered_wrongly_leaves_the_next_game_without_a_cube() -> None:
    board = standard(score=[6, 0], options={"reserve_ms": MINUTE})
    board.expires()
    board.does(MINUTE, "director", "propose", what="game", winner="left", points=1)
    second = board.does(MINUTE, "director", "propose", what="score", score=[8, 1], note="Bob won")
    assert shown(second, "status", "game", "crawford") == {"status": "ready", "game": 2, "crawford": True}
    assert second["cube"] == {"value": 1, "owner": None, "offered_by": None, "frozen": True}
    board.does(MINUTE, "left", "hit")
    third = board.does(MINUTE, "director", "propose", what="game", winner="right", points=1)
    assert shown(third, "game", "crawford") == {"game": 3, "crawford": False}
    assert third["cube"] == {"value": 1, "owner": None, "offered_by": None, "frozen": False}


def test_5_2_a_crawford_game_already_played_is_not_played_again() -> None:
    board = standard(score=[6, 8], crawford="done", options={"reserve_ms": MINUTE})
    look = board.expires()
    assert shown(look, "score", "crawford", "cube") == {
        "score": [8, 8],
        "crawford": False,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": True},
    }
    assert board.match.crawford == "done"


def test_5_2_reading_an_unanswered_double_is_void_when_the_cube_freezes() -> None:
    board = standard(score=[0, 6], options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "double")
    assert board.expires()["cube"] == {"value": 1, "owner": None, "offered_by": None, "frozen": True}


def test_5_2_the_cube_keeps_its_place_and_value_and_multiplies_the_result() -> None:
    board = standard(score=[6, 0], options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "double")
    board.does(2_000, "left", "take")
    board.does(3_000, "right", "hit")
    board.does(3_000, "left", "hit")
    board.expires()
    board.does(board.match.at, "right", "propose", what="offer", winner="right", outcome="gammon")
    assert shown(board.does(board.match.at, "left", "agree"), "score", "game") == {"score": [8, 4], "game": 2}


def test_5_2_with_bronstein_clocks_nothing_ever_freezes() -> None:
    board = running(rules=BRONSTEIN, length=9, score=[6, 0], options={"reserve_ms": 30_000})
    board.flag()
    assert board.consequence()["cube_frozen"] is False
