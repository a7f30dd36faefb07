"""Replay a match's journal step by step."""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

from clocks.engine.events import event_from_dict
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.journal.entries import SETUP
from clocks.models import JournalEntry
from clocks.record.look_back import Step


class Written(Protocol):
    """Columns of an entry that a replay needs."""

    @property
    def event(self) -> str: ...
    @property
    def data(self) -> Any: ...
    @property
    def credit_ms(self) -> int: ...


E = TypeVar("E", bound=Written)


def replay(entries: Iterable[E]) -> Iterator[tuple[E, Match, Step | None]]:
    """Yield each entry with the match before it, and its step.

    A setup entry has no step, and comes with the match that it begins.
    """
    match: Match | None = None
    for entry in entries:
        if match is None or entry.event == SETUP:
            match = Match.begin(Setup.from_dict(entry.data))
            yield entry, match, None
            continue
        event = event_from_dict(entry.event, entry.data)
        after = evolve(match, event)
        yield entry, match, Step(match, after, event, entry.credit_ms)
        match = after


def steps(match_id: int) -> Iterator[Step]:
    """Yield the steps of a match."""
    entries = JournalEntry.objects.filter(match_id=match_id).order_by("seq")
    columns = entries.values_list("event", "data", "credit_ms", named=True)
    return (step for _, _, step in replay(columns.iterator()) if step is not None)
