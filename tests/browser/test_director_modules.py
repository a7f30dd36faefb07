"""Pure modules of the console: boards and previews of rulings."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.boards import BOARD, NOW


def run_boards(page: Page, body: str) -> Any:
    """Run `body` with an empty `boards` and with `board(changes)` in scope."""
    script = f"""async (plain) => {{
        const {{ Boards }} = await import('/static/clocks/match/boards.js');
        const boards = new Boards();
        const board = (changes) => ({{ ...plain, ...changes }});
        {body}
    }}"""
    return page.evaluate(script, BOARD)


def test_only_a_newer_version_or_a_later_match_is_applied(scripts: Page) -> None:
    told = run_boards(
        scripts,
        """return [board({}), board({}), board({ v: 4 }), board({ v: 6 }), board({ match: 16, v: 9 }),
            board({ match: 18, v: 1 }), board({ v: 7 })].map((one) => boards.put(one))
            .concat([boards.inOrder().map((one) => one.match)]);""",
    )
    assert told == [True, False, False, True, False, True, False, [18]]


def test_tables_stand_in_the_order_of_their_numbers(scripts: Page) -> None:
    told = run_boards(
        scripts,
        """const tables = ['10', 'B2', '9', '1', 'A10', 'A9'];
        tables.forEach((table, n) => boards.put(board({ table, match: n + 1, code: table })));
        return boards.inOrder().map((one) => one.table);""",
    )
    assert told == ["1", "9", "10", "A9", "A10", "B2"]


def test_boards_missing_after_a_reconnection_are_removed(scripts: Page) -> None:
    told = run_boards(
        scripts,
        """boards.replace([board({}), board({ match: 18, code: 'X', table: '13' })]);
        boards.replace([board({ v: 6 })]);
        return boards.inOrder().map((one) => [one.match, one.v]);""",
    )
    assert told == [[17, 6]]


def test_only_the_server_says_that_a_phone_is_offline(scripts: Page) -> None:
    told = run_boards(
        scripts,
        """const one = board({ seats: [{ held: true, seen_at: plain.now - 9000 }, { held: false, seen_at: null }] });
        boards.put(one);
        const gone = () => boards.seats(one).map((seat) => seat.gone);
        const first = gone();
        boards.see({ 17: [plain.now - 9000, null] }, plain.now + 5000);
        return [first, gone()];""",
    )
    assert told == [[False, False], [True, False]]


def test_amounts_of_time_are_read_as_people_write_them(scripts: Page) -> None:
    script = """async () => {
        const { readTime } = await import('/static/clocks/console/forms.js');
        return ['1:30', '0:05', ' 12:00 ', '1:05:00', '2', '', '1:60', '90s', '-1', '1:2', '1:5:00'].map(readTime);
    }"""
    assert scripts.evaluate(script) == [90_000, 5_000, 720_000, 3_900_000, *[None] * 7]


@pytest.mark.parametrize(
    ("kind", "reserve_ms", "flags"),
    [("bronstein", 12_000, True), ("bronstein", 12_001, False), ("simple", 5_000, False)],
)
def test_a_dice_penalty_that_would_drop_the_flag_is_known_beforehand(
    scripts: Page, kind: str, reserve_ms: int, flags: bool
) -> None:
    script = """async ([board, now]) => {
        const { flagsWhileWaiting } = await import('/static/clocks/console/changes.js');
        return flagsWhileWaiting(board, 'right', now);
    }"""
    board = {**BOARD, "kind": kind, "turn_reserve_ms": [600_000, reserve_ms]}
    assert scripts.evaluate(script, [board, NOW]) is flags


def test_a_round_is_named_in_the_readers_language(scripts: Page) -> None:
    script = """async (boards) => {
        globalThis.django = { gettext: (text) => text.replace('Round', 'Runde') };
        const { roundName } = await import('/static/clocks/words/rounds.js');
        const said = boards.map(roundName);
        delete globalThis.django;
        return said;
    }"""
    given = [
        {"round": "Round 4", "round_number": 4},
        {"round": "Round 4 a", "round_number": None},
        {"round": "", "round_number": None},
    ]
    assert scripts.evaluate(script, given) == ["Runde 4", "Round 4 a", ""]


def test_rulings_that_end_the_match_are_known_beforehand(scripts: Page) -> None:
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
    assert scripts.evaluate(script, [board, terms]) == decide
    is_over = {"a small score": terms["a small score"], "time": terms["time"]}
    assert scripts.evaluate(script, [{**board, "status": "over"}, is_over]) == ["a small score"]


@pytest.mark.parametrize(
    ("start", "minutes", "held", "said"),
    [
        (None, 4, [False, False], None),
        (None, 6, [False, True], "Ann missing"),
        (10, -1, [False, False], None),
        (10, 2, [True, False], "Bob missing, 2 min after the start"),
        (10, 15, [False, False], "Ann, Bob missing, 15 min after the start: the penalty is 1 point"),
        (10, 30, [False, True], "Ann missing, 30 min after the start: the penalty is the match"),
        (10, 30, [True, True], ""),
    ],
)
def test_lateness_counts_from_the_start_time_and_shows_its_penalty(
    scripts: Page, start: int | None, minutes: int, held: list[bool], said: str | None
) -> None:
    script = """async ([board, starts, now]) => {
        const { Lateness } = await import('/static/clocks/console/lateness.js');
        const late = new Lateness(starts, [[15, '1'], [30, 'match']]);
        return late.since(board, now) === null ? null : late.says(board, now);
    }"""
    seats = [{"held": each} for each in held]
    board = {**BOARD, "round": "Round 1", "names": ["Ann", "Bob"], "made_at": 0, "seats": seats}
    begun = (start or 0) * 60_000
    found = scripts.evaluate(script, [board, {} if start is None else {"Round 1": begun}, begun + minutes * 60_000])
    assert found == said


def test_expected_ends_are_fetched_after_each_game(module_page: Page) -> None:
    script = """async (board) => {
        const { Pace, endSays, untilSays } = await import('/static/clocks/console/pace.js');
        const { paceAlertsOf } = await import('/static/clocks/console/alerts.js');
        const { describer } = await import('/static/clocks/console/alert-lines.js');
        const at = Date.UTC(2026, 10, 22, 9, 25);
        document.body.dataset.zone = 'Asia/Kathmandu'; // that of the tournament
        let answer = { ok: true, json: async () => ({ matches: { 17: { at, spread_ms: 720_000, holds_up: true } } }) };
        let asked = 0;
        window.fetch = async () => { asked += 1; return answer; };
        const changed = [];
        let now = 1_000;
        const pace = new Pace('/pace.json', { changed: (matches) => changed.push(matches), now: () => now });
        await pace.ask();
        now = 2_000;
        await pace.ask();
        const [alert] = paceAlertsOf(board, pace.get(17));
        const describe = describer({ may: new Set(), me: 'dora', played: new Set() });
        const { what, detail, buttons } = describe(alert);
        const told = [alert.key, alert.level, alert.since, what, detail, buttons.length, untilSays(pace.get(17))];
        const none = [paceAlertsOf(board, undefined), paceAlertsOf({ ...board, status: 'over' }, pace.get(17))];
        pace.heard(board, { ...board, turn: 'right' });
        const calm = pace.due - performance.now() > 50_000;
        pace.heard(board, { ...board, game: 3 });
        const soon = pace.due - performance.now() < 11_000;
        answer = { ok: false };
        await pace.ask();
        const kept = pace.get(17).at === at;
        answer = { ok: true, json: async () => ({ matches: {} }) };
        await pace.ask();
        clearTimeout(pace.next);
        const nothing = [untilSays(pace.get(17)), endSays(pace.get(17))];
        delete document.body.dataset.zone;
        return { told, none, calm, soon, kept, changed, asked, nothing };
    }"""
    found = module_page.evaluate(script, {**BOARD, "names": ["Ann", "Bob"], "score": [0, 0]})
    words = ["Holds up the round", "expected end 15:10, ± 12 min", 1, "until about 15:10"]
    assert found == {
        "told": ["17:holds-up", 3, 1_000, *words],
        "none": [[], []],
        "calm": True,
        "soon": True,
        "kept": True,
        "changed": [[17], [], [17]],
        "asked": 4,
        "nothing": ["", ""],
    }


def test_the_score_of_an_ended_match_is_corrected_on_its_result_page(
    scripts: Page,
) -> None:
    script = """async (boards) => {
        const { RULINGS } = await import('/static/clocks/console/rulings.js');
        return boards.map(RULINGS.score.page);
    }"""
    boards = [
        {"status": "over", "round": "Round 1"},
        {"status": "over", "round": ""},
        {"status": "running", "round": "1"},
    ]
    assert scripts.evaluate(script, boards) == ["result/", "", ""]


def test_a_time_set_on_a_running_clock_changes_by_whole_milliseconds(scripts: Page) -> None:
    script = """async (board) => {
        const { RULINGS } = await import('/static/clocks/console/rulings.js');
        const data = new FormData();
        for (const [name, value] of [['amount', '5:00'], ['seat', 'both'], ['sign', 'set']]) data.set(name, value);
        return RULINGS.time.terms(data, board, 61_000.25);
    }"""
    running = {"turn": "left", "kind": "none", "turn_delay_ms": 0, "delay_ms": [0, 0], "limits": True}
    times = {"since": 1_000, "used_ms": 0, "turn_reserve_ms": [600_000, 200_000]}
    assert scripts.evaluate(script, {**running, **times}) == [
        {"what": "time", "seat": "left", "by_ms": -240_000},
        {"what": "time", "seat": "right", "by_ms": 100_000},
    ]


def test_time_that_one_player_lacks_is_taken_from_neither(module_page: Page) -> None:
    script = """async (board) => {
        const { RulingForm } = await import('/static/clocks/console/ruling-form.js');
        const { RULINGS } = await import('/static/clocks/console/rulings.js');
        const sent = [];
        const ask = async ({ seat, by_ms }) => { sent.push([seat, by_ms]); return seat === 'left'; };
        const page = { ask, done: () => {}, current: () => ({ board, now: 0 }), may: new Set(['end']) };
        const { node } = new RulingForm(RULINGS.time, board, page);
        document.body.append(node);
        const give = (name, value) => {
            const of = node.querySelector(`[name="${name}"][value="${value}"]`);
            if (of) of.click();
            else node.elements.namedItem(name).value = value;
        };
        for (const [name, value] of [['seat', 'both'], ['sign', '-1'], ['amount', '2:00'], ['note', 'noise']]) {
            give(name, value);
        }
        const send = async () => {
            node.dispatchEvent(new Event('input'));
            node.requestSubmit();
            await new Promise((done) => setTimeout(done));
        };
        await send();
        const warned = node.querySelector('.warns').textContent;
        give('amount', '1:00');
        await send();
        return { warned, sent };
    }"""
    times = {"turn": None, "reserve_ms": [600_000, 90_000], "turn_reserve_ms": [600_000, 90_000], "delay_ms": [0, 0]}
    board = {**BOARD, **times, "kind": "none", "names": ["Ann", "Bob"], "score": [0, 0]}
    assert module_page.evaluate(script, board) == {
        "warned": "Bob has only 1:30 left: you cannot take away that much.",
        "sent": [["left", -60_000], ["right", -60_000]],
    }


def test_enter_finds_a_table_among_those_of_a_kind_of_alert(module_page: Page) -> None:
    script = """async (boards) => {
        const { Filter } = await import('/static/clocks/console/filter.js');
        document.body.innerHTML =
            '<div id="f"><input><p data-found></p><select data-rounds></select><p data-states></p></div>';
        const jumped = [];
        const filter = new Filter(document.querySelector('#f'), {
            boards: () => boards,
            kinds: ({ match }) => (match === 17 ? new Set(['low']) : undefined),
            change: () => {},
            jump: ({ match }) => jumped.push(match),
        });
        filter.setKind('low');
        for (const table of ['1', '2']) {
            filter.input.value = table;
            filter.input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
        }
        return jumped;
    }"""
    boards = [{**BOARD, "names": ["Ann", "Bob"], "table": table, "match": 16 + int(table)} for table in "12"]
    assert module_page.evaluate(script, boards) == [17]
