"""Next round of every event: review the pairings, then draw and announce them."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import lazy
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from clocks.engine.refusals import Refused
from clocks.host.server_time import now_ms
from clocks.models import Round, Tournament
from clocks.people.roles import Action
from clocks.tournament import advance as following
from clocks.tournament.advance import Following
from clocks.tournament.messages import LONGEST_TEXT, send
from clocks.tournament.tables_beside import TablesBeside
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.forms.posted import posted
from clocks.views.page import FORM, page
from clocks.wording.language import said

ANNOUNCED_MINUTES = 10
MINUTES = (5, 10, 15)


def _in_minutes(number: int) -> str:
    return ngettext("in %(number)s minute", "in %(number)s minutes", number) % {"number": number}


STARTS = [("", gettext_lazy("at once")), *((str(each), lazy(_in_minutes, str)(each)) for each in MINUTES)]


class AdvanceForm(forms.Form):
    """Events to draw, their start time, and the stamp of the draws that were shown."""

    events = forms.MultipleChoiceField()
    starts_in = forms.ChoiceField(label=gettext_lazy("Start"), choices=STARTS, required=False, widget=forms.RadioSelect)
    stamp = forms.CharField()

    def __init__(self, found: Sequence[Following], data: Mapping[str, Any] | None) -> None:
        ready = [each for each in found if each.text]
        clear = [str(each.section.pk) for each in ready if each.clear or len(ready) == 1]
        super().__init__(data, initial={"events": clear, "starts_in": ""})
        choices = [(str(each.section.pk), str(each.section)) for each in ready]
        self.fields["events"].choices = choices  # type: ignore[attr-defined]
        self.fields["events"].error_messages["required"] = _("Choose at least one event.")


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def advance(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show each event's next round; a POST draws, starts and announces those chosen."""
    loose = tournament.rounds.filter(section=None).exclude(pairings=None).order_by("-number").first()
    if loose is not None:  # an imported round: the director must first choose a method
        return redirect("next-round", tournament.slug, loose.number)
    found = following.of_tournament(tournament, now_ms())
    form = AdvanceForm(found, posted(request))
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["stamp"] != following.stamp(found):
            form.add_error(None, _("A result has changed the draw. Check it again."))
        else:
            try:
                return _store(request, tournament, form, found)
            except Refused as refused:
                form.add_error(None, said(refused.words))
    chosen = set(form["events"].value() or ())
    shown = [(each, str(each.section.pk) in chosen) for each in found]
    title = " · ".join(each.section.name for each in found if each.text and each.section.name)
    tables = TablesBeside(signed_in(request), tournament)
    more: dict[str, Any] = {
        "of": title,
        "stamp": following.stamp(found),
        "ready": any(each.text for each in found),
        "shared": tables.shared(tables.next(sum(each.matches for each, picked in shown if picked))),
    }
    return page(request, tournament, "advance", form, events=shown, **more)


def _store(request: HttpRequest, tournament: Tournament, form: AdvanceForm, found: Sequence[Following]) -> HttpResponse:
    """Draw the chosen rounds and announce them to the hall.

    Raises Refused if one of them cannot be drawn.
    """
    chosen = [each for each in found if str(each.section.pk) in form.cleaned_data["events"]]
    minutes = int(form.cleaned_data["starts_in"] or 0)
    at = timezone.now() + timedelta(minutes=minutes)
    for each in chosen:
        each.round.starts_at = at if minutes else each.round.starts_at
    rounds = following.store(chosen, signed_in(request))
    send(tournament, signed_in(request), _announced(rounds), [], ANNOUNCED_MINUTES)
    messages.success(request, _("Drawn and announced: %(rounds)s.") % {"rounds": _named(rounds)})
    if len(rounds) == 1:
        return redirect("round", tournament.slug, rounds[0].number)
    return redirect("rounds", tournament.slug)


def _announced(rounds: Sequence[Round]) -> str:
    """Words of the announcement; names that would make it too long are cut."""
    starts_at = rounds[0].starts_at
    words, at = _("%(rounds)s is drawn. Please go to your tables."), ""
    if starts_at is not None:
        words, at = _("%(rounds)s is drawn and starts at %(time)s."), date_format(timezone.localtime(starts_at), "H:i")
    left = LONGEST_TEXT - len(words % {"rounds": "", "time": at})
    return words % {"rounds": Truncator(_named(rounds)).chars(left), "time": at}


def _named(rounds: Sequence[Round]) -> str:
    return " · ".join(map(str, rounds))
