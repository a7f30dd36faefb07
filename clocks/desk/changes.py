"""Publish changes to listeners, after the commit, in the desk's thread."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from clocks.engine.match import Match as MatchState
from clocks.journal import stored
from clocks.journal.stored import StoredMatch

logger = logging.getLogger(__name__)


class Change(NamedTuple):
    """A changed match; `replaced` are phones that lost a seat.

    `stored` belongs to the desk: a listener must read it at once and keep no reference. `moved`: it may have become the
    current match of its table. `events` are the names of all events in the commit, of this match and others.
    """

    stored: StoredMatch
    replaced: tuple[int, ...] = ()
    moved: bool = False
    events: frozenset[str] = frozenset()


Listener = Callable[[Sequence[Change]], None]

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Register a listener for the changes of each commit.

    After a batch of requests that changed nothing it is called with no changes.
    """
    if listener not in _listeners:
        _listeners.append(listener)


def publish(changes: Sequence[Change]) -> None:
    """Call all listeners. An exception in one of them is logged and affects no other."""
    for listener in _listeners:
        try:
            listener(changes)
        except Exception:
            logger.exception("a listener failed at %d changes", len(changes))


def of_new(match_ids: Collection[int], states: Mapping[int, MatchState] = MappingProxyType({})) -> list[Change]:
    """Return the changes for new matches, each now current at its table.

    `states` are their states after the first entry, where known.
    """
    return [Change(match, moved=True) for match in stored.matches(match_ids, states).values()]
