"""Journals for the history checker: each entry with the state after it."""

from collections.abc import Iterator
from itertools import groupby

from clocks.engine.events import event_from_dict
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.models import JournalEntry
from tests.faults.histories import SHOWN

Folded = tuple[int, int, str | None, list[object] | None]


def entries() -> Iterator[Folded]:
    """Yield match id, number, command id and SHOWN fields of each journal entry.

    The fields are None after a gap or fork.
    """
    rows = JournalEntry.objects.order_by("match", "seq").values_list("match", "seq", "command_id", "event", "data")
    for match_id, journal in groupby(rows.iterator(), key=lambda row: row[0]):
        state: Match | None = None
        for number, (_, seq, command_id, event, data) in enumerate(journal, 1):
            if seq == number == 1:
                state = Match.begin(Setup.from_dict(data))
            elif seq == number and state is not None:
                state = evolve(state, event_from_dict(event, data))
            else:
                state = None
            look: dict[str, object] = {} if state is None else {**state.look(0)}
            yield match_id, seq, command_id, [look[name] for name in SHOWN] if look else None
