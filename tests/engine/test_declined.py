"""A declined proposal is kept until the next press, proposal or ruling."""

from typing import Any

import pytest

from clocks.engine.events import NamesRemoved
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from tests.engine.board import Board, running

UNDO = {"what": "undo"}
RULINGS = {
    "game": {"winner": "left", "points": 1},
    "dice-penalty": {"against": "left"},
    "undo": {},
    "score": {"score": [1, 0]},
    "cube": {"value": 2, "owner": "left"},
    "time": {"seat": "left", "by_ms": 60_000},
    "end": {"winner": "left"},
}


def declined(board: Board) -> Any:
    """The last declined proposal, as sent to pages."""
    return board.match.wire(board.match.at)["declined"]


def proposed(**setting: Any) -> Board:
    """Match in which Ann asked at 5 s to take back her press."""
    board = running(**setting)
    board.does(5_000, "left", "propose", **UNDO)
    return board


def after_a_decline() -> Board:
    """Match in which Bob declined Ann's request at 6 s."""
    board = proposed()
    board.does(6_000, "right", "decline")
    return board


@pytest.mark.parametrize("by", ["right", "director"])
def test_a_declined_proposal_says_who_declined_what(by: str) -> None:
    board = proposed()
    board.does(6_000, by, "decline")
    told = {"what": "undo", "by": "left", "agreed": [], "disputed": False, "number": 1}
    assert declined(board) == {"by": by, "at": 6_000, "proposal": told}


def test_a_withdrawn_proposal_is_not_declined() -> None:
    board = proposed()
    board.does(6_000, "left", "decline")
    assert declined(board) is None


def test_a_withdrawn_dispute_is_no_longer_declined() -> None:
    board = running()
    board.does(5_000, "left", "propose", what="game", winner="left", points=1)
    board.does(6_000, "right", "decline")
    assert declined(board)["by"] == "right"
    board.does(7_000, "left", "decline")
    assert declined(board) is None


def test_the_next_press_ends_what_was_declined() -> None:
    board = after_a_decline()
    board.does(7_000, "right", "resume")
    assert declined(board)["by"] == "right"
    board.does(8_000, "right", "hit")
    assert declined(board) is None


def test_the_next_proposal_ends_what_was_declined() -> None:
    board = after_a_decline()
    board.does(7_000, "right", "propose", **UNDO)
    assert declined(board) is None


@pytest.mark.parametrize("what", RULINGS)
def test_a_ruling_ends_what_was_declined(what: str) -> None:
    board = after_a_decline()
    board.does(7_000, "director", "propose", what=what, **RULINGS[what])
    assert declined(board) is None


def test_a_claim_that_the_director_upholds_is_not_declined() -> None:
    board = running()
    board.does(5_000, "right", "propose", what="dice-penalty", against="left")
    board.does(6_000, "left", "decline")
    assert declined(board)["by"] == "left"
    board.does(7_000, "director", "agree")
    assert declined(board) is None


def test_a_reopened_end_ends_what_was_declined() -> None:
    board = running(director=False)
    board.does(5_000, "right", "propose", what="game", winner="left", points=1)
    board.does(6_000, "left", "agree")
    for at, by, do, terms in (
        (7_000, "left", "propose", {"what": "reopen"}),
        (8_000, "right", "decline", {}),
        (9_000, "right", "propose", {"what": "reopen"}),
        (10_000, "left", "agree", {}),
    ):
        board.does(at, by, do, **terms)
    assert declined(board) is None


def test_a_stored_match_of_an_earlier_version_has_nothing_declined() -> None:
    board = after_a_decline()
    stored = board.match.to_dict()
    assert Match.from_dict(stored) == board.match
    del stored["declined"]
    assert Match.from_dict(stored).declined is None


def test_names_that_are_removed_take_the_note_of_a_declined_change_along() -> None:
    board = running(rules="modern")
    board.does(5_000, "left", "propose", what="time", seat="left", by_ms=60_000, note="Bob was late")
    board.does(6_000, "right", "decline")
    assert declined(board)["proposal"]["note"] == "Bob was late"
    board.match = evolve(board.match, NamesRemoved(7_000, names=("Player 1", "Player 2")))
    assert declined(board)["proposal"]["note"] == ""
