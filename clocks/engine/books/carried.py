"""Rules of one match as plain values, for pages that work offline.

`static/clocks/engine/` reads all amounts and choices from here.
"""

from dataclasses import replace
from functools import lru_cache
from typing import TypedDict

from clocks.engine.books.rule_set import Features
from clocks.engine.clock import Kind
from clocks.engine.closed_sets import Crawford, Deciding, FlagPolicy, Reset, Topic
from clocks.engine.setup import Setup

# Topics that `Match.cite` may cite.
CITED = (Topic.FLAG, Topic.SECOND_FLAG, Topic.OFFER, Topic.EARLY_DICE, Topic.BREAK, Topic.TAKEN_DICE)


class SecondControl(TypedDict):
    """Second time control, which the first flag starts under `next-control`."""

    kind: Kind
    delay_ms: int
    reserve_ms: int
    precredit: bool


class FlagRules(TypedDict):
    """Flag policy with its amounts; `overtime_ms` is null if there is no overtime."""

    policy: FlagPolicy
    points: tuple[int, int]  # first offence, each later one
    reset_ms: int
    reset: Reset
    deciding: Deciding
    overtime_ms: int | None
    second: SecondControl


class Book(TypedDict):
    """Rules of one match; `cites` has the book's paragraphs by topic."""

    name: str
    features: Features
    lost_time_stays_lost: bool
    flag: FlagRules
    cites: dict[str, str]


def carried(setup: Setup) -> Book:
    """Rules of a match as plain values. Durations in milliseconds."""
    return _carried(replace(setup, length=1, score=(0, 0), crawford=Crawford.NONE, names=("", "")))


@lru_cache(maxsize=256)
def _carried(setup: Setup) -> Book:
    """`carried`, cached for matches that differ only in names, length and score."""
    rules, second = setup.in_force, setup.second_control
    overtime_ms = setup.option.get("overtime_ms")
    assert overtime_ms is None or isinstance(overtime_ms, int)
    return {
        "name": rules.name,
        "features": rules.features,
        "lost_time_stays_lost": rules.lost_time_stays_lost,
        "flag": {
            "policy": rules.flag,
            "points": (rules.first_points, rules.repeat_points),
            "reset_ms": rules.reset_ms,
            "reset": rules.reset,
            "deciding": rules.deciding,
            "overtime_ms": overtime_ms,
            "second": {
                "kind": second.kind,
                "delay_ms": second.delay_ms,
                "reserve_ms": rules.second_reserve_ms,
                "precredit": setup.precredited and second.kind is Kind.BRONSTEIN,
            },
        },
        "cites": {topic.value: rules.cite(topic) for topic in CITED if rules.cite(topic)},
    }
