"""Standings of a tournament: tables with tie-breaks, brackets and places.

They are shown on screen and on paper.
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from clocks.models import Section, Tournament
from clocks.pairing.standings import DEFAULT, TieBreak
from clocks.people.roles import Action
from clocks.tournament import events
from clocks.tournament.events import Event
from clocks.views import access, bracket_paper, event_standings
from clocks.views.bracket_paper import PAPERS
from clocks.views.event_standings import TIE_BREAKS
from clocks.views.page import page

PAPER_NAMES = {key: paper.name for key, paper in PAPERS.items()}


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
    """Show bracket and places, or the table, of each event.

    `?paper=a3` shows the brackets as sheets to print.
    """
    played = events.of_tournament(tournament)
    paper = PAPERS.get(request.GET.get("paper", ""))
    if paper is not None:
        sheets = bracket_paper.sheets([event for event in played if event.is_knockout], paper)
        return page(request, tournament, "bracket-paper", papers=PAPER_NAMES, sheets=sheets, paper=request.GET["paper"])
    shown = event_standings.of_all(played, events.has_undrawn(tournament))
    for each in shown["events"]:
        each["form"] = _form(each["event"])
    return page(request, tournament, "standings", **shown)


def _form(event: Event) -> TieBreakForm | None:
    return TieBreakForm(event.tie_breaks) if event.section and not event.is_knockout else None


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
