"""Every ruling in the lane takes at most three keys: `n`, Enter, Enter.

The second Enter is for answers that need confirmation, such as the end of a match. A line's second answer also takes an
arrow key. Rulings about an amount or a score are typed on the board.
"""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.boards import BOARD, NOW
from tests.browser.engines import expect

MOST = 3
LANE = """async (board) => {
    const { Lane } = await import('/static/clocks/console/lane.js');
    const { describer } = await import('/static/clocks/console/alert-lines.js');
    const { onKey } = await import('/static/clocks/console/keys.js');
    const { alertsOf, seatAlertsOf } = await import('/static/clocks/console/alerts.js');
    const { Boards } = await import('/static/clocks/match/boards.js');
    document.body.innerHTML = '<p data-count></p><p data-quiet></p><ul data-lane></ul>';
    window.acted = [];
    const note = (name) => (...given) => {
        const [first, second] = given;
        const what = second?.do ?? second?.id ?? (first?.board && first.kind) ?? second;
        acted.push([name, what].filter(Boolean).join(' '));
        return Promise.resolve(true);
    };
    const acts = ['ask', 'settleSeat', 'coming', 'open', 'dismiss', 'strikeOut', 'showKind'];
    const page = {
        me: 'dora',
        mayRule: true,
        may: new Set(['rule', 'seat', 'end', 'delete']),
        played: new Set(),
        missing: () => '',
        ...Object.fromEntries(acts.map((name) => [name, note(name)])),
    };
    const lane = new Lane(document.body, describer(page), () => {});
    const boards = new Boards();
    boards.replace([board]);
    const alerts = [...alertsOf(board, boards.seats(board), board.now), ...seatAlertsOf(board, board.asks, board.now)];
    window.pressed?.abort();
    window.pressed = new AbortController();
    const keys = { hall: { busy: false }, may: new Set(), lane, filter: {}, drawer: { match: null }, grid: {} };
    document.addEventListener('keydown', (event) => onKey(event, keys), { signal: pressed.signal });
    lane.show(alerts);
    return alerts.map(({ kind }) => kind);
}"""
STOPPED = {"status": "stopped", "since": None, "stop": {"by": "left", "reason": "break", "at": NOW - 90_000}}
TIME = {"what": "time", "by": "left", "seat": "left", "by_ms": 60_000, "note": "", "number": 1, "disputed": False}
EXPIRY = {
    "what": "expiry",
    "by": "server",
    "number": 1,
    "consequence": {"kind": "lose-match", "points": 3, "reserve_ms": [0, 500_000], "cube_frozen": False},
}
UNPLAYED = {"turn_number": 0, "game": 1, "score": [0, 0], "control": 1, "made_at": NOW - 400_000}
LATE = {"seat": "left", "at": NOW - 7_000, "late_ms": 38_200, "credit_ms": 250, "charged_ms": 37_950}
ASK = {"id": 4, "match": 17, "seats": ["left"], "at": NOW - 5_000, "until": NOW + 90_000}

RULED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "flag": ({**STOPPED, "status": "flagged", "flagged": "left", "proposal": EXPIRY}, ["ask agree"]),
    "call": ({**STOPPED, "called": True, "called_at": NOW - 4_000, "called_by": "left"}, ["coming call", "ask answer"]),
    "awaited": ({**STOPPED, "called_at": NOW - 4_000, "call_note": "the score"}, ["ask resume"]),
    "declined": ({**STOPPED, "called_at": NOW - 4_000, "proposal": {**TIME, "disputed": True}}, ["ask agree"]),
    "proposal": ({**STOPPED, "proposal": TIME}, ["ask agree"]),
    "late": ({"late": LATE}, ["ask propose", "dismiss late"]),
    "lent": ({"lent_at": [NOW - 9_000, None]}, ["ask grant-seat"]),
    "seat": ({"asks": [ASK]}, ["settleSeat 4"]),
    "entered": ({**UNPLAYED, "status": "ready", "by_players": ["left"]}, ["strikeOut"]),
    "not-started": ({**UNPLAYED, "status": "setup", "confirmed": [False, False]}, ["ask confirm"]),
}


def shown(page: Page, kind: str) -> None:
    """Show a lane with one line of this kind; wait until its buttons are enabled."""
    board = {
        **BOARD,
        "names": ["Ann", "Bob"],
        "score": [1, 0],
        "length": 3,
        "control": 1,
        "round": "Round 1",
        "offences": [0, 0],
        "cite": "",
        "rules": "us-2013",
        "features": {},
        "call_note": "",
        "called_by": None,
        "lent_at": [None, None],
        "made_at": NOW - 9_000,
        "asks": [],
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": False},
        **RULED[kind][0],
    }
    kinds = page.evaluate(LANE, board)
    assert kind in kinds
    page.evaluate("(kind) => document.querySelector(`.line:not([data-kind='${kind}'])`)?.remove()", kind)
    expect(page.locator(".line button").first).to_be_enabled()


@pytest.mark.parametrize("kind", RULED)
def test_a_line_is_ruled_in_three_keys(module_page: Page, kind: str) -> None:
    shown(module_page, kind)
    keys = 0
    for key in ("n", "Enter", "Enter"):
        if module_page.evaluate("acted.length"):
            break
        module_page.keyboard.press(key)
        keys += 1
    assert module_page.evaluate("acted") == RULED[kind][1]
    assert keys <= MOST


@pytest.mark.parametrize(
    ("kind", "act"),
    [("declined", "open note"), ("lent", "ask release-seat"), ("seat", "settleSeat 4"), ("late", "dismiss late")],
)
def test_the_other_answer_takes_an_arrow_more(module_page: Page, kind: str, act: str) -> None:
    shown(module_page, kind)
    for key in ("n", "ArrowRight", "Enter"):
        module_page.keyboard.press(key)
    assert module_page.evaluate("acted") == [act]
