"""Reopening a match or game, and how a match lost on time is shown."""

import json
from typing import Any

import pytest

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Reason
from clocks.engine.codec import encode
from clocks.engine.events import Reopened, event_from_dict
from clocks.engine.evolve.fold import evolve, fold
from clocks.engine.match import Halt, Match
from clocks.engine.replay import run
from tests.engine.board import Board, running, shown

# Fields that any entry may change: the match's time, the last declined proposal, who stopped the clocks and why.
BUT_FOR_THE_ENTRY = ("at", "declined", "halt")


def reopen(board: Board, at: int, note: str = "The wrong winner") -> dict[str, Any]:
    return board.does(at, "director", "propose", what="reopen", note=note)


def state(board: Board) -> dict[str, Any]:
    """Match state without the fields in `BUT_FOR_THE_ENTRY`."""
    return {name: value for name, value in board.match.to_dict().items() if name not in BUT_FOR_THE_ENTRY}


def played(rules: str, **setup: Any) -> Board:
    """Match in its third turn, Bob's (right), which began at 37 s."""
    board = running(rules=rules, length=5, **setup)
    board.does(21_000, "right", "hit")
    board.does(37_000, "left", "hit")
    return board


@pytest.mark.parametrize("rules", RULESETS)
def test_reopening_a_match_equals_never_ending_it(rules: str) -> None:
    ended, never = played(rules), played(rules)
    ended.does(40_000, "director", "propose", what="end", winner="left")
    reopen(ended, 60_000)
    never.does(40_000, "director", "stop", reason="director")
    assert state(ended) == state(never)
    assert encode(ended.match.halt) == {"by": "director", "reason": "reopen", "at": 60_000, "hall": None, "note": ""}
    for board in (ended, never):
        board.does(70_000, "director", "resume")
        board.does(75_000, "right", "double")
        board.does(80_000, "left", "take")
        board.does(90_000, "right", "propose", what="game", winner="right", points=2)
        board.does(91_000, "left", "agree")
    assert ended.look(95_000) == never.look(95_000)


@pytest.mark.parametrize("rules", RULESETS)
def test_reopening_a_game_equals_declining_its_result(rules: str) -> None:
    agreed, declined = played(rules), played(rules)
    for board in (agreed, declined):
        board.does(40_000, "right", "propose", what="game", winner="right", points=4)
    agreed.does(41_000, "left", "agree")
    declined.does(41_000, "director", "decline")
    assert shown(agreed.look(41_000), "score", "game", "crawford", "status") == {
        "score": [0, 4],
        "game": 2,
        "crawford": True,
        "status": "ready",
    }
    reopen(agreed, 50_000)
    assert state(agreed) == state(declined)
    assert agreed.match.halt == Halt(Official.DIRECTOR, Reason.REOPEN, 50_000)


def test_a_reopening_is_one_entry_that_folds_to_the_state() -> None:
    board = played("us-2013")
    board.does(40_000, "director", "propose", what="end", winner="left")
    reopen(board, 60_000, "Ann won game 3, not the match")
    assert board.events[-1] == Reopened(60_000, "Ann won game 3, not the match", stops=True)
    assert [event.name for event in board.events[-2:]] == ["match_ended", "reopened"]
    written = [(event.name, json.loads(json.dumps(event.to_dict()))) for event in board.events]
    assert fold(board.setup, [event_from_dict(name, plain) for name, plain in written]) == board.match
    assert Match.from_dict(json.loads(json.dumps(board.match.to_dict()))) == board.match


def test_after_a_pass_the_double_is_offered_again_to_the_seat_that_passed() -> None:
    board = played("us-2013")
    board.does(42_000, "right", "double")
    board.does(50_000, "left", "pass")
    look = reopen(board, 90_000)
    assert shown(look, "status", "turn", "score", "cube", "delay_ms", "winner") == {
        "status": "stopped",
        "turn": "left",
        "score": [0, 0],
        "cube": {"value": 1, "owner": None, "offered_by": "right", "frozen": False},
        "delay_ms": [4_000, 12_000],
        "winner": None,
    }
    assert board.refuses(91_000, "left", "resume") == "not-director"
    board.does(92_000, "director", "resume")
    assert board.does(93_000, "left", "take")["cube"]["value"] == 2


def test_the_credit_of_a_pass_is_not_charged_when_its_game_is_taken_back() -> None:
    board = played("us-2013")
    board.does(42_000, "right", "double")
    board.does(50_000, "left", "pass", credit_ms=200)
    assert reopen(board, 60_000)["delay_ms"] == [4_200, 12_000]


def test_an_undo_before_the_end_is_available_after_reopening() -> None:
    board = played("us-2013")
    board.does(40_000, "director", "propose", what="end", winner="left")
    reopen(board, 60_000)
    assert shown(board.does(61_000, "director", "propose", what="undo"), "turn", "turn_number", "hits") == {
        "turn": "left",
        "turn_number": 2,
        "hits": [1, 1],
    }


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("us-2013", {}),
        ("us-2007", {}),
        ("us-2007", {"bronstein": "precredited"}),
        ("aba-2003-bronstein", {}),
        ("custom", {"kind": "none"}),
        ("custom", {"kind": "simple", "delay_ms": 9_000}),
        ("custom", {"kind": "bronstein", "delay_ms": 9_000}),
        ("custom", {"flag": "penalty", "kind": "bronstein", "delay_ms": 9_000}),
    ],
)
def test_a_match_lost_on_time_shows_0_and_needs_time_when_reopened(rules: str, options: dict[str, Any]) -> None:
    board = played(rules, score=[3, 3], options={"reserve_ms": 60_000, **options})
    left = board.match.clock.reserves(40_000)[0]
    lost = board.expires()
    assert shown(lost, "status", "winner", "reserve_ms") == {
        "status": "over",
        "winner": "left",
        "reserve_ms": [left, 0],
    }
    at = board.match.at + 1_000
    back = reopen(board, at)
    assert shown(back, "status", "turn", "flagged", "proposal", "score", "reserve_ms", "offences", "called") == {
        "status": "stopped",
        "turn": "right",
        "flagged": None,
        "proposal": None,
        "score": [3, 3],
        "reserve_ms": [left, 0],
        "offences": [0, 0],
        "called": False,
    }
    assert board.refuses(at, "director", "resume") == "flagged"
    board.does(at, "director", "propose", what="time", seat="right", by_ms=30_000)
    assert board.does(at, "director", "resume")["status"] == "running"


def test_an_old_journal_of_a_lost_match_folds_as_it_did_then() -> None:
    board = played("us-2007", options={"reserve_ms": 60_000})
    board.flag()
    flagged = board.match
    board.does(flagged.at, "director", "agree")
    *_, expiry = board.events
    earlier = {name: value for name, value in expiry.to_dict().items() if name != "lost_at_zero"}
    then = evolve(flagged, event_from_dict("expiry_applied", earlier))
    assert (then.clock.reserve_ms, board.match.clock.reserve_ms) == ((56_000, 12_000), (56_000, 0))


def test_the_last_game_can_be_reopened_until_the_next_one_begins() -> None:
    board = played("us-2013")
    board.does(40_000, "director", "propose", what="game", winner="left", points=2)
    assert board.match.wire(40_000)["reopens"] == "game"
    board.does(50_000, "right", "hit")
    assert board.match.wire(50_000)["reopens"] is None
    assert board.refuses(51_000, "director", "propose", what="reopen") == "bad-value"
    board.does(52_000, "director", "propose", what="undo")
    assert shown(reopen(board, 53_000), "status", "turn", "score", "game", "turn_number") == {
        "status": "stopped",
        "turn": "right",
        "score": [0, 0],
        "game": 1,
        "turn_number": 3,
    }


def test_a_game_is_taken_back_during_a_break_too() -> None:
    board = played("us-2013")
    board.does(40_000, "director", "propose", what="game", winner="left", points=2)
    board.does(45_000, "left", "stop", reason="break")
    assert shown(reopen(board, 53_000), "status", "turn", "score") == {
        "status": "stopped",
        "turn": "right",
        "score": [0, 0],
    }


def test_reopening_a_match_ended_between_games_then_its_last_game() -> None:
    board = played("us-2013")
    board.does(40_000, "director", "propose", what="game", winner="left", points=2)
    between = state(board)
    board.does(45_000, "director", "propose", what="end", winner="right")
    reopen(board, 50_000)
    assert state(board) == between
    assert shown(reopen(board, 51_000), "status", "turn", "score") == {
        "status": "stopped",
        "turn": "right",
        "score": [0, 0],
    }
    assert board.refuses(52_000, "director", "propose", what="reopen") == "bad-value"


def test_a_match_ended_before_it_began_waits_to_be_confirmed_again() -> None:
    board = Board(confirmed=False)
    board.does(1_000, "left", "confirm")
    before = state(board)
    board.does(2_000, "director", "propose", what="end", winner="right")
    reopen(board, 3_000)
    assert state(board) == before


def test_a_score_that_ended_the_match_is_taken_back_with_it() -> None:
    board = played("us-2013")
    board.does(40_000, "director", "propose", what="score", score=[5, 1])
    assert board.match.status == "over"
    assert shown(reopen(board, 50_000), "status", "turn", "score", "winner") == {
        "status": "stopped",
        "turn": "right",
        "score": [0, 0],
        "winner": None,
    }


def test_the_last_game_can_be_reopened_after_a_corrected_score() -> None:
    board = played("us-2013", score=[3, 0])
    board.does(40_000, "director", "propose", what="game", winner="left", points=2)
    board.does(41_000, "director", "propose", what="score", score=[4, 0])
    assert shown(board.look(41_000), "status", "winner") == {"status": "ready", "winner": None}
    assert shown(reopen(board, 50_000), "status", "turn", "score", "game") == {
        "status": "stopped",
        "turn": "right",
        "score": [3, 0],
        "game": 1,
    }


def test_time_given_between_games_survives_reopening_the_last_game() -> None:
    board = played("us-2013")
    before = board.look(40_000)["reserve_ms"]
    board.does(40_000, "director", "propose", what="game", winner="left", points=2)
    board.does(45_000, "director", "propose", what="time", seat="left", by_ms=90_000)
    assert reopen(board, 50_000)["reserve_ms"] == [before[0] + 90_000, before[1]]


def test_penalty_points_that_ended_the_match_are_taken_back_with_it() -> None:
    board = played("aba-2003-standard", score=[3, 0], options={"reserve_ms": 60_000})
    assert shown(board.expires(), "status", "score", "offences") == {
        "status": "over",
        "score": [5, 0],
        "offences": [0, 1],
    }
    assert shown(reopen(board, board.match.at), "status", "score", "offences") == {
        "status": "stopped",
        "score": [3, 0],
        "offences": [0, 0],
    }


@pytest.mark.parametrize("by", ["left", "right"])
def test_players_cannot_reopen(by: str) -> None:
    board = played("us-2013")
    assert board.refuses(40_000, by, "propose", what="reopen") == "not-director"
    board.does(41_000, "director", "propose", what="end", winner="left")
    assert board.refuses(42_000, by, "propose", what="reopen") == "not-director"


def test_reopening_is_refused_if_nothing_has_ended() -> None:
    assert Board(confirmed=False).refuses(0, "director", "propose", what="reopen") == "bad-value"
    assert Board().refuses(0, "director", "propose", what="reopen") == "bad-value"
    board = played("us-2013")
    assert board.refuses(40_000, "director", "propose", what="reopen") == "bad-value"
    board.does(41_000, "left", "propose", what="game", winner="left", points=1)
    assert board.refuses(42_000, "director", "propose", what="reopen") == "bad-value"


def test_an_open_proposal_is_settled_before_reopening() -> None:
    board = played("us-2013")
    board.does(40_000, "director", "propose", what="game", winner="left", points=2)
    board.does(41_000, "left", "propose", what="score", score=[3, 0])
    assert board.refuses(42_000, "director", "propose", what="reopen") == "proposal-pending"


def test_a_match_stored_by_an_earlier_version_cannot_be_reopened() -> None:
    board = played("us-2013")
    board.does(40_000, "director", "propose", what="end", winner="left")
    stored = board.match.to_dict()
    del stored["last_end"]
    board.match = Match.from_dict(stored)
    assert board.refuses(42_000, "director", "propose", what="reopen") == "bad-value"
    board.does(43_000, "director", "propose", what="score", score=[1, 5])
    assert shown(board.look(43_000), "status", "winner") == {"status": "over", "winner": "right"}


def test_a_replay_takes_back_an_end() -> None:
    lines = [
        {"setup": {"rules": "us-2013", "length": 5}},
        {"at": 0, "by": "director", "do": "confirm"},
        {"at": 1_000, "by": "left", "do": "hit"},
        {"at": 21_000, "by": "director", "do": "propose", "what": "end", "winner": "left"},
        {"at": 30_000, "by": "director", "do": "propose", "what": "reopen", "note": "the wrong table"},
        {"at": 31_000, "by": "director", "do": "resume"},
    ]
    *_, over, back, on = run([json.dumps(line) for line in lines])
    assert shown(over, "status", "winner", "turn") == {"status": "over", "winner": "left", "turn": None}
    assert shown(back, "ok", "status", "winner", "turn", "reserve_ms", "delay_ms", "flag_at") == {
        "ok": True,
        "status": "stopped",
        "winner": None,
        "turn": "right",
        "reserve_ms": [600_000, 592_000],
        "delay_ms": [12_000, 0],
        "flag_at": None,
    }
    assert (on["status"], on["flag_at"]) == ("running", 31_000 + 592_000)


def test_a_match_is_reopened_after_its_winner_was_corrected() -> None:
    ended, never = played("us-2013"), played("us-2013")
    ended.does(40_000, "director", "propose", what="end", winner="left")
    before = ended.match
    ended.does(50_000, "director", "propose", what="end", winner="right", note="The wrong winner")
    assert (ended.match.status, ended.match.winner, ended.match.score) == ("over", Seat.RIGHT, (0, 0))
    assert (ended.match.clock, ended.match.last_end) == (before.clock, before.last_end)
    assert ended.refuses(51_000, "director", "propose", what="end", winner="right") == "match-over"
    reopen(ended, 60_000)
    never.does(40_000, "director", "stop", reason="director")
    assert state(ended) == state(never)


def test_the_winner_by_points_is_corrected_by_the_points() -> None:
    board = played("us-2013")
    board.does(40_000, "director", "propose", what="score", score=[5, 0])
    assert board.refuses(41_000, "director", "propose", what="end", winner="right") == "match-over"
