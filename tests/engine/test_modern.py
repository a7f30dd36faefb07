"""Modern rules (USBGF, WBGF): the US book of 2013 with extensions."""

import pytest

from tests.engine.board import Board, running, shown

MINUTE = 60_000


def modern(**setup) -> Board:
    """Match in which Ann rolled lower and Bob's (right) turn began at 0."""
    return running(rules="modern", **setup)


@pytest.mark.parametrize(
    ("format_", "reserve_ms", "delay_ms"),
    [("singles", 14 * MINUTE, 12_000), ("doubles", 14 * 75_000, 18_000)],
)
def test_the_amounts_are_those_of_the_us_book(format_: str, reserve_ms: int, delay_ms: int) -> None:
    look = Board("modern", 7, format=format_).look(0)
    assert shown(look, "reserve_ms", "delay_ms") == {"reserve_ms": [reserve_ms] * 2, "delay_ms": [delay_ms] * 2}


def test_without_an_overtime_a_flag_loses_the_match() -> None:
    board = modern(options={"reserve_ms": MINUTE})
    board.flag()
    assert board.consequence() == {"kind": "lose-match", "points": 0, "reserve_ms": [MINUTE, 0], "cube_frozen": False}
    assert shown(board.does(board.match.at, "director", "agree"), "status", "winner") == {
        "status": "over",
        "winner": "left",
    }


def test_a_players_first_flag_gives_the_overtime_once_as_a_warning() -> None:
    board = modern(options={"reserve_ms": MINUTE, "overtime_ms": 2 * MINUTE})
    board.flag()
    assert board.consequence() == {
        "kind": "overtime",
        "points": 0,
        "reserve_ms": [MINUTE, 2 * MINUTE],
        "cube_frozen": False,
    }
    look = board.does(board.match.at, "director", "agree")
    assert shown(look, "status", "turn", "turn_number", "score", "offences", "reserve_ms", "delay_ms") == {
        "status": "stopped",
        "turn": "right",
        "turn_number": 1,
        "score": [0, 0],
        "offences": [0, 1],
        "reserve_ms": [MINUTE, 2 * MINUTE],
        "delay_ms": [12_000, 12_000],
    }
    resumed = board.does(100_000, "right", "resume")
    assert resumed["flag_at"] == 100_000 + 2 * MINUTE + 12_000


def test_the_second_flag_of_a_player_loses_also_in_a_later_game() -> None:
    board = modern(options={"reserve_ms": MINUTE, "overtime_ms": 2 * MINUTE})
    board.expires()
    board.does(board.match.at, "director", "propose", what="game", winner="right", points=2)
    board.does(board.match.at, "left", "hit")
    board.flag()
    assert board.consequence()["kind"] == "lose-match"
    assert board.does(board.match.at, "director", "agree")["winner"] == "left"


def test_each_player_has_a_separate_overtime() -> None:
    board = modern(options={"reserve_ms": MINUTE, "overtime_ms": 2 * MINUTE})
    board.expires()
    board.does(board.match.at, "right", "resume")
    board.does(board.match.at, "right", "hit")
    assert shown(board.expires(), "offences", "reserve_ms") == {
        "offences": [1, 1],
        "reserve_ms": [2 * MINUTE, 2 * MINUTE],
    }


def test_an_overtime_that_the_director_turns_down_is_not_used_up() -> None:
    board = modern(options={"reserve_ms": MINUTE, "overtime_ms": 2 * MINUTE})
    board.flag()
    board.does(board.match.at, "director", "decline", note="the opponent forgot to press")
    board.does(board.match.at, "director", "propose", what="time", seat="right", by_ms=10_000)
    board.does(board.match.at, "right", "resume")
    board.flag()
    assert board.consequence()["kind"] == "overtime"


def test_double_match_point_has_overtime_too() -> None:
    board = modern(score=[6, 6], options={"reserve_ms": MINUTE, "overtime_ms": 2 * MINUTE})
    board.flag()
    assert board.consequence()["kind"] == "overtime"


def test_a_fresh_delay_after_an_invalid_roll_needs_agreement() -> None:
    board = modern()
    board.does(15_000, "right", "stop", reason="dice")
    asked = board.does(20_000, "right", "resume", fresh_delay=True)
    assert shown(asked, "status", "proposal", "delay_ms") == {
        "status": "stopped",
        "proposal": {
            "what": "resume",
            "by": "right",
            "turn_of": "right",
            "fresh_delay": True,
            "agreed": [],
            "disputed": False,
        },
        "delay_ms": [12_000, 0],
    }
    assert board.refuses(25_000, "right", "agree") == "not-yours-to-settle"
    look = board.does(30_000, "left", "agree")
    assert shown(look, "status", "turn", "turn_number", "hits", "reserve_ms", "delay_ms", "flag_at") == {
        "status": "running",
        "turn": "right",
        "turn_number": 1,
        "hits": [1, 0],
        "reserve_ms": [14 * MINUTE, 14 * MINUTE - 3_000],
        "delay_ms": [12_000, 12_000],
        "flag_at": 30_000 + 14 * MINUTE - 3_000 + 12_000,
    }


def test_a_resume_without_a_fresh_delay_goes_on_with_what_is_left_of_it() -> None:
    board = modern()
    board.does(5_000, "right", "stop", reason="dice")
    assert board.does(65_000, "right", "resume")["delay_ms"] == [12_000, 7_000]


def test_time_is_restored_by_agreement() -> None:
    board = modern()
    board.does(30_000, "right", "propose", what="time", seat="right", by_ms=10_000, note="left forgot to press")
    look = board.does(35_000, "left", "agree")
    assert shown(look, "status", "proposal", "reserve_ms") == {
        "status": "stopped",
        "proposal": None,
        "reserve_ms": [14 * MINUTE, 14 * MINUTE - 8_000],
    }


def test_time_is_not_restored_against_the_other_players_will() -> None:
    board = modern()
    board.does(30_000, "right", "propose", what="time", seat="right", by_ms=10_000)
    look = board.does(35_000, "left", "decline")
    assert shown(look, "proposal", "reserve_ms") == {
        "proposal": None,
        "reserve_ms": [14 * MINUTE, 14 * MINUTE - 18_000],
    }


def test_dismissing_a_declined_concession_restarts_the_players_clock() -> None:
    board = modern()
    board.does(4_000, "right", "propose", what="offer", winner="left", outcome="single")
    declined = board.does(9_000, "left", "decline")
    assert shown(declined, "status", "called") == {"status": "stopped", "called": True}
    look = board.does(60_000, "director", "decline")
    assert shown(look, "status", "turn", "delay_ms") == {
        "status": "running",
        "turn": "right",
        "delay_ms": [12_000, 8_000],
    }


def test_claims_of_a_win_are_refused() -> None:
    claim = {"what": "offer", "winner": "right", "outcome": "single"}
    assert modern().refuses(1_000, "right", "propose", **claim) == "no-offer-of-that-kind"


def test_dice_taken_too_soon_forfeit_a_delay() -> None:
    board = modern()
    board.does(1_000, "right", "propose", what="dice-penalty", against="left")
    board.does(2_000, "left", "agree")
    board.does(3_000, "right", "resume")
    look = board.does(4_000, "right", "hit")
    assert shown(look, "turn", "forfeit", "wait_until") == {
        "turn": "left",
        "forfeit": [True, False],
        "wait_until": 16_000,
    }
