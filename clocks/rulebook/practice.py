"""Rule set data for the practice clock, which runs without the server.

The page applies the rules itself (`static/clocks/engine/`); every amount is computed here, by the engine.
"""

from functools import cache
from typing import Any, TypedDict

from clocks.engine.books.carried import Book, carried
from clocks.engine.books.published import RULESETS, RuleSet
from clocks.engine.clock import Kind
from clocks.engine.closed_sets import Format, Official
from clocks.engine.commands import Confirm
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.setup import Setup

LONGEST = 25  # longest match on the practice clock, in points


class FormatTimes(TypedDict):
    """Delay and starting reserves in a format.

    `reserve_ms[n]` is the time on each clock if the two players together need n points.
    """

    reserve_ms: list[int | None]
    kind: Kind
    delay_ms: int


class PracticeBook(Book):
    """A rule set as data that a page embeds."""

    key: str
    formats: dict[Format, FormatTimes]
    options: list[str]


@cache
def books() -> list[PracticeBook]:
    """Data of all rule sets, in the engine's order."""
    return [_book(rules) for rules in RULESETS.values()]


def _book(rules: RuleSet) -> PracticeBook:
    formats = [Format.SINGLES] if rules.doubles_per_point_ms is None else [Format.SINGLES, Format.DOUBLES]
    return {
        **carried(_setup(rules.key, Format.SINGLES, 2)),
        "key": rules.key,
        "formats": {name: _format(rules.key, name) for name in formats},
        "options": list(rules.options),
    }


def _format(key: str, format_: Format) -> FormatTimes:
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
    """State of a match ready to begin; the page fills in its own settings."""
    match = Match.begin(_setup("custom", Format.SINGLES, 2))
    return perform(match, Confirm(), Official.DIRECTOR, 0).match.to_dict()
