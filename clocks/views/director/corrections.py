"""Corrections by the director: results, and reopening a match or game."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from clocks.engine.closed_sets import Status
from clocks.engine.match import Match as MatchState
from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_MATCH
from clocks.models import SEATS, Match, Pairing, Tournament
from clocks.people.roles import Action
from clocks.tournament import consequences, corrections
from clocks.tournament.consequences import Consequence, Found
from clocks.tournament.corrections import Unseen
from clocks.tournament.without_clock import reject_impossible_score, reject_other_players, stamp_of_players
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.errors import WayOn, problem
from clocks.views.forms.note import ReasonForm
from clocks.views.forms.posted import posted
from clocks.views.forms.refusals import refusals_as_errors
from clocks.views.page import FORM, find, find_pairing, page
from clocks.wording.language import said

NOBODY = "nobody"  # form value that removes the result


class ResultForm(ReasonForm):
    """Winner and, if known, score of a match; a correction needs a reason.

    `corrects` is True if there is a result already.
    """

    field_order = ("winner", "score_left", "score_right", "note")

    winner = forms.ChoiceField(label=_("Winner"), choices=SEATS, widget=forms.RadioSelect)
    score_left = forms.IntegerField(min_value=0, max_value=LONGEST_MATCH, required=False)
    score_right = forms.IntegerField(min_value=0, max_value=LONGEST_MATCH, required=False)

    def __init__(self, pairing: Pairing, data: Mapping[str, Any] | None = None) -> None:
        now = _result_now(pairing)
        super().__init__(data, initial=now)
        self.corrects = bool(now)
        self.won = now.get("winner", "")
        self.score_now = [now.get("score_left"), now.get("score_right")]
        if not self.corrects:
            del self.fields["note"]
        names = pairing.setup["names"]
        self.length = pairing.setup["length"]
        self.pairing = pairing
        self.shown = stamp_of_players(pairing)
        winners = list(zip(("left", "right"), names, strict=True))
        if self.corrects and not pairing.match_id:
            winners.append((NOBODY, gettext("Nobody yet: take the result back")))
        self.fields["winner"].choices = winners  # type: ignore[attr-defined]
        for name, player in zip(("score_left", "score_right"), names, strict=True):
            self.fields[name].label = _("%(name)s’s points") % {"name": player}
            self.fields[name].widget.attrs |= {"inputmode": "numeric", "autocomplete": "off"}

    @property
    def by_points(self) -> bool:
        """True if the score wins the match. After a flag or ruling it need not."""
        return self.length in self.score

    @property
    def turns(self) -> bool:
        """True if the correction changes the winner."""
        return self.corrects and not self.takes_back and bool(self.cleaned_data["winner"] != self.won)

    @property
    def takes_back(self) -> bool:
        """True if the correction removes the result."""
        return bool(self.cleaned_data["winner"] == NOBODY)

    def clean(self) -> dict[str, Any] | None:
        """Reject if players were replaced, the score is impossible, or nothing changes."""
        given = super().clean() or self.cleaned_data
        self.score = [given.get("score_left"), given.get("score_right")]
        with refusals_as_errors():
            reject_other_players(self.pairing, self.data.get("shown", ""))
        if self.errors or self.score == [None, None] or self.takes_back:
            return given
        if self.pairing.match_id and not self.by_points and self.score == self.score_now:
            if not self.turns:
                raise forms.ValidationError(gettext("Nothing has changed."))
            return given
        with refusals_as_errors():
            reject_impossible_score(self.length, given["winner"], self.score)
        return given


def _result_now(pairing: Pairing) -> dict[str, Any]:
    """Current result of a pairing as initial values; empty if it has none."""
    if pairing.match is not None:
        state = MatchState.from_dict(pairing.match.state)
        return {"winner": str(state.winner), "score_left": state.score[0], "score_right": state.score[1]}
    left, right = pairing.score or (None, None)
    return {"winner": pairing.winner, "score_left": left, "score_right": right} if pairing.winner else {}


@require_http_methods(FORM)
@access.to(Action.END)
def enter_result(request: HttpRequest, tournament: Tournament, number: int, pairing_id: int) -> HttpResponse:
    """Enter the result of a match played without a clock, or correct any result.

    A correction needs a reason.
    """
    round_ = find(tournament, number)
    pairing = find_pairing(round_, pairing_id)
    if pairing.match is not None and pairing.match.status != Status.OVER:
        words = gettext(
            "It is played with a clock. Its result is entered there, or by a ruling on the director’s page."
        )
        way = WayOn(
            gettext("Go to its board"), f"{reverse('console', args=[tournament.slug])}#match-{pairing.match_id}"
        )
        return problem(request, 409, gettext("%(match)s is not over") % {"match": pairing}, words, way)
    if pairing.places.filter(filled=False).exists():
        words = gettext("A result can be entered when both players are known.")
        way = WayOn(gettext("Back to the round"), reverse("round", args=[tournament.slug, number]))
        return problem(request, 409, gettext("%(match)s has not begun") % {"match": pairing}, words, way)
    form = ResultForm(pairing, posted(request))
    told = partial(_told, request, tournament, "enter-result", form, round=round_, pairing=pairing)
    if request.method == "POST" and form.is_valid():
        try:
            changed = _store(request, pairing, form)
        except Unseen as unseen:
            return told(found=unseen.found, corrects=form.turns, consequences_first=True)
        except Refused as refused:
            form.add_error(None, said(refused.words))
        else:
            warn(request, changed)
            words = gettext("The result of %(match)s has been entered.")
            if form.takes_back:
                words = gettext("The result of %(match)s has been taken back.")
            messages.success(request, words % {"match": pairing})
            return redirect("round", tournament.slug, number)
    return told(found=consequences.of_result(pairing), corrects=True)


def _told(
    request: HttpRequest, tournament: Tournament, template: str, form: Any, found: Found, **more: Any
) -> HttpResponse:
    """Render a page with the consequences for later rounds, and their fingerprint."""
    return page(request, tournament, template, form, consequences=found, seen=consequences.seen(found), **more)


def warn(request: HttpRequest, changed: Found) -> None:
    """Warn the director about stopped clocks, and name the players to inform."""
    for each in changed:
        if isinstance(each, Consequence) and each.stops:
            messages.warning(request, _changed_while_played(each), extra_tags=str(each.pairing.match_id))


def _changed_while_played(each: Consequence) -> str:
    """Instructions to the director for a table where a correction stopped play."""
    words = gettext(
        "%(round)s, table %(table)s: the clocks are stopped, and the players are now %(players)s. Tell everybody "
        "there, and set score and times before you start the clocks again."
    )
    if each.held:
        words = gettext("%(round)s, table %(table)s: the clocks are stopped. Tell %(players)s to wait.")
    pairing = each.pairing
    players = " – ".join(pairing.setup["names"] if each.held else each.after or ())
    return words % {"round": pairing.round, "table": pairing.table.name, "players": players}


def _store(request: HttpRequest, pairing: Pairing, form: ResultForm) -> Found:
    """Store a result with its consequences. Raises Unseen unless those were shown."""
    user, note, seen = signed_in(request), form.cleaned_data.get("note", ""), request.POST.get("seen", "")
    if form.takes_back:
        return corrections.take_back(pairing, user, note, seen)
    return corrections.enter(pairing, form.cleaned_data["winner"], form.score, user, note, seen)


@require_safe
@access.to(Action.END)
def match_result(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """Redirect to the page that corrects a match, or to its record without a pairing."""
    match = get_object_or_404(Match, pk=match_id, table__tournament=tournament)
    pairing = Pairing.objects.filter(match=match).select_related("round").first()
    if pairing is None:
        return redirect("record", tournament.slug, match.pk)
    return redirect("enter-result", tournament.slug, pairing.round.number, pairing.pk)


@require_http_methods(FORM)
@access.to(Action.END)
def reopen(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """Reopen a match or, between games, the last game, giving a reason."""
    match = get_object_or_404(Match.objects.select_related("table", "round"), pk=match_id, table__tournament=tournament)
    state = MatchState.from_dict(match.state)
    if state.reopens is None:
        way = WayOn(gettext("Go to its record"), reverse("record", args=[tournament.slug, match.pk]))
        words = gettext("Neither the match nor a game of it has ended.")
        return problem(request, 409, gettext("There is no end to take back"), words, way)
    drawn = Pairing.objects.filter(match=match).select_related("round__tournament", "table", "match").first()
    drawn = drawn if state.winner is not None else None
    form = ReasonForm(posted(request))
    winner = "" if state.winner is None else state.setup.names[state.winner.index]
    told = partial(_told, request, tournament, "reopen", form, match=match, state=state, winner=winner)
    if request.method == "POST" and form.is_valid():
        try:
            reason, seen = form.cleaned_data["note"], request.POST.get("seen", "")
            changed = corrections.reopen(match, drawn, signed_in(request), reason, seen)
        except Unseen as unseen:
            return told(found=unseen.found, consequences_first=True)
        except Refused as refused:
            form.add_error(None, said(refused.words))
        else:
            warn(request, changed)
            words = gettext("%(match)s continues from where it was. Start the clocks when both players are ready.")
            messages.success(request, words % {"match": match}, extra_tags=str(match.pk))
            return redirect(f"{reverse('console', args=[tournament.slug])}#match-{match.pk}")
    return told(found=consequences.of_reopening(drawn) if drawn else [])
