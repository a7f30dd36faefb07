"""Clocks on request: a player at the table or the director asks for one; and the result of a match without."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clocks import desk
from clocks.desk import pairings
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Status
from clocks.engine.commands import Propose
from clocks.engine.proposals import SetScore
from clocks.engine.refusals import Refused
from clocks.journal.entries import Asked
from clocks.models import Pairing, Round, Tournament
from clocks.people import devices
from clocks.people.roles import Action
from clocks.tournament import codes
from clocks.views import access
from clocks.views.errors import UnknownCode, WayOn, problem
from clocks.views.forms.posted import posted
from clocks.views.forms.rounds import ResultForm, ScoreForm
from clocks.views.page import FORM, find, find_pairing, page
from clocks.wording.language import said


@never_cache
@require_http_methods(FORM)
def ask(request: HttpRequest, code: str, pairing_id: int) -> HttpResponse:
    """Let a player at a table ask for a clock, from the score as it stands. Only a POST asks."""
    table = codes.find_table(code)
    if table is None:
        raise UnknownCode(code)
    pairing = pairings.pairings_on_request(table.pk).filter(pk=pairing_id).first()
    if pairing is None:
        return redirect("table", code=table.code)  # somebody has asked already: the match is there
    form = ScoreForm(pairing, posted(request))
    seat = request.POST.get("seat", "")
    if request.method == "POST" and seat not in tuple(Seat):
        form.add_error(None, _("Say who is asking for the clock."))
    if request.method == "POST" and form.is_valid():
        device, token = devices.join_device(request.COOKIES)
        refusal = _begin(pairing, form, Asked(Seat(seat), device_id=device.pk))
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
    """Let the director have a match played with a clock from now on."""
    round_ = find(tournament, number)
    pairing = find_pairing(round_, pairing_id)
    if pairing.match_id or pairing.winner or round_.policy != Round.Policy.ON_REQUEST:
        return redirect("round", tournament.slug, number)
    form = ScoreForm(pairing, posted(request))
    if request.method == "POST" and form.is_valid():
        refusal = _begin(pairing, form, Asked(Official.DIRECTOR, user_id=request.user.pk))
        if refusal is None:
            words = _("%(match)s now has a clock. The table’s card leads to it.")
            messages.success(request, words % {"match": pairing})
            return redirect("round", tournament.slug, number)
        form.add_error(None, refusal)
    return page(request, tournament, "use-clock", form, round=round_, pairing=pairing)


def _begin(pairing: Pairing, form: ScoreForm, asked: Asked) -> str | None:
    """Begin the clock; return in words why not, None where it begins."""
    try:
        desk.use_clock(pairing, form.setup, asked)
    except Refused as refused:
        return said(refused.words)
    return None


@require_http_methods(FORM)
@access.to(Action.END)
def enter_result(request: HttpRequest, tournament: Tournament, number: int, pairing_id: int) -> HttpResponse:
    """Enter who won a match that was played without a clock; or correct the score of one that is over."""
    round_ = find(tournament, number)
    pairing = find_pairing(round_, pairing_id)
    if pairing.match is not None and pairing.match.status != Status.OVER:
        words = _("It is played with a clock. Its result is entered there, or by a ruling on the director's page.")
        way = WayOn(_("Go to its board"), f"{reverse('console', args=[tournament.slug])}#match-{pairing.match_id}")
        return problem(request, 409, _("%(match)s is not over") % {"match": pairing}, words, way)
    form = ResultForm(pairing, posted(request))
    if request.method == "POST" and form.is_valid():
        refusal = _store(pairing, form, request.user.pk)
        if refusal is None:
            messages.success(request, _("The result of %(match)s has been entered.") % {"match": pairing})
            return redirect("round", tournament.slug, number)
        form.add_error(None, refusal)
    return page(request, tournament, "enter-result", form, round=round_, pairing=pairing)


def _store(pairing: Pairing, form: ResultForm, user_id: int | None) -> str | None:
    """Store a result; return in words why not. With a clock it is a ruling in the journal."""
    left, right = form.score
    if pairing.match_id is None:
        pairing.winner = form.cleaned_data["winner"]
        pairing.score = None if left is None else form.score
        pairing.entered_by_id, pairing.entered_at = user_id, timezone.now()
        # Not over a clock that somebody has asked for meanwhile.
        fields = {name: getattr(pairing, name) for name in ("winner", "score", "entered_by_id", "entered_at")}
        claimed = Pairing.objects.filter(pk=pairing.pk, match=None).update(**fields)
        return None if claimed else _("Somebody has just asked for a clock there, so the match is played with it.")
    if left is None or right is None:
        return _("Enter the points of both players.")
    command = Propose(SetScore((left, right), None))
    answer = desk.submit_and_wait(pairing.match_id, command, Official.DIRECTOR, user_id=user_id)
    return None if answer.ok else said(answer.words)
