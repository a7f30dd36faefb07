"""A shared phone changes its clock's source when the network is lost, and back."""

from typing import Any

import orjson
import pytest
from playwright.sync_api import Page

from clocks.engine.books.carried import carried
from clocks.engine.commands import Confirm, Hit
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from tests.browser.modules import made_of

BEGAN = 1_700_000_000_000
# A shared phone whose remote source is a stub; `shown` lists the sources that the clock took, `posted` the hand-overs.
PHONE = """async ([base, script]) => {
    globalThis.document ??= new EventTarget();
    const { Fallback } = await import('/static/clocks/alone/fallback.js');
    const { SourceState } = await import('/static/clocks/wire/match-source.js');
    const { Outbox } = await import('/static/clocks/wire/outbox.js');
    const { ServerTime } = await import('/static/clocks/wire/server-time.js');
    class Remote extends SourceState {
        connection = 'open';
        live = true;
        ended = false;
        handOver = null;
        posted = [];
        get writable() { return this.live; }
        wake() {}
        post(frame) { this.posted.push(frame); }
        news(match) { this.match = match; this.tell('match', match); }
        change(connection) {
            this.connection = connection;
            this.live = connection === 'open';
            if (this.live) this.posted.push(...this.handOver?.frames() ?? []);
            this.tell('connection');
        }
    }
    const sync = new ServerTime();
    const now = performance.now();
    sync.probe(now, now, base.now);
    const remote = new Remote({ sync, outbox: new Outbox(null, '') });
    const shown = [];
    const notices = [];
    const use = (source) => shown.push(source === remote ? 'server' : 'phone');
    localStorage.clear();
    const fallback = new Fallback({ code: base.code, remote, use });
    fallback.local.listen({ notice: (words) => notices.push(words) });
    const frame = (id, match = base) =>
        ({ t: 'do', id, match: base.match, at: base.now + 5000, do: 'hit', turn_number: match.turn_number });
    const press = (seat, id) => fallback.local.send({ ...frame(id, fallback.local.match), seat }, seat);
    const handed = () => remote.posted.flatMap(({ kept }) => kept.map(({ do: command, seat }) => [command, seat]));
    remote.news(base);
    await (0, eval)(`(${script})`)({ remote, fallback, base, frame, press });
    const { acts } = fallback;
    fallback.local.stop();
    return { shown, notices, handed: handed(), left: fallback.course.steps.length, acts };
}"""
ALONE = "No network. This phone keeps the time by itself."
BACK = "Back online. All that was played here counts."


@pytest.fixture
def base() -> dict[str, Any]:
    """Snapshot of a match, right on turn, for a phone that may play without a network."""
    setup = Setup.parse({"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"], "director": False})
    match = perform(Match.begin(setup), Confirm(), "director", BEGAN).match
    match = perform(match, Hit(), "left", BEGAN).match
    alone = {"state": match, "book": carried(setup)}
    shown: dict[str, Any] = orjson.loads(orjson.dumps({**match.wire(BEGAN), "alone": alone}))
    return {"t": "match", "match": 1, "v": 4, "code": "X", "now": BEGAN, **shown}


def played(scripts: Page, base: dict[str, Any], script: str) -> dict[str, Any]:
    result: dict[str, Any] = made_of(scripts, PHONE, [base, script])
    return result


def test_nothing_changes_while_the_server_answers(scripts: Page, base: dict[str, Any]) -> None:
    assert played(scripts, base, "({ remote }) => remote.change('open')") == {
        "shown": [],
        "notices": [],
        "handed": [],
        "left": 0,
        "acts": False,
    }


def test_a_cut_phone_plays_on_and_takes_what_waits_with_it(scripts: Page, base: dict[str, Any]) -> None:
    cut = """({ remote, base, frame, press }) => {
        remote.outbox.put(base.match, 'right', frame('waits'), performance.now());
        remote.change('reconnecting');
        press('left', 'played-here');
    }"""
    assert played(scripts, base, cut) == {"shown": ["phone"], "notices": [ALONE], "handed": [], "left": 2, "acts": True}


def test_the_server_is_shown_again_once_it_has_what_was_played(scripts: Page, base: dict[str, Any]) -> None:
    back = """({ remote, base, press }) => {
        remote.change('reconnecting');
        press('right', 'one');
        remote.change('open');
        remote.news({ ...base, v: 6 });
        remote.handOver.answered({ t: 'ack', id: remote.posted[0].id, v: 6, credit_ms: 0 });
    }"""
    assert played(scripts, base, back) == {
        "shown": ["phone", "server"],
        "notices": [ALONE, BACK],
        "handed": [["hit", "right"]],
        "left": 0,
        "acts": False,
    }


def test_the_phone_waits_for_the_state_that_holds_its_steps(scripts: Page, base: dict[str, Any]) -> None:
    early = """({ remote, press }) => {
        remote.change('reconnecting');
        press('right', 'one');
        remote.change('open');
        remote.handOver.answered({ t: 'ack', id: remote.posted[0].id, v: 6, credit_ms: 0 });
    }"""
    assert played(scripts, base, early) == {
        "shown": ["phone"],
        "notices": [ALONE],
        "handed": [["hit", "right"]],
        "left": 0,
        "acts": True,
    }


def test_a_refused_hand_over_is_said_and_the_server_is_shown(scripts: Page, base: dict[str, Any]) -> None:
    refused = """({ remote, base, press }) => {
        remote.change('reconnecting');
        press('right', 'one');
        remote.change('open');
        const { id } = remote.posted[0];
        remote.handOver.answered({ t: 'refused', id, code: 'not-now', v: 4, words: 'The director has ruled.' });
    }"""
    assert played(scripts, base, refused) == {
        "shown": ["phone", "server"],
        "notices": [ALONE, "The director has ruled. What was played here after that does not count."],
        "handed": [["hit", "right"]],
        "left": 0,
        "acts": False,
    }


def test_a_match_that_may_not_go_on_alone_stays_with_the_server(scripts: Page, base: dict[str, Any]) -> None:
    cut = """({ remote, base }) => {
        remote.news({ ...base, v: 5, alone: null });
        remote.change('reconnecting');
    }"""
    assert played(scripts, base, cut) == {"shown": [], "notices": [], "handed": [], "left": 0, "acts": False}


def test_an_accepted_press_that_was_not_shown_is_not_lost(scripts: Page, base: dict[str, Any]) -> None:
    unseen = """({ remote, frame }) => {
        remote.tell('answer', { t: 'ack', id: 'one', v: 5, credit_ms: 0 }, { frame: frame('one'), seat: 'right' });
        remote.change('reconnecting');
    }"""
    assert played(scripts, base, unseen)["left"] == 1


def test_what_the_server_could_not_store_arrives_before_what_follows(scripts: Page, base: dict[str, Any]) -> None:
    failing = """async ({ remote, base, press }) => {
        remote.change('reconnecting');
        press('right', 'one');
        remote.change('open');
        press('left', 'two');
        const [{ id }] = remote.posted;
        remote.handOver.answered({ t: 'refused', id, code: 'not-stored', v: 4, words: '' });
        const { setTimeout } = globalThis;
        while (remote.posted.length < 2) await new Promise((done) => setTimeout(done, 50));
        remote.handOver.answered({ t: 'ack', id: remote.posted[1].id, v: 5 });
    }"""
    handed = played(scripts, base, failing)["handed"]
    assert handed == [["hit", "right"], ["hit", "right"], ["hit", "left"]]
