"""Arranging a tournament: its name, its rounds, and the matches of a round one by one."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clocks import desk
from clocks.engine.books.published import RULESETS
from clocks.engine.books.rule_set import RuleSet
from clocks.engine.closed_sets import Official
from clocks.engine.refusals import Refused
from clocks.host.server_time import now_ms
from clocks.models import Round, Tournament
from clocks.people.roles import Action
from clocks.record import expected_ends
from clocks.tournament import draw_plan, draw_store, drawing, results
from clocks.tournament.rounds import like_the_last, with_counts
from clocks.views import access
from clocks.views.errors import WayOn, problem
from clocks.views.forms.posted import posted
from clocks.views.forms.rounds import PairingForm, RoundForm
from clocks.views.forms.setting import facts_of_rules
from clocks.views.forms.tournament import TournamentForm
from clocks.views.page import FORM, find, find_pairing, page
from clocks.wording.language import said


@require_safe
@access.to(Action.WATCH)
def rounds(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List the rounds with how far each is, and link to everything that can be arranged."""
    listed = with_counts(tournament.rounds.all())
    return page(request, tournament, "rounds", rounds=listed, tables=tournament.tables.count())


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def edit_tournament(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Change the name, the time zone and the rules of lateness of a tournament."""
    form = TournamentForm(posted(request), instance=Tournament.objects.get(pk=tournament.pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("The settings have been changed."))
        return redirect("rounds", tournament.slug)
    return page(request, tournament, "tournament-edit", form)


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def new_round(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Make a round; it begins as a copy of the last one."""
    return _edit(request, tournament, like_the_last(tournament))


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def edit_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Change a round. Matches that are already drawn keep their setting."""
    return _edit(request, tournament, find(tournament, number))


def _edit(request: HttpRequest, tournament: Tournament, round_: Round) -> HttpResponse:
    made, title = round_.pk is None, str(round_)
    form = RoundForm(round_, posted(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        if not made:
            # Whoever waited because no clock was required may no longer have to.
            tables = round_.pairings.filter(match=None, winner="").values_list("table_id", flat=True)
            desk.start_pairings(list(tables), by=Official.DIRECTOR, user_id=request.user.pk)
        words = _("%(round)s has been created. Import its draw now.") if made else _("%(round)s has been changed.")
        messages.success(request, words % {"round": round_})
        return redirect("draw" if made else "round", tournament.slug, round_.number)
    drawn = 0 if made else round_.pairings.count()
    return page(
        request,
        tournament,
        "round-edit",
        form,
        title=title,
        made=made,
        facts=facts_of_rules(),
        drawn=drawn,
        round=round_,
    )


@require_POST
@access.to(Action.DELETE)
def remove_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Remove a round that has no matches."""
    round_ = find(tournament, number)
    if round_.pairings.exists() or round_.matches.exists():
        words = _(
            "A round with matches cannot be removed. Take its matches back first; a match that has begun "
            "stays for good."
        )
        return problem(
            request,
            409,
            _("%(round)s has matches") % {"round": round_},
            words,
            WayOn(_("Back to the round"), request.path + "../"),
        )
    round_.delete()
    messages.success(request, _("%(round)s has been removed.") % {"round": round_})
    return redirect("rounds", tournament.slug)


@require_safe
@access.to(Action.WATCH)
def show_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the matches of a round: the state of each, and what can be done."""
    round_ = find(tournament, number)
    now = now_ms()
    ends = expected_ends.cached(tournament, now)
    lines = expected_ends.with_expected_ends(results.of_round(round_, now), ends)
    return page(
        request,
        tournament,
        "round",
        round=round_,
        rules=RULESETS[round_.rules],
        options=options_in_words(round_.options, RULESETS[round_.rules]),
        lines=lines,
        over=sum(result.over for result in lines),
        end=ends.rounds.get(round_.number),
        byes=round_.byes.order_by("pk"),
        next=tournament.rounds.filter(number__gt=number).first(),
    )


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def edit_pairing(request: HttpRequest, tournament: Tournament, number: int, pairing_id: int = 0) -> HttpResponse:
    """Make a match of a round by hand, or change one that nobody has begun."""
    round_ = find(tournament, number)
    pairing = find_pairing(round_, pairing_id) if pairing_id else None
    if pairing is not None and draw_plan.has_begun(pairing):
        words = _(
            "A match that has begun cannot be changed here. Score, time and cube are changed on the director’s page."
        )
        return problem(
            request,
            409,
            _("%(match)s has begun") % {"match": pairing},
            words,
            WayOn(_("Back to the round"), _path(round_)),
        )
    form = PairingForm(round_, pairing, posted(request), initial={"table": request.GET.get("table", "")})
    if request.method == "POST" and form.is_valid():
        try:
            planned = drawing.change(round_, pairing, form.line, access.signed_in(request))
        except Refused as refused:
            planned = draw_plan.PlannedLine(form.line, draw_plan.Act.BAD, said(refused.words))
        if planned.act != draw_plan.Act.BAD:
            words = _("Table %(table)s: %(match)s. %(words)s")
            given = {"table": form.line.table, "match": form.line.names, "words": planned.words}
            messages.success(request, words % given)
            return redirect("round", tournament.slug, round_.number)
        form.add_error(None, planned.words)
    facts = facts_of_rules()
    return page(request, tournament, "pairing-edit", form, round=round_, pairing=pairing, facts=facts)


@require_POST
@access.to(Action.DELETE)
def remove_pairing(request: HttpRequest, tournament: Tournament, number: int, pairing_id: int) -> HttpResponse:
    """Take back a match that nobody has begun; the next one that waits for its table begins."""
    round_ = find(tournament, number)
    pairing = find_pairing(round_, pairing_id)
    match = pairing.match
    if draw_plan.has_begun(pairing) or (match and (match.left_device_id or match.right_device_id)):
        words = _("Somebody has joined it with a phone, or it has a result. End it by a ruling on the director’s page.")
        return problem(
            request,
            409,
            _("%(match)s cannot be taken back") % {"match": pairing},
            words,
            WayOn(_("Back to the round"), _path(round_)),
        )
    draw_store.take_back(pairing, request.user.pk)
    words = _("%(match)s at table %(table)s has been taken back.")
    messages.success(request, words % {"match": pairing, "table": pairing.table.name})
    return redirect("round", tournament.slug, round_.number)


@require_POST
@access.to(Action.ARRANGE)
def remove_bye(request: HttpRequest, tournament: Tournament, number: int, bye_id: int) -> HttpResponse:
    """Take back the bye of a player."""
    bye = get_object_or_404(find(tournament, number).byes, pk=bye_id)
    bye.delete()
    messages.success(request, _("%(name)s no longer has a bye.") % {"name": bye.name})
    return redirect("round", tournament.slug, number)


def options_in_words(options: dict[str, Any], rules: RuleSet) -> list[tuple[str, str]]:
    """Return the options that a round was given, in words."""
    form = RoundForm(Round(rules=rules.key, options=options))
    pairs = []
    for field in form.option_fields():
        if field.name in options:
            choices = dict(getattr(field.field, "choices", ()))
            value = field.field.prepare_value(options[field.name])
            pairs.append((str(field.label), str(choices.get(value, value))))
    return pairs


def _path(round_: Round) -> str:
    return f"/director/{round_.tournament.slug}/rounds/{round_.number}/"
