"""What changed, for whoever listens: published after the commit, in the thread that stored it."""

import logging
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from clocks.journal import stored
from clocks.journal.stored import StoredMatch

logger = logging.getLogger(__name__)


class Change(NamedTuple):
    """A match as it is stored now; the devices that lost a seat by it; whether its table plays it from now on.

    `stored` is the desk's own: a listener reads it at once and keeps nothing of it. `events` names what the journal was
    given by the same commit, for this match or another.
    """

    stored: StoredMatch
    replaced: tuple[int, ...] = ()
    moved: bool = False
    events: frozenset[str] = frozenset()


Listener = Callable[[Sequence[Change]], None]

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Have `listener` called with what each commit changed; without changes too, once replies were given."""
    if listener not in _listeners:
        _listeners.append(listener)


def publish(changes: Sequence[Change]) -> None:
    """Tell all listeners. What fails in one of them is logged: it is stored all the same, and harms no other."""
    for listener in _listeners:
        try:
            listener(changes)
        except Exception:
            logger.exception("a listener failed at %d changes", len(changes))


def of_new(match_ids: Collection[int]) -> list[Change]:
    """Return the changes that these new matches are: each is played at its table from now on."""
    return [Change(match, moved=True) for match in stored.matches(match_ids).values()]
