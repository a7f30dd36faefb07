"""Strike out a match that players entered themselves."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clocks.engine.refusals import Refused
from clocks.models import Match, Tournament
from clocks.people.roles import Action
from clocks.tournament import paper_draw
from clocks.views import access
from clocks.views.errors import WayOn, problem
from clocks.wording.language import said


@require_POST
@access.to(Action.DELETE)
def strike_out(request: HttpRequest, tournament: Tournament, entered_id: int) -> HttpResponse:
    """Strike out a match that players entered, if no game of it is decided.

    `from=round` returns to the round.
    """
    entered = Match.objects.filter(table__tournament=tournament).exclude(by_players=None)
    match = get_object_or_404(entered.select_related("table", "round"), pk=entered_id)
    round_ = match.round if request.POST.get("from") == "round" else None
    to = ("console", tournament.slug) if round_ is None else ("round", tournament.slug, round_.number)
    response = redirect(*to)
    try:
        paper_draw.strike_out(match, access.signed_in(request))
    except Refused as refused:
        title = _("%(match)s cannot be struck out") % {"match": match}
        return problem(request, 409, title, said(refused.words), WayOn(_("Back"), response["Location"]))
    words = _("%(match)s has been struck out. Table %(table)s is free, and the record of the match is kept.")
    messages.success(request, words % {"match": match, "table": match.table.name})
    return response
