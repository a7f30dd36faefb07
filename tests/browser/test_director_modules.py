"""Which boards need the director, in what order, and what is known of each: the console's pure modules."""

from typing import Any

import pytest
from playwright.sync_api import Page

NOW = 10_000_000

BOARD: dict[str, Any] = {
    "t": "match",
    "match": 17,
    "v": 5,
    "now": NOW,
    "status": "running",
    "turn": "left",
    "turn_number": 4,
    "game": 2,
    "reserve_ms": [600_000, 500_000],
    "delay_ms": [12_000, 12_000],
    "turn_reserve_ms": [600_000, 500_000],
    "turn_delay_ms": 12_000,
    "kind": "simple",
    "limits": True,
    "since": NOW - 1_000,
    "used_ms": 0,
    "stop": None,
    "proposal": None,
    "called": False,
    "called_at": None,
    "late": None,
    "table": "12",
    "code": "7K3M9Q",
    "seats": [{"held": True, "seen_at": NOW}, {"held": True, "seen_at": NOW}],
}


def stopped(ago_ms: int, **more: Any) -> dict[str, Any]:
    """Return what differs on a board whose clocks were stopped `ago_ms` before NOW."""
    stop = {"by": "left", "reason": "break", "at": NOW - ago_ms}
    return {"status": "stopped", "since": None, "stop": stop, **more}


def needs(page: Page, *changes: dict[str, Any]) -> list[tuple[str, int, int, int]]:
    """Return the alerts of these boards at NOW, as the lane sorts them: (kind, level, age, match)."""
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
    """Return seats whose phones were last seen so long ago; None is a free seat."""
    return {"seats": [{"held": age is not None, "seen_at": None if age is None else NOW - age} for age in ages]}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"status": "over", "called": True, "called_at": NOW}, []),
        (stopped(9_000, status="flagged", called=True, called_at=NOW - 9_000), [("flag", 1, 9_000)]),
        (stopped(9_000, called=True, called_at=NOW - 4_000), [("call", 1, 4_000)]),
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
    ],
)
def test_a_board_asks_for_the_director_only_when_something_is_the_matter(
    module_page: Page, change: dict[str, Any], expected: list[tuple[str, int, int]]
) -> None:
    assert needs(module_page, change) == [(*need, 0) for need in expected]


def test_a_call_that_somebody_took_stands_as_players_who_wait_until_the_clocks_go_on(module_page: Page) -> None:
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
    nobody, dora = module_page.evaluate(script, [boards, NOW])
    key = f"1:call:{NOW - 9_000}"
    assert nobody == [[["call", key, 1, ""]], [], []]
    assert dora == [[["call", key, 1, "dora"]], [["awaited", key, 3, "dora"]], []]
    boards[1]["call_note"] = "dice picked up"
    nobody, _ = module_page.evaluate(script, [boards, NOW])
    assert nobody[1] == [["awaited", key, 3, ""]]


def test_an_answered_call_and_a_dispute_say_what_they_are_about(module_page: Page) -> None:
    script = """async (board) => {
        const { describer } = await import('/static/clocks/console/alert-lines.js');
        const describe = describer({ may: new Set(["rule", "end"]), mayRule: true, me: "dora", missing: () => "" });
        const told = (kind) => {
            const { what, detail, buttons } = describe({ kind, board });
            return [what, detail, buttons.map(({ label }) => label)];
        };
        return [told('awaited'), told('declined')];
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
    awaited, declined = module_page.evaluate(script, board)
    assert awaited[:2] == ["Players are waiting", "Ann called the director: dice picked up"]
    assert declined[0].startswith("They disagree: ")
    assert declined[1:] == ["dice picked up", ["Uphold", "Dismiss", "I’m coming", "Open"]]


def test_the_alarm_sounds_for_what_is_new_and_again_for_what_is_urgent_until_somebody_takes_it(
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


def test_the_director_s_sound_switch_leaves_the_phone_of_the_same_device_as_it_is(module_page: Page) -> None:
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


def test_a_device_whose_vibration_the_director_s_switch_once_took_has_it_again(module_page: Page) -> None:
    script = f"""async () => {{
        {KEPT}
        storage.setItem('clock:prefs', JSON.stringify({{ sound: false, vibration: false, facing: false }}));
        const first = switchOf().getAttribute('aria-pressed');
        const given = phone();
        new Prefs(store).set('vibration', false); // from now on it is the player’s own wish
        return [first, given, switchOf().getAttribute('aria-pressed'), phone()];
    }}"""
    assert module_page.evaluate(script) == ["false", [False, True, False], "false", [False, False, False]]


def test_the_gravest_comes_first_and_of_those_the_oldest(module_page: Page) -> None:
    changes = [
        stopped(400_000),
        stopped(5_000, called=True, called_at=NOW - 5_000),
        stopped(90_000, called=True, called_at=NOW - 90_000, proposal={"disputed": True}),
        stopped(41_000, status="flagged", called=True, called_at=NOW - 41_000),
        {},
    ]
    assert needs(module_page, *changes) == [
        ("flag", 1, 41_000, 3),
        ("call", 1, 5_000, 1),
        ("declined", 2, 90_000, 2),
        ("stop", 3, 400_000, 0),
    ]


def test_many_that_only_inform_share_a_line_and_no_urgent_one_does(module_page: Page) -> None:
    script = """async () => {
        const { gathered } = await import('/static/clocks/console/alerts.js');
        const need = (kind, level, match) => ({ kind, level, key: `${match}:${kind}`, since: match, board: { match } });
        const needs = [1, 2, 3, 4].flatMap((match) => [need('stop', 3, match), need('call', 1, match)]);
        const few = [1, 2, 3].map((match) => need('low', 3, match));
        return gathered([...needs, ...few]).map((line) => [line.key, line.group?.length ?? 0]);
    }"""
    assert module_page.evaluate(script) == [
        ["1:call", 0],
        ["2:call", 0],
        ["3:call", 0],
        ["4:call", 0],
        ["all:stop", 4],
        ["1:low", 0],
        ["2:low", 0],
        ["3:low", 0],
    ]


def run_boards(page: Page, body: str) -> Any:
    """Return what `body` returns with an empty `boards` and `board(changes)` at hand."""
    script = f"""async (plain) => {{
        const {{ Boards }} = await import('/static/clocks/match/boards.js');
        const boards = new Boards();
        const board = (changes) => ({{ ...plain, ...changes }});
        {body}
    }}"""
    return page.evaluate(script, BOARD)


def test_only_a_newer_version_or_a_later_match_at_the_table_is_news(module_page: Page) -> None:
    told = run_boards(
        module_page,
        """return [board({}), board({}), board({ v: 4 }), board({ v: 6 }), board({ match: 16, v: 9 }),
            board({ match: 18, v: 1 }), board({ v: 7 })].map((one) => boards.put(one))
            .concat([boards.inOrder().map((one) => one.match)]);""",
    )
    assert told == [True, False, False, True, False, True, False, [18]]


def test_tables_stand_in_the_order_of_their_numbers(module_page: Page) -> None:
    told = run_boards(
        module_page,
        """const tables = ['10', 'B2', '9', '1', 'A10', 'A9'];
        tables.forEach((table, n) => boards.put(board({ table, match: n + 1, code: table })));
        return boards.inOrder().map((one) => one.table);""",
    )
    assert told == ["1", "9", "10", "A9", "A10", "B2"]


def test_what_is_not_in_the_list_after_a_reconnection_is_gone(module_page: Page) -> None:
    told = run_boards(
        module_page,
        """boards.replace([board({}), board({ match: 18, code: 'X', table: '13' })]);
        boards.replace([board({ v: 6 })]);
        return boards.inOrder().map((one) => [one.match, one.v]);""",
    )
    assert told == [[17, 6]]


def test_a_phone_is_gone_only_by_what_the_server_said_not_by_time_that_passes_here(module_page: Page) -> None:
    told = run_boards(
        module_page,
        """const one = board({ seats: [{ held: true, seen_at: plain.now - 9000 }, { held: false, seen_at: null }] });
        boards.put(one);
        const gone = () => boards.seats(one).map((seat) => seat.gone);
        const first = gone();
        boards.see({ 17: [plain.now - 9000, null] }, plain.now + 5000);
        return [first, gone()];""",
    )
    assert told == [[False, False], [True, False]]


def test_amounts_of_time_are_read_as_people_write_them(module_page: Page) -> None:
    script = """async () => {
        const { readTime } = await import('/static/clocks/console/forms.js');
        return ['1:30', '0:05', ' 12:00 ', '1:05:00', '2', '', '1:60', '90s', '-1', '1:2', '1:5:00'].map(readTime);
    }"""
    assert module_page.evaluate(script) == [90_000, 5_000, 720_000, 3_900_000, *[None] * 7]


@pytest.mark.parametrize(
    ("kind", "reserve_ms", "flags"),
    [("bronstein", 12_000, True), ("bronstein", 12_001, False), ("simple", 5_000, False)],
)
def test_a_dice_penalty_that_would_flag_the_offender_while_waiting_is_known_beforehand(
    module_page: Page, kind: str, reserve_ms: int, flags: bool
) -> None:
    script = """async ([board, now]) => {
        const { flagsWhileWaiting } = await import('/static/clocks/console/changes.js');
        return flagsWhileWaiting(board, 'right', now);
    }"""
    board = {**BOARD, "kind": kind, "turn_reserve_ms": [600_000, reserve_ms]}
    assert module_page.evaluate(script, [board, NOW]) is flags


def test_a_round_is_named_in_the_language_of_whoever_reads(module_page: Page) -> None:
    script = """async (boards) => {
        globalThis.django = { gettext: (text) => text.replace('Round', 'Runde') };
        const { roundName } = await import('/static/clocks/words/phrases.js');
        const said = boards.map(roundName);
        delete globalThis.django;
        return said;
    }"""
    given = [
        {"round": "Round 4", "round_number": 4},
        {"round": "Round 4 a", "round_number": None},
        {"round": "", "round_number": None},
    ]
    assert module_page.evaluate(script, given) == ["Runde 4", "Round 4 a", ""]


def test_what_decides_the_end_of_a_match_is_known_before_it_is_asked(module_page: Page) -> None:
    board = {**BOARD, "length": 5, "score": [2, 0], "cube": {"value": 1}}
    terms = {
        "short of the length": {"what": "game", "winner": "left", "points": 2},
        "at the length": {"what": "game", "winner": "left", "points": 3},
        "an offer": {"what": "offer", "winner": "left", "outcome": "backgammon"},
        "a score": {"what": "score", "score": [2, 5]},
        "a small score": {"what": "score", "score": [2, 4]},
        "a lost match": {"what": "expiry", "seat": "left", "consequence": {"kind": "lose-match"}},
        "a lost game": {"what": "expiry", "seat": "right", "consequence": {"kind": "penalty", "points": 3}},
        "a penalty": {"what": "expiry", "seat": "left", "consequence": {"kind": "penalty", "points": 3}},
        "time": {"what": "time", "seat": "left", "by_ms": 60_000},
        "the end": {"what": "end", "winner": "left"},
    }
    script = """async ([board, all]) => {
        const { decidesEnd } = await import('/static/clocks/console/changes.js');
        return Object.entries(all).filter(([, terms]) => decidesEnd(board, terms)).map(([name]) => name);
    }"""
    decide = ["at the length", "an offer", "a score", "a lost match", "a lost game", "the end"]
    assert module_page.evaluate(script, [board, terms]) == decide
    is_over = {"a small score": terms["a small score"], "time": terms["time"]}
    assert module_page.evaluate(script, [{**board, "status": "over"}, is_over]) == ["a small score"]


@pytest.mark.parametrize(
    ("start", "minutes", "held", "said"),
    [
        (None, 4, [False, False], None),
        (None, 6, [False, True], "Ann missing"),
        (10, -1, [False, False], None),
        (10, 2, [True, False], "Bob missing, 2 min after the start"),
        (10, 15, [False, False], "Ann, Bob missing, 15 min after the start: the rules cost 1 point"),
        (10, 30, [False, True], "Ann missing, 30 min after the start: the rules cost the match"),
        (10, 30, [True, True], ""),
    ],
)
def test_who_is_missing_is_counted_from_the_start_time_with_what_it_costs(
    module_page: Page, start: int | None, minutes: int, held: list[bool], said: str | None
) -> None:
    script = """async ([board, starts, now]) => {
        const { Lateness } = await import('/static/clocks/console/lateness.js');
        const late = new Lateness(starts, [[15, '1'], [30, 'match']]);
        return late.since(board, now) === null ? null : late.says(board, now);
    }"""
    seats = [{"held": each} for each in held]
    board = {**BOARD, "round": "Round 1", "names": ["Ann", "Bob"], "made_at": 0, "seats": seats}
    begun = (start or 0) * 60_000
    found = module_page.evaluate(script, [board, {} if start is None else {"Round 1": begun}, begun + minutes * 60_000])
    assert found == said
