"""Add, change and remove single pairings of a draw, and remove byes."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_MATCH, LONGEST_NAME, Setup
from clocks.models import Pairing, Round, Tournament
from clocks.people.roles import Action
from clocks.tournament import draw, draw_columns, draw_plan, draw_store, drawing
from clocks.tournament.players import Players
from clocks.tournament.tables_beside import TablesBeside
from clocks.views import access
from clocks.views.errors import WayOn, problem
from clocks.views.forms.matches import FORMATS, RULES
from clocks.views.forms.name_field import NameField
from clocks.views.forms.named import NamesPlayers
from clocks.views.forms.posted import posted
from clocks.views.forms.refusals import refusals_as_errors
from clocks.views.forms.setting import Setting, facts_of_rules
from clocks.views.page import FORM, find, find_pairing, page
from clocks.wording.language import said

AS_ROUND = ("", _("Same as the round"))


class PairingForm(NamesPlayers, Setting):
    """A pairing. Empty fields take the round's values. `line` is set once valid."""

    table = NameField(label=_("Table"), max_length=draw.LONGEST_TABLE)
    left = NameField(label=_("Left player"), max_length=LONGEST_NAME)
    right = NameField(label=_("Right player"), max_length=LONGEST_NAME)
    length = forms.IntegerField(label=_("Points"), min_value=1, max_value=LONGEST_MATCH, required=False)
    rules = forms.ChoiceField(label=_("Rules"), choices=[AS_ROUND, *RULES], required=False)
    format = forms.ChoiceField(label=_("Format"), choices=[AS_ROUND, *FORMATS], required=False)
    score_left = forms.IntegerField(label=_("Left player’s points so far"), min_value=0, required=False)
    score_right = forms.IntegerField(label=_("Right player’s points so far"), min_value=0, required=False)

    line: draw.DrawLine

    def __init__(self, round_: Round, pairing: Pairing | None, *args: Any, **kwargs: Any) -> None:
        self.round = round_
        initial = kwargs.pop("initial", {}) | (self._initial(round_, pairing) if pairing else {})
        options = pairing.setup["options"] if pairing else round_.options
        super().__init__(*args, initial=initial, options=options, **kwargs)
        self.fields["length"].widget.attrs |= {"placeholder": str(round_.length)}
        self.fields["table"].widget.attrs |= {"autocomplete": "off"}
        self.name_players(Players(round_.tournament))

    @staticmethod
    def _initial(round_: Round, pairing: Pairing) -> dict[str, Any]:
        setup = pairing.setup
        own = {name: setup[name] for name in ("length", "rules", "format") if setup[name] != getattr(round_, name)}
        names, score = setup["names"], setup["score"]
        scores = {"score_left": score[0], "score_right": score[1]} if any(score) else {}
        return {"table": pairing.table.name, "left": names[0], "right": names[1], **own, **scores}

    def clean(self) -> dict[str, Any] | None:
        """Validate the settings with the engine."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        cells = {name: "" if given.get(name) is None else str(given[name]) for name in draw_columns.NAMES}
        names = self.checked_names(given, given["format"] or self.round.format)
        cells |= dict(zip(("left", "right"), names, strict=True))
        with refusals_as_errors():
            setting = draw.setting(self.round, cells) | {"options": self.given_options()}
            self.line = draw.DrawLine(0, cells, Setup.parse(setting))
        return given


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def edit_pairing(request: HttpRequest, tournament: Tournament, number: int, pairing_id: int = 0) -> HttpResponse:
    """Add a match to a round, or change one that has not begun."""
    round_ = find(tournament, number)
    pairing = find_pairing(round_, pairing_id) if pairing_id else None
    if pairing is not None and draw_plan.has_begun(pairing):
        words = gettext(
            "A match that has begun cannot be changed here. Score, time and cube are changed on the director’s page."
        )
        return _conflict(request, round_, gettext("%(match)s has begun") % {"match": pairing}, words)
    form = PairingForm(round_, pairing, posted(request), initial={"table": request.GET.get("table", "")})
    if request.method == "POST" and form.is_valid():
        try:
            planned = drawing.change(round_, pairing, form.line, access.signed_in(request))
        except Refused as refused:
            planned = draw_plan.PlannedLine(form.line, draw_plan.Act.BAD, said(refused.words))
        if planned.act != draw_plan.Act.BAD:
            words = gettext("Table %(table)s: %(match)s. %(words)s")
            given = {"table": form.line.table, "match": form.line.names, "words": planned.words}
            messages.success(request, words % given)
            return redirect("round", tournament.slug, round_.number)
        form.add_error(None, planned.words)
    facts = facts_of_rules()
    beside = TablesBeside(access.signed_in(request), tournament).all
    return page(request, tournament, "pairing-edit", form, round=round_, pairing=pairing, facts=facts, beside=beside)


@require_POST
@access.to(Action.DELETE)
def remove_pairing(request: HttpRequest, tournament: Tournament, number: int, pairing_id: int) -> HttpResponse:
    """Remove a match not begun or joined yet; the next one at its table starts."""
    round_ = find(tournament, number)
    pairing = find_pairing(round_, pairing_id)
    match = pairing.match
    if draw_plan.has_begun(pairing) or (match and (match.left_device_id or match.right_device_id)):
        words = gettext(
            "Somebody has joined it with a phone, or it has a result. End it by a ruling on the director’s page."
        )
        return _conflict(request, round_, gettext("%(match)s cannot be taken back") % {"match": pairing}, words)
    draw_store.take_back(pairing, request.user.pk)
    words = gettext("%(match)s at table %(table)s has been taken back.")
    messages.success(request, words % {"match": pairing, "table": pairing.table.name})
    return redirect("round", tournament.slug, round_.number)


@require_POST
@access.to(Action.ARRANGE)
def remove_bye(request: HttpRequest, tournament: Tournament, number: int, bye_id: int) -> HttpResponse:
    """Remove the bye of a player."""
    bye = get_object_or_404(find(tournament, number).byes, pk=bye_id)
    bye.delete()
    messages.success(request, gettext("%(name)s no longer has a bye.") % {"name": bye.name})
    return redirect("round", tournament.slug, number)


def _conflict(request: HttpRequest, round_: Round, title: str, words: str) -> HttpResponse:
    """Error page 409 with a way back to the round."""
    back = WayOn(gettext("Back to the round"), reverse("round", args=[round_.tournament.slug, round_.number]))
    return problem(request, 409, title, words, back)
