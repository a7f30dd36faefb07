"""Cache of folded matches, which saves refolding a journal for each new entry."""

from collections import OrderedDict
from typing import NamedTuple

from clocks.engine import events as e
from clocks.engine.closed_sets import Status
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.journal.entries import SETUP
from clocks.models import JournalEntry

AT_HAND, OVER_AT_HAND = 1_000, 50  # cache sizes: matches in progress, and finished matches

Known = OrderedDict[int, tuple[int, Match]]  # by match id: last entry folded, and the match


class Around(NamedTuple):
    """An event with the match before and after it."""

    before: Match
    after: Match
    event: e.Event


class Folds:
    """LRU cache of folded matches.

    Refolds the journal of an evicted match, or for an entry before the cached position.
    """

    def __init__(self) -> None:
        self._played: Known = OrderedDict()
        self._over: Known = OrderedDict()  # kept for a while, because they may be reopened or corrected

    def around(self, entry: JournalEntry) -> Around:
        """Match before and after an entry, which must not be the first of its journal."""
        before = self._up_to(entry.match_id, entry.seq)
        event = e.event_from_dict(entry.event, entry.data)
        after = evolve(before, event)
        of_its_kind, most = (self._over, OVER_AT_HAND) if after.status == Status.OVER else (self._played, AT_HAND)
        of_its_kind[entry.match_id] = entry.seq, after
        if len(of_its_kind) > most:
            of_its_kind.popitem(last=False)
        return Around(before, after, event)

    def _up_to(self, match_id: int, seq: int) -> Match:
        """Fold a match's journal up to, but not including, entry `seq`."""
        folded: int
        match: Match | None
        folded, match = self._played.pop(match_id, None) or self._over.pop(match_id, None) or (0, None)
        if folded >= seq:
            folded, match = 0, None
        rows = JournalEntry.objects.filter(match_id=match_id, seq__gt=folded, seq__lt=seq).order_by("seq")
        later = list(rows.values_list("event", "data"))
        if match is None:
            match = Match.begin(Setup.from_dict(later.pop(0)[1]))
        for name, data in later:
            if name != SETUP:
                match = evolve(match, e.event_from_dict(name, data))
        return match
