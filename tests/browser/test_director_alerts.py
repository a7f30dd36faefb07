"""Alerts: boards that need the director, their order, and their sounds."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.boards import BOARD, NOW

UNDECIDED = {"game": 1, "score": [0, 0], "control": 1}


def stopped(ago_ms: int, **more: Any) -> dict[str, Any]:
    """Changes to a board whose clocks were stopped `ago_ms` before NOW."""
    stop = {"by": "left", "reason": "break", "at": NOW - ago_ms}
    return {"status": "stopped", "since": None, "stop": stop, **more}


def contested(ago_ms: int, **more: Any) -> dict[str, Any]:
    """Changes to a board on which a player contested a stop `ago_ms` before NOW."""
    return stopped(ago_ms, stop={"by": "left", "reason": "dice-contested", "at": NOW - ago_ms}, **more)


def needs(page: Page, *changes: dict[str, Any]) -> list[tuple[str, int, int, int]]:
    """Alerts of these boards at NOW, in the lane's order: (kind, level, age, match)."""
    boards = [{**BOARD, "match": number, "code": f"CODE{number}", **change} for number, change in enumerate(changes)]
    script = """async ([boards, now]) => {
        const { alertsOf, byLevelAndAge } = await import('/static/clocks/console/alerts.js');
        const { Boards } = await import('/static/clocks/match/boards.js');
        const all = new Boards();
        all.replace(boards);
        const found = boards.flatMap((board) => alertsOf(board, all.seats(board), now));
        found.sort(byLevelAndAge);
        return found.map(({ kind, level, since, board }) => [kind, level, now - since, board.match]);
    }"""
    return [tuple(need) for need in page.evaluate(script, [list(boards), NOW])]


def away(*ages: int | None) -> dict[str, Any]:
    """Changes to a board whose phones were last seen so many ms ago; None: free seat."""
    return {"seats": [{"held": age is not None, "seen_at": None if age is None else NOW - age} for age in ages]}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"status": "over", "called": True, "called_at": NOW}, []),
        (stopped(9_000, status="flagged", called=True, called_at=NOW - 9_000), [("flag", 1, 9_000)]),
        (stopped(9_000, called=True, called_at=NOW - 4_000), [("call", 1, 4_000)]),
        (contested(9_000, called=True, called_at=NOW - 4_000), [("call", 1, 9_000)]),
        (contested(9_000, called_at=NOW - 4_000), [("awaited", 3, 9_000)]),
        (stopped(9_000, called_at=NOW - 9_000, call_note="dice"), [("awaited", 3, 9_000)]),
        (stopped(9_000, called_at=NOW - 9_001, call_note="dice"), []),  # settled before this stop
        (stopped(9_000, called=True, called_at=NOW - 4_000, proposal={"disputed": True}), [("declined", 2, 4_000)]),
        (stopped(60_000, proposal={"disputed": False}), []),
        (stopped(60_001, proposal={"disputed": False}), [("proposal", 3, 60_001)]),
        (stopped(300_000), []),
        (stopped(300_001), [("stop", 3, 300_001)]),
        (
            {"late": {"seat": "left", "at": NOW - 7_000, "late_ms": 38_200, "credit_ms": 250, "charged_ms": 37_950}},
            [("late", 2, 7_000)],
        ),
        (away(9_999, 10_000), []),
        (away(10_000, 10_000), [("both-gone", 2, 10_000)]),
        (away(11_000, 12_000), [("both-gone", 2, 11_000)]),
        (away(0, 29_000), []),
        (away(0, 31_000), [("one-gone", 3, 31_000)]),
        (away(31_000, None), [("one-gone", 3, 31_000)]),
        ({"turn_reserve_ms": [59_000, 500_000]}, [("low", 3, 1_000)]),
        ({"turn_reserve_ms": [60_000, 500_000]}, []),
        ({"turn_reserve_ms": [500_000, 59_000]}, [("low", 3, 1_000)]),
        ({"turn_reserve_ms": [59_000, 500_000], "limits": False}, []),
        ({"by_players": ["left"], "made_at": NOW - 5_000, **UNDECIDED}, [("entered", 3, 5_000)]),
        ({"by_players": [], "made_at": NOW - 5_000, **UNDECIDED}, []),  # being played, and both names are known
        ({"by_players": [], "made_at": NOW - 5_000, **UNDECIDED, "turn_number": 0}, [("entered", 3, 5_000)]),
        ({"by_players": ["left"], "made_at": NOW - 5_000, **UNDECIDED, "score": [1, 0]}, []),
    ],
)
def test_a_board_alerts_only_if_something_is_wrong(
    scripts: Page, change: dict[str, Any], expected: list[tuple[str, int, int]]
) -> None:
    assert needs(scripts, change) == [(*need, 0) for need in expected]


def test_a_taken_call_is_listed_until_the_clocks_resume(scripts: Page) -> None:
    boards = [
        {**BOARD, **stopped(9_000), "called": True, "called_at": NOW - 9_000},
        {**BOARD, **stopped(9_000), "called_at": NOW - 9_000},
        {**BOARD, "called_at": NOW - 9_000},
    ]
    script = """async ([boards, now]) => {
        const { alertsOf } = await import('/static/clocks/console/alerts.js');
        const seats = boards[0].seats.map(() => ({ held: true, gone: false, seenAt: now }));
        const by = new Map([[`1:call:${now - 9000}`, { by: 'dora', at: now }]]);
        const found = (taken) => boards.map((board) => alertsOf({ ...board, match: 1 }, seats, now, taken)
            .map((need) => [need.kind, need.key, need.level, need.taken?.by ?? '']));
        return [found(), found((key) => by.get(key))];
    }"""
    nobody, dora = scripts.evaluate(script, [boards, NOW])
    key = f"1:call:{NOW - 9_000}"
    assert nobody == [[["call", key, 1, ""]], [], []]
    assert dora == [[["call", key, 1, "dora"]], [["awaited", key, 3, "dora"]], []]
    boards[1]["call_note"] = "dice picked up"
    nobody, _ = scripts.evaluate(script, [boards, NOW])
    assert nobody[1] == [["awaited", key, 3, ""]]


def test_an_outage_does_not_bring_back_a_settled_call(scripts: Page) -> None:
    outage = {"by": "server", "reason": "outage", "at": NOW - 2_000}
    board = {**BOARD, "match": 1, "called_at": NOW - 9_000, "status": "stopped", "since": None, "stop": outage}
    script = """async ([board, now]) => {
        const { alertsOf } = await import('/static/clocks/console/alerts.js');
        const seats = board.seats.map(() => ({ held: true, gone: false, seenAt: now }));
        return alertsOf(board, seats, now, () => ({ by: 'dora', at: now - 8000 }));
    }"""
    assert scripts.evaluate(script, [board, NOW]) == []


def test_an_answered_call_and_a_dispute_say_what_they_are_about(scripts: Page) -> None:
    script = """async (board) => {
        const { describer } = await import('/static/clocks/console/alert-lines.js');
        const page = { may: new Set(["rule", "end"]), mayRule: true, me: "dora", played: new Set(), missing: () => "" };
        const describe = describer(page);
        const told = (kind) => {
            const { what, detail, buttons } = describe({ kind, board });
            return [what, detail, buttons.map(({ label }) => label)];
        };
        return [told('awaited'), told('declined'), describe({ kind: 'awaited', board }).buttons[0].key];
    }"""
    proposal = {"what": "time", "by": "left", "seat": "left", "by_ms": 60_000, "note": "", "disputed": True}
    shown = {"names": ["Ann", "Bob"], "score": [0, 0], "table": "1"}
    board = {
        **BOARD,
        **shown,
        "called_by": "left",
        "called_at": NOW,
        "call_note": "dice picked up",
        "proposal": proposal,
    }
    awaited, declined, key = scripts.evaluate(script, board)
    assert awaited[:2] == ["Players are waiting", "Ann called the director: dice picked up"]
    assert (awaited[2][0], key) == ("Resume", "r")
    assert declined[0].startswith("They disagree: ")
    assert declined[1:] == ["dice picked up", ["Uphold", "Dismiss", "I’m coming", "Open"]]


def test_an_alert_names_its_event_if_several_rounds_are_played(scripts: Page) -> None:
    script = """async ([board, played]) => {
        const { describer } = await import('/static/clocks/console/alert-lines.js');
        return describer({ may: new Set(), me: 'dora', played: new Set(played) })({ kind: 'call', board }).detail;
    }"""
    called = {"names": ["Ann", "Bob"], "score": [0, 0], "table": "1", "call_note": "dice"}
    board = {**BOARD, **called, "round": "Consolation, round 2", "round_number": None}
    assert scripts.evaluate(script, [board, ["Consolation, round 2"]]) == "dice"
    several = ["Main, round 3", "Consolation, round 2"]
    assert scripts.evaluate(script, [board, several]) == "Consolation, round 2 · dice"


def test_an_urgent_alert_sounds_again_until_it_is_taken(
    module_page: Page,
) -> None:
    script = """async () => {
        const { Alarm } = await import('/static/clocks/console/alarm.js');
        const alarm = new Alarm(document.createElement('button'), { get: () => null, set() {} });
        let sounds = 0;
        alarm.feedback.give = () => { sounds += 1; };
        const flag = { key: 'flag', level: 1 }, gone = { key: 'gone', level: 2 }, stop = { key: 'stop', level: 3 };
        const heard = (needs, at) => { const before = sounds; alarm.listen(needs, at); return sounds - before; };
        const told = [heard([stop], 0), heard([stop, gone], 1000), heard([stop, gone], 99000), heard([flag], 100000),
                      heard([flag], 114999), heard([flag], 115000)];
        alarm.taken({ flag: { by: 'dora', at: 1 } });
        return [...told, heard([flag], 999000), heard([flag, gone], 999001)];
    }"""
    assert module_page.evaluate(script) == [0, 1, 0, 1, 0, 1, 0, 1]


KEPT = """const kept = new Map();
        const storage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
        const { Alarm } = await import('/static/clocks/console/alarm.js');
        const { Prefs } = await import('/static/clocks/browser/storage.js');
        const { Store } = await import('/static/clocks/browser/storage.js');
        const store = new Store(() => storage);
        const switchOf = () => new Alarm(document.createElement('button'), store).button;
        const phone = () => {
            const prefs = new Prefs(store);
            return ['sound', 'vibration', 'facing'].map((name) => prefs.get(name));
        };"""


def test_the_directors_sound_switch_does_not_change_the_players_setting(module_page: Page) -> None:
    script = f"""async () => {{
        {KEPT}
        const told = [];
        for (const _ of [1, 2]) {{
            switchOf().click();
            told.push([switchOf().getAttribute('aria-pressed'), phone()]);
        }}
        return told;
    }}"""
    assert module_page.evaluate(script) == [["false", [True, True, True]], ["true", [True, True, True]]]


def test_a_device_that_lost_its_vibration_setting_has_it_again(module_page: Page) -> None:
    script = f"""async () => {{
        {KEPT}
        storage.setItem('clock:prefs', JSON.stringify({{ sound: false, vibration: false, facing: false }}));
        const first = switchOf().getAttribute('aria-pressed');
        const given = phone();
        new Prefs(store).set('vibration', false); // from now on it is the player’s own wish
        return [first, given, switchOf().getAttribute('aria-pressed'), phone()];
    }}"""
    assert module_page.evaluate(script) == ["false", [False, True, False], "false", [False, False, False]]


def test_alerts_are_sorted_by_level_then_by_age(scripts: Page) -> None:
    changes = [
        stopped(400_000),
        stopped(5_000, called=True, called_at=NOW - 5_000),
        stopped(90_000, called=True, called_at=NOW - 90_000, proposal={"disputed": True}),
        stopped(41_000, status="flagged", called=True, called_at=NOW - 41_000),
        {},
    ]
    assert needs(scripts, *changes) == [
        ("flag", 1, 41_000, 3),
        ("call", 1, 5_000, 1),
        ("declined", 2, 90_000, 2),
        ("stop", 3, 400_000, 0),
    ]


def test_informational_alerts_share_a_line_and_urgent_ones_do_not(scripts: Page) -> None:
    script = """async () => {
        const { gathered } = await import('/static/clocks/console/alerts.js');
        const need = (kind, level, match) => ({ kind, level, key: `${match}:${kind}`, since: match, board: { match } });
        const needs = [1, 2, 3, 4].flatMap((match) => [need('stop', 3, match), need('call', 1, match)]);
        const few = [1, 2, 3].map((match) => need('low', 3, match));
        return gathered([...needs, ...few]).map((line) => [line.key, line.group?.length ?? 0]);
    }"""
    assert scripts.evaluate(script) == [
        ["1:call", 0],
        ["2:call", 0],
        ["3:call", 0],
        ["4:call", 0],
        ["all:stop", 4],
        ["1:low", 0],
        ["2:low", 0],
        ["3:low", 0],
    ]
