"""Free time of one player in the JavaScript engine: at most one delay."""

import pytest
from playwright.sync_api import Page

from clocks.engine.books.carried import carried
from clocks.engine.books.published import RULESETS
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from tests.browser.modules import made_of
from tests.browser.test_engine_module import plain
from tests.engine.test_free_thinking import OPTIONS, SEQUENCES

SEARCH = """async (given) => (await import('/tests/browser/free_thinking.js')).search(given)"""


@pytest.mark.parametrize("rules", RULESETS)
def test_no_player_alone_gets_more_than_one_delay_in_the_page(scripts: Page, rules: str) -> None:
    settings = []
    for options in OPTIONS.get(rules, [{}]):
        for reserve_ms in (30_000, 400_000):
            for director in (True, False):
                given = {"rules": rules, "length": 5, "director": director}
                setup = Setup.parse({**given, "options": {**options, "reserve_ms": reserve_ms}})
                settings.append({"book": plain(carried(setup)), "match": plain(Match.begin(setup))})
    assert made_of(scripts, SEARCH, {"settings": settings, "count": SEQUENCES, "seed": len(rules)}) is None
