"""The players of a tournament: the list, one of them with everything they play, and who plays a match."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from clocks.engine.refusals import Refused
from clocks.host.server_time import now_ms
from clocks.models import Match, Pairing, Player, Tournament
from clocks.people import roles
from clocks.people.roles import Action
from clocks.tournament import consequences, draw_plan, player_list, results
from clocks.tournament.players import Players, correct, correct_drawn, name_key, names_of, rename
from clocks.tournament.tables import table_order
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.errors import WayOn, problem
from clocks.views.forms.players import CorrectPlayers, PlayerForm, PlayersForm
from clocks.views.forms.posted import posted
from clocks.views.page import FORM, find, find_pairing, page
from clocks.wording.language import said


@require_http_methods(FORM)
@access.to(Action.WATCH)
def players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List the players; add more, where the user may."""
    may_add = Action.ARRANGE in roles.actions_of(request.user, tournament)
    form = PlayersForm(request.POST, request.FILES) if request.method == "POST" and may_add else PlayersForm()
    stored = _listed(request, tournament, form) if form.is_bound and form.is_valid() else None
    if stored is not None:
        added = ngettext("%(number)s player added.", "%(number)s players added.", stored.added)
        changed = ngettext("%(number)s player changed.", "%(number)s players changed.", stored.changed)
        said_of = [added % {"number": stored.added}, changed % {"number": stored.changed}]
        shown = [words for words, count in zip(said_of, stored, strict=True) if count] or [_("Nothing has changed.")]
        for words in (*shown, *form.listed.notes):
            messages.success(request, words)
        return redirect("players", tournament.slug)
    played = _matches_of_each(tournament)
    listed = [
        (player, played[name_key(player.name)])
        for player in sorted(
            tournament.players.all(), key=lambda each: (*table_order(each.number), name_key(each.name))
        )
    ]
    return page(request, tournament, "players", form, players=listed)


def _listed(request: HttpRequest, tournament: Tournament, form: PlayersForm) -> player_list.Stored | None:
    """Store a list of players; None where that is refused, which the form then says."""
    try:
        return player_list.store(tournament, form.listed.players, signed_in(request))
    except Refused as refused:
        form.add_error(None, said(refused.words))
        return None


def _matches_of_each(tournament: Tournament) -> Counter[str]:
    """Return how many matches each player is in, by the plain name."""
    drawn = Pairing.objects.filter(round__tournament=tournament).values_list("setup", flat=True)
    made = Match.objects.filter(table__tournament=tournament, pairing=None).values_list("setup", flat=True)
    return Counter(name_key(name) for setup in (*drawn, *made) for name in names_of([setup]))


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def player(request: HttpRequest, tournament: Tournament, player_id: int) -> HttpResponse:
    """Show what a player plays; change the details, and the name wherever it appears."""
    found = get_object_or_404(tournament.players.select_related("tournament"), pk=player_id)
    form = PlayerForm(posted(request), instance=Player.objects.select_related("tournament").get(pk=found.pk))
    if request.method == "POST" and form.is_valid():
        refusal = _change(request, found, form)
        if refusal is None:
            messages.success(request, _("%(name)s has been changed.") % {"name": form.cleaned_data["name"]})
            return redirect("players", tournament.slug)
        form.add_error("name", refusal)
    own = name_key(found.name)
    lines = [
        result
        for result in results.of_tournament(tournament, now_ms())
        if own in map(name_key, names_of([{"names": result.names, "format": result.format}]))
    ]
    return page(request, tournament, "player", form, player=found, lines=lines)


def _change(request: HttpRequest, found: Player, form: PlayerForm) -> str | None:
    """Store a player's details and, if it has changed, the name; return in words why not."""
    given = form.cleaned_data
    if form.renames:
        try:
            rename(found, given["name"], signed_in(request), given["note"], given["merge"])
        except Refused as refused:
            return said(refused.words)
    details = {name: given[name] for name in ("number", "club", "rating", "withdrawn")}
    Player.objects.filter(pk=found.pk).update(**details)
    return None


@require_POST
@access.to(Action.DELETE)
def remove_player(request: HttpRequest, tournament: Tournament, player_id: int) -> HttpResponse:
    """Remove a player who is in no match."""
    found = get_object_or_404(tournament.players, pk=player_id)
    if _matches_of_each(tournament)[name_key(found.name)]:
        words = _("Take the matches back first. A player who is leaving is marked as withdrawn instead.")
        back = WayOn(_("Back to the player"), reverse("player", args=[tournament.slug, found.pk]))
        return problem(request, 409, _("%(name)s has matches") % {"name": found.name}, words, back)
    found.delete()
    messages.success(request, _("%(name)s has been removed.") % {"name": found.name})
    return redirect("players", tournament.slug)


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def correct_players(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """Say who plays a match, even while it runs; clocks and score stay, and the record says so."""
    match = get_object_or_404(
        Match.objects.select_related("table__tournament", "round"), pk=match_id, table__tournament=tournament
    )
    back = reverse("record", args=[tournament.slug, match.pk])
    return _corrected(request, tournament, match, back, match=match)


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def correct_drawn_players(request: HttpRequest, tournament: Tournament, number: int, pairing_id: int) -> HttpResponse:
    """Say who played a match without a clock, once it has a result."""
    pairing = find_pairing(find(tournament, number), pairing_id)
    if pairing.match_id is not None:
        return redirect("correct-players", tournament.slug, pairing.match_id)
    if not draw_plan.has_begun(pairing):
        return redirect("edit-pairing", tournament.slug, number, pairing.pk)
    return _corrected(request, tournament, pairing, reverse("round", args=[tournament.slug, number]), pairing=pairing)


def _corrected(
    request: HttpRequest, tournament: Tournament, played: Match | Pairing, back: str, **more: Any
) -> HttpResponse:
    known = Players(tournament)
    form = CorrectPlayers(known, played.setup, posted(request))
    if request.method == "POST" and form.is_valid():
        user, reason = signed_in(request), form.cleaned_data["note"]
        try:
            before = played.setup["names"]
            if isinstance(played, Match):
                correct(played, form.names, user, reason)
            else:
                correct_drawn(played, form.names, user, reason)
            consequences.follow_names(played, before, form.names, user, reason)
        except Refused as refused:
            form.add_error(None, said(refused.words))
        else:
            words = _("%(left)s and %(right)s play this match. Clocks and score are as they were.")
            messages.success(request, words % {"left": form.names[0], "right": form.names[1]})
            return redirect(back)
    return page(request, tournament, "correct-players", form, played=played, back=back, known=known.spelling, **more)
