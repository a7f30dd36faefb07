"""One-line summary of settings, updated live on the page that starts a match."""

from collections.abc import Mapping
from typing import Any, TypedDict

from django.utils.translation import gettext as _

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Kind
from clocks.engine.closed_sets import Format
from clocks.engine.setup import LONGEST_MATCH, Setup
from clocks.wording.amounts import clock, seconds


class Amounts(TypedDict):
    """Time per point and delay per turn, in milliseconds."""

    per_point_ms: int
    delay_ms: int


def glance() -> dict[str, dict[str, Amounts]]:
    """Time per point, and delay per turn (0: none), by rule set and format."""
    return {
        key: {
            format_: _amounts(key, format_)
            for format_ in Format
            if format_ == Format.SINGLES or rules.doubles_per_point_ms is not None
        }
        for key, rules in RULESETS.items()
    }


def _amounts(key: str, format_: str) -> Amounts:
    setup = Setup.parse({"rules": key, "format": format_, "length": 1})
    control = setup.first_control
    return {
        "per_point_ms": setup.in_force.per_point_ms,
        "delay_ms": 0 if control.kind is Kind.NONE else control.delay_ms,
    }


def by_length(setting: Mapping[str, Any]) -> dict[int, str]:
    """Starting time in words for each match length: `14:00 each, delay 12 s`."""
    return {length: _in_words(Setup.parse({**setting, "length": length})) for length in range(1, LONGEST_MATCH + 1)}


def _in_words(setup: Setup) -> str:
    left, right = setup.opening_reserve_ms
    time, control = clock(left) if left == right else f"{clock(left)} / {clock(right)}", setup.first_control
    if control.kind is Kind.NONE or not control.delay_ms:
        return _("%(time)s each, no delay") % {"time": time}
    return _("%(time)s each, delay %(delay)s") % {"time": time, "delay": seconds(control.delay_ms)}
