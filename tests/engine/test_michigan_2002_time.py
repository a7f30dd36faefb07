"""Michigan rules of 2002, paragraphs 4 to 6: time controls, gin, irregularities."""

import pytest

from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from tests.engine.board import Board, shown
from tests.engine.michigan import RULES, in_second_control, michigan

MINUTE = 60_000


# 4: the first time control


def test_4_1_reading_the_default_is_three_minutes_for_each_point_needed() -> None:
    assert Board(RULES, 9).look(0)["reserve_ms"] == [54 * MINUTE, 54 * MINUTE]


def test_4_1_the_director_may_set_an_amount_of_his_own() -> None:
    assert Board(RULES, 9, options={"reserve_ms": 40 * MINUTE}).look(0)["reserve_ms"] == [40 * MINUTE, 40 * MINUTE]


def test_4_1_both_players_verify_the_setting_before_beginning_play() -> None:
    board = Board(RULES, confirmed=False)
    board.does(0, "left", "confirm")
    assert board.refuses(0, "left", "hit") == "setup-not-confirmed"
    assert board.does(0, "right", "confirm")["status"] == "ready"


def test_4_2_the_end_of_the_first_control_calls_the_director() -> None:
    board = michigan(options={"reserve_ms": [7 * MINUTE, MINUTE]})
    flagged = board.flag()
    assert shown(flagged, "status", "flagged", "called", "control") == {
        "status": "flagged",
        "flagged": "right",
        "called": True,
        "control": 1,
    }
    assert board.consequence() == {
        "kind": "next-control",
        "points": 0,
        "reserve_ms": [10 * MINUTE, 3 * MINUTE],
        "cube_frozen": False,
    }
    look = board.does(MINUTE, "director", "agree")
    assert shown(look, "status", "score", "offences", "control", "called") == {
        "status": "stopped",
        "score": [0, 0],
        "offences": [0, 0],
        "control": 2,
        "called": False,
    }


# 5: the second time control


def test_5_1_the_second_control_adds_three_minutes_and_a_delay() -> None:
    look = in_second_control().look(100_000)
    assert shown(look, "control", "turn", "turn_number", "reserve_ms", "delay_ms") == {
        "control": 2,
        "turn": "right",
        "turn_number": 3,
        "reserve_ms": [3 * MINUTE + 40_000, 3 * MINUTE],
        "delay_ms": [12_000, 12_000],
    }


def test_5_1_a_move_within_twelve_seconds_changes_nothing() -> None:
    board = in_second_control()
    at = board.match.at
    resumed = board.does(at, "right", "resume")
    assert resumed["flag_at"] == at + 3 * MINUTE + 12_000
    assert board.look(at + 12_000)["reserve_ms"] == [3 * MINUTE + 40_000, 3 * MINUTE]
    look = board.does(at + 12_000, "right", "hit")
    assert shown(look, "reserve_ms", "delay_ms", "turn") == {
        "reserve_ms": [3 * MINUTE + 40_000, 3 * MINUTE],
        "delay_ms": [12_000, 12_000],
        "turn": "left",
    }
    assert board.does(at + 12_000 + 25_000, "left", "hit")["reserve_ms"] == [3 * MINUTE + 27_000, 3 * MINUTE]


def test_5_1_option_bronstein_in_the_second_control_is_strict() -> None:
    board = in_second_control(second_control="bronstein")
    at = board.match.at
    assert board.does(at, "right", "resume")["flag_at"] == at + 3 * MINUTE
    assert board.look(at + 10_000)["reserve_ms"] == [3 * MINUTE + 40_000, 3 * MINUTE - 10_000]
    assert board.does(at + 10_000, "right", "hit")["reserve_ms"] == [3 * MINUTE + 40_000, 3 * MINUTE]


def test_5_1_option_precredited_adds_the_delay_to_the_second_control() -> None:
    board = in_second_control(second_control="bronstein", bronstein="precredited")
    at = board.match.at
    assert board.look(at)["reserve_ms"] == [3 * MINUTE + 40_000, 3 * MINUTE]
    assert board.does(at, "right", "resume")["reserve_ms"] == [3 * MINUTE + 52_000, 3 * MINUTE + 12_000]
    board.does(at + 5_000, "right", "stop", reason="dice")
    assert board.does(at + 9_000, "right", "resume")["reserve_ms"] == [3 * MINUTE + 52_000, 3 * MINUTE + 7_000]


def test_5_1_the_first_control_is_never_precredited() -> None:
    board = michigan(options={"second_control": "bronstein", "bronstein": "precredited"})
    assert board.look(0)["reserve_ms"] == [54 * MINUTE, 54 * MINUTE]


def test_5_1_option_delay_sets_the_delay_of_the_second_control() -> None:
    board = in_second_control(delay_ms=8_000)
    assert board.look(100_000)["delay_ms"] == [8_000, 8_000]


def test_5_1_precredited_clocks_need_a_bronstein_control() -> None:
    with pytest.raises(Refused, match="The option bronstein needs a Bronstein delay"):
        Setup.parse({"rules": RULES, "length": 9, "options": {"bronstein": "precredited"}})


def test_5_1_a_double_waits_through_the_change_of_control() -> None:
    board = michigan(options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "double")
    look = board.expires()
    assert shown(look, "control", "turn", "cube") == {
        "control": 2,
        "turn": "left",
        "cube": {"value": 1, "owner": None, "offered_by": "right", "frozen": False},
    }


def test_5_1_the_second_control_lasts_for_the_rest_of_the_match() -> None:
    board = in_second_control()
    board.does(board.match.at, "director", "propose", what="game", winner="left", points=1)
    look = board.does(board.match.at, "right", "hit")
    assert shown(look, "control", "game", "reserve_ms", "delay_ms") == {
        "control": 2,
        "game": 2,
        "reserve_ms": [3 * MINUTE + 40_000, 3 * MINUTE],
        "delay_ms": [12_000, 12_000],
    }


@pytest.mark.parametrize("who", ["right", "left"])
def test_5_2_either_players_time_in_the_second_control_ends_the_match(who: str) -> None:
    board = in_second_control()
    board.does(board.match.at, "right", "resume")
    if who == "left":
        board.does(board.match.at, "right", "hit")
    flagged = board.flag()
    assert shown(flagged, "flagged", "called", "control") == {"flagged": who, "called": True, "control": 2}
    assert board.consequence()["kind"] == "lose-match"
    look = board.does(board.match.at, "director", "agree")
    assert shown(look, "status", "winner", "score") == {
        "status": "over",
        "winner": "left" if who == "right" else "right",
        "score": [0, 0],
    }


def test_5_2_a_gin_win_of_the_match_beats_an_expired_clock() -> None:
    board = in_second_control()
    board.does(board.match.at, "right", "resume")
    board.flag()
    board.does(board.match.at, "director", "decline", note="gin")
    look = board.does(board.match.at, "director", "propose", what="end", winner="right", note="gin win of the match")
    assert shown(look, "status", "winner", "called") == {"status": "over", "winner": "right", "called": False}


# 6: irregularities


def test_6_1_players_cannot_have_lost_time_restored_and_the_director_can() -> None:
    board = michigan()
    time = {"what": "time", "seat": "right", "by_ms": 5_000}
    assert board.refuses(20_000, "right", "propose", **time) == "no-offer-of-that-kind"
    assert board.does(20_000, "director", "propose", **time)["reserve_ms"] == [54 * MINUTE, 54 * MINUTE - 15_000]


def test_6_2_the_director_may_take_time_away() -> None:
    look = michigan().does(0, "director", "propose", what="time", seat="left", by_ms=-5 * MINUTE, note="interfered")
    assert look["reserve_ms"] == [49 * MINUTE, 54 * MINUTE]


def test_doubles_are_refused() -> None:
    with pytest.raises(Refused, match=f"{RULES} does not cover doubles"):
        Setup.parse({"rules": RULES, "length": 9, "format": "doubles"})
