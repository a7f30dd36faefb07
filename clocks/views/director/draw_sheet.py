"""Draw sheet for the wall: players by name, with their tables."""

import re
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clocks.engine.closed_sets import Format
from clocks.models import Place, Round, Tournament
from clocks.people.roles import Action
from clocks.views import access
from clocks.views.director.cards import PAPERS
from clocks.views.page import find, page
from clocks.wording.alphabet import place

BETWEEN = re.compile(r"\s*[/&+]\s*")  # separators between the players of a team
MOST = 120  # names per sheet that remain readable on a wall
LONG, LONGER = 24, 29  # characters above which a name is set smaller, and smaller still


class Entry(NamedTuple):
    """A line of the sheet: name and table ("" for a bye)."""

    name: str
    table: str

    @property
    def letters(self) -> str:
        """CSS class for the length of the name."""
        length = len(self.name)
        return "longer" if length > LONGER else "long" if length > LONG else ""


@require_safe
@access.to(Action.WATCH)
def sheet(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the sheet as printed, in two columns: `?paper=letter`."""
    round_ = find(tournament, number)
    paper = request.GET.get("paper", "a4")
    paper = paper if paper in PAPERS else "a4"
    entries = entries_of(round_)
    sheets = -(-len(entries) // MOST)
    each = -(-len(entries) // sheets) if sheets else 0
    parts = [entries[at : at + each] for at in range(0, len(entries), each)] if each else []
    return page(
        request,
        tournament,
        "draw-sheet",
        round=round_,
        papers=PAPERS,
        paper=paper,
        sheet=f"clocks/pages/cards-{paper}.css",
        sheets=[(part[: -(-len(part) // 2)], part[-(-len(part) // 2) :]) for part in parts],
    )


def entries_of(round_: Round) -> list[Entry]:
    """Players of a round, including those with a bye, by name.

    Team members are listed separately; open places are omitted.
    """
    open_places = set(Place.objects.filter(pairing__round=round_, filled=False).values_list("pairing_id", "seat"))
    entries = [
        Entry(name, pairing.table.name)
        for pairing in round_.pairings.select_related("table")
        for seat, names in zip(("left", "right"), pairing.setup["names"], strict=True)
        if (pairing.pk, seat) not in open_places
        for name in (BETWEEN.split(names) if pairing.setup.get("format") == Format.DOUBLES else [names])
        if name
    ]
    byes = [
        Entry(name, "")
        for seat in round_.byes.filter(filled=True).values_list("name", flat=True)
        for name in (BETWEEN.split(seat) if round_.format == Format.DOUBLES else [seat])
    ]
    return sorted([*entries, *byes], key=lambda entry: (place(entry.name), entry.table))
