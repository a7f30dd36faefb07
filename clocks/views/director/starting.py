"""Set the start time of a round, and announce it to the hall and the phones."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.tournament.messages import send
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.director.advance import ANNOUNCED_MINUTES, MINUTES
from clocks.views.page import find


@require_POST
@access.to(Action.ARRANGE)
def start_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Set a round's start some minutes from now; lateness is counted from then."""
    round_ = find(tournament, number)
    minutes = request.POST.get("minutes", "")
    if minutes in map(str, MINUTES):
        round_.starts_at = timezone.now() + timedelta(minutes=int(minutes))
        round_.save(update_fields=["starts_at"])
        at = date_format(timezone.localtime(round_.starts_at), "H:i")
        words = _("%(round)s starts at %(time)s.") % {"round": round_, "time": at}
        send(tournament, signed_in(request), words, [], ANNOUNCED_MINUTES)
        messages.success(request, words)
    return redirect("round", tournament.slug, number)
