"""What the practice clock needs of each rule set, computed by the engine, so that a page can work without the server.

The page follows the rules itself (`static/clocks/engine/`); every amount comes from here.
"""

from functools import cache
from typing import Any

from clocks.engine.books.carried import carried
from clocks.engine.books.published import RULESETS, RuleSet
from clocks.engine.closed_sets import Format, Official
from clocks.engine.commands import Confirm
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.setup import Setup

LONGEST = 25  # points of a match on the practice clock


@cache
def books() -> list[dict[str, Any]]:
    """Return each rule set as what a page carries of it, its `key`, `formats` and `options`, in the engine's order."""
    return [_book(rules) for rules in RULESETS.values()]


def _book(rules: RuleSet) -> dict[str, Any]:
    formats = [Format.SINGLES] if rules.doubles_per_point_ms is None else [Format.SINGLES, Format.DOUBLES]
    return {
        **carried(_setup(rules.key, Format.SINGLES, 2)),
        "key": rules.key,
        "formats": {name: _format(rules.key, name) for name in formats},
        "options": list(rules.options),
    }


def _format(key: str, format_: str) -> dict[str, Any]:
    """Return what a match starts with: `reserve_ms[n]` on each clock when the two need n points together, the delay."""
    setups = [_setup(key, format_, needed) for needed in range(2, 2 * LONGEST + 1)]
    control = setups[0].first_control
    reserves = [None, None, *(setup.opening_reserve_ms[0] for setup in setups)]
    return {"reserve_ms": reserves, "kind": control.kind, "delay_ms": control.delay_ms}


def _setup(key: str, format_: str, needed: int) -> Setup:
    length = (needed + 1) // 2
    given = {"rules": key, "format": format_, "length": length, "score": [0, needed % 2], "director": False}
    return Setup.parse(given)


@cache
def first_match() -> dict[str, Any]:
    """Return the state of a match that is ready to begin: the page fills in its own setting."""
    match = Match.begin(_setup("custom", Format.SINGLES, 2))
    return perform(match, Confirm(), Official.DIRECTOR, 0).match.to_dict()
