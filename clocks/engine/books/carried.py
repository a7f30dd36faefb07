"""Rules of one match as plain values, for pages that work offline.

`static/clocks/engine/` reads all amounts and choices from here.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from clocks.engine.clock import Kind
from clocks.engine.closed_sets import Crawford, Topic
from clocks.engine.setup import Setup

# Topics that concern the clock.
CITED = (Topic.FLAG, Topic.SECOND_FLAG, Topic.OFFER, Topic.EARLY_DICE, Topic.BREAK, Topic.TAKEN_DICE)


def carried(setup: Setup) -> dict[str, Any]:
    """Return `{name, features, lost_time_stays_lost, flag, cites}`.

    Durations in milliseconds. `flag` is the flag policy with its amounts, the second control and the overtime (null:
    none).
    """
    return _carried(replace(setup, length=1, score=(0, 0), crawford=Crawford.NONE, names=("", "")))


@lru_cache(maxsize=256)
def _carried(setup: Setup) -> dict[str, Any]:
    """Same, cached for matches that differ only in names and length."""
    rules, second = setup.in_force, setup.second_control
    return {
        "name": rules.name,
        "features": rules.features,
        "lost_time_stays_lost": rules.lost_time_stays_lost,
        "flag": {
            "policy": rules.flag,
            "points": [rules.first_points, rules.repeat_points],
            "reset_ms": rules.reset_ms,
            "reset": rules.reset,
            "deciding": rules.deciding,
            "overtime_ms": setup.option.get("overtime_ms"),
            "second": {
                "kind": second.kind,
                "delay_ms": second.delay_ms,
                "reserve_ms": rules.second_reserve_ms,
                "precredit": setup.precredited and second.kind is Kind.BRONSTEIN,
            },
        },
        "cites": {topic.value: rules.cite(topic) for topic in CITED if rules.cite(topic)},
    }
