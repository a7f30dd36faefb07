"""Start of a practice match: the page's state equals the engine's.

`test_engine_module.py` compares the rules themselves.
"""

from typing import Any

import orjson
import pytest
from playwright.sync_api import Page

from clocks.engine.books.carried import carried
from clocks.engine.books.published import RULESETS
from clocks.engine.commands import Confirm
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.rulebook import practice
from tests.browser.modules import made_of

BEGIN = """async ([first, settings]) => {
    const { begin } = await import('/static/clocks/practice/rules.js');
    const { snapshotOf } = await import('/static/clocks/practice/game.js');
    return settings.map(({ book, setting }) => {
        const match = begin(first, book, setting);
        return { state: match.state, book: match.book, shown: snapshotOf(match, 5000) };
    });
}"""
EARLY = """async ([first, { book, setting }, loadedAt]) => {
    const rules = await import('/static/clocks/practice/rules.js');
    const { PracticeMatch } = await import('/static/clocks/practice/game.js');
    const game = new PracticeMatch(rules.begin(first, book, setting));
    const told = [game.ask({ t: 'do', match: 1, id: 'a', do: 'hit', at: 1000 }, 'left'), game.letFall(1500)];
    game.rules = rules;
    const { turn, since } = (told.push(game.letFall(loadedAt), game.letFall(loadedAt)), game.look(loadedAt));
    return [...told, turn, since];
}"""
OWN: list[dict[str, Any]] = [
    {"kind": "bronstein", "reserve_ms": 90_000, "delay_ms": 7_000},
    {"kind": "none"},
    {"flag": "penalty"},
    {"flag": "overtime", "overtime_ms": 60_000},
    {"flag": "next-control", "second_control": "bronstein"},
]
CASES = [
    *((key, {}) for key in RULESETS),
    *(("custom", own) for own in OWN),
    ("modern", {"overtime_ms": 30_000}),
    ("michigan-2002", {"second_control": "bronstein"}),
]


@pytest.mark.parametrize(("key", "own"), CASES, ids=str)
def test_a_match_begins_as_the_engine_s(scripts: Page, key: str, own: dict[str, Any]) -> None:
    book = next(book for book in practice.books() if book["key"] == key)
    settings, expected = [], []
    for format_ in book["formats"]:
        for length, score in ((1, [0, 0]), (2, [1, 1]), (7, [2, 6]), (25, [0, 24])):
            given = {"format": format_, "length": length, "score": score, "names": ["Ann", "Bob"]}
            setup = Setup.parse({**given, "rules": key, "options": own, "director": False})
            match = perform(Match.begin(setup), Confirm(), "director", 0).match
            settings.append({"book": book, "setting": {**given, "own": own}})
            expected.append(orjson.loads(orjson.dumps([match, carried(setup), match.wire(5_000)])))
    found = made_of(scripts, BEGIN, [practice.first_match(), settings])
    for begun, (state, rules, shown) in zip(found, expected, strict=True):
        state["setup"]["options"] = begun["state"]["setup"]["options"]  # a page keeps the effects of these in its book
        assert begun["state"] == state
        assert begun["book"] == rules
        assert {name: begun["shown"][name] for name in shown} == shown


@pytest.mark.parametrize(
    ("loaded_at", "expected"),
    [(3_999, [None, False, True, False, "right", 1_000]), (4_000, [None, False, False, False, None, None])],
)
def test_a_press_before_the_rules_are_loaded_counts_for_three_seconds(
    scripts: Page, loaded_at: int, expected: list[Any]
) -> None:
    book = next(book for book in practice.books() if book["key"] == "us-2013")
    setting = {"format": "singles", "length": 7, "score": [0, 0], "names": ["Ann", "Bob"]}
    given = [practice.first_match(), {"book": book, "setting": setting}, loaded_at]
    assert made_of(scripts, EARLY, given) == expected
