"""Calls, proposals and rulings under any rule set; delayed presses; outages."""

import pytest

from clocks.engine.commands import Expire, Stop, TakeSeat, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.events import event_from_dict
from clocks.engine.evolve.fold import evolve
from tests.engine.board import running
from tests.engine.test_commands import in_flagged, in_pending, in_ready, in_running, in_setup, in_stopped


def test_a_call_stops_both_clocks_and_stands_until_the_director_answers_it() -> None:
    board = in_running()
    called = board.does(5_000, "left", "call", note="dice picked up")
    assert (called["status"], called["called"]) == ("stopped", True)
    assert board.match.call_note == "dice picked up"
    assert board.does(6_000, "right", "resume")["called"] is True
    answered = board.does(7_000, "director", "answer")
    assert (answered["status"], answered["called"]) == ("running", False)


def test_an_answered_call_keeps_its_reason_until_the_clocks_run_on() -> None:
    board = in_running()
    board.does(5_000, "left", "call", note="dice picked up")
    assert board.does(6_000, "director", "answer")["called"] is False
    assert board.match.call_note == "dice picked up"
    board.does(7_000, "director", "resume")
    assert board.match.call_note == ""


def test_an_answer_of_an_earlier_version_still_drops_the_reason() -> None:
    board = in_running()
    board.does(5_000, "left", "call", note="dice picked up")
    written = event_from_dict("call_answered", {"at": 6_000, "note": ""})
    assert evolve(board.match, written).call_note == ""


@pytest.mark.parametrize("state", [in_setup, in_ready, in_stopped, in_flagged])
def test_a_call_works_while_no_clock_runs(state) -> None:
    board = state()
    before = board.look(30_000)["status"]
    look = board.does(31_000, "left", "call")
    assert (look["status"], look["called"]) == (before, True)


@pytest.mark.parametrize(
    "terms",
    [
        {"what": "undo"},
        {"what": "time", "seat": "left", "by_ms": 5_000},
        {"what": "cube", "value": 2, "owner": "left"},
        {"what": "score", "score": [1, 0]},
    ],
)
def test_declining_an_undo_time_cube_or_score_ends_the_proposal(terms: dict) -> None:
    board = in_running()
    before = board.does(5_000, "right", "hit")
    board.does(6_000, "left", "propose", **terms)
    look = board.does(7_000, "right", "decline")
    assert (look["status"], look["proposal"], look["called"]) == ("stopped", None, False)
    assert [look[f] for f in ("score", "cube", "reserve_ms")] == [before[f] for f in ("score", "cube", "reserve_ms")]


def test_a_declined_result_stands_and_calls_the_director() -> None:
    board = in_pending()
    look = board.does(2_000, "right", "decline")
    assert (look["proposal"]["disputed"], look["called"], look["status"]) == (True, True, "stopped")
    settled = board.does(3_000, "right", "agree")
    assert (settled["score"], settled["called"]) == ([1, 0], False)


def test_the_proposers_own_decline_withdraws_and_leaves_the_clocks_stopped() -> None:
    board = in_pending()
    look = board.does(2_000, "left", "decline")
    assert (look["proposal"], look["status"], look["called"]) == (None, "stopped", False)
    assert board.does(3_000, "right", "resume")["status"] == "running"


def test_the_directors_decline_ends_any_proposal() -> None:
    look = (board := in_pending()).does(2_000, "director", "decline")
    assert (look["proposal"], look["status"]) == (None, "stopped")
    assert board.does(3_000, "left", "resume")["status"] == "running"


def test_an_undo_restores_the_state_and_charges_nobody_since() -> None:
    board = in_running()
    board.does(20_000, "right", "double")
    board.does(50_000, "right", "propose", what="undo")
    look = board.does(55_000, "left", "agree")
    assert {f: look[f] for f in ("status", "turn", "turn_number", "reserve_ms", "delay_ms", "cube", "hits")} == {
        "status": "stopped",
        "turn": "right",
        "turn_number": 1,
        "reserve_ms": [840_000, 832_000],
        "delay_ms": [12_000, 0],
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": False},
        "hits": [1, 0],
    }
    assert board.refuses(56_000, "right", "propose", what="undo") == "bad-value"


def test_an_undo_of_the_opening_hit_leads_back_to_ready() -> None:
    board = in_running()
    look = board.does(5_000, "director", "propose", what="undo")
    assert (look["status"], look["turn"], look["hits"], look["turn_number"]) == ("ready", None, [0, 0], 0)
    assert board.does(6_000, "right", "hit")["turn"] == "left"


def test_time_given_since_the_hit_survives_its_undo() -> None:
    board = in_running()
    board.does(20_000, "right", "hit")
    board.does(21_000, "director", "propose", what="time", seat="right", by_ms=60_000, note="late press")
    look = board.does(22_000, "director", "propose", what="undo")
    assert look["reserve_ms"] == [840_000, 840_000 - 8_000 + 60_000]


@pytest.mark.parametrize(
    ("terms", "field", "value"),
    [
        ({"what": "score", "score": [6, 2]}, "crawford", True),
        ({"what": "score", "score": [3, 2]}, "score", [3, 2]),
        ({"what": "cube", "value": 4, "owner": "right"}, "cube",
         {"value": 4, "owner": "right", "offered_by": None, "frozen": False}),
        ({"what": "time", "seat": "left", "by_ms": -40_000}, "reserve_ms", [800_000, 840_000]),
        ({"what": "dice-penalty", "against": "left"}, "forfeit", [True, False]),
    ],
)  # fmt: skip
def test_a_directors_proposal_takes_effect_without_stopping_the_clock(terms, field, value) -> None:
    look = in_running().does(5_000, "director", "propose", **terms)
    assert (look["status"], look["turn"], look["proposal"], look[field]) == ("running", "right", None, value)


def test_the_director_corrects_the_score_of_a_finished_match() -> None:
    board = running(length=3)
    assert board.does(5_000, "director", "propose", what="game", winner="left", points=3)["status"] == "over"
    look = board.does(6_000, "director", "propose", what="score", score=[2, 0])
    assert {f: look[f] for f in ("status", "score", "winner", "game", "crawford")} == {
        "status": "ready",
        "score": [2, 0],
        "winner": None,
        "game": 2,
        "crawford": True,
    }


@pytest.mark.parametrize(
    ("score", "ends", "corrected", "crawford"),
    [
        ([6, 3], {"what": "game", "winner": "left", "points": 1}, [6, 4], "done"),  # the Crawford game was played
        ([6, 3], {"what": "score", "score": [7, 3]}, [6, 4], "done"),
        ([6, 3], {"what": "end", "winner": "left"}, [6, 3], "now"),  # it was not played to its end
        ([6, 3], {"what": "game", "winner": "left", "points": 1}, [5, 3], "none"),
        ([6, 3], {"what": "game", "winner": "left", "points": 1}, [6, 6], "done"),
        ([5, 3], {"what": "game", "winner": "left", "points": 2}, [6, 3], "now"),
    ],
)
def test_a_finished_match_goes_on_with_one_crawford_game(score, ends, corrected, crawford) -> None:
    board = running(score=score)
    board.does(5_000, "director", "propose", **ends)
    board.does(6_000, "director", "propose", what="score", score=corrected)
    assert (board.match.status, board.match.game, board.match.crawford) == ("ready", 2, crawford)


def test_a_match_ended_by_its_score_goes_on_after_the_crawford_game() -> None:
    board = running(score=[6, 4], crawford="done")
    board.does(5_000, "director", "propose", what="score", score=[7, 4])
    board.does(6_000, "director", "propose", what="score", score=[6, 5])
    assert board.match.crawford == "done"


def test_a_match_that_never_began_goes_on_unconfirmed_with_game_one() -> None:
    board = in_setup()
    board.does(1_000, "left", "confirm")
    board.does(2_000, "director", "propose", what="end", winner="left")
    look = board.does(3_000, "director", "propose", what="score", score=[0, 0])
    assert (look["status"], look["game"], board.match.confirmed) == ("setup", 1, (True, False))
    assert board.does(4_000, "right", "confirm")["status"] == "ready"


def test_a_match_that_ended_in_a_break_goes_on_with_the_break() -> None:
    board = in_running()
    board.does(1_000, "director", "propose", what="game", winner="left", points=1)
    board.does(2_000, "right", "stop", reason="break")
    board.does(3_000, "director", "propose", what="end", winner="left")
    look = board.does(4_000, "director", "propose", what="score", score=[1, 0])
    assert (look["status"], look["game"]) == ("setup", 2)
    assert board.match.wire(4_000)["stop"] == {"by": "right", "reason": "break", "at": 2_000}
    assert board.match.reopens == "game"


def test_a_score_set_by_an_earlier_version_begins_a_new_game_ready() -> None:
    board = in_setup()
    board.does(2_000, "director", "propose", what="end", winner="left")
    then = evolve(board.match, event_from_dict("score_set", {"at": 3_000, "score": [0, 0], "crawford": "none"}))
    assert (then.status, then.game) == ("ready", 2)


@pytest.mark.parametrize(
    ("points", "cube", "won_by"),
    [(1, 1, "single"), (2, 1, "gammon"), (3, 1, "backgammon"), (4, 2, "gammon"), (1, 2, None), (5, 1, None)],
)
def test_a_finished_match_says_how_its_last_game_was_won(points, cube, won_by) -> None:
    board = running(score=[6, 2])
    if cube > 1:
        board.does(4_000, "director", "propose", what="cube", value=cube, owner="left")
    board.does(5_000, "director", "propose", what="game", winner="left", points=points)
    assert (board.match.status, board.match.wire(5_000)["won_by"]) == ("over", won_by)


@pytest.mark.parametrize(
    ("terms", "won_by"),
    [({"what": "end", "winner": "left"}, "ended"), ({"what": "score", "score": [7, 2]}, None)],
)
def test_a_ruled_or_corrected_match_is_not_won_by_a_game(terms, won_by) -> None:
    board = in_running()
    board.does(5_000, "director", "propose", **terms)
    assert (board.match.status, board.match.won_by) == ("over", won_by)
    board.does(6_000, "director", "propose", what="reopen")
    assert board.match.won_by is None


def test_a_match_won_on_time_or_by_a_pass_says_so() -> None:
    flagged = running(options={"reserve_ms": 60_000})
    flagged.expires()
    passed = running(length=1, score=[0, 0])
    passed.does(5_000, "right", "double")
    passed.does(6_000, "left", "pass")
    assert [(board.match.status, board.match.won_by) for board in (flagged, passed)] == [
        ("over", "time"),
        ("over", "pass"),
    ]


def test_a_score_that_reaches_the_length_ends_the_match() -> None:
    look = in_running().does(5_000, "director", "propose", what="score", score=[7, 2])
    assert (look["status"], look["winner"], look["score"]) == ("over", "left", [7, 2])


def test_a_delayed_press_in_time_counts_and_its_delay_is_not_charged() -> None:
    board = running(options={"reserve_ms": 20_000})
    look = board.does(32_100, "right", "hit", credit_ms=150)
    assert (look["status"], look["reserve_ms"]) == ("running", [20_000, 50])


def test_a_press_too_late_for_its_credit_meets_the_fallen_flag() -> None:
    board = running(options={"reserve_ms": 20_000})
    assert board.refuses(32_100, "right", "hit", credit_ms=100) == "flagged"
    assert board.match.at == 32_000


def test_a_credit_is_never_more_than_the_match_allows() -> None:
    board = running(options={"reserve_ms": 20_000, "lag_credit_ms": 0})
    assert board.does(20_000, "right", "hit", credit_ms=200)["reserve_ms"] == [20_000, 12_000]


def test_a_press_by_the_player_not_on_turn_does_not_delay_a_flag() -> None:
    board = running(options={"reserve_ms": 20_000})
    assert board.refuses(32_100, "left", "hit", credit_ms=250) == "flagged"


def test_any_other_command_at_the_deadline_meets_the_fallen_flag() -> None:
    board = running(options={"reserve_ms": 20_000})
    assert board.refuses(32_000, "left", "stop", reason="dice") == "flagged"


def test_the_flag_watch_waits_for_the_lag_allowance() -> None:
    board = running(options={"reserve_ms": 20_000})
    assert perform(board.match, Expire(), "server", 32_249).events == ()
    fallen = perform(board.match, Expire(), "server", 32_250)
    assert (fallen.match.status, fallen.match.at, fallen.match.flagged) == ("flagged", 32_000, "right")


def test_an_outage_stops_the_clock_at_the_last_sign_of_life() -> None:
    board = in_running()
    stopped = perform(board.match, Stop("outage"), "server", 15_000).match
    assert (stopped.status, stopped.clock.reserves(90_000)) == ("stopped", (840_000, 837_000))
    assert perform(stopped, parse_command({"do": "resume"}), "right", 95_000).match.status == "running"


def test_the_server_gives_no_other_commands() -> None:
    refusal = perform(in_running().match, parse_command({"do": "hit"}), "server", 1_000).refusal
    assert refusal is not None and refusal.code == "bad-message"


def test_taking_a_seat_changes_no_rule_state() -> None:
    board = in_running()
    outcome = perform(board.match, TakeSeat(7, ("left",)), "server", 0)
    assert outcome.match == board.match
    sat_down = {"at": 0, "device": 7, "seats": ["left"], "lent": [], "together": False}
    assert [event.to_dict() for event in outcome.events] == [sat_down]


def test_an_answer_may_omit_the_number_but_not_name_another_one() -> None:
    board = in_running()
    board.does(5_000, "left", "propose", what="undo")
    board.does(6_000, "left", "decline")
    board.does(7_000, "left", "propose", what="undo")
    assert [board.refuses(8_000, "right", do, proposal=1) for do in ("agree", "decline")] == ["stale", "stale"]
    assert board.does(9_000, "right", "agree", proposal=2)["proposal"] is None
    board.does(10_000, "right", "propose", what="cube", value=2, owner="left")
    assert board.does(11_000, "left", "agree")["cube"]["value"] == 2


def test_a_snapshot_numbers_the_proposal_and_a_replay_line_does_not() -> None:
    board = in_running()
    shown = board.does(5_000, "left", "propose", what="undo")["proposal"]
    assert (board.match.wire(5_000)["proposal"], board.match.look(5_000)["proposal"]) == ({**shown, "number": 1}, shown)
