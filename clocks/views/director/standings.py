"""Standings of a tournament: tables with tie-breaks, brackets and places.

They are shown on screen and on paper.
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from clocks.models import Section, Tournament
from clocks.pairing.standings import DEFAULT, WIN, Line, TieBreak
from clocks.people.roles import Action
from clocks.tournament import events
from clocks.tournament.events import Event
from clocks.views import access, bracket_drawing
from clocks.views.page import page

TIE_BREAKS = {
    TieBreak.DIRECT: gettext_lazy("Direct meeting"),
    TieBreak.BUCHHOLZ: gettext_lazy("Buchholz"),
    TieBreak.MEDIAN: gettext_lazy("Median"),
    TieBreak.POINTS: gettext_lazy("Points won"),
}


class TieBreakForm(forms.Form):
    """Tie-breaks of a section, in order."""

    def __init__(self, order: list[TieBreak], data: Any = None) -> None:
        super().__init__(data)
        for i in range(len(TIE_BREAKS)):
            self.fields[f"place_{i}"] = forms.ChoiceField(
                label=str(i + 1),
                choices=[("", "–"), *((key.value, words) for key, words in TIE_BREAKS.items())],
                initial=order[i] if i < len(order) else "",
                required=False,
            )

    @property
    def order(self) -> list[str]:
        """Chosen tie-breaks, each once."""
        return list(dict.fromkeys(value for value in self.cleaned_data.values() if value))


@require_safe
@access.to(Action.WATCH)
def standings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show bracket and places, or the table, of each event."""
    shown = [_shown(event) for event in events.of_tournament(tournament)]
    return page(request, tournament, "standings", events=shown)


def _shown(event: Event) -> dict[str, Any]:
    if event.is_knockout:
        whole, sheets = bracket_drawing.draw(event)
        return {"event": event, "drawing": whole, "sheets": sheets, "places": _shared(event.places())}
    order = event.tie_breaks
    return {
        "event": event,
        "titles": [TIE_BREAKS[each] for each in order],
        "lines": [(line, _values(line, order)) for line in event.standings()],
        "form": TieBreakForm(order) if event.section else None,
    }


def _values(line: Line, order: list[TieBreak]) -> list[tuple[str, str]]:
    """Names and values of the tie-breaks; counts of wins are stored in half points."""
    return [
        (str(TIE_BREAKS[each]), f"{value if each == TieBreak.POINTS else value / WIN:g}")
        for value, each in zip(line.values, order, strict=True)
    ]


def shared_places(event: Event) -> list[tuple[str, list[str], bool]]:
    """Places of an event with their players, of a knockout and of a table alike."""
    if event.is_knockout:
        return _shared(event.places())
    return _shared([(line.name, line.place, False) for line in event.standings()])


def _shared(found: list[tuple[str, int, bool]]) -> list[tuple[str, list[str], bool]]:
    """Places with their players: “3–4” for two who share them."""
    groups: dict[tuple[int, bool], list[str]] = {}
    for name, place, still in found:
        groups.setdefault((place, still), []).append(name)
    return [
        (f"{place}–{place + len(names) - 1}" if len(names) > 1 else str(place), names, still)
        for (place, still), names in groups.items()
    ]


@require_POST
@access.to(Action.ARRANGE)
def tie_breaks(request: HttpRequest, tournament: Tournament, section_id: int) -> HttpResponse:
    """Choose the order of the tie-breaks of a section."""
    section = get_object_or_404(Section, tournament=tournament, pk=section_id)
    form = TieBreakForm(list(DEFAULT), request.POST)
    if form.is_valid():
        Section.objects.filter(pk=section.pk).update(tie_breaks=form.order)
        messages.success(request, gettext("The tie-breaks have been changed."))
    return redirect("standings", tournament.slug)
