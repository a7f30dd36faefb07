"""Filling in the next round from the results of this one: shown as the preview of a draw, stored only from there."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from clocks.host.server_time import now_ms
from clocks.models import Round, Tournament
from clocks.people.roles import Action
from clocks.tournament import draw
from clocks.tournament import next_round as planning
from clocks.tournament.players import Players
from clocks.tournament.rounds import like_the_last
from clocks.views import access
from clocks.views.director.draw import preview
from clocks.views.forms.next_round import NextRoundForm
from clocks.views.forms.posted import posted
from clocks.views.forms.rounds import DrawForm
from clocks.views.page import FORM, find, page


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def next_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Ask how the next round follows from this one, then show it as a draw that can still be changed."""
    round_, now = find(tournament, number), now_ms()
    form = NextRoundForm(round_, planning.players_with_bye(round_, now), posted(request))
    if request.method != "POST" or not form.is_valid():
        return page(request, tournament, "next-round", form, round=round_)
    beside = tournament.rounds.filter(number=form.beside_given).select_related("tournament").first()
    how = form.cleaned_data["how"]
    proposal = planning.propose(planning.Event(round_, now, form.others_given, beside), how)
    if not proposal.text:
        return page(request, tournament, "next-round", form, 409, round=round_, notes=proposal.notes)
    into = _target(tournament, round_, int(form.cleaned_data["into"]))
    if how == "hand":
        return page(request, tournament, "draw", DrawForm(initial={"pasted": proposal.text}), round=into)
    sheet = draw.parse(proposal.text, into, Players(tournament).written)
    return preview(request, into, proposal.text, sheet._replace(notes=proposal.notes), give_way=False)


def _target(tournament: Tournament, round_: Round, number: int) -> Round:
    """Return the round that is to be filled in; one that does not exist yet is stored, like `round_`."""
    found = tournament.rounds.filter(number=number).select_related("tournament").first()
    if found is None:
        found = like_the_last(tournament, round_)
        found.save()
    return found
