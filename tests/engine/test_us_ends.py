"""US rules of 2007 and 2013, paragraph 5: concessions, stops, flags and endings."""

import pytest

from tests.engine.board import Board, running
from tests.engine.test_us_rules import BOTH, MINUTE, shown


@BOTH
@pytest.mark.parametrize(("outcome", "points"), [("single", 1), ("gammon", 2), ("backgammon", 3)])
def test_5_1_an_accepted_concession_scores_the_cube_times_one_two_or_three(
    rules: str, outcome: str, points: int
) -> None:
    board = running(rules=rules, length=9)
    board.does(1_000, "right", "double")
    board.does(2_000, "left", "take")
    board.does(3_000, "right", "propose", what="offer", winner="left", outcome=outcome)
    look = board.does(9_000, "left", "agree")
    assert shown(look, "status", "score", "game", "proposal", "turn") == {
        "status": "ready",
        "score": [2 * points, 0],
        "game": 2,
        "proposal": None,
        "turn": None,
    }


@BOTH
def test_5_1_dismissing_a_concession_restarts_the_players_clock(
    rules: str,
) -> None:
    board = running(rules=rules)
    board.does(4_000, "right", "propose", what="offer", winner="left", outcome="single")
    rejected = board.does(9_000, "left", "decline")
    assert (rejected["status"], rejected["called"], rejected["proposal"]["disputed"]) == ("stopped", True, True)
    assert board.refuses(10_000, "right", "resume") == "proposal-pending"
    dismissed = board.does(60_000, "director", "decline")
    assert shown(dismissed, "status", "turn", "turn_number", "delay_ms", "called", "proposal") == {
        "status": "running",
        "turn": "right",
        "turn_number": 1,
        "delay_ms": [12_000, 8_000],
        "called": False,
        "proposal": None,
    }


@BOTH
def test_5_1_the_director_upholds_a_concession_nothing_can_better(rules: str) -> None:
    board = running(rules=rules)
    board.does(4_000, "right", "propose", what="offer", winner="left", outcome="backgammon")
    board.does(9_000, "left", "decline")
    assert board.does(60_000, "director", "agree")["score"] == [3, 0]


@BOTH
def test_5_1_only_concessions_are_offered_and_only_in_ones_own_turn(rules: str) -> None:
    board = running(rules=rules)
    claim = {"what": "offer", "winner": "right", "outcome": "single"}
    assert board.refuses(1_000, "right", "propose", **claim) == "no-offer-of-that-kind"
    assert board.refuses(1_000, "left", "propose", **claim) == "not-your-turn"


@BOTH
@pytest.mark.parametrize("reason", ["concession", "break", "dice", "contest", "score", "director", "other"])
def test_5_2_either_player_may_stop_both_clocks_without_losing_the_turn(rules: str, reason: str) -> None:
    board = running(rules=rules)
    before = board.does(20_000, "left", "stop", reason=reason)
    after = board.does(620_000, "right", "resume")
    assert after["status"] == "running"
    assert [after[field] for field in ("reserve_ms", "delay_ms", "turn_number", "turn")] == [
        before[field] for field in ("reserve_ms", "delay_ms", "turn_number", "turn")
    ]


@pytest.mark.parametrize(
    ("rules", "flag_at"), [("us-2013", 14 * MINUTE + 12_000), ("us-2007", 14 * MINUTE)], ids=["2013", "2007"]
)
def test_5_3_an_exhausted_reserve_loses_the_match_once_agreed(rules: str, flag_at: int) -> None:
    board = running(rules=rules, score=[3, 4], options={"reserve_ms": 14 * MINUTE})
    look = board.look(flag_at + 90_000)
    assert shown(look, "status", "flagged", "turn", "reserve_ms", "flag_at", "called", "proposal") == {
        "status": "flagged",
        "flagged": "right",
        "turn": "right",
        "reserve_ms": [14 * MINUTE, 0],
        "flag_at": None,
        "called": True,
        "proposal": {
            "what": "expiry",
            "seat": "right",
            "consequence": {
                "kind": "lose-match",
                "points": 0,
                "reserve_ms": [14 * MINUTE, 0],
                "cube_frozen": False,
            },
            "by": "server",
            "agreed": [],
            "disputed": False,
        },
    }
    assert board.refuses(flag_at + 91_000, "right", "hit") == "flagged"
    over = board.does(flag_at + 95_000, "director", "agree")
    assert (over["status"], over["winner"], over["score"]) == ("over", "left", [3, 4])


@BOTH
def test_5_3_both_players_may_agree_to_the_loss_without_the_director(rules: str) -> None:
    board = running(rules=rules, options={"reserve_ms": 30_000})
    board.look(60_000)
    half = board.does(61_000, "right", "agree")
    assert (half["status"], half["proposal"]["agreed"]) == ("flagged", ["right"])
    assert board.refuses(61_500, "right", "agree") == "not-yours-to-settle"
    over = board.does(62_000, "left", "agree")
    assert (over["status"], over["winner"]) == ("over", "left")


@BOTH
def test_5_3_a_flag_loses_at_double_match_point_too(rules: str) -> None:
    board = running(rules=rules, score=[6, 6], options={"reserve_ms": 30_000})
    look = board.look(60_000)
    assert look["limits"] is True
    assert look["proposal"]["consequence"]["kind"] == "lose-match"


@BOTH
def test_5_3_the_director_may_decline_a_flag_if_the_match_was_already_won(rules: str) -> None:
    board = running(rules=rules, options={"reserve_ms": 30_000})
    board.look(60_000)
    declined = board.does(61_000, "director", "decline", note="right had borne off")
    assert (declined["status"], declined["flagged"], declined["proposal"]) == ("stopped", None, None)
    ended = board.does(63_000, "director", "propose", what="end", winner="right", note="borne off in time")
    assert (ended["status"], ended["winner"]) == ("over", "right")


@BOTH
def test_after_a_declined_flag_the_clock_starts_only_with_time_on_it(rules: str) -> None:
    board = running(rules=rules, options={"reserve_ms": 30_000})
    board.look(60_000)
    board.does(61_000, "director", "decline")
    assert board.refuses(62_000, "left", "resume") == "flagged"
    board.does(63_000, "director", "propose", what="time", seat="right", by_ms=20_000, note="late flag")
    assert board.does(64_000, "right", "resume")["reserve_ms"] == [30_000, 20_000]


def test_the_option_precredited_adds_the_delay_once_at_the_first_start() -> None:
    board = Board("us-2007", options={"bronstein": "precredited", "reserve_ms": 10_000, "delay_ms": 5_000})
    assert board.look(0)["reserve_ms"] == [10_000, 10_000]
    assert board.does(0, "right", "hit")["reserve_ms"] == [15_000, 15_000]
    assert board.does(8_000, "left", "hit")["reserve_ms"] == [12_000, 15_000]
    board.does(9_000, "director", "propose", what="game", winner="left", points=1)
    assert board.does(10_000, "right", "hit")["reserve_ms"] == [12_000, 15_000]


@BOTH
def test_a_match_is_won_with_its_length_and_never_by_more(rules: str) -> None:
    board = running(rules=rules, length=3, score=[2, 0])
    board.does(1_000, "left", "propose", what="game", winner="left", points=2)
    over = board.does(2_000, "right", "agree")
    assert shown(over, "status", "winner", "score", "proposal", "turn") == {
        "status": "over",
        "winner": "left",
        "score": [3, 0],
        "proposal": None,
        "turn": None,
    }


@BOTH
def test_the_crawford_game_is_played_once(rules: str) -> None:
    board = running(rules=rules, length=3)
    first = board.does(1_000, "director", "propose", what="game", winner="left", points=2)
    assert (first["crawford"], first["game"]) == (True, 2)
    board.does(2_000, "left", "hit")
    assert board.refuses(3_000, "right", "double") == "crawford"
    second = board.does(4_000, "director", "propose", what="game", winner="right", points=1)
    assert (second["crawford"], second["game"]) == (False, 3)
    board.does(5_000, "left", "hit")
    assert board.does(6_000, "right", "double")["cube"]["offered_by"] == "right"
