"""What the practice clock needs of each rule set, computed by the engine, so that a page can do without the server.

The page does the arithmetic of a turn itself (`static/clocks/practice/match.js`); every amount comes from here.
"""

from functools import cache
from typing import Any

from clocks.engine.books.published import RULESETS, RuleSet
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Format, Official
from clocks.engine.commands import Confirm
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.setup import Setup

LONGEST = 25  # points of a match on the practice clock


@cache
def books() -> list[dict[str, Any]]:
    """Return each rule set as `{key, name, formats, flag, features, cite}`, in the order of the engine's list."""
    return [_book(rules) for rules in RULESETS.values()]


def _book(rules: RuleSet) -> dict[str, Any]:
    formats = [Format.SINGLES] if rules.doubles_per_point_ms is None else [Format.SINGLES, Format.DOUBLES]
    return {
        "key": rules.key,
        "name": rules.name,
        "formats": {name: _format(rules.key, name) for name in formats},
        "flag": _flag(rules),
        "features": rules.features,
        "cite": rules.cite("flag"),
    }


def _format(key: str, format_: str) -> dict[str, Any]:
    """Return what a match starts with: `reserve_ms[n]` on each clock when the two need n points together, the delay."""
    setups = [_setup(key, format_, needed) for needed in range(2, 2 * LONGEST + 1)]
    control = setups[0].first_control
    reserves = [None, None, *(setup.opening_reserve_ms[0] for setup in setups)]
    return {"reserve_ms": reserves, "kind": control.kind, "delay_ms": control.delay_ms}


def _setup(key: str, format_: str, needed: int) -> Setup:
    length = (needed + 1) // 2
    return Setup.parse({"rules": key, "format": format_, "length": length, "score": [0, needed % 2]})


def _flag(rules: RuleSet) -> dict[str, Any]:
    """Return what a flag means: the policy and its amounts."""
    second = _setup(rules.key, Format.SINGLES, 2).second_control
    return {
        "policy": rules.flag,
        "points": [rules.first_points, rules.repeat_points],
        "reset_ms": rules.reset_ms,
        "reset": rules.reset,
        "deciding": rules.deciding,
        "second": {"kind": second.kind, "delay_ms": second.delay_ms, "reserve_ms": rules.second_reserve_ms},
    }


@cache
def first_snapshot() -> dict[str, Any]:
    """Return a match that is ready to begin, as the socket tells it: the page fills in its own setting."""
    match = Match.begin(_setup("custom", Format.SINGLES, 2))
    begun = perform(match, Confirm(), Official.DIRECTOR, 0)
    return begun.match.wire(0) | {"match": 1, "v": 1, "seats": [{"held": True, "seen_at": None} for _ in Seat]}
