"""`wire/server-time.js`: the phone's estimate of server time."""

from typing import Any

from playwright.sync_api import Page

IMPORT = """
    const { ServerTime, qualityOf } = await import('/static/clocks/wire/server-time.js');
    const sync = new ServerTime();
"""


def run(page: Page, body: str, argument: Any = None) -> Any:
    """Run `body` with a new `sync` in scope."""
    return page.evaluate(f"async (given) => {{ {IMPORT} {body} }}", argument)


def test_28_the_offset_comes_from_the_shortest_round_trip(scripts: Page) -> None:
    body = """
        sync.probe(0, 400, 1_000_350);      // 350 there, 50 back: its midpoint lies 150 ms off
        sync.probe(1000, 1040, 1_001_020);  // 20 and 20: true
        sync.probe(2000, 2300, 1_002_020);
        return [sync.best.offset, sync.best.rtt, sync.errorBound];
    """
    assert run(scripts, body) == [1_000_000, 40, 20]


def test_28_only_the_last_sixteen_probes_count(scripts: Page) -> None:
    body = """
        sync.probe(0, 10, 1_000_005);
        for (let at = 1000; at <= 16_000; at += 1000) sync.probe(at, at + 100, 1_000_000 + at + 50);
        return [sync.probes.length, sync.best.rtt];
    """
    assert run(scripts, body) == [16, 100]


def test_28_probes_older_than_five_minutes_do_not_count(scripts: Page) -> None:
    body = """
        sync.probe(0, 10, 1_000_005);
        sync.probe(300_000, 300_100, 1_300_050);
        return sync.probes.map((probe) => probe.rtt);
    """
    assert run(scripts, body) == [100]


def test_before_any_probe_the_snapshot_tells_the_time_roughly(scripts: Page) -> None:
    body = (
        "const before = sync.serverAt(50); sync.hint(100, 1_000_100); return [before, sync.serverAt(150), sync.synced];"
    )
    assert run(scripts, body) == [None, 1_000_150, False]


def test_18_the_shown_time_never_goes_backwards_while_it_is_corrected(scripts: Page) -> None:
    body = """
        let last = -Infinity;
        let backwards = 0;
        const chance = (seed) => () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
        const random = chance(12_345);
        for (let at = 0; at < 600_000; at += 16) {
            if (at % 2512 === 0) {
                const [there, back] = [random() * 400, random() * 400];
                sync.probe(at - there - back, at, 1_000_000 + at - back);
            }
            sync.advance(at);
            const now = sync.serverAt(at);
            if (now < last) backwards += 1;
            last = now;
        }
        return [backwards, Math.abs(sync.serverAt(600_000) - 1_600_000) < 200];
    """
    assert run(scripts, body) == [0, True]


def test_18_a_small_correction_is_slewed_at_a_fifth_of_elapsed_time(scripts: Page) -> None:
    body = """
        sync.probe(0, 400, 1_000_300);
        const first = sync.offset;
        sync.probe(1000, 1000, 1_001_000);
        return [first, sync.offset, (sync.advance(1100), sync.offset), (sync.advance(9000), sync.offset)];
    """
    assert run(scripts, body) == [1_000_100, 1_000_000, 1_000_000, 1_000_000]


def test_18_a_correction_of_more_than_a_second_jumps_and_says_so(scripts: Page) -> None:
    body = "sync.hint(0, 1_000_000); return [sync.probe(100, 120, 1_005_110), sync.serverAt(200)];"
    assert run(scripts, body) == [5000, 1_005_200]


def test_29_a_phone_that_slept_is_noticed_and_its_probes_are_dropped(scripts: Page) -> None:
    body = """
        sync.suspects(0, 5_000_000);
        sync.probe(0, 20, 1_000_010);
        const awake = sync.suspects(1000, 5_001_000);
        const slept = sync.suspects(1250, 5_044_250);
        const synced = sync.synced;
        const jumped = sync.probe(1260, 1280, 1_044_270);
        return [awake, slept, synced, jumped];
    """
    assert run(scripts, body) == [False, True, False, 43_000]


def test_30_setting_the_phones_own_clock_moves_nothing(scripts: Page) -> None:
    body = """
        sync.suspects(0, 5_000_000);
        sync.probe(0, 20, 1_000_010);
        const before = sync.serverAt(2000);
        sync.suspects(1000, 5_001_000 + 3_600_000);
        const between = sync.serverAt(2000);
        const jumped = sync.probe(1100, 1120, 1_001_110);
        return [between - before, jumped, sync.serverAt(2000) - before];
    """
    assert run(scripts, body) == [0, 0, 0]


def test_38_round_trips_have_words(scripts: Page) -> None:
    body = "return given.map(qualityOf);"
    given = [0, 149, 150, 299, 300, 499, 500, 5000, None]
    words = ["good", "good", "fair", "fair", "poor", "poor", "bad", "bad", "bad"]
    assert run(scripts, body, given) == words
