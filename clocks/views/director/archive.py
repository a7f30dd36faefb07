"""Archive, restore and delete a tournament; for its owners."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clocks.backups import traces
from clocks.engine.refusals import Refused
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.tournament import archive as archiving
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.director.forget import warn_of
from clocks.views.forms.posted import posted
from clocks.views.forms.typed_name import TypedName
from clocks.views.page import FORM, page
from clocks.wording.language import said


@require_http_methods(FORM)
@access.to(Action.ARCHIVE)
def archive(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Explain the archive; a POST archives or restores the tournament."""
    if request.method != "POST":
        return page(request, tournament, "archive", TypedName(tournament), waiting=archiving.undecided(tournament))
    try:
        if tournament.archived_at is None:
            archiving.archive(tournament, signed_in(request))
            words = _("%(name)s is in the archive.")
        else:
            archiving.unarchive(tournament, signed_in(request))
            words = _("%(name)s is no longer in the archive.")
    except Refused as refused:
        messages.error(request, said(refused.words))
        return redirect("archive", tournament.slug)
    messages.success(request, words % {"name": tournament.name})
    return redirect("director")


@require_http_methods(FORM)
@access.to(Action.ARCHIVE)
def delete(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Delete the tournament permanently, once its name has been typed."""
    form = TypedName(tournament, posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            archiving.delete(tournament, signed_in(request))
        except Refused as refused:
            form.add_error(None, said(refused.words))
        else:
            messages.success(request, _("%(name)s has been deleted.") % {"name": form.tournament.name})
            warn_of(request, traces.clear())
            return redirect("director")
    return page(request, tournament, "archive", form, waiting=archiving.undecided(tournament))
