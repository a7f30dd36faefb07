"""First round of an event whose players qualify in other events.

Qualifiers are the winners of knockouts, and the top two of each other event.
"""

from collections.abc import Sequence
from random import Random

from django.utils.translation import gettext as _

from clocks.models import Section
from clocks.pairing.first_round import Entry, knockout
from clocks.tournament import events
from clocks.tournament.events import Event
from clocks.tournament.next_round import Proposal, as_csv

BEST = 2  # players who qualify from each group


def fill(section: Section, going_on: Sequence[str]) -> Proposal:
    """Draw the qualified players, all seeded, the winners first.

    Swaps keep players of the same group apart where possible. `going_on` are names of events with a round to come.
    """
    feeding = set(section.fed_by.values_list("pk", flat=True))
    found = [each for each in events.of_tournament(section.tournament) if each.section and each.section.pk in feeding]
    if not found:
        return Proposal("", (_("Its first round is not drawn yet."),))
    open_ = [each.name for each in found if not each.final or each.name in going_on]
    open_ += ["…"] if len(found) < len(feeding) else []
    if open_:
        return Proposal("", (_("Not final yet: %(events)s.") % {"events": ", ".join(open_)},))
    best = [_best(each) for each in found]
    notes = [
        _("Places are shared in %(event)s: %(names)s.") % {"event": event.name, "names": ", ".join(shared)}
        for event, (_names, shared) in zip(found, best, strict=True)
        if shared
    ]
    ranked = [
        Entry(names[place], (event.name,))
        for place in range(BEST)
        for event, (names, _shared) in zip(found, best, strict=True)
        if place < len(names)
    ]
    return Proposal(as_csv(knockout(ranked, len(ranked), Random(0))), tuple(notes))


def _best(event: Event) -> tuple[list[str], list[str]]:
    """Players who qualify, and those who share the last place if not all of them can.

    For a player who has withdrawn, the next in the group qualifies.
    """
    if event.is_knockout:
        return [name for name, place, _still in event.places if place == 1], []
    lines = [line for line in event.standings if not event.has_withdrawn(line.name)]
    if not lines:
        return [], []
    cut = lines[min(BEST, len(lines)) - 1].place
    last = [line.name for line in lines if line.place == cut]
    shared = last if sum(line.place <= cut for line in lines) > BEST else []
    return [line.name for line in lines[:BEST]], shared
