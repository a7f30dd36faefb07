"""`match/clocks.js` computes the same times as the engine (shared test vectors)."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "clock.json").read_text())


@pytest.fixture(scope="module")
def shown(scripts: Page) -> list[dict[str, Any]]:
    script = """async (vectors) => {
        const { clocksAt } = await import('/static/clocks/match/clocks.js');
        return vectors.map((vector) => clocksAt(vector.snapshot, vector.now));
    }"""
    return scripts.evaluate(script, VECTORS["clocks"])


@pytest.mark.parametrize("index", range(len(VECTORS["clocks"])), ids=[v["name"] for v in VECTORS["clocks"]])
def test_the_phone_shows_the_engines_figures(shown: list[dict[str, Any]], index: int) -> None:
    vector = VECTORS["clocks"][index]
    assert shown[index] == {name: vector[name] for name in ("reserve_ms", "delay_ms", "flag_at")}


def test_times_are_written_as_people_read_them(scripts: Page) -> None:
    script = """async (formats) => {
        const { formatTime } = await import('/static/clocks/words/times.js');
        return formats.map(({ ms }) => formatTime(ms));
    }"""
    assert scripts.evaluate(script, VECTORS["formats"]) == [one["text"] for one in VECTORS["formats"]]


def test_a_delay_shows_zero_only_when_it_has_counted_down(scripts: Page) -> None:
    script = """async (times) => {
        const { formatDelay } = await import('/static/clocks/words/times.js');
        return times.map(formatDelay);
    }"""
    assert scripts.evaluate(script, [12_000, 11_999, 11_000, 1, 0]) == ["12 s", "12 s", "11 s", "1 s", "0 s"]


def test_times_are_spoken_in_words(scripts: Page) -> None:
    script = """async (times) => {
        const { spokenTime } = await import('/static/clocks/words/times.js');
        return times.map(spokenTime);
    }"""
    assert scripts.evaluate(script, [441_000, 60_000, 3_661_000, 0]) == [
        "7 minutes 21 seconds",
        "1 minute",
        "1 hour 1 minute 1 second",
        "0 seconds",
    ]


def test_changes_carry_their_sign(scripts: Page) -> None:
    script = """async (times) => {
        const { formatChange } = await import('/static/clocks/words/times.js');
        return times.map(formatChange);
    }"""
    assert scripts.evaluate(script, [30_000, -120_000, 0]) == ["+0:30", "−2:00", "+0:00"]


def test_sentences_are_translated_before_their_values_are_filled_in(scripts: Page) -> None:
    script = """async () => {
        const { gettext, ngettext, pgettext } = await import('/static/clocks/words/i18n.js');
        const said = () => [
            gettext('%(name)s wins', { name: '%(n)s' }),
            pgettext('verb', 'Table %(n)s', { n: 3 }),
            ngettext('%(n)s press', '%(n)s presses', 2, { n: 2 }),
            gettext('%(name)s wins'),
        ];
        const before = said();
        globalThis.django = {
            gettext: (text) => text.replace('wins', 'gewinnt'),
            pgettext: (context, text) => `${context}: ${text}`,
            ngettext: (one, other, count) => `${count}: ${other}`,
        };
        try { return [before, said()]; } finally { delete globalThis.django; }
    }"""
    assert scripts.evaluate(script) == [
        ["%(n)s wins", "Table 3", "2 presses", "%(name)s wins"],
        ["%(n)s gewinnt", "verb: Table 3", "2: 2 presses", "%(name)s gewinnt"],
    ]
