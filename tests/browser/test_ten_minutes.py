"""Ten minutes of play on two phones in simulated time (phone.md 17).

Network, phones' clocks and server are simulated, so that the result does not depend on the machine. `test_network.py`
tests real pages for a shorter time.
"""

import pytest
from playwright.sync_api import Page

from tests.browser.engines.deno import Deno

PLAY = """async ([oneWay, drift, seed]) => {
    const { RemoteSource } = await import('/static/clocks/wire/remote-source.js');
    const { clocksAt } = await import('/static/clocks/match/clocks.js');
    globalThis.setTimeout = () => 0;
    globalThis.setInterval = () => 0;
    let state = seed;
    const chance = () => { // mulberry32
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    const delay = () => oneWay[0] + (oneWay[1] - oneWay[0]) * chance();

    let true_ms = 0; // the server’s time; a phone’s own clock runs fast or slow by `drift`
    const due = []; // [when, what], in any order
    const later = (after, what) => due.push([true_ms + after, what]);
    const server = { t: 'match', match: 1, v: 1, status: 'running', turn: 'left', since: 0, used_ms: 0, kind: 'simple',
        limits: true, turn_reserve_ms: [900000, 900000], turn_delay_ms: 0, delay_ms: [0, 0] };
    const snapshot = () => JSON.stringify({ ...server, now: true_ms });

    class Socket { // in order, as TCP carries it
        constructor() {
            this.readyState = 1;
            this.last = [0, 0];
            phones[phones.length - 1].socket ??= this;
            later(delay(), () => { this.onopen(); this.tell(snapshot()); });
        }
        at(way) { return (this.last[way] = Math.max(this.last[way], true_ms + delay())) - true_ms; }
        tell(text) { later(this.at(1), () => this.onmessage({ data: text })); }
        send(text) {
            later(this.at(0), () => {
                const frame = JSON.parse(text);
                if (frame.t === 'ping') this.tell(JSON.stringify({ t: 'pong', c: frame.c, now: true_ms, v: server.v }));
            });
        }
        close() {}
    }
    Socket.OPEN = 1;
    globalThis.WebSocket = Socket;
    const phones = [];
    for (const rate of [1 + drift, 1 - drift]) {
        const phone = { worst: 0, jumps: 0, time: () => true_ms * rate + 5_000 };
        phones.push(phone);
        const deps = { time: phone.time, wall: phone.time, random: () => 1 };
        phone.source = new RemoteSource({ code: 'X', ...deps });
        phone.source.listen({ jumped: () => { phone.jumps += 1; } });
        phone.source.start();
    }
    let hits = 0;
    for (; true_ms < 600_000; true_ms += 10) {
        const ready = due.filter(([when]) => when <= true_ms).sort((a, b) => a[0] - b[0]);
        for (const entry of ready) due.splice(due.indexOf(entry), 1);
        for (const [, what] of ready) what();
        if (true_ms % 250 === 0) for (const { source } of phones) source.link.step();
        if (true_ms % 120 === 0) for (const { source } of phones) if (source.link.burst > 0) source.link.step();
        if (true_ms % 7_310 === 0 && true_ms > 0) { // somebody hits
            const [mine, other] = server.turn === 'left' ? [0, 1] : [1, 0];
            server.turn_reserve_ms[mine] -= true_ms - server.since;
            Object.assign(server, { turn: ['left', 'right'][other], since: true_ms, v: server.v + 1 });
            hits += 1;
            for (const { socket } of phones) socket.tell(snapshot());
        }
        for (const phone of phones) {
            const { match, sync } = phone.source;
            if (!match || match.v !== server.v || !sync.synced) continue;
            sync.advance(phone.time());
            const shown = clocksAt(match, sync.serverAt(phone.time())).reserve_ms;
            const right = clocksAt(server, true_ms).reserve_ms;
            phone.worst = Math.max(phone.worst, ...shown.map((ms, index) => Math.abs(ms - right[index])));
        }
    }
    return [hits, ...phones.map(({ worst, jumps }) => [Math.round(worst), jumps])];
}"""


@pytest.mark.parametrize(
    ("one_way_ms", "bound_ms"), [([25, 25], 100), ([150, 250], 250)], ids=["50 ms", "400 ms with jitter"]
)
def test_17_for_ten_minutes_both_phones_show_the_servers_time(
    scripts: Page, one_way_ms: list[int], bound_ms: int
) -> None:
    scripts.reload()
    for seed in (1, 2, 3) if isinstance(scripts, Deno) else (1,):
        hits, *phones = scripts.evaluate(PLAY, [one_way_ms, 100e-6, seed])
        assert hits == 82
        for worst_ms, jumps in phones:
            assert (worst_ms < bound_ms, jumps) == (True, 0), seed
