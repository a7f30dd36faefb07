"""Players of a tournament: list, details, and corrections in matches."""

import re
from collections import Counter
from collections.abc import Mapping
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
from clocks.engine.setup import LONGEST_NAME
from clocks.host.server_time import now_ms
from clocks.host.slices import delete_in_slices
from clocks.interchange import tournament_files
from clocks.models import Match, Pairing, Player, Tournament
from clocks.people import roles
from clocks.people.roles import Action
from clocks.tournament import consequences, draw, draw_plan, first_round, no_shows, results
from clocks.tournament.entering import stands_for_nobody
from clocks.tournament.player_columns import number_of
from clocks.tournament.players import CUT_AT, Players, correct, correct_drawn, name_key, names_of, rename
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.director import earlier_players
from clocks.views.director.entering import waiting
from clocks.views.director.player_lists import PlayersForm, store_or_preview
from clocks.views.forms.matches import NOT_A_NAME
from clocks.views.forms.name_field import NameField
from clocks.views.forms.named import SEATS, NamesPlayers
from clocks.views.forms.note import NoteField, ReasonForm
from clocks.views.forms.posted import posted
from clocks.views.forms.renderer import CHECK
from clocks.views.page import FORM, find, find_pairing, page
from clocks.wording.language import said

MOST_NAMED = 10  # players named in a message


class CorrectPlayers(NamesPlayers, ReasonForm):
    """Corrected players of a match, with a reason."""

    field_order = ("left", "right", "new_player", "note")

    left = NameField(label=_("Left player"), max_length=LONGEST_NAME)
    right = NameField(label=_("Right player"), max_length=LONGEST_NAME)

    names: tuple[str, str]

    def __init__(self, players: Players, setup: Mapping[str, Any], data: Mapping[str, Any] | None = None) -> None:
        self.setup = setup
        super().__init__(data, initial=dict(zip(SEATS, setup["names"], strict=True)))
        self.name_players(players)

    def clean(self) -> dict[str, Any] | None:
        """Reject unchanged names."""
        given = super().clean() or self.cleaned_data
        if not self.errors:
            self.names = self.checked_names(given, self.setup["format"])
            if list(self.names) == list(self.setup["names"]):
                raise forms.ValidationError(gettext("Nothing has changed."))
        return given


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """Details of a player.

    A new name changes all draws and matches, and needs a reason.
    """

    note = NoteField(label=_("Why the name changes"), required=False, help_text=_("only where it changes"))
    merge = forms.BooleanField(label=_("Both are one player"), required=False, template_name=CHECK)

    class Meta:
        model = Player
        fields = ("name", "number", "club", "country", "rating", "withdrawn")
        field_classes = {"name": NameField, "club": NameField, "country": NameField}
        labels = {
            "name": _("Name"),
            "number": _("Number"),
            "club": _("Club or town"),
            "country": _("Country"),
            "rating": _("Rating"),
            "withdrawn": _("Has withdrawn and plays no further round"),
        }

    asks_to_merge = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.was = self.instance.name
        self.fields["withdrawn"].template_name = CHECK  # type: ignore[attr-defined]
        for name in ("name", "number", "club", "country", "rating", "note"):
            self.fields[name].widget.attrs |= {"autocomplete": "off"}

    @property
    def renames(self) -> bool:
        """True if the name changes."""
        return bool(self.cleaned_data["name"] != self.was)

    def clean_name(self) -> str:
        """Collapse white space to single spaces."""
        return " ".join(str(self.cleaned_data["name"]).split())

    def clean_number(self) -> str:
        """Strip brackets, dots and # from the number, as the list import does."""
        return number_of(str(self.cleaned_data["number"]))

    def clean(self) -> dict[str, Any]:
        """Require a reason for a new name, and a decision if another player has it."""
        given = super().clean() or self.cleaned_data
        if "name" not in given or not self.renames:
            return given
        if not given.get("note"):
            self.add_error("note", gettext("Give a reason for the record."))
        if stands_for_nobody(given["name"]):
            self.add_error("name", NOT_A_NAME)
            return given
        other = Players(self.instance.tournament).by_name.get(name_key(given["name"]))
        if other is not None and other.pk != self.instance.pk and not given.get("merge"):
            self.asks_to_merge = True
            words = gettext("%(name)s is already in the list. If both are one player, say so.")
            self.add_error("name", words % {"name": other.name})
        return given

    def validate_unique(self) -> None:
        """Do nothing: `clean` handles duplicate names."""

    def validate_constraints(self) -> None:
        """Do nothing: `clean` handles duplicate names."""


@require_http_methods(FORM)
@access.to(Action.WATCH)
def players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List the players, and add more if the user may."""
    may = roles.actions_of(request.user, tournament)
    posts = request.method == "POST" and Action.ARRANGE in may
    form = PlayersForm(request.POST, request.FILES) if posts else PlayersForm()
    chosen = request.GET.get("of") if Action.ARRANGE in may else None
    if chosen is not None and not posts:
        form.fill(earlier_players.lines(signed_in(request), tournament, chosen))
    if form.is_bound and form.is_valid():
        return store_or_preview(request, tournament, form.listed, form.text)
    played = _matches_of_each(tournament)
    listed = [(player, played[name_key(player.name)]) for player in first_round.in_list_order(tournament.players.all())]
    drawn = Pairing.objects.filter(round__tournament=tournament).exists()
    long_names = [each.name for each, _matches in listed if len(each.name) > CUT_AT][:MOST_NAMED]
    removable = Action.DELETE in may and any(not matches for _player, matches in listed)
    more: dict[str, Any] = {"players": listed, "drawn": drawn, "long_names": long_names, "removable": removable}
    more["trf_gaps"] = tournament_files.trf_gaps(tournament)
    if Action.ARRANGE in may:
        more["waiting"] = waiting(Players(tournament))
        more["earlier"] = earlier_players.offered(signed_in(request), tournament)[: earlier_players.MOST]
        more["chosen"] = chosen
    return page(request, tournament, "players", form, **more)


def _matches_of_each(tournament: Tournament) -> Counter[str]:
    """Number of matches per player, by name key."""
    drawn = Pairing.objects.filter(round__tournament=tournament).values_list("setup", flat=True)
    made = Match.objects.filter(table__tournament=tournament, pairing=None).values_list("setup", flat=True)
    return Counter(name_key(name) for setup in (*drawn, *made) for name in names_of([setup]))


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def player(request: HttpRequest, tournament: Tournament, player_id: int) -> HttpResponse:
    """Show a player's matches; change the details, and the name wherever it appears."""
    found = get_object_or_404(tournament.players.select_related("tournament"), pk=player_id)
    form = PlayerForm(posted(request), instance=Player.objects.select_related("tournament").get(pk=found.pk))
    if request.method == "POST" and form.is_valid():
        refusal = _change(request, found, form)
        if refusal is None:
            messages.success(request, gettext("%(name)s has been changed.") % {"name": form.cleaned_data["name"]})
            return redirect("players", tournament.slug)
        form.add_error("name", refusal)
    lines = results.of_player(tournament, found.name, now_ms())
    replaceable = no_shows.is_possible(found)
    return page(request, tournament, "player", form, player=found, lines=lines, replaceable=replaceable)


def _change(request: HttpRequest, found: Player, form: PlayerForm) -> str | None:
    """Store a player's details and new name. Returns an error message, or None."""
    given = form.cleaned_data
    if form.renames:
        try:
            rename(found, given["name"], signed_in(request), given["note"], given["merge"])
        except Refused as refused:
            return said(refused.words)
    details = {name: given[name] for name in ("number", "club", "country", "rating", "withdrawn")}
    Player.objects.filter(pk=found.pk).update(**details)
    return None


@require_POST
@access.to(Action.DELETE)
def remove_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Remove the chosen players, or all, except those with matches."""
    chosen = tournament.players.all()
    if "all" not in request.POST:
        keys = [each for each in request.POST.getlist("player") if re.fullmatch(r"\d{1,18}", each, re.ASCII)]
        chosen = chosen.filter(pk__in=keys[: draw.MOST_LINES])
    played = _matches_of_each(tournament)
    gone = [each for each in chosen if not played[name_key(each.name)]]
    stay = [each.name for each in chosen if played[name_key(each.name)]]
    delete_in_slices(tournament.players.filter(pk__in=[each.pk for each in gone]))
    if len(gone) == 1:
        messages.success(request, gettext("%(name)s has been removed.") % {"name": gone[0].name})
    elif gone:
        messages.success(request, gettext("%(number)s players removed.") % {"number": len(gone)})
    if stay and "all" not in request.POST:
        words = gettext("Not removed, because they have matches: %(names)s. Mark whoever leaves as withdrawn.")
        messages.warning(request, words % {"names": ", ".join(stay[:MOST_NAMED])})
    if not gone and not stay:
        messages.warning(request, gettext("No player was chosen."))
    return redirect("players", tournament.slug)


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def correct_players(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """Correct the players of a match, even a running one, leaving clocks and score."""
    match = get_object_or_404(
        Match.objects.select_related("table__tournament", "round"), pk=match_id, table__tournament=tournament
    )
    back = reverse("record", args=[tournament.slug, match.pk])
    return _corrected(request, tournament, match, back, match=match)


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def correct_drawn_players(request: HttpRequest, tournament: Tournament, number: int, pairing_id: int) -> HttpResponse:
    """Correct the players of a decided match that was played without a clock."""
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
            words = gettext("%(left)s and %(right)s play this match. Clocks and score are as they were.")
            messages.success(request, words % {"left": form.names[0], "right": form.names[1]})
            return redirect(back)
    return page(request, tournament, "correct-players", form, played=played, back=back, known=known.spelling, **more)
