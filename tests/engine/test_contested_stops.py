"""Contested stops (US 4.2): the opponent may dispute having picked up the dice."""

import pytest

from clocks.engine.events import StopContested
from tests.engine.board import Board, running, shown


def claimed(**setup: object) -> Board:
    """Match in which Bob (right) claims at 20 s that Ann picked up the dice."""
    board = running(**setup)
    board.does(20_000, "right", "stop", reason="dice-picked-up")
    return board


def contested(**setup: object) -> Board:
    """Match in which Ann contested Bob's claim at 50 s."""
    board = claimed(**setup)
    board.does(50_000, "left", "stop", reason="contest")
    return board


def test_contesting_a_stop_calls_the_director() -> None:
    board = contested()
    wire = board.match.wire(50_000)
    assert shown(wire, "status", "stop", "called", "called_by", "cite") == {
        "status": "stopped",
        "stop": {"by": "right", "reason": "dice-contested", "at": 20_000},
        "called": True,
        "called_by": "left",
        "cite": "US 4.2",
    }
    assert board.events[-2] == StopContested(50_000, "left")


def test_a_reason_given_afterwards_is_contested_in_the_same_way() -> None:
    board = running()
    board.does(20_000, "right", "stop")
    board.does(21_000, "right", "stop", reason="dice-picked-up")
    board.does(50_000, "left", "stop", reason="contest")
    assert board.match.wire(50_000)["stop"] == {"by": "right", "reason": "dice-contested", "at": 20_000}


@pytest.mark.parametrize("turn_of", ["left", "right"])
@pytest.mark.parametrize(("asks", "answers"), [("right", "left"), ("left", "right")])
def test_while_contested_a_resume_waits_for_the_other_player(asks: str, answers: str, turn_of: str) -> None:
    board = contested()
    asked = board.does(60_000, asks, "resume", turn_of=turn_of)
    assert shown(asked, "status", "turn") == {"status": "stopped", "turn": "right"}
    assert board.refuses(61_000, asks, "agree") == "not-yours-to-settle"
    agreed = board.does(62_000, answers, "agree")
    assert shown(agreed, "status", "turn", "delay_ms", "proposal") == {
        "status": "running",
        "turn": turn_of,
        "delay_ms": [12_000, 12_000] if turn_of == "left" else [12_000, 0],
        "proposal": None,
    }


def test_a_declined_resume_leaves_the_stop_contested() -> None:
    board = contested()
    board.does(60_000, "right", "resume", turn_of="left")
    board.does(61_000, "left", "decline")
    board.does(62_000, "right", "resume", turn_of="left")
    assert shown(board.look(63_000), "status", "turn") == {"status": "stopped", "turn": "right"}


@pytest.mark.parametrize("turn_of", ["left", "right"])
def test_the_director_says_how_a_contested_stop_goes_on(turn_of: str) -> None:
    look = contested().does(60_000, "director", "resume", turn_of=turn_of)
    assert shown(look, "status", "turn") == {"status": "running", "turn": turn_of}


def test_only_the_other_player_contests_and_only_once() -> None:
    board = claimed()
    assert board.refuses(30_000, "right", "stop", reason="contest") == "stopped"
    board.does(31_000, "left", "stop", reason="contest")
    assert board.refuses(32_000, "left", "stop", reason="contest") == "stopped"


@pytest.mark.parametrize("rules", ["unified-2001", "michigan-2002", "aba-2003-bronstein"])
def test_a_contest_needs_a_book_with_dice_picked_up(rules: str) -> None:
    board = running(rules=rules)
    board.does(20_000, "right", "stop", reason="dice-picked-up")
    assert board.refuses(30_000, "left", "stop", reason="contest") == "stopped"
    assert board.does(31_000, "left", "resume")["status"] == "running"


def test_a_rejected_concession_does_not_settle_a_contest() -> None:
    board = contested(director=False)
    board.does(60_000, "right", "propose", what="offer", winner="left", outcome="single")
    look = board.does(61_000, "left", "decline")
    assert shown(look, "status", "proposal") == {"status": "stopped", "proposal": None}
    assert board.match.contested


def test_an_undo_settles_a_contest() -> None:
    board = running()
    board.does(5_000, "right", "hit")
    board.does(20_000, "left", "stop", reason="dice-picked-up")
    board.does(21_000, "right", "stop", reason="contest")
    board.does(22_000, "left", "propose", what="undo")
    board.does(23_000, "right", "agree")
    assert board.match.wire(23_000)["stop"] == {"by": "left", "reason": "undo", "at": 23_000}
    assert board.does(24_000, "right", "resume")["turn"] == "right"


def test_without_contest_the_claimer_resumes_with_the_other_turn() -> None:
    look = claimed().does(80_000, "right", "resume")
    assert shown(look, "status", "turn", "delay_ms") == {
        "status": "running",
        "turn": "left",
        "delay_ms": [12_000, 12_000],
    }
