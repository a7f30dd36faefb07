"""Clocks on request, by a player at the table or the director."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clocks import desk
from clocks.desk import pairings
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_MATCH, Setup
from clocks.journal.entries import Asker
from clocks.models import Pairing, Round, Tournament
from clocks.people.roles import Action
from clocks.seats import devices
from clocks.views import access
from clocks.views.forms.posted import posted
from clocks.views.forms.refusals import refusals_as_errors
from clocks.views.forms.renderer import CHECK
from clocks.views.page import FORM, find, find_pairing, page
from clocks.views.public.table import find as find_at
from clocks.wording.language import said


class ScoreForm(forms.Form):
    """Current score; `crawford_played` if the Crawford game is over."""

    score_left = forms.IntegerField(min_value=0, max_value=LONGEST_MATCH)
    score_right = forms.IntegerField(min_value=0, max_value=LONGEST_MATCH)
    crawford_played = forms.BooleanField(
        label=_("The Crawford game has been played"), required=False, template_name=CHECK
    )

    setup: Setup

    def __init__(self, pairing: Pairing, *args: Any, **kwargs: Any) -> None:
        self.pairing = pairing
        super().__init__(*args, **kwargs)
        names, score = pairing.setup["names"], pairing.setup["score"]
        for name, player, points in zip(("score_left", "score_right"), names, score, strict=True):
            self.initial[name] = points
            self.fields[name].label = _("%(name)s’s points") % {"name": player}
            self.fields[name].widget.attrs |= {"inputmode": "numeric", "autocomplete": "off"}

    def clean(self) -> dict[str, Any] | None:
        """Build the settings of a clock that starts at this score."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        setting = self.pairing.setup | {"score": [given["score_left"], given["score_right"]]}
        del setting["crawford"]
        if given["crawford_played"]:
            setting["crawford"] = "done"
        with refusals_as_errors():
            self.setup = Setup.from_dict(setting)
        return given


@never_cache
@require_http_methods(FORM)
def ask(request: HttpRequest, code: str, pairing_id: int) -> HttpResponse:
    """Ask a player at a table for the current score; a POST starts the clock from it."""
    table, _board = find_at(request, code)
    pairing = pairings.pairings_on_request(table.pk).filter(pk=pairing_id).first()
    if pairing is None:
        return redirect("table", code=table.code)  # a clock was already requested
    form = ScoreForm(pairing, posted(request))
    seat = request.POST.get("seat", "")
    if request.method == "POST" and seat not in tuple(Seat):
        form.add_error(None, gettext("Say who is asking for the clock."))
    if request.method == "POST" and form.is_valid():
        device, token = devices.join_device(request.COOKIES)
        refusal = _begin(pairing, form, Asker(Seat(seat), device_id=device.pk))
        if refusal is None:
            response = redirect("table", code=table.code)
            devices.remember_device(request, response, token)
            return response
        form.add_error(None, refusal)
    context = {"table": table, "code": table.code, "pairing": pairing, "round": pairing.round, "form": form}
    wrong = form.is_bound and bool(form.errors)
    return render(request, "clocks/phone/ask-clock.html", context, status=400 if wrong else 200)


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def use_clock(request: HttpRequest, tournament: Tournament, number: int, pairing_id: int) -> HttpResponse:
    """Give a match a clock from the current score, for the director."""
    round_ = find(tournament, number)
    pairing = find_pairing(round_, pairing_id)
    if pairing.match_id or pairing.winner or round_.policy != Round.Policy.ON_REQUEST:
        return redirect("round", tournament.slug, number)
    form = ScoreForm(pairing, posted(request))
    if request.method == "POST" and form.is_valid():
        refusal = _begin(pairing, form, Asker(Official.DIRECTOR, user_id=request.user.pk))
        if refusal is None:
            words = gettext("%(match)s now has a clock. The table’s card leads to it.")
            messages.success(request, words % {"match": pairing})
            return redirect("round", tournament.slug, number)
        form.add_error(None, refusal)
    return page(request, tournament, "use-clock", form, round=round_, pairing=pairing)


def _begin(pairing: Pairing, form: ScoreForm, asker: Asker) -> str | None:
    """Start the clock. Returns an error message, or None."""
    try:
        desk.use_clock(pairing, form.setup, asker)
    except Refused as refused:
        return said(refused.words)
    return None
