"""Interactions between rules: forfeits, undo, breaks, the cube and expiries."""

from clocks.engine.commands import parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.events import GameEnded, event_from_dict
from tests.engine.board import Board, running, shown

MINUTE = 60_000


def penalised(rules: str = "us-2013") -> Board:
    """Match in which Ann pressed, it is Bob's (right) turn, and Ann forfeits a delay."""
    board = running(rules=rules)
    board.does(5_000, "right", "hit")
    board.does(8_000, "left", "hit")
    board.does(9_000, "right", "propose", what="dice-penalty", against="left")
    board.does(9_500, "left", "agree")
    return board


def test_a_forfeit_survives_the_undo_of_the_hit_before_it() -> None:
    look = penalised().does(10_000, "director", "propose", what="undo")
    assert shown(look, "turn", "forfeit") == {"turn": "left", "forfeit": [True, False]}


def test_a_forfeit_served_by_a_hit_waits_again_when_that_hit_is_undone() -> None:
    board = penalised()
    board.does(10_000, "right", "resume")
    board.does(11_000, "right", "hit")
    assert board.does(30_000, "left", "hit")["forfeit"] == [False, False]
    assert board.does(31_000, "director", "propose", what="undo")["forfeit"] == [True, False]


def test_a_dropped_forfeit_stays_dropped_after_an_undo() -> None:
    board = penalised()
    look = board.does(10_000, "director", "propose", what="drop-forfeit", seat="left", note="first time")
    assert shown(look, "status", "forfeit", "wait_until") == {
        "status": "stopped",
        "forfeit": [False, False],
        "wait_until": None,
    }
    assert board.does(11_000, "director", "propose", what="undo")["forfeit"] == [False, False]


def test_dropping_a_forfeit_lets_the_player_roll_at_once() -> None:
    board = penalised()
    board.does(10_000, "right", "resume")
    assert board.does(11_000, "right", "hit")["wait_until"] == 23_000
    look = board.does(15_000, "director", "propose", what="drop-forfeit", seat="left")
    assert shown(look, "status", "turn", "wait_until") == {"status": "running", "turn": "left", "wait_until": None}


def test_only_the_director_drops_a_forfeit_and_only_an_existing_one() -> None:
    board = penalised()
    assert board.refuses(10_000, "left", "propose", what="drop-forfeit", seat="left") == "not-director"
    assert board.refuses(10_000, "director", "propose", what="drop-forfeit", seat="right") == "bad-value"


def test_a_forfeit_waited_out_is_served_before_a_fresh_delay() -> None:
    board = penalised("modern")
    board.does(10_000, "right", "resume")
    board.does(11_000, "right", "hit")
    board.does(24_000, "left", "stop", reason="dice")
    board.does(30_000, "left", "resume", fresh_delay=True)
    look = board.does(30_000, "right", "agree")
    assert shown(look, "forfeit", "wait_until", "delay_ms") == {
        "forfeit": [False, False],
        "wait_until": None,
        "delay_ms": [12_000, 12_000],
    }


def test_a_forfeit_not_waited_out_waits_the_fresh_delay() -> None:
    board = penalised("modern")
    board.does(10_000, "right", "resume")
    board.does(11_000, "right", "hit")
    board.does(15_000, "left", "stop", reason="dice")
    board.does(29_000, "left", "resume", fresh_delay=True)
    assert board.does(30_000, "right", "agree")["wait_until"] == 42_000


def test_a_pass_held_up_by_the_network_is_charged_without_its_credit() -> None:
    board = running(options={"reserve_ms": 20_000})
    board.does(1_000, "right", "double")
    look = board.does(33_100, "left", "pass", credit_ms=200)
    assert shown(look, "status", "score", "reserve_ms") == {
        "status": "ready",
        "score": [0, 1],
        "reserve_ms": [100, 20_000],
    }
    assert board.does(40_000, "right", "hit")["turn"] == "left"


def test_a_pass_keeps_its_credit_in_the_journal() -> None:
    board = running()
    board.does(1_000, "right", "double")
    board.does(20_000, "left", "pass", credit_ms=200)
    event = board.events[-1]
    assert event == GameEnded(20_000, "right", 1, "pass", credit_ms=200)
    assert event_from_dict(event.name, event.to_dict()) == event


def test_a_break_between_games_waits_until_what_is_proposed_is_settled() -> None:
    board = Board()
    board.does(1_000, "left", "propose", what="score", score=[1, 0])
    assert board.refuses(2_000, "left", "stop", reason="break") == "proposal-pending"


def test_between_games_players_stop_for_a_break_only() -> None:
    for reason in ("dice", "contest", "other"):
        assert Board().refuses(1_000, "left", "stop", reason=reason) == "not-running"


def test_the_director_ends_a_break_for_both() -> None:
    board = Board()
    away = board.does(1_000, "director", "stop", reason="break")
    assert away["status"] == "setup"
    assert board.match.wire(1_000)["stop"] == {"by": "director", "reason": "break", "at": 1_000}
    back = board.does(2_000, "director", "confirm")
    assert back["status"] == "ready"
    assert board.match.wire(2_000)["stop"] is None


def test_a_break_ends_when_both_confirm_and_can_be_repeated() -> None:
    board = Board()
    board.does(1_000, "left", "stop", reason="break")
    board.does(2_000, "left", "confirm")
    assert board.refuses(3_000, "left", "stop", reason="break") == "setup-not-confirmed"
    board.does(4_000, "right", "confirm")
    board.does(5_000, "right", "stop", reason="break")
    assert board.match.confirmed == (False, False)


def test_a_frozen_cube_stays_frozen_when_its_value_is_corrected() -> None:
    board = running(rules="unified-2001", length=9, score=[6, 0], options={"reserve_ms": MINUTE})
    board.expires()
    look = board.does(board.match.at, "director", "propose", what="cube", value=2, owner="right")
    assert look["cube"] == {"value": 2, "owner": "right", "offered_by": None, "frozen": True}


def test_a_corrected_cube_changes_whether_a_game_is_deciding() -> None:
    board = running(rules="unified-2001", length=9, score=[7, 7], options={"reserve_ms": MINUTE})
    raised = board.does(1_000, "director", "propose", what="cube", value=2, owner="right")
    assert shown(raised, "limits", "flag_at") == {"limits": False, "flag_at": None}
    lowered = board.does(2_000, "director", "propose", what="cube", value=1)
    assert shown(lowered, "limits", "flag_at") == {"limits": True, "flag_at": MINUTE}


def test_undoing_a_take_restores_the_limit() -> None:
    board = running(rules="unified-2001", length=9, score=[7, 7], options={"reserve_ms": MINUTE})
    board.does(1_000, "right", "double")
    board.does(2_000, "left", "take")
    look = board.does(10 * MINUTE, "director", "propose", what="undo")
    assert shown(look, "limits", "turn", "reserve_ms", "cube") == {
        "limits": True,
        "turn": "left",
        "reserve_ms": [59_000, 59_000],
        "cube": {"value": 1, "owner": None, "offered_by": "right", "frozen": False},
    }


def test_no_hit_before_a_penalty_can_be_undone_after_it() -> None:
    board = running(rules="unified-2001", options={"reserve_ms": MINUTE})
    board.expires()
    assert board.refuses(board.match.at, "director", "propose", what="undo") == "bad-value"


def test_an_expiry_is_settled_before_anything_else_is_proposed() -> None:
    board = running(options={"reserve_ms": MINUTE})
    board.flag()
    for what in ({"what": "game", "winner": "left", "points": 1}, {"what": "end", "winner": "left"}):
        assert board.refuses(board.match.at, "director", "propose", **what) == "proposal-pending"


def test_a_corrected_score_continues_a_match_ended_by_a_penalty() -> None:
    board = running(rules="unified-2001", length=9, score=[7, 0], options={"reserve_ms": MINUTE})
    assert board.expires()["status"] == "over"
    look = board.does(MINUTE, "director", "propose", what="score", score=[7, 0], note="the clock was set wrongly")
    assert shown(look, "status", "winner", "score", "flagged") == {
        "status": "ready",
        "winner": None,
        "score": [7, 0],
        "flagged": None,
    }
    assert board.refuses(MINUTE, "left", "hit") == "flagged"  # no time left on Bob's clock
    board.does(MINUTE, "director", "propose", what="time", seat="right", by_ms=5 * MINUTE)
    assert board.does(MINUTE, "left", "hit")["turn"] == "right"


def test_a_press_that_arrives_within_its_credit_meets_no_penalty() -> None:
    board = running(rules="unified-2001", options={"reserve_ms": MINUTE})
    outcome = perform(board.match, parse_command({"do": "hit", "credit_ms": 150}), "right", MINUTE + 100)
    assert outcome.refusal is None
    assert outcome.match.clock.reserve_ms == (MINUTE, 50)
