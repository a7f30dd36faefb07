"""Every command: who may give it, when, and its refusals."""

import gc

import pytest

from clocks.engine import commands as c
from clocks.engine import events as e
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Reason
from clocks.engine.commands import parse_command
from clocks.engine.decide.perform import DECIDE
from clocks.engine.events import EVENTS
from clocks.engine.evolve.fold import APPLY
from clocks.engine.frozen import changed
from clocks.engine.match import Halt
from clocks.engine.refusals import REFUSALS, Refused
from tests.engine.board import Board, running

GAME = {"what": "game", "winner": "left", "points": 1}
CONCEDE = {"what": "offer", "winner": "left", "outcome": "single"}


def test_a_refused_command_leaves_the_garbage_collector_nothing() -> None:
    board = Board(confirmed=False)
    gc.collect()
    for at in range(100):
        assert board.refuses(at, "left", "hit") == "setup-not-confirmed"
    assert gc.collect() == 0


def in_setup() -> Board:
    return Board(confirmed=False)


def in_ready() -> Board:
    return Board()


def in_running() -> Board:
    """Match in which Bob (right) has had the turn since 0."""
    return running()


def in_stopped() -> Board:
    board = running()
    board.does(1_000, "left", "stop", reason="dice")
    return board


def in_stopped_at_once() -> Board:
    """Match in which Ann (left) stopped both clocks without giving a reason."""
    board = running()
    board.does(1_000, "left", "stop")
    return board


def in_pending() -> Board:
    board = running()
    board.does(1_000, "left", "propose", **GAME)
    return board


def in_doubled() -> Board:
    """Match in which Bob doubled, and Ann (left) must take or pass."""
    board = running()
    board.does(1_000, "right", "double")
    return board


def in_flagged() -> Board:
    board = running(options={"reserve_ms": 1_000})
    board.look(20_000)
    return board


def in_over() -> Board:
    board = running()
    board.does(1_000, "director", "propose", what="end", winner="left")
    return board


@pytest.mark.parametrize(
    ("state", "by", "do", "arguments", "code"),
    [
        (in_ready, "left", "confirm", {}, "not-ready"),
        (in_over, "director", "confirm", {}, "match-over"),
        (in_setup, "left", "hit", {}, "setup-not-confirmed"),
        (in_running, "left", "hit", {}, "not-your-turn"),
        (in_running, "right", "hit", {"turn_number": 0}, "stale"),
        (in_running, "director", "hit", {}, "no-seat"),
        (in_ready, "left", "hit", {"turn_number": 3}, "stale"),
        (in_stopped, "right", "hit", {}, "stopped"),
        (in_flagged, "right", "hit", {}, "flagged"),
        (in_doubled, "left", "hit", {}, "double-pending"),
        (in_over, "right", "hit", {}, "match-over"),
        (in_setup, "left", "stop", {"reason": "dice"}, "setup-not-confirmed"),
        (in_ready, "left", "stop", {"reason": "dice"}, "not-running"),
        (in_stopped, "left", "stop", {"reason": "dice"}, "stopped"),
        (in_flagged, "left", "stop", {"reason": "dice"}, "flagged"),
        (in_over, "director", "stop", {"reason": "director"}, "match-over"),
        (in_running, "left", "stop", {"reason": "outage"}, "bad-value"),
        (in_setup, "left", "resume", {}, "setup-not-confirmed"),
        (in_ready, "left", "resume", {}, "not-stopped"),
        (in_running, "left", "resume", {}, "not-stopped"),
        (in_pending, "director", "resume", {}, "proposal-pending"),
        (in_flagged, "director", "resume", {}, "flagged"),
        (in_over, "left", "resume", {}, "match-over"),
        (in_stopped, "left", "resume", {"fresh_delay": True}, "not-director"),
        (in_ready, "left", "double", {}, "not-running"),
        (in_running, "left", "double", {}, "not-your-turn"),
        (in_running, "director", "double", {}, "no-seat"),
        (in_running, "right", "double", {"turn_number": 9}, "stale"),
        (in_doubled, "left", "double", {}, "double-pending"),
        (in_stopped, "right", "double", {}, "stopped"),
        (in_running, "right", "take", {}, "no-double"),
        (in_running, "right", "pass", {}, "no-double"),
        (in_doubled, "right", "take", {}, "not-your-turn"),
        (in_doubled, "right", "pass", {}, "not-your-turn"),
        (in_setup, "left", "propose", GAME, "setup-not-confirmed"),
        (in_setup, "director", "propose", GAME, "setup-not-confirmed"),
        (in_over, "left", "propose", GAME, "match-over"),
        (in_over, "director", "propose", GAME, "match-over"),
        (in_over, "director", "propose", {"what": "end", "winner": "left"}, "match-over"),
        (in_ready, "left", "propose", GAME, "not-running"),
        (in_ready, "left", "propose", CONCEDE, "not-running"),
        (in_pending, "right", "propose", GAME, "proposal-pending"),
        (in_pending, "director", "propose", {"what": "undo"}, "proposal-pending"),
        (in_flagged, "director", "propose", GAME, "proposal-pending"),
        (in_running, "right", "propose", {"what": "end", "winner": "right"}, "not-director"),
        (in_running, "left", "propose", CONCEDE, "no-offer-of-that-kind"),
        (in_running, "left", "propose", {**CONCEDE, "winner": "right"}, "not-your-turn"),
        (in_doubled, "left", "propose", {**CONCEDE, "winner": "right"}, "double-pending"),
        (in_running, "director", "propose", CONCEDE, "no-seat"),
        (in_running, "left", "propose", {"what": "dice-penalty", "against": "right"}, "not-your-turn"),
        (in_running, "right", "propose", {"what": "dice-penalty", "against": "right"}, "bad-value"),
        (in_ready, "left", "propose", {"what": "undo"}, "bad-value"),
        (in_running, "left", "propose", {"what": "score", "score": [8, 0]}, "bad-value"),
        (in_running, "left", "propose", {"what": "score", "score": [7, 7]}, "bad-value"),
        (in_running, "left", "propose", {"what": "score", "score": [2, 0], "crawford": "now"}, "bad-value"),
        (in_running, "left", "propose", {"what": "time", "seat": "left", "by_ms": -840_000}, "bad-value"),
        (in_running, "left", "agree", {}, "no-proposal"),
        (in_running, "director", "decline", {}, "no-proposal"),
        (in_stopped_at_once, "right", "stop", {"reason": "dice"}, "stopped"),
        (in_stopped_at_once, "left", "stop", {}, "stopped"),
        (in_stopped_at_once, "left", "stop", {"reason": "outage"}, "bad-value"),
        (in_stopped_at_once, "left", "stop", {"reason": "dice-picked-up"}, "not-your-turn"),
        (in_pending, "left", "stop", {"reason": "dice"}, "stopped"),
        (in_running, "left", "propose", {"what": "undo", "turn_number": 0}, "stale"),
        (in_stopped, "left", "propose", {"what": "score", "score": [1, 0], "turn_number": 2}, "stale"),
        (in_pending, "left", "agree", {}, "not-yours-to-settle"),
        (in_pending, "right", "withdraw", {}, "not-yours-to-settle"),
        (in_flagged, "left", "withdraw", {}, "not-yours-to-settle"),
        (in_flagged, "director", "withdraw", {}, "not-yours-to-settle"),
        (in_running, "left", "withdraw", {}, "no-proposal"),
        (in_over, "left", "withdraw", {}, "match-over"),
        (in_over, "left", "agree", {}, "match-over"),
        (in_over, "left", "decline", {}, "match-over"),
        (in_over, "left", "call", {}, "match-over"),
        (in_running, "director", "call", {}, "no-seat"),
        (in_running, "left", "answer", {}, "not-director"),
        (in_running, "director", "answer", {}, "no-proposal"),
    ],
)
def test_a_refused_command_says_why_and_changes_nothing(state, by, do, arguments, code) -> None:
    assert state().refuses(30_000, by, do, **arguments) == code


def test_every_code_of_the_closed_list_has_a_sentence() -> None:
    assert sorted(REFUSALS) == sorted(
        "not-your-turn stale stopped not-stopped not-running not-ready match-over flagged setup-not-confirmed "
        "proposal-pending no-proposal not-yours-to-settle cube-not-yours cube-frozen crawford no-double "
        "double-pending no-offer-of-that-kind not-director no-seat overruled bad-message bad-value not-stored".split()
    )
    assert all(words.endswith((".", "!")) for words in REFUSALS.values())


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ([], "bad-message"),
        ({}, "bad-message"),
        ({"do": "dance"}, "bad-message"),
        ({"do": ["hit"]}, "bad-message"),
        ({"do": "look"}, "bad-message"),
        ({"do": "expire"}, "bad-message"),
        ({"do": "take-seat", "device": 1, "seats": ["left"]}, "bad-message"),
        ({"do": "hit", "turn_number": "3"}, "bad-value"),
        ({"do": "hit", "turn_number": True}, "bad-value"),
        ({"do": "hit", "turn_number": -1}, "bad-value"),
        ({"do": "hit", "credit_ms": -5}, "bad-value"),
        ({"do": "hit", "credit_ms": 1.5}, "bad-value"),
        ({"do": "stop", "reason": "hunger"}, "bad-value"),
        ({"do": "stop", "reason": None}, "bad-value"),
        ({"do": "resume", "turn_of": "north"}, "bad-value"),
        ({"do": "resume", "fresh_delay": "yes"}, "bad-value"),
        ({"do": "propose"}, "bad-value"),
        ({"do": "propose", "what": "expiry"}, "bad-value"),
        ({"do": "propose", "what": "game", "winner": "left"}, "bad-value"),
        ({"do": "propose", "what": "game", "winner": "left", "points": 0}, "bad-value"),
        ({"do": "propose", "what": "game", "winner": "both", "points": 1}, "bad-value"),
        ({"do": "propose", "what": "offer", "winner": "left", "outcome": "triple"}, "bad-value"),
        ({"do": "propose", "what": "undo", "turn_number": "now"}, "bad-value"),
        ({"do": "propose", "what": "cube", "value": 3}, "bad-value"),
        ({"do": "propose", "what": "cube", "value": 1, "owner": "left"}, "bad-value"),
        ({"do": "propose", "what": "score", "score": [1]}, "bad-value"),
        ({"do": "propose", "what": "score", "score": [1, -1]}, "bad-value"),
        ({"do": "propose", "what": "time", "seat": "left", "by_ms": 0}, "bad-value"),
        ({"do": "propose", "what": "time", "seat": "left", "by_ms": 1e400}, "bad-value"),
        ({"do": "call", "note": 7}, "bad-value"),
        ({"do": "call", "note": "x" * 401}, "bad-value"),
    ],
)
def test_a_malformed_command_is_refused_when_parsed(given: object, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse_command(given)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    "given",
    [
        {"do": "confirm"},
        {"do": "hit", "turn_number": 3, "credit_ms": 12},
        {"do": "double", "credit_ms": 0},
        {"do": "stop", "reason": "break"},
        {"do": "resume", "turn_of": "left", "fresh_delay": True},
        {"do": "propose", "what": "game", "winner": "left", "points": 2},
        {"do": "propose", "what": "offer", "winner": "left", "outcome": "gammon"},
        {"do": "propose", "what": "dice-penalty", "against": "right"},
        {"do": "propose", "what": "undo"},
        {"do": "propose", "what": "score", "score": [1, 2], "crawford": "done"},
        {"do": "propose", "what": "cube", "value": 4, "owner": "right"},
        {"do": "propose", "what": "time", "seat": "left", "by_ms": -500, "note": "forgot"},
        {"do": "propose", "what": "end", "winner": "right", "note": "no show"},
        {"do": "propose", "what": "undo", "turn_number": 3},
        {"do": "withdraw"},
        {"do": "agree", "note": ""},
        {"do": "call", "note": "dice"},
    ],
)
def test_a_command_survives_a_round_trip(given: dict) -> None:
    assert parse_command(given).to_dict() == given


def test_both_seats_or_the_director_confirm_the_setting() -> None:
    board = in_setup()
    board.does(0, "right", "confirm")
    assert board.does(1, "right", "confirm")["status"] == "setup"
    assert board.match.confirmed == (False, True)
    assert board.does(2, "director", "confirm")["status"] == "ready"


def test_only_the_director_resumes_after_a_stop_by_the_director() -> None:
    board = in_running()
    board.does(1_000, "director", "stop", reason="director")
    assert board.refuses(2_000, "right", "resume") == "not-director"
    assert board.does(3_000, "director", "resume")["status"] == "running"


def test_a_reason_given_after_a_stop_changes_no_clock() -> None:
    board = in_stopped_at_once()
    stood = board.match
    board.does(5_000, "left", "stop", reason="dice")
    assert board.events[-1] == e.StopExplained(5_000, Seat.LEFT, Reason.DICE)
    assert board.match == changed(stood, at=5_000, halt=Halt(Seat.LEFT, Reason.DICE, 1_000))
    assert board.refuses(6_000, "left", "stop", reason="score") == "stopped"
    assert board.does(7_000, "left", "resume")["status"] == "running"


def test_a_reason_given_after_a_stop_may_call_the_director() -> None:
    board = in_stopped_at_once()
    board.does(5_000, "left", "stop", reason="director")
    assert (board.match.called, board.match.called_by) == (True, "left")
    assert board.match.halt == Halt(Seat.LEFT, Reason.DIRECTOR, 1_000)


def test_a_stop_without_a_reason_may_become_dice_picked_up() -> None:
    board = in_running()
    board.does(1_000, "right", "stop")
    board.does(2_000, "right", "stop", reason="dice-picked-up")
    assert board.does(9_000, "right", "resume")["turn"] == "left"


def test_a_proposal_for_the_current_turn_is_accepted() -> None:
    look = in_running().does(2_000, "left", "propose", what="undo", turn_number=1)
    assert look["proposal"] == {"by": "left", "what": "undo", "agreed": [], "disputed": False}


def test_agreement_to_a_flag_can_be_withdrawn_until_both_agree() -> None:
    board = in_flagged()
    assert board.does(21_000, "left", "agree")["proposal"]["agreed"] == ["left"]
    look = board.does(22_000, "left", "withdraw")
    assert (look["status"], look["proposal"]["agreed"], look["proposal"]["disputed"]) == ("flagged", [], False)
    assert board.events[-1] == e.AgreementWithdrawn(22_000, Seat.LEFT)
    assert board.does(23_000, "right", "agree")["proposal"]["agreed"] == ["right"]
    board.does(24_000, "left", "agree")
    assert board.refuses(25_000, "left", "withdraw") == "match-over"


def test_a_resume_with_the_other_turn_charges_the_turn_like_a_hit() -> None:
    board = in_running()
    board.does(20_000, "left", "stop", reason="contest")
    look = board.does(50_000, "left", "resume", turn_of="left")
    assert (look["turn"], look["turn_number"], look["reserve_ms"], look["delay_ms"], look["hits"]) == (
        "left",
        2,
        [840_000, 832_000],
        [12_000, 12_000],
        [1, 0],
    )


def test_no_resume_with_the_other_turn_while_a_double_is_unanswered() -> None:
    board = in_doubled()
    board.does(2_000, "left", "stop", reason="dice")
    assert board.refuses(3_000, "left", "resume", turn_of="right") == "double-pending"
    assert board.does(4_000, "left", "resume")["cube"]["offered_by"] == "right"


def test_the_director_gives_a_fresh_delay_within_the_same_turn() -> None:
    board = in_running()
    board.does(20_000, "left", "stop", reason="dice")
    look = board.does(30_000, "director", "resume", fresh_delay=True)
    assert (look["turn"], look["turn_number"], look["reserve_ms"], look["delay_ms"]) == (
        "right",
        1,
        [840_000, 832_000],
        [12_000, 12_000],
    )


def test_every_command_has_its_row_in_the_table_of_what_is_decided() -> None:
    abstract = (c.Command, c.Press)
    commands = {kind for kind in vars(c).values() if isinstance(kind, type) and issubclass(kind, c.Command)}
    assert set(DECIDE) == commands - set(abstract)


def test_every_event_has_its_row_in_the_table_of_what_is_applied() -> None:
    assert set(APPLY) == set(EVENTS.values())
