"""Forgetting who played in a tournament: for its owners, and only after its name was typed."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clocks.engine.refusals import Refused
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.tournament import forgetting
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.forms.posted import posted
from clocks.views.forms.tournament import TypedName
from clocks.views.page import FORM, page
from clocks.wording.language import said


@require_http_methods(FORM)
@access.to(Action.FORGET)
def forget(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Say what is removed and what stays; a POST with the tournament's name removes it."""
    form = TypedName(tournament, posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            forgetting.carry_out(forgetting.of_tournament(tournament), signed_in(request))
        except Refused as refused:
            form.add_error(None, said(refused.words))
        else:
            messages.success(request, _("All names and notes have been removed."))
            return redirect("rounds", tournament.slug)
    return page(request, tournament, "forget", form)
