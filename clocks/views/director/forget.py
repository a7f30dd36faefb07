"""Remove all names from a tournament, or one person's; for its owners."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from clocks.backups import traces
from clocks.backups.traces import Left
from clocks.engine.refusals import Refused
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.tournament import forgetting
from clocks.tournament.forgetting import Plan
from clocks.tournament.players import Players
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.forms.name_field import NameField
from clocks.views.forms.posted import posted
from clocks.views.forms.typed_name import TypedName
from clocks.views.page import FORM, page
from clocks.wording.language import said


@require_http_methods(FORM)
@access.to(Action.FORGET)
def forget(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Explain the removal of all names.

    A POST with the tournament's name carries it out.
    """
    form = TypedName(tournament, posted(request))
    if request.method == "POST" and form.is_valid():
        done = _("All names and notes have been removed.")
        if _removed(request, form, partial(forgetting.of_tournament, tournament), done):
            return redirect("rounds", tournament.slug)
    return page(request, tournament, "forget", form, backups=traces.known_backups())


class PersonForm(forms.Form):
    """Name of the person to forget. It is posted, so that no log contains it."""

    person = NameField(label=gettext_lazy("Name of the player"), max_length=80)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = Players(tournament)
        self.fields["person"].widget.attrs |= {"autocomplete": "off", "list": "players"}


@require_http_methods(FORM)
@access.to(Action.FORGET)
def forget_person(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what a tournament knows of a person; a confirmed POST removes it."""
    form = PersonForm(tournament, posted(request))
    if request.method != "POST" or not form.is_valid():
        return page(request, tournament, "forget-person", form)
    name = form.cleaned_data["person"]
    plan = forgetting.of_player(tournament, name)
    if not plan:
        form.add_error("person", _("Nobody of this name is known in this tournament."))
    elif "forget" in request.POST:
        done = _("The person’s names and the notes about them have been removed.")
        if _removed(request, form, lambda: plan, done):
            return redirect("players", tournament.slug)
    return page(request, tournament, "forget-person", form, plan=plan)


def _removed(request: HttpRequest, form: forms.Form, plan: Callable[[], Plan], done: str) -> bool:
    """Carry out a plan and say so; False, with an error in the form, if rejected."""
    try:
        forgetting.carry_out(plan(), signed_in(request))
    except Refused as refused:
        form.add_error(None, said(refused.words))
        return False
    messages.success(request, done)
    warn_of(request, traces.clear())
    return True


def warn_of(request: HttpRequest, left: Left) -> None:
    """Warn about a log and backups that still contain removed names."""
    if left.backups:
        words = ngettext(
            "%(number)s earlier backup still has the names. Delete it if nobody needs it.",
            "%(number)s earlier backups still have the names. Delete them if nobody needs them.",
            len(left.backups),
        )
        messages.warning(request, words % {"number": len(left.backups)})
    if left.in_log:
        messages.warning(
            request,
            _(
                "The log of the database still has the names, because something is reading the database. Remove the "
                "names once more later."
            ),
        )
