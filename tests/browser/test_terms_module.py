"""Terms of each kind: whole sentences, one short line, and a preview of changes."""

from dataclasses import fields
from typing import Any, get_args

import pytest
from playwright.sync_api import Page

from clocks.engine.closed_sets import ConsequenceKind
from clocks.engine.proposals import Terms
from tests.browser.boards import BOARD

MATCH = BOARD | {
    "names": ["Ann", "Bob"],
    "score": [2, 1],
    "length": 7,
    "cube": {"value": 2, "owner": "right", "frozen": False, "offered_by": None},
    "features": {"second_delay_ms": 8_000, "saves": "gin", "freezes_next": True, "declined_offer": "dispute"},
    "tournament": "3",
    "undo": "left",
    "reopens": "game",
    "winner": None,
    "crawford": False,
    "cite": "",
}


def flag(kind: str, **consequence: Any) -> dict[str, Any]:
    """An expiry of Ann's that leaves both players a minute."""
    rest = {"points": 0, "reserve_ms": [60_000, 60_000], "cube_frozen": False}
    return {"what": "expiry", "seat": "left", "consequence": {"kind": kind} | rest | consequence}


CLOCKS = "Both clocks are set to 1:00."
RESERVES = [["Ann’s reserve", "10:00", "1:00"], ["Bob’s reserve", "8:20", "1:00"]]

TERMS: dict[str, tuple[dict[str, Any], list[str], str, list[list[str]]]] = {
    "game": (
        {"what": "game", "winner": "left", "points": 2},
        ["Ann wins a single game", "2 points · 2–1 → 4–1"],
        "Ann won a single game, 2 points",
        [["Score", "2–1", "4–1"], ["Game", "2", "3, clocks stopped before it"]],
    ),
    "offer": (
        {"what": "offer", "winner": "left", "outcome": "backgammon"},
        ["Bob concedes: Ann wins a backgammon.", "6 points · 2–1 → 7–1 · wins the match"],
        "concession, backgammon for Ann",
        [["Score", "2–1", "7–1"], ["Match", "being played", "Ann wins"]],
    ),
    "dice-penalty": (
        {"what": "dice-penalty", "against": "right"},
        [
            "Bob picked up the dice too soon and forfeits the delay of the next checker play.",
            "The delay must count down to zero before that roll.",
        ],
        "Bob took the dice too soon and waits out the next delay",
        [["Bob’s next delay", "12 s", "none; no roll for 12 s"]],
    ),
    "drop-forfeit": (
        {"what": "drop-forfeit", "seat": "left"},
        ["Ann’s dice penalty is dropped."],
        "drop Ann’s dice penalty",
        [["Ann’s next delay", "none; no roll for 12 s", "12 s"]],
    ),
    "undo": (
        {"what": "undo"},
        ["Undo your press.", "Both clocks, the turn and the cube go back to what they were."],
        "take back the last press",
        [["Turn, clocks and cube", "as they are", "as before Ann’s press"]],
    ),
    "score": (
        {"what": "score", "score": [3, 6], "crawford": "now"},
        ["Correct the score.", "2–1 → 3–6"],
        "score 3–6",
        [["Score", "2–1", "3–6"], ["Crawford", "not this game", "this game"]],
    ),
    "cube": (
        {"what": "cube", "value": 4, "owner": None},
        ["Correct the cube.", "Cube 2 · Bob → Cube 4 · centre"],
        "cube 4, in the middle",
        [["Cube", "2, owned by Bob", "4 in the middle"]],
    ),
    "time": (
        {"what": "time", "seat": "right", "by_ms": 60_000, "note": "late"},
        ["Change Bob’s reserve by +1:00.", "8:20 → 9:20", "“late”"],
        "Bob’s time +1:00",
        [["Bob’s reserve", "8:20", "9:20"]],
    ),
    "end": (
        {"what": "end", "winner": "left"},
        ["The match ends here, and Ann wins it."],
        "end the match, Ann wins it",
        [["Score", "2–1", "2–1"], ["Match", "being played", "Ann wins"]],
    ),
    "reopen": (
        {"what": "reopen"},
        ["Take back the end of the game.", "Clocks, cube and score go back to what they were before it."],
        "take back the end of the game",
        [["Last game", "decided", "as before its end, clocks stopped"]],
    ),
    "resume": (
        {"what": "resume", "turn_of": "right", "fresh_delay": True},
        ["Bob’s clock resumes with a full delay."],
        "resume with Bob’s turn and a full delay",
        [["Turn", "Ann", "Bob, a new turn"]],
    ),
    "lose-match": (
        flag("lose-match", reserve_ms=None),
        [
            "Ann has used up the reserve and loses the match.",
            "If the position is certain to win the match (gin), the director rules instead.",
        ],
        "Bob wins the match",
        [["Match", "being played", "Bob wins"]],
    ),
    "penalty": (
        flag("penalty", points=1),
        ["1 point to Bob, now 2–2.", CLOCKS],
        "1 point to Bob, clocks Ann 1:00, Bob 1:00",
        [["Score", "2–1", "2–2"], *RESERVES],
    ),
    "grace": (
        flag("grace"),
        ["This game decides the match, so there are no points this once. Ann gets one grace.", CLOCKS],
        "one grace, no points, clocks Ann 1:00, Bob 1:00",
        RESERVES,
    ),
    "next-control": (
        flag("next-control", cube_frozen=True),
        [
            "No penalty. The second control starts.",
            "Each turn has a delay of 8 s.",
            CLOCKS,
            "The cube is frozen for this game and the next.",
        ],
        "the second control begins with a delay of 8 s, clocks Ann 1:00, Bob 1:00, cube frozen",
        [*RESERVES, ["Control", "first", "second"], ["Cube", "in play", "frozen for this game"]],
    ),
    "overtime": (
        flag("overtime"),
        ["Ann gets a warning and, once, overtime.", CLOCKS],
        "overtime and a warning, clocks Ann 1:00, Bob 1:00",
        RESERVES,
    ),
}

KINDS = {str(field.default) for one in get_args(Terms) for field in fields(one) if field.name == "what"} - {"expiry"}
CONSEQUENCES = {kind.value for kind in ConsequenceKind}


@pytest.mark.parametrize("kind", sorted(KINDS | CONSEQUENCES))
def test_terms_have_sentences_a_short_line_and_a_preview(scripts: Page, kind: str) -> None:
    script = """async (match) => {
        const { proposalLines } = await import('/static/clocks/words/terms.js');
        const { proposalSays } = await import('/static/clocks/words/terms-short.js');
        const { changesOf } = await import('/static/clocks/console/changes.js');
        const { proposal, now } = match;
        return [proposalLines(match, proposal, 'left'), proposalSays(match), changesOf(match, proposal, now)];
    }"""
    terms, lines, short, changes = TERMS[kind]
    proposal = terms | {"by": "right", "agreed": [], "disputed": False, "number": 1}
    assert scripts.evaluate(script, MATCH | {"since": None, "proposal": proposal}) == [lines, short, changes]
