"""`wire/link.js`, with injected time and socket."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.engines import Engines

SETUP = """
    const { backOff } = await import('/static/clocks/wire/link.js');
    const { RemoteSource } = await import('/static/clocks/wire/remote-source.js');
    const { Outbox } = await import('/static/clocks/wire/outbox.js');
    const sockets = [];
    class Socket {
        constructor(url) { this.url = url; this.readyState = 0; this.sent = []; sockets.push(this); }
        send(text) { this.sent.push(JSON.parse(text)); }
        close() { this.closed = true; }
        opens() { this.readyState = 1; this.onopen(); }
        says(frame) { this.onmessage({ data: JSON.stringify(frame) }); }
        ends(code) { this.onclose({ code, reason: '' }); }
    }
    Socket.OPEN = 1;
    globalThis.WebSocket = Socket;
    globalThis.setTimeout = () => 0;
    globalThis.setInterval = () => 0;
    const hand = { at: 0, wall: 5_000_000 };
    const told = [];
    const on = { match: (match) => told.push(['match', match.v]),
        connection: () => told.push(['connection', source.connection]),
        answer: (frame) => told.push([frame.t, frame.id]), dropped: (entries) => told.push(['dropped', entries.length]),
        jumped: (ms, slept) => told.push(['jumped', ms, slept]) };
    const outbox = new Outbox(null, 'box');
    const deps = { time: () => hand.at, wall: () => hand.wall, random: () => 1 };
    const source = new RemoteSource({ code: 'X', outbox, ...deps });
    source.listen(on);
    const pass = (ms) => {
        for (let left = ms; left > 0; left -= 250) { hand.at += 250; hand.wall += 250; source.link.step(); }
    };
    const match = (v, more = {}) => ({ t: 'match', match: 1, v, now: 1_000_000 + hand.at, status: 'running', ...more });
    const pong = (v) => sockets.at(-1).says({ t: 'pong', c: hand.at, now: 1_000_000 + hand.at, v });
    const begin = (more) => { source.start(); sockets.at(-1).opens(); sockets.at(-1).says(match(5, more)); pong(5); };
"""


@pytest.fixture(scope="module")
def scripts(engines: Engines) -> Any:
    """Deno alone: whole pages connect in each engine."""
    return engines.blank_page("deno")


def run(page: Page, body: str) -> Any:
    """Run `body` with fake sockets and timers."""
    return page.evaluate(f"async () => {{ {SETUP} {body} }}")


def test_31_a_socket_silent_for_six_seconds_of_play_is_replaced(scripts: Page) -> None:
    body = """
        begin();
        pass(5750);
        const before = sockets.length;
        pass(250);
        const state = source.connection;
        pass(1000);
        return [before, state, sockets.length, sockets[0].closed];
    """
    assert run(scripts, body) == [1, "reconnecting", 2, True]


def test_31_before_the_match_a_missing_pong_is_decisive(scripts: Page) -> None:
    body = """
        begin({ status: 'setup' });
        source.link.burst = 0;
        pass(250);
        pong(5);
        pass(9000);
        const idle = source.connection;
        pass(1000 + 6000 + 1000);
        return [idle, source.connection];
    """
    assert run(scripts, body) == ["open", "reconnecting"]


@pytest.mark.parametrize("status", ["ready", "running", "stopped", "flagged"])
def test_in_a_match_a_lost_server_is_noticed_in_the_fourth_second(scripts: Page, status: str) -> None:
    body = f"""
        begin({{ status: '{status}' }});
        source.link.burst = 0;
        pass(250);
        pong(5);
        pass(2750);
        const before = source.lostMs;
        pass(750);
        return [before, source.lostMs > 0];
    """
    assert run(scripts, body) == [0, True]


def test_a_socket_that_never_opens_is_given_up(scripts: Page) -> None:
    body = "source.start(); pass(7000); return sockets.length;"
    assert run(scripts, body) == 2


def test_32_a_returning_page_replaces_a_dead_socket_within_two_seconds(scripts: Page) -> None:
    body = """
        begin();
        pass(1000);
        const pings = sockets[0].sent.length;
        source.wake();
        const asked = sockets[0].sent.length - pings;
        pass(1750);
        return [asked, source.connection, sockets[0].closed];
    """
    assert run(scripts, body) == [1, "reconnecting", True]


def test_32_a_page_that_comes_back_without_a_socket_connects_at_once(scripts: Page) -> None:
    body = "begin(); sockets[0].ends(1006); source.wake(); return sockets.length;"
    assert run(scripts, body) == 2


def test_33_two_hundred_phones_come_back_spread_out(scripts: Page) -> None:
    body = """
        let seed = 4711;
        const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
        const times = Array.from({ length: 200 }, () => backOff(0, random));
        let peak = 0;
        for (let from = 0; from < 8000; from += 10) {
            peak = Math.max(peak, times.filter((at) => at >= from && at < from + 250).length);
        }
        return [peak <= 80, backOff(0, () => 1), backOff(3, () => 1), backOff(9, () => 1)];
    """
    assert run(scripts, body) == [True, 1000, 8000, 8000]


def test_34_an_unanswered_press_is_resent_once_after_the_snapshot(scripts: Page) -> None:
    body = """
        begin();
        source.send({ t: 'do', id: 'a', do: 'hit' }, 'left');
        sockets[0].ends(1006);
        pass(1000);
        sockets[1].opens();
        const early = sockets[1].sent.filter((frame) => frame.t === 'do').length;
        sockets[1].says(match(6));
        return [early, sockets[1].sent.filter((frame) => frame.t === 'do').map((frame) => frame.id)];
    """
    assert run(scripts, body) == [0, ["a"]]


def test_35_a_version_that_is_not_newer_is_ignored(scripts: Page) -> None:
    body = """
        begin();
        for (const v of [4, 5, 7, 6]) sockets[0].says(match(v));
        return told.filter(([name]) => name === 'match');
    """
    assert run(scripts, body) == [["match", 5], ["match", 7]]


def test_35_a_snapshot_that_was_lost_is_fetched_by_a_new_connection(scripts: Page) -> None:
    body = """
        begin();
        source.link.burst = 0;
        pass(2500);
        pong(6);
        const once = sockets.length;
        pass(2500);
        pong(6);
        return [once, sockets.length];
    """
    assert run(scripts, body) == [1, 2]


def test_35_the_next_match_starts_over_from_whatever_version(scripts: Page) -> None:
    body = "begin(); sockets[0].says(match(2, { match: 2 })); return source.match.v;"
    assert run(scripts, body) == 2


def test_39_a_seat_taken_over_is_not_claimed_back(scripts: Page) -> None:
    body = "begin(); sockets[0].ends(4409); pass(60_000); source.wake(); return [source.connection, sockets.length];"
    assert run(scripts, body) == ["taken", 1]


def test_39_a_page_that_comes_back_says_which_seats_it_holds(scripts: Page) -> None:
    body = """
        const held = (seats) => {
            const page = new RemoteSource({ code: 'X', seats, outbox, ...deps });
            page.listen(on);
            page.start();
            sockets.at(-1).opens();
            sockets.at(-1).says(match(5, { match: 17 }));
            const addresses = [sockets.at(-1).url];
            page.wake();
            sockets.at(-1).ends(1006);
            page.wake();
            return [...addresses, sockets.at(-1).url].map((url) => url.replace(location.host, 'HOST'));
        };
        return [held(['left']), held(['left', 'right']), held([])];
    """
    at = "ws://HOST/ws/table/X/"
    assert run(scripts, body) == [
        [at, f"{at}?match=17&seats=left"],
        [at, f"{at}?match=17&seats=left,right"],
        [at, at],
    ]


def test_a_directors_page_reconnects_once_after_its_session_ends(scripts: Page) -> None:
    body = """
        const { TournamentLink } = await import('/static/clocks/wire/tournament-link.js');
        const states = [];
        const page = new TournamentLink('ws://x');
        page.listen({ state: (name) => states.push(name) });
        Object.assign(page.wire, deps);
        const wait = (ms) => { for (let left = ms; left > 0; left -= 250) { hand.at += 250; page.wire.step(); } };
        page.start();
        sockets[0].opens();
        sockets[0].says({ t: 'boards', now: 0, boards: [] });
        sockets[0].ends(4401);
        wait(1000);
        sockets[1].opens();
        sockets[1].ends(4401);
        wait(30_000);
        return [states, sockets.length];
    """
    assert run(scripts, body) == [["open", "reconnecting", "signed-out"], 2]


def test_the_other_final_closes_are_final_too(scripts: Page) -> None:
    body = """
        const states = [];
        for (const code of [4401, 4403, 4404]) {
            source.start();
            sockets.at(-1).ends(code);
            states.push(source.connection);
        }
        return [states, sockets.length, (pass(30_000), sockets.length)];
    """
    assert run(scripts, body) == [["signed-out", "revoked", "gone"], 3, 3]


def test_a_restarting_server_is_left_alone_as_long_as_it_asks(scripts: Page) -> None:
    body = """
        begin();
        sockets[0].says({ t: 'restart', after_ms: 3000 });
        sockets[0].ends(1012);
        pass(3750);
        const early = sockets.length;
        pass(250);
        return [early, sockets.length];
    """
    assert run(scripts, body) == [1, 2]


def test_a_restarting_server_is_tried_each_second_until_it_should_be_back(scripts: Page) -> None:
    body = """
        begin();
        sockets[0].says({ t: 'restart', after_ms: 1000 });
        sockets[0].ends(1012);
        const tried = [];
        for (let turn = 0; turn < 14; turn += 1) {
            pass(2000);
            if (sockets.length > (tried.at(-1) ?? 1)) sockets.at(-1).ends(1006);
            tried.push(sockets.length);
        }
        return tried;
    """
    assert run(scripts, body) == [2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 10, 10, 10, 11]


def test_too_many_messages_means_a_long_pause(scripts: Page) -> None:
    body = """
        begin();
        sockets[0].ends(4429);
        pass(10_750);
        const early = sockets.length;
        pass(250);
        return [early, sockets.length];
    """
    assert run(scripts, body) == [1, 2]


def test_a_probe_is_answered_unchanged(scripts: Page) -> None:
    body = "begin(); sockets[0].says({ t: 'probe', p: 5 }); return sockets[0].sent.at(-1);"
    assert run(scripts, body) == {"t": "probe", "p": 5}


def test_a_command_that_the_server_failed_to_store_is_sent_again(scripts: Page) -> None:
    body = """
        begin();
        source.send({ t: 'do', id: 'a', do: 'hit' }, 'left');
        sockets[0].says({ t: 'refused', id: 'a', code: 'not-stored', v: 5, words: 'x' });
        pass(1500);
        sockets[0].says({ t: 'ack', id: 'a', v: 6, credit_ms: 0 });
        const sent = sockets[0].sent.filter((frame) => frame.t === 'do').length;
        return [sent, told.filter(([name]) => name === 'ack' || name === 'refused')];
    """
    assert run(scripts, body) == [2, [["ack", "a"]]]


def test_29_after_a_sleep_the_page_measures_again_and_reports_the_gap(scripts: Page) -> None:
    body = """
        begin();
        pass(1000);
        pong(5);
        const pings = sockets[0].sent.length;
        hand.at += 250;
        hand.wall += 43_250;
        source.link.step();
        const asked = sockets[0].sent.length - pings;
        sockets[0].says({ t: 'pong', c: hand.at, now: 1_043_000 + hand.at, v: 5 });
        return [asked, told.filter(([name]) => name === 'jumped')];
    """
    assert run(scripts, body) == [1, [["jumped", 43_000, True]]]


def test_30_setting_the_phones_clock_reports_no_gap(scripts: Page) -> None:
    body = """
        begin();
        pass(1000);
        hand.wall += 3_600_000;
        source.link.step();
        pong(5);
        return told.filter(([name]) => name === 'jumped');
    """
    assert run(scripts, body) == []


def test_29_an_answer_to_a_ping_from_before_the_sleep_measures_nothing(scripts: Page) -> None:
    body = """
        begin();
        pass(1000);
        pong(5);
        const before = hand.at;
        hand.at += 250;
        hand.wall += 43_250;
        source.link.step();
        sockets[0].says({ t: 'pong', c: before, now: 1_000_000 + hand.at, v: 5 });
        const measured = source.link.sync.synced;
        sockets[0].says({ t: 'pong', c: hand.at, now: 1_043_000 + hand.at, v: 5 });
        return [measured, told.filter(([name]) => name === 'jumped')];
    """
    assert run(scripts, body) == [False, [["jumped", 43_000, True]]]
