"""Atlanta (ABA) rules of 2003, paragraphs 1 to 4: standard and Bronstein clocks."""

import pytest

from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from tests.engine.board import Board, running, shown

MINUTE = 60_000
STANDARD, BRONSTEIN = "aba-2003-standard", "aba-2003-bronstein"
BOTH = pytest.mark.parametrize("rules", [STANDARD, BRONSTEIN])


# 1.1 and 2.1


@BOTH
def test_1_1_clocks_are_added_between_games_for_the_current_score(rules: str) -> None:
    assert shown(Board(rules, 9, score=[5, 3]).look(0), "status", "score", "turn") == {
        "status": "ready",
        "score": [5, 3],
        "turn": None,
    }


@pytest.mark.parametrize(
    ("rules", "length", "score", "minutes", "delay_ms"),
    [
        (STANDARD, 9, [0, 0], 54, 0),
        (STANDARD, 9, [5, 3], 30, 0),
        (STANDARD, 1, [0, 0], 6, 0),
        (BRONSTEIN, 9, [5, 3], 10, 12_000),  # one player needs 4 points, the other 6
        (BRONSTEIN, 11, [0, 0], 22, 12_000),
        (BRONSTEIN, 25, [24, 23], 3, 12_000),
    ],
)
def test_2_1_the_time_follows_from_length_and_score(
    rules: str, length: int, score: list[int], minutes: int, delay_ms: int
) -> None:
    look = Board(rules, length, score=score).look(0)
    assert shown(look, "reserve_ms", "delay_ms") == {
        "reserve_ms": [minutes * MINUTE, minutes * MINUTE],
        "delay_ms": [delay_ms, delay_ms],
    }


@BOTH
def test_2_1_both_players_confirm_the_setting_of_the_clocks(rules: str) -> None:
    board = Board(rules, confirmed=False)
    board.does(0, "left", "confirm")
    assert board.refuses(0, "left", "hit") == "setup-not-confirmed"
    assert board.does(0, "right", "confirm")["status"] == "ready"


def test_2_1_a_bronstein_clock_pays_back_up_to_twelve_seconds() -> None:
    board = running(rules=BRONSTEIN, length=9)
    assert board.look(10_000)["reserve_ms"] == [18 * MINUTE, 18 * MINUTE - 10_000]
    assert board.does(10_000, "right", "hit")["reserve_ms"] == [18 * MINUTE, 18 * MINUTE]
    assert board.does(40_000, "left", "hit")["reserve_ms"] == [18 * MINUTE - 18_000, 18 * MINUTE]


def test_2_1_option_precredited_bronstein_clocks_start_with_the_delay() -> None:
    board = running(rules=BRONSTEIN, length=9, options={"bronstein": "precredited"})
    assert board.look(0)["reserve_ms"] == [18 * MINUTE + 12_000, 18 * MINUTE + 12_000]


@BOTH
def test_2_1_doubles_are_refused(rules: str) -> None:
    with pytest.raises(Refused, match=f"{rules} does not cover doubles"):
        Setup.parse({"rules": rules, "length": 9, "format": "doubles"})


# 3.2 to 3.5


@BOTH
def test_3_2_mixing_the_dice_before_a_game_needs_no_clock(rules: str) -> None:
    assert shown(Board(rules).look(90_000), "status", "turn", "flag_at") == {
        "status": "ready",
        "turn": None,
        "flag_at": None,
    }


@BOTH
def test_3_3_the_player_with_the_lower_die_starts_the_opponents_clock(rules: str) -> None:
    look = Board(rules).does(1_000, "right", "hit")
    assert shown(look, "status", "turn", "turn_number") == {"status": "running", "turn": "left", "turn_number": 1}


@BOTH
def test_3_4_a_hit_ends_the_turn_also_for_a_player_who_cannot_move(rules: str) -> None:
    board = running(rules=rules)
    board.does(5_000, "right", "hit")
    look = board.does(5_200, "left", "hit")
    assert shown(look, "turn", "turn_number", "hits") == {"turn": "right", "turn_number": 3, "hits": [2, 1]}


@BOTH
def test_3_4_dice_touched_in_the_opponents_turn_bring_no_penalty_here(rules: str) -> None:
    claim = {"what": "dice-penalty", "against": "left"}
    assert running(rules=rules).refuses(1_000, "right", "propose", **claim) == "no-offer-of-that-kind"


@BOTH
def test_3_5_a_double_and_a_take_hit_and_a_pass_stops_both_clocks(rules: str) -> None:
    board = running(rules=rules)
    assert board.does(1_000, "right", "double")["turn"] == "left"
    assert board.does(2_000, "left", "take")["turn"] == "right"
    board.does(3_000, "right", "hit")
    board.does(4_000, "left", "double")
    look = board.does(5_000, "right", "pass")
    assert shown(look, "status", "turn", "score", "flag_at") == {
        "status": "ready",
        "turn": None,
        "score": [2, 0],
        "flag_at": None,
    }


# 3.6: concessions and claims


@BOTH
@pytest.mark.parametrize(
    ("winner", "score"), [("left", [2, 0]), ("right", [0, 2])], ids=["a concession", "a claim of a win"]
)
def test_3_6_an_accepted_concession_or_claim_ends_the_game(rules: str, winner: str, score: list[int]) -> None:
    board = running(rules=rules)
    offered = board.does(5_000, "right", "propose", what="offer", winner=winner, outcome="gammon")
    assert shown(offered, "status", "turn", "flag_at") == {"status": "stopped", "turn": "right", "flag_at": None}
    look = board.does(9_000, "left", "agree")
    assert shown(look, "status", "score", "game", "turn") == {
        "status": "ready",
        "score": score,
        "game": 2,
        "turn": None,
    }


@BOTH
@pytest.mark.parametrize("winner", ["left", "right"])
def test_3_6_a_rejected_offer_stands_and_summons_the_director(rules: str, winner: str) -> None:
    board = running(rules=rules)
    board.does(5_000, "right", "propose", what="offer", winner=winner, outcome="backgammon")
    look = board.does(9_000, "left", "decline")
    assert shown(look, "status", "called", "turn") == {"status": "stopped", "called": True, "turn": "right"}
    assert shown(look["proposal"], "what", "by", "disputed") == {"what": "offer", "by": "right", "disputed": True}
    assert board.refuses(10_000, "right", "hit") == "stopped"
    assert board.refuses(10_000, "right", "resume") == "proposal-pending"


@BOTH
def test_3_6_the_director_upholds_an_offer_when_nothing_better_is_possible(rules: str) -> None:
    board = running(rules=rules)
    board.does(5_000, "right", "propose", what="offer", winner="right", outcome="single")
    board.does(9_000, "left", "decline")
    look = board.does(60_000, "director", "agree")
    assert shown(look, "status", "score", "called") == {"status": "ready", "score": [0, 1], "called": False}


@BOTH
def test_3_6_dismissing_an_offer_restarts_the_players_clock(rules: str) -> None:
    board = running(rules=rules)
    before = board.does(5_000, "right", "propose", what="offer", winner="left", outcome="single")
    board.does(9_000, "left", "decline")
    look = board.does(60_000, "director", "decline")
    assert shown(look, "status", "turn", "turn_number", "called", "proposal") == {
        "status": "running",
        "turn": "right",
        "turn_number": 1,
        "called": False,
        "proposal": None,
    }
    assert shown(look, "reserve_ms", "delay_ms") == shown(before, "reserve_ms", "delay_ms")


@BOTH
def test_3_6_offers_are_made_in_ones_own_turn_only(rules: str) -> None:
    board = running(rules=rules)
    board.does(2_000, "right", "hit")
    for winner in ("left", "right"):
        offer = {"what": "offer", "winner": winner, "outcome": "single"}
        assert board.refuses(3_000, "right", "propose", **offer) == "not-your-turn"


@BOTH
def test_3_6_after_bearing_off_both_clocks_stop_and_the_result_is_agreed(rules: str) -> None:
    board = running(rules=rules)
    assert board.does(5_000, "right", "propose", what="game", winner="right", points=1)["status"] == "stopped"
    assert board.does(6_000, "left", "agree")["score"] == [0, 1]


# 4.1


@BOTH
@pytest.mark.parametrize("reason", ["concession", "break", "dice", "contest", "director"])
def test_4_1_a_stop_for_a_listed_reason_does_not_change_the_turn(rules: str, reason: str) -> None:
    board = running(rules=rules)
    before = board.does(20_000, "right", "stop", reason=reason)
    after = board.does(620_000, "left", "resume")
    fields = ("reserve_ms", "delay_ms", "turn", "turn_number")
    assert shown(after, *fields) == shown(before, *fields)


@BOTH
def test_4_1_both_players_confirm_their_times_after_a_break(rules: str) -> None:
    board = Board(rules)
    assert board.does(1_000, "right", "stop", reason="break")["status"] == "setup"
    board.does(600_000, "right", "confirm")
    assert board.does(601_000, "left", "confirm")["status"] == "ready"


# Not covered by the book


@BOTH
def test_time_lost_by_mistake_is_for_the_director_to_give_back(rules: str) -> None:
    board = running(rules=rules)
    board.does(10_000, "right", "propose", what="time", seat="right", by_ms=5_000)
    assert board.refuses(11_000, "left", "agree") == "not-yours-to-settle"
    assert board.does(12_000, "director", "agree")["proposal"] is None
