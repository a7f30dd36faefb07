"""Helpers for tournament pages: lookups and rendering."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template import RequestContext
from django.template.loader import get_template

from clocks.models import Pairing, Round, Tournament
from clocks.people import roles

FORM = ["GET", "HEAD", "POST"]
HERE = {
    "players": "players",
    "players-preview": "players",
    "player": "players",
    "no-show": "players",
    "entry-poster": "players",
    "tables": "tables",
    "table-edit": "tables",
    "cards": "cards",
    "wifi": "cards",
    "poster": "cards",
    "results": "results",
    "standings": "results",
    "bracket-paper": "results",
    "search": "results",
    "what-if": "results",
    "report": "results",
}  # section of the navigation, by page


def find(tournament: Tournament, number: int) -> Round:
    """Look up a round by its number. Raises Http404."""
    return get_object_or_404(tournament.rounds.select_related("tournament", "section"), number=number)


def find_pairing(round_: Round, pairing_id: int) -> Pairing:
    """Look up a pairing of a round. Raises Http404."""
    return get_object_or_404(round_.pairings.select_related("table", "match", "round__tournament"), pk=pairing_id)


def page(
    request: HttpRequest, tournament: Tournament, name: str, form: Any = None, status: int = 200, **more: Any
) -> HttpResponse:
    """Render a page of a tournament; the status is 400 if its form has errors."""
    context = {
        "tournament": tournament,
        "may": roles.actions_of(request.user, tournament),
        "form": form,
        "here": HERE.get(name, "rounds"),
        **more,
    }
    wrong = form is not None and form.is_bound and bool(form.errors)
    return HttpResponse(_rendered(request, f"clocks/office/{name}.html", context), status=400 if wrong else status)


def _rendered(request: HttpRequest, name: str, context: dict[str, Any]) -> str:
    """Render a template like `render`, and free its context at once.

    Django's context refers to itself, so a thousand results would wait for a garbage collection (`host/garbage.py`).
    """
    shown = RequestContext(request, context)
    try:
        return str(get_template(name).template.render(shown))  # type: ignore[attr-defined]
    finally:
        shown.dicts.clear()
