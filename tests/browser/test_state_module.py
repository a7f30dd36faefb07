"""Modes, words and panels of the halves, from snapshots and pending presses."""

from typing import Any

import orjson
from playwright.sync_api import Page

from clocks.engine.books.carried import carried
from clocks.engine.commands import Confirm, Decline, Double, Hit, Propose, Stop
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.proposals import UndoHit
from clocks.engine.setup import Setup
from tests.browser.modules import made_of

BEGAN = 1_700_000_000_000
SEATS = [{"held": True, "seen_at": None}, {"held": True, "seen_at": None}]
AROUND = {"t": "match", "match": 1, "v": 4, "code": "X", "now": BEGAN, "practice": True, "late": None, "seats": SEATS}
SHOWN = """async ([snapshots, { seats, script }]) => {
    const { PhoneState } = await import('/static/clocks/phone/state.js');
    const { Outbox } = await import('/static/clocks/wire/outbox.js');
    const sync = { correcting: false, serverAt: () => snapshots.at(-1).now };
    const source = { sync, outbox: new Outbox(null, ''), live: true, lostMs: 0 };
    let at = 0;
    const state = new PhoneState({ code: 'X', seats, source, time: () => at });
    for (const snapshot of snapshots) state.receive(snapshot);
    const wait = (ms) => { at += ms; };
    const put = (seat, command) =>
        source.outbox.put(1, seat, { t: 'do', id: command, match: 1, do: command, at: sync.serverAt() }, at);
    return (0, eval)(`(${script})`)({ state, source, wait, put });
}"""
VIEWS = """({ state }) => ['left', 'right'].map((seat) => {
    const { mode, title, panel } = state.viewOf(seat);
    return [mode, title, panel && panel.buttons.map(({ label }) => label)];
})"""


def begun() -> Match:
    """A match that waits for its first move."""
    setup = Setup.parse({"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"], "director": False})
    return perform(Match.begin(setup), Confirm(), "director", BEGAN).match


def hit() -> Match:
    """A match after its first hit; right is on turn."""
    return perform(begun(), Hit(), "left", BEGAN).match


def snapshot(match: Match, now: int = BEGAN, **more: Any) -> dict[str, Any]:
    wire: dict[str, Any] = orjson.loads(orjson.dumps({**match.wire(now), "features": carried(match.setup)["features"]}))
    return {**AROUND, **wire, "now": now, "lent_at": [None, None], "lag_credit_ms": 0, **more}


def shown(scripts: Page, *snapshots: dict[str, Any], script: str = VIEWS, seats: str = "left right") -> Any:
    return made_of(scripts, SHOWN, [snapshots, {"seats": seats.split(), "script": script}])


def test_both_halves_are_pads_before_the_first_move(scripts: Page) -> None:
    assert shown(scripts, snapshot(begun())) == [
        ["ready", "Who moves first?", None],
        ["ready", "Who moves first?", None],
    ]


def test_the_half_on_turn_is_a_pad_and_the_other_waits(scripts: Page) -> None:
    assert shown(scripts, snapshot(hit())) == [["wait", "Wait", None], ["turn", "Your turn", None]]


def test_a_double_asks_the_opponent_to_take_or_pass(scripts: Page) -> None:
    doubled = perform(hit(), Double(), "right", BEGAN + 1_000).match
    assert shown(scripts, snapshot(doubled)) == [
        ["asked", "Bob doubles to 2", ["Take", "Pass"]],
        ["wait", "Wait", None],
    ]


def test_stopped_clocks_offer_to_start_either(scripts: Page) -> None:
    stopped = perform(hit(), Stop(), "left", BEGAN + 1_000).match
    buttons = ["Start Bob’s clock", "Start Ann’s clock"]
    assert shown(scripts, snapshot(stopped)) == [["stopped", "Stopped", buttons]] * 2


def test_a_seat_of_another_phone_has_no_buttons(scripts: Page) -> None:
    stopped = perform(hit(), Stop(), "left", BEGAN + 1_000).match
    left, right = shown(scripts, snapshot(stopped), seats="left")
    assert (bool(left[2]), right) == (True, ["stopped", "Stopped", None])


def test_a_press_is_sent_then_sending_then_accepted(scripts: Page) -> None:
    press = """({ state, source, wait, put }) => {
        const modes = [];
        const look = () => modes.push(state.modeOf('right'));
        put('right', 'hit'); look();
        wait(2000); look();
        source.outbox.takeOut('hit');
        state.acknowledged('right', 'hit', 5); look();
        state.receive({ ...state.match, v: 5 }); look();
        return modes;
    }"""
    assert shown(scripts, snapshot(hit()), script=press) == ["sent", "sending", "accepted", "turn"]


def test_an_older_snapshot_does_not_replace_a_newer_one(scripts: Page) -> None:
    newer, older = snapshot(hit(), v=5), snapshot(begun(), v=4)
    assert shown(scripts, newer, older, script="({ state }) => [state.match.v, state.match.status]") == [5, "running"]


def test_a_lost_server_is_said_where_the_player_looks(scripts: Page) -> None:
    lost = "({ state, source }) => { source.lostMs = 4000; return state.viewOf('right').title; }"
    assert shown(scripts, snapshot(hit()), script=lost) == "No connection"


def test_a_digit_changes_next_when_the_delay_loses_a_second(scripts: Page) -> None:
    assert shown(scripts, snapshot(hit(), BEGAN + 400), script="({ state }) => state.nextChange()") == 601


def test_a_phone_with_a_seat_keeps_to_its_match_and_its_table(scripts: Page) -> None:
    script = """({ state }) => [{ v: 5 }, { match: 2 }, { code: 'Y' }].map((more) =>
        state.shows({ ...state.match, ...more }))"""
    held, watched = (shown(scripts, snapshot(hit()), script=script, seats=seats) for seats in ("left", ""))
    assert (held, watched) == ([True, False, False], [True, True, False])


def test_a_spectator_is_never_called_you(scripts: Page) -> None:
    """A confirmed setting, a double, and an undo, proposed and declined."""
    setup = Match.begin(Setup.parse({"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"], "director": False}))
    doubled = perform(hit(), Double(), "right", BEGAN + 1_000).match
    asked = perform(hit(), Propose(UndoHit()), "left", BEGAN + 1_000).match
    declined = perform(asked, Decline(), "right", BEGAN + 2_000).match
    script = "({ state }) => ['left', 'right'].map((seat) => state.viewOf(seat).panel?.lines)"
    states = [perform(setup, Confirm(), "left", BEGAN).match, doubled, asked, declined]
    found = [shown(scripts, snapshot(state), script=script, seats="") for state in states]
    assert [lines for both in found for lines in both if lines and "you" in " ".join(lines).lower()] == []
    undone = ["Undo Ann’s press.", "Both clocks, the turn and the cube go back to what they were."]
    assert found[2] == [undone, undone]
