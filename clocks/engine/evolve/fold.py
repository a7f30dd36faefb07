"""Apply events: `evolve(match, event) -> match`, and `fold` a whole journal."""

from collections.abc import Iterable

from clocks.engine import events as e
from clocks.engine.applying import apply
from clocks.engine.evolve import endings, rulings, turns  # noqa: F401 (each registers the events that it applies)
from clocks.engine.match import Match
from clocks.engine.setup import Setup


def evolve(match: Match, event: e.Event) -> Match:
    """Return the match after `event`."""
    return apply(event, match)


def fold(setup: Setup, events: Iterable[e.Event]) -> Match:
    """Return the match that a setting and its journal lead to."""
    match = Match.begin(setup)
    for event in events:
        match = evolve(match, event)
    return match
