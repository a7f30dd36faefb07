"""Matches without a director: one player proposes a ruling, the other agrees."""

import ast
import json
from pathlib import Path

import pytest

from clocks.engine import replay
from clocks.engine.books.published import RULESETS
from clocks.engine.refusals import BETWEEN_PLAYERS, REFUSALS, Refused
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from tests.engine.board import Board, running, shown
from tests.syntax import parse

ROOMS = ("engine", "seats")
# Shown only to directors and helpers, and to players of matches with a director.
NEVER_SAID = {
    "A director has to do this, because it decides who plays for both players.",
    "A helper has given this phone its seat, so a director has to agree.",
    "That phone is online, so only its player or a director can give its seat away.",
    "Under these rules only the director gives time back.",
    "Only a player can make an offer. The director enters the result of the game.",
    "Only the director can drop a penalty.",
    "The director stopped the clocks, and only the director can restart them.",
    "Nobody has called the director to this table.",
}


def alone(rules: str = "us-2013", **setup: object) -> Board:
    """Running match without a director; it is Bob's (right) turn."""
    return running(rules=rules, director=False, **setup)


def test_a_setting_stores_director_only_if_there_is_none() -> None:
    given = {"rules": "us-2013", "length": 7}
    assert "director" not in Setup.parse(given).to_dict()
    setup = Setup.parse({**given, "director": False})
    assert setup.to_dict()["director"] is False
    assert Setup.parse(setup.to_dict()) == setup
    with pytest.raises(Refused, match="director must be true or false"):
        Setup.parse({**given, "director": "no"})


@pytest.mark.parametrize("rules", RULESETS)
def test_time_is_given_back_by_agreement_under_every_book(rules: str) -> None:
    board = alone(rules)
    before = board.look(20_000)["reserve_ms"]
    board.does(20_000, "right", "propose", what="time", seat="right", by_ms=9_000)
    after = board.does(21_000, "left", "agree")
    assert after["reserve_ms"] == [before[0], before[1] + 9_000]
    assert shown(after, "status", "proposal", "called") == {"status": "stopped", "proposal": None, "called": False}


@pytest.mark.parametrize("rules", RULESETS)
def test_the_end_of_a_match_is_agreed_and_taken_back_by_agreement(rules: str) -> None:
    board = alone(rules)
    before = board.look(20_000)
    board.does(20_000, "left", "propose", what="end", winner="right")
    over = board.does(21_000, "right", "agree")
    assert shown(over, "status", "winner") == {"status": "over", "winner": "right"}
    asked = board.does(30_000, "right", "propose", what="reopen")
    assert shown(asked, "status", "winner") == {"status": "over", "winner": "right"}
    assert board.refuses(30_500, "right", "agree") == "not-yours-to-settle"
    again = board.does(31_000, "left", "agree")
    assert shown(again, "status", "turn", "reserve_ms", "winner") == {
        "status": "stopped",
        "turn": "right",
        "reserve_ms": before["reserve_ms"],
        "winner": None,
    }
    assert board.does(32_000, "left", "resume")["status"] == "running"


def test_a_declined_end_leaves_the_match_over() -> None:
    board = alone()
    board.does(20_000, "left", "propose", what="end", winner="right")
    over = board.does(21_000, "right", "agree")
    board.does(30_000, "right", "propose", what="reopen")
    assert board.does(31_000, "left", "decline") == over
    assert board.refuses(32_000, "left", "agree") == "match-over"


def test_the_end_of_a_game_is_taken_back_by_agreement() -> None:
    board = alone()
    board.does(20_000, "left", "propose", what="game", winner="left", points=2)
    assert board.does(21_000, "right", "agree")["score"] == [2, 0]
    board.does(22_000, "right", "propose", what="reopen")
    again = board.does(23_000, "left", "agree")
    assert shown(again, "score", "status", "turn") == {"score": [0, 0], "status": "stopped", "turn": "right"}
    assert board.does(24_000, "left", "resume", turn_of="right")["status"] == "running"


@pytest.mark.parametrize("terms", [{"what": "game", "winner": "right", "points": 2}, {"what": "dice-penalty"}])
def test_a_declined_proposal_waits_for_nobody(terms: dict[str, object]) -> None:
    board = alone()
    against = {"against": "left"} if terms["what"] == "dice-penalty" else {}
    board.does(20_000, "right", "propose", **terms, **against)
    after = board.does(21_000, "left", "decline")
    assert shown(after, "status", "proposal", "called") == {"status": "stopped", "proposal": None, "called": False}
    assert board.does(22_000, "left", "resume")["turn"] == "right"


@pytest.mark.parametrize("rules", [key for key, book in RULESETS.items() if book.declined_offer == "dispute"])
def test_rejecting_an_offer_restarts_the_other_players_clock(rules: str) -> None:
    board = alone(rules)
    board.does(20_000, "right", "propose", what="offer", winner="left", outcome="single")
    after = board.does(25_000, "left", "decline")
    assert shown(after, "status", "turn", "proposal") == {"status": "running", "turn": "right", "proposal": None}


def test_a_dice_penalty_is_dropped_by_agreement() -> None:
    board = alone()
    board.does(20_000, "right", "propose", what="dice-penalty", against="left")
    assert board.does(21_000, "left", "agree")["forfeit"] == [True, False]
    board.does(22_000, "left", "propose", what="drop-forfeit", seat="left")
    assert board.does(23_000, "right", "agree")["forfeit"] == [False, False]


@pytest.mark.parametrize("rules", RULESETS)
def test_only_the_player_who_gains_by_a_flag_may_waive_it(rules: str) -> None:
    board = alone(rules)
    board.flag()
    at = board.match.at
    assert board.refuses(at + 1_000, "right", "decline") == "not-yours-to-settle"
    waived = board.does(at + 2_000, "left", "decline")
    assert shown(waived, "status", "proposal", "flagged", "called") == {
        "status": "stopped",
        "proposal": None,
        "flagged": None,
        "called": False,
    }
    board.does(at + 3_000, "right", "propose", what="time", seat="right", by_ms=60_000)
    board.does(at + 4_000, "left", "agree")
    assert board.does(at + 5_000, "right", "resume")["status"] == "running"


def test_both_players_agree_to_a_flags_consequence_without_a_call() -> None:
    board = alone("unified-2001")
    board.flag()
    at = board.match.at
    board.does(at + 1_000, "right", "agree")
    after = board.does(at + 2_000, "left", "agree")
    assert shown(after, "status", "score", "called") == {"status": "stopped", "score": [2, 0], "called": False}


def test_with_a_director_players_may_not_act_as_one() -> None:
    board = running()
    assert board.refuses(1_000, "left", "propose", what="end", winner="left") == "not-director"
    assert board.refuses(1_000, "left", "propose", what="drop-forfeit", seat="left") == "not-director"
    board.does(2_000, "director", "propose", what="end", winner="left")
    assert board.refuses(3_000, "right", "propose", what="reopen") == "not-director"


def test_a_match_without_a_director_replays_to_the_same_state() -> None:
    lines = [
        {"setup": {"rules": "us-2013", "length": 7, "director": False}},
        {"at": 0, "by": "left", "do": "confirm"},
        {"at": 0, "by": "right", "do": "confirm"},
        {"at": 1_000, "by": "left", "do": "hit"},
        {"at": 2_000, "by": "left", "do": "propose", "what": "end", "winner": "left"},
        {"at": 3_000, "by": "right", "do": "agree"},
    ]
    board = alone()
    printed = list(replay.run(json.dumps(line) for line in lines))
    assert [line["ok"] for line in printed] == [True] * len(lines)
    board.does(2_000, "left", "propose", what="end", winner="left")
    assert printed[-1]["status"] == board.does(3_000, "right", "agree")["status"] == "over"


def test_each_sentence_on_a_director_has_a_version_without_one() -> None:
    said = {*REFUSALS.values()} | {
        node.value
        for room in ROOMS
        for file in Path("clocks", room).rglob("*.py")
        if file.name not in ("refusals.py", "published.py", "sentences.py")
        for node in _sentences(parse(file))
    }
    named = {sentence for sentence in said if "director" in sentence.lower()}
    assert named - NEVER_SAID == set(BETWEEN_PLAYERS)
    assert [sentence for sentence in BETWEEN_PLAYERS.values() if "director" in sentence.lower()] == []
    refusal = Refused("flagged", Words("%(name)s has no time left. The director decides what happens next.", name="Bo"))
    assert str(refusal.between_players().words) == "Bo has no time left. Give time back or end the game first."


def _sentences(tree: ast.AST) -> list[ast.Constant]:
    """Refusal messages in a module: strings passed to Refused, Words and counted."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    say = ("Refused", "Words", "counted")
    texts = [text for call in calls if call.func.id in say for text in call.args]  # type: ignore[attr-defined]
    return [text for text in texts if isinstance(text, ast.Constant) and " " in str(text.value)]
