"""Finding an old answer in the records of a whole tournament."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.record import search as records
from clocks.tournament.players import Players
from clocks.views import access
from clocks.views.forms.named import completed
from clocks.views.forms.search import SearchForm
from clocks.views.page import page


@require_safe
@access.to(Action.WATCH)
def search(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what the records say by table, player, kind and time; everything but presses if nothing is chosen."""
    form = SearchForm(request.GET)
    completed(form, "player")
    answers = records.find(tournament, form.filters) if form.is_valid() else records.SearchResults([], False)
    known = Players(tournament).spelling
    return page(request, tournament, "search", form, answers=answers.lines, more=answers.more, known=known)
