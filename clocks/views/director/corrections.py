"""What a director corrects afterwards: a result, and the end of a match or a game that was not one."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Status
from clocks.engine.commands import Propose
from clocks.engine.match import Match as MatchState
from clocks.engine.proposals import EndMatch, Reopen, SetScore
from clocks.engine.refusals import Refused
from clocks.models import Match, Pairing, Tournament
from clocks.people.roles import Action
from clocks.tournament import consequences, without_clock
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.errors import WayOn, problem
from clocks.views.forms.posted import posted
from clocks.views.forms.rounds import ReasonForm, ResultForm
from clocks.views.page import FORM, find, find_pairing, page
from clocks.wording.language import said


@require_http_methods(FORM)
@access.to(Action.END)
def enter_result(request: HttpRequest, tournament: Tournament, number: int, pairing_id: int) -> HttpResponse:
    """Enter who won a match that was played without a clock, or correct a result, with a reason."""
    round_ = find(tournament, number)
    pairing = find_pairing(round_, pairing_id)
    if pairing.match is not None and pairing.match.status != Status.OVER:
        words = _("It is played with a clock. Its result is entered there, or by a ruling on the director’s page.")
        way = WayOn(_("Go to its board"), f"{reverse('console', args=[tournament.slug])}#match-{pairing.match_id}")
        return problem(request, 409, _("%(match)s is not over") % {"match": pairing}, words, way)
    if pairing.places.filter(filled=False).exists():
        words = _("A result can be entered when both players are known.")
        way = WayOn(_("Back to the round"), reverse("round", args=[tournament.slug, number]))
        return problem(request, 409, _("%(match)s has not begun") % {"match": pairing}, words, way)
    form = ResultForm(pairing, posted(request))
    later = consequences.of_result(pairing)
    told: dict[str, Any] = {"consequences": later, "seen": consequences.seen(later), "corrects": True}
    shown = partial(page, request, tournament, "enter-result", form, round=round_, pairing=pairing, **told)
    if request.method == "POST" and form.is_valid():
        turned = later if form.turns else []
        if turned and request.POST.get("seen") != consequences.seen(turned):
            return shown(consequences_first=True)
        refusal = _store(request, tournament, pairing, form)
        if refusal is None:
            consequences.carry_out(turned, signed_in(request), form.cleaned_data.get("note", ""))
            words = _("The result of %(match)s has been entered.")
            if form.takes_back:
                words = _("The result of %(match)s has been taken back.")
            messages.success(request, words % {"match": pairing})
            return redirect("round", tournament.slug, number)
        form.add_error(None, refusal)
    return shown()


def _store(request: HttpRequest, tournament: Tournament, pairing: Pairing, form: ResultForm) -> str | None:
    """Store a result; return in words why not. With a clock it is a ruling in the journal."""
    left, right = form.score
    user, note = signed_in(request), form.cleaned_data.get("note", "")
    if pairing.match_id is None:
        try:
            if form.takes_back:
                without_clock.take_back(tournament, pairing, user, note)
            else:
                without_clock.enter(tournament, pairing, form.cleaned_data["winner"], form.score, user, note)
        except Refused as refused:
            return said(refused.words)
        return None
    if left is None or right is None:
        return _("Enter the points of both players.")
    terms = SetScore((left, right), None) if form.by_points else EndMatch(Seat(form.cleaned_data["winner"]), note)
    return _ruled(pairing.match_id, Propose(terms, note), user.pk)


@require_safe
@access.to(Action.END)
def match_result(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """Lead from a match that is over to the page on which its result is corrected, or to its record without a draw."""
    match = get_object_or_404(Match, pk=match_id, table__tournament=tournament)
    pairing = Pairing.objects.filter(match=match).select_related("round").first()
    if pairing is None:
        return redirect("record", tournament.slug, match.pk)
    return redirect("enter-result", tournament.slug, pairing.round.number, pairing.pk)


@require_http_methods(FORM)
@access.to(Action.END)
def reopen(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """Take back the end of a match or, between games, of the last game, with a reason."""
    match = get_object_or_404(Match.objects.select_related("table", "round"), pk=match_id, table__tournament=tournament)
    state = MatchState.from_dict(match.state)
    if state.reopens is None:
        way = WayOn(_("Go to its record"), reverse("record", args=[tournament.slug, match.pk]))
        words = _("Neither the match nor a game of it has ended.")
        return problem(request, 409, _("There is no end to take back"), words, way)
    form = ReasonForm(posted(request))
    if request.method == "POST" and form.is_valid():
        refusal = _ruled(match.pk, Propose(Reopen(form.cleaned_data["note"])), signed_in(request).pk)
        if refusal is None:
            words = _("%(match)s continues from where it was. Start the clocks when both players are ready.")
            messages.success(request, words % {"match": match})
            return redirect(f"{reverse('console', args=[tournament.slug])}#match-{match.pk}")
        form.add_error(None, refusal)
    winner = "" if state.winner is None else state.setup.names[state.winner.index]
    drawn = Pairing.objects.filter(match=match).select_related("round", "match").first()
    later = consequences.of_result(drawn) if drawn and winner else []
    return page(request, tournament, "reopen", form, match=match, state=state, winner=winner, consequences=later)


def _ruled(match_id: int, command: Propose, user_id: int) -> str | None:
    """Rule as a director; return in words why not."""
    answer = desk.submit_and_wait(desk.Request(match_id, command, Official.DIRECTOR, user_id=user_id))
    return None if answer.ok else said(answer.words)
