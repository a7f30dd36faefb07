"""What a setting leads to, in a line: for the page that starts a match, which shows it as somebody types."""

from typing import Any

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Kind
from clocks.engine.closed_sets import Format
from clocks.engine.setup import Setup


def glance() -> dict[str, Any]:
    """Return by rule set and format what each clock gets for each point needed, and the delay of a turn (0: none)."""
    return {
        key: {
            format_: _amounts(key, format_)
            for format_ in Format
            if format_ == Format.SINGLES or rules.doubles_per_point_ms is not None
        }
        for key, rules in RULESETS.items()
    }


def _amounts(key: str, format_: str) -> dict[str, int]:
    setup = Setup.parse({"rules": key, "format": format_, "length": 1})
    control = setup.first_control
    return {
        "per_point_ms": setup.in_force.per_point_ms,
        "delay_ms": 0 if control.kind is Kind.NONE else control.delay_ms,
    }
