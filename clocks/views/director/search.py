"""Search the records of a whole tournament."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.record import search as records
from clocks.record.search import KINDS, Filters
from clocks.tournament.players import Players
from clocks.views import access
from clocks.views.forms.instants import instant
from clocks.views.forms.named import completed
from clocks.views.page import page


class SearchForm(forms.Form):
    """Search by table, player, kind of entry and time, all optional."""

    table = forms.CharField(label=_("Table"), required=False, max_length=20)
    player = forms.CharField(label=_("Player"), required=False, max_length=80)
    kind = forms.ChoiceField(
        label=_("What"),
        required=False,
        choices=[("", _("everything but presses")), *((kind, _(what)) for kind, what in KINDS.items())],
    )
    since = instant(_("From"))
    until = instant(_("Until"))

    @property
    def filters(self) -> Filters:
        """Filters of a valid form."""
        return Filters(**self.cleaned_data)


@require_safe
@access.to(Action.WATCH)
def search(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the record entries that match the form.

    Without a kind, presses are left out.
    """
    form = SearchForm(request.GET)
    completed(form, "player")
    answers = records.find(tournament, form.filters) if form.is_valid() else records.SearchResults([], False)
    known = Players(tournament).spelling
    return page(request, tournament, "search", form, answers=answers.lines, more=answers.more, known=known)
