"""Matches as their journals lead to them: each entry is folded once, however long its journal has become."""

from collections import OrderedDict
from typing import NamedTuple

from clocks.engine import events as e
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.journal.entries import SETUP
from clocks.models import JournalEntry

AT_HAND = 1_000  # matches, those of which something happened last


class Around(NamedTuple):
    """An event, and the match before and after it."""

    before: Match
    after: Match
    event: e.Event


class Folds:
    """What was folded last of each match; whoever asks for an entry further back has it folded from the first."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, tuple[int, Match]] = OrderedDict()  # by match: up to which entry, and the match

    def around(self, entry: JournalEntry) -> Around:
        """Return the event of an entry, which is not the first of its journal, and the match around it."""
        before = self._up_to(entry.match_id, entry.seq)
        event = e.event_from_dict(entry.event, entry.data)
        after = evolve(before, event)
        self._known[entry.match_id] = entry.seq, after
        self._known.move_to_end(entry.match_id)
        if len(self._known) > AT_HAND:
            self._known.popitem(last=False)
        return Around(before, after, event)

    def _up_to(self, match_id: int, seq: int) -> Match:
        """Return a match before an entry of its journal."""
        folded, match = self._known.get(match_id, (0, None))
        if folded >= seq:
            folded, match = 0, None
        rows = JournalEntry.objects.filter(match_id=match_id, seq__gt=folded, seq__lt=seq).order_by("seq")
        later = list(rows.values_list("event", "data"))
        if match is None:
            match = Match.begin(Setup.parse(later.pop(0)[1]))
        for name, data in later:
            if name != SETUP:
                match = evolve(match, e.event_from_dict(name, data))
        return match
