"""Michigan rules of 2002, paragraphs 1 to 3: issuing clocks, playing, offers."""

import pytest

from clocks.engine.books.published import RULESETS
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from tests.engine.board import Board, shown
from tests.engine.michigan import RULES, in_second_control, michigan

MINUTE = 60_000


# 1: issuing clocks


def test_1_1_clocks_may_be_required_for_the_rest_of_a_match() -> None:
    look = Board(RULES, 9, score=[5, 3]).look(0)
    assert shown(look, "status", "score", "reserve_ms") == {
        "status": "ready",
        "score": [5, 3],
        "reserve_ms": [30 * MINUTE, 30 * MINUTE],
    }


def test_1_2_the_director_may_add_clocks_in_the_middle_of_a_game() -> None:
    board = Board(RULES, 9, score=[2, 4])
    board.does(1_000, "director", "propose", what="cube", value=2, owner="left")
    look = board.does(2_000, "right", "hit")  # Bob ends his turn
    assert shown(look, "status", "turn", "cube") == {
        "status": "running",
        "turn": "left",
        "cube": {"value": 2, "owner": "left", "offered_by": None, "frozen": False},
    }
    assert board.does(3_000, "left", "double")["cube"]["offered_by"] == "left"


def test_1_2_only_this_book_adds_clocks_during_a_game() -> None:
    assert [key for key, rules in RULESETS.items() if rules.inside_game] == [RULES]


# 2.4: faulty clocks


def test_2_4_the_director_transfers_time_while_play_is_stopped() -> None:
    board = michigan()
    board.does(20_000, "left", "stop", reason="other")
    board.does(21_000, "director", "propose", what="time", seat="right", by_ms=15_000, note="faulty clock")
    look = board.does(22_000, "director", "propose", what="time", seat="left", by_ms=-5_000, note="faulty clock")
    assert look["reserve_ms"] == [54 * MINUTE - 5_000, 54 * MINUTE - 5_000]


# 3.1 to 3.5: playing


def test_3_1_the_player_with_the_lower_die_hits() -> None:
    board = Board(RULES)
    assert shown(board.look(90_000), "status", "flag_at") == {"status": "ready", "flag_at": None}
    look = board.does(90_000, "right", "hit")
    assert shown(look, "status", "turn", "turn_number") == {"status": "running", "turn": "left", "turn_number": 1}


def test_3_2_a_player_ends_a_turn_by_hitting() -> None:
    look = michigan().does(25_000, "right", "hit")
    assert shown(look, "turn", "reserve_ms", "delay_ms") == {
        "turn": "left",
        "reserve_ms": [54 * MINUTE, 54 * MINUTE - 25_000],
        "delay_ms": [0, 0],
    }


def test_3_3_both_clocks_stop_while_a_fallen_die_is_retrieved() -> None:
    board = michigan()
    assert board.does(5_000, "left", "stop", reason="dice")["reserve_ms"] == [54 * MINUTE, 54 * MINUTE - 5_000]
    assert board.does(65_000, "left", "resume")["reserve_ms"] == [54 * MINUTE, 54 * MINUTE - 5_000]


def test_3_3_the_clocks_run_on_for_cocked_dice() -> None:
    """Cocked dice are no reason to stop, and players must not restart a delay."""
    board = in_second_control()
    board.does(board.match.at, "right", "resume")
    board.does(board.match.at + 5_000, "right", "stop", reason="other")
    assert board.refuses(board.match.at, "right", "resume", fresh_delay=True) == "not-director"


def test_3_3_dice_touched_in_the_opponents_turn_bring_no_penalty_here() -> None:
    claim = {"what": "dice-penalty", "against": "left"}
    assert michigan().refuses(1_000, "right", "propose", **claim) == "no-offer-of-that-kind"


def test_3_3_a_player_who_cannot_move_continues_to_hit() -> None:
    board = michigan()
    board.does(5_000, "right", "hit")
    assert shown(board.does(5_300, "left", "hit"), "turn", "hits") == {"turn": "right", "hits": [2, 1]}


def test_3_4_a_double_and_a_take_hit_and_a_pass_stops_both_clocks() -> None:
    board = michigan()
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


def test_3_5_the_clock_runs_while_a_player_considers_an_illegal_play() -> None:
    board = michigan()
    board.does(10_000, "right", "hit")
    assert board.look(40_000)["reserve_ms"] == [54 * MINUTE - 30_000, 54 * MINUTE - 10_000]
    with pytest.raises(Refused, match="reason must be one of"):
        board.does(40_000, "left", "stop", reason="illegal-play")


def test_3_5_sending_back_and_correcting_a_play_are_normal_turns() -> None:
    board = michigan()
    board.does(10_000, "right", "hit")
    assert board.does(13_000, "left", "hit")["turn"] == "right"
    assert board.does(16_000, "right", "hit")["turn"] == "left"


def test_3_5_a_player_who_defends_a_play_stops_and_calls_the_director() -> None:
    board = michigan()
    look = board.does(10_000, "right", "call", note="my play was legal")
    assert shown(look, "status", "called", "flag_at") == {"status": "stopped", "called": True, "flag_at": None}


# 3.6 and 3.7: offers of a win or a loss


@pytest.mark.parametrize(
    ("winner", "score"), [("left", [4, 0]), ("right", [0, 4])], ids=["offers a loss", "offers a win"]
)
def test_3_6_an_accepted_offer_is_scored(winner: str, score: list[int]) -> None:
    board = michigan()
    board.does(1_000, "right", "double")
    board.does(2_000, "left", "take")
    offered = board.does(12_000, "right", "propose", what="offer", winner=winner, outcome="gammon")
    assert shown(offered, "status", "turn", "turn_number", "hits", "reserve_ms", "flag_at") == {
        "status": "stopped",
        "turn": "left",
        "turn_number": 4,
        "hits": [2, 2],
        "reserve_ms": [54 * MINUTE - 1_000, 54 * MINUTE - 11_000],
        "flag_at": None,
    }
    look = board.does(30_000, "left", "agree")
    assert shown(look, "status", "score", "game", "turn", "reserve_ms") == {
        "status": "ready",
        "score": score,
        "game": 2,
        "turn": None,
        "reserve_ms": [54 * MINUTE - 1_000, 54 * MINUTE - 11_000],
    }


@pytest.mark.parametrize("winner", ["left", "right"])
def test_3_6_rejecting_an_offer_starts_the_rejecting_players_clock(winner: str) -> None:
    board = michigan()
    board.does(12_000, "right", "propose", what="offer", winner=winner, outcome="single")
    look = board.does(30_000, "left", "decline")
    assert shown(look, "status", "turn", "turn_number", "called", "proposal", "flag_at", "reserve_ms") == {
        "status": "running",
        "turn": "left",
        "turn_number": 2,
        "called": False,
        "proposal": None,
        "flag_at": 54 * MINUTE + 30_000,
        "reserve_ms": [54 * MINUTE, 54 * MINUTE - 12_000],
    }


def test_3_6_an_offer_just_after_the_hit_is_valid() -> None:
    board = michigan()
    board.does(12_000, "right", "hit")
    offered = board.does(13_000, "right", "propose", what="offer", winner="left", outcome="single")
    assert shown(offered, "status", "turn", "turn_number", "hits") == {
        "status": "stopped",
        "turn": "left",
        "turn_number": 2,
        "hits": [1, 1],
    }
    look = board.does(30_000, "left", "decline")
    assert shown(look, "status", "turn", "turn_number", "reserve_ms") == {
        "status": "running",
        "turn": "left",
        "turn_number": 2,
        "reserve_ms": [54 * MINUTE - 1_000, 54 * MINUTE - 12_000],
    }


def test_3_6_rejecting_an_offer_made_while_stopped_starts_the_turn() -> None:
    board = michigan()
    board.does(12_000, "right", "stop", reason="concession")
    board.does(13_000, "right", "propose", what="offer", winner="left", outcome="single")
    look = board.does(30_000, "left", "decline")
    assert shown(look, "status", "turn", "turn_number", "reserve_ms") == {
        "status": "running",
        "turn": "left",
        "turn_number": 2,
        "reserve_ms": [54 * MINUTE, 54 * MINUTE - 12_000],
    }


def test_3_6_in_the_second_control_the_rejecting_player_has_a_full_delay() -> None:
    board = in_second_control()
    at = board.match.at
    board.does(at, "right", "resume")
    board.does(at + 5_000, "right", "propose", what="offer", winner="left", outcome="single")
    look = board.does(at + 50_000, "left", "decline")
    assert shown(look, "turn", "delay_ms") == {"turn": "left", "delay_ms": [12_000, 12_000]}


def test_3_6_each_rejected_offer_gives_a_new_turn_with_a_full_delay() -> None:
    board = in_second_control()
    at = board.match.at
    board.does(at, "right", "resume")
    board.does(at + 8_000, "right", "stop", reason="concession")
    board.does(at + 9_000, "right", "propose", what="offer", winner="left", outcome="single")
    board.does(at + 10_000, "left", "decline")
    board.does(at + 13_000, "left", "stop", reason="concession")
    board.does(at + 14_000, "left", "propose", what="offer", winner="right", outcome="single")
    look = board.does(at + 15_000, "right", "decline")
    assert shown(look, "turn", "delay_ms", "reserve_ms") == {
        "turn": "right",
        "delay_ms": [12_000, 12_000],
        "reserve_ms": [3 * MINUTE + 40_000, 3 * MINUTE],
    }


def test_3_6_rejecting_an_offer_starts_no_clock_that_the_director_stopped() -> None:
    board = michigan()
    board.does(6_000, "director", "stop")
    board.does(7_000, "right", "propose", what="offer", winner="left", outcome="single")
    look = board.does(8_000, "left", "decline")
    assert shown(look, "status", "turn", "proposal") == {"status": "stopped", "turn": "right", "proposal": None}
    assert board.refuses(9_000, "left", "resume") == "not-director"


def test_3_6_no_offer_in_the_opponents_turn_before_completing_ones_own() -> None:
    offer = {"what": "offer", "winner": "right", "outcome": "single"}
    assert michigan().refuses(1_000, "left", "propose", **offer) == "not-your-turn"


def test_3_6_a_withdrawn_offer_leaves_the_clocks_stopped() -> None:
    board = michigan()
    board.does(12_000, "right", "propose", what="offer", winner="left", outcome="single")
    look = board.does(13_000, "right", "decline")
    assert shown(look, "status", "turn", "proposal") == {"status": "stopped", "turn": "left", "proposal": None}


def test_3_6_no_offer_while_a_double_is_unanswered() -> None:
    board = michigan()
    board.does(1_000, "right", "double")
    offer = {"what": "offer", "winner": "right", "outcome": "single"}
    assert board.refuses(2_000, "left", "propose", **offer) == "double-pending"


def test_3_7_the_director_decides_whether_an_outcome_is_gin() -> None:
    board = michigan()
    board.does(12_000, "right", "propose", what="offer", winner="right", outcome="gammon")
    board.does(13_000, "left", "decline")
    called = board.does(14_000, "right", "call", note="it is gin")
    assert shown(called, "status", "called") == {"status": "stopped", "called": True}
    look = board.does(900_000, "director", "propose", what="game", winner="right", points=2)
    assert shown(look, "score", "reserve_ms") == {
        "score": [0, 2],
        "reserve_ms": [54 * MINUTE - 1_000, 54 * MINUTE - 12_000],
    }


def test_3_7_when_it_is_not_gin_play_continues_where_it_was() -> None:
    board = michigan()
    board.does(12_000, "right", "propose", what="offer", winner="right", outcome="gammon")
    board.does(13_000, "left", "decline")
    board.does(14_000, "right", "call")
    look = board.does(900_000, "director", "resume")
    assert shown(look, "status", "turn", "reserve_ms") == {
        "status": "running",
        "turn": "left",
        "reserve_ms": [54 * MINUTE - 1_000, 54 * MINUTE - 12_000],
    }


# 3.8 to 3.11


def test_3_8_mixing_the_dice_before_a_game_needs_no_clock() -> None:
    assert Board(RULES).look(90_000)["flag_at"] is None


def test_3_9_both_players_confirm_the_recorded_times_after_a_break() -> None:
    board = michigan()
    board.does(5_000, "director", "propose", what="game", winner="left", points=1)
    away = board.does(10_000, "right", "stop", reason="break")
    recorded = [54 * MINUTE, 54 * MINUTE - 5_000]
    assert shown(away, "status", "reserve_ms") == {"status": "setup", "reserve_ms": recorded}
    assert board.does(900_000, "right", "confirm")["status"] == "setup"
    assert board.refuses(901_000, "right", "hit") == "setup-not-confirmed"
    back = board.does(902_000, "left", "confirm")
    assert shown(back, "status", "reserve_ms", "game") == {"status": "ready", "reserve_ms": recorded, "game": 2}


@pytest.mark.parametrize("reason", ["score", "dice", "director", "contest", "break"])
def test_3_10_a_stop_for_a_listed_reason_does_not_change_the_turn(reason: str) -> None:
    board = michigan()
    before = board.does(20_000, "left", "stop", reason=reason)
    after = board.does(620_000, "right", "resume")
    fields = ("reserve_ms", "turn", "turn_number")
    assert shown(after, *fields) == shown(before, *fields)


def test_3_10_both_clocks_are_stopped_outside_of_games() -> None:
    board = Board(RULES, confirmed=False)
    assert board.look(MINUTE)["flag_at"] is None
    board = michigan()
    board.does(1_000, "director", "propose", what="game", winner="left", points=1)
    assert shown(board.look(MINUTE), "turn", "flag_at") == {"turn": None, "flag_at": None}


def test_3_10_both_clocks_are_stopped_while_a_player_considers_an_offer() -> None:
    board = michigan()
    before = board.does(12_000, "right", "propose", what="offer", winner="right", outcome="single")
    assert board.look(600_000)["reserve_ms"] == before["reserve_ms"]


def test_3_11_times_are_hidden_from_spectators() -> None:
    assert [key for key, rules in RULESETS.items() if rules.hides_times] == [RULES]


def test_the_director_may_let_spectators_see_the_times() -> None:
    given = {"rules": RULES, "length": 7}
    in_force = [Setup.parse(given | {"options": {"spectators": see}}).in_force for see in ("no-times", "times")]
    assert [rules.hides_times for rules in in_force] == [True, False]
    with pytest.raises(Refused, match="spectators must be one of no-times, times"):
        Setup.parse(given | {"options": {"spectators": "some"}})
