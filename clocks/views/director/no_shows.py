"""Replace a no-show by a late entry."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_NAME
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.tournament import no_shows
from clocks.tournament.entering import stands_for_nobody
from clocks.tournament.players import Players
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.forms.matches import NOT_A_NAME
from clocks.views.forms.name_field import NameField
from clocks.views.forms.named import completed
from clocks.views.forms.note import ReasonForm
from clocks.views.forms.posted import posted
from clocks.views.forms.renderer import CHECK
from clocks.views.page import FORM, page
from clocks.wording.language import said


class NoShowForm(ReasonForm):
    """Player who replaces a no-show, with a reason.

    A new name that resembles a player's must be confirmed.
    """

    field_order = ("name", "new_player", "note")

    name = NameField(label=_("Who plays instead"), max_length=LONGEST_NAME)
    new_player = forms.BooleanField(label=_("This is a new player"), required=False, template_name=CHECK)

    asks_for_new = False  # show the checkbox `new_player`

    def __init__(self, players: Players, data: Mapping[str, Any] | None = None) -> None:
        self.players = players
        super().__init__(data, initial={"note": gettext("did not come")})
        completed(self, "name")

    def clean_name(self) -> str:
        """Collapse white space, and use the spelling in the list of players."""
        name = " ".join(str(self.cleaned_data["name"]).split())
        if stands_for_nobody(name):
            raise forms.ValidationError(NOT_A_NAME)
        found = self.players.in_any_order(name)
        return found.name if found is not None else name

    def clean(self) -> dict[str, Any]:
        """Reject a new name that resembles a player's, unless it is confirmed."""
        given = super().clean() or self.cleaned_data
        name = given.get("name", "")
        nearest = self.players.nearest(name) if name and self.players.of(name) is None else []
        if nearest and not given.get("new_player"):
            self.asks_for_new = True
            words = gettext("Nobody in the list is called %(name)s. Is it %(nearest)s?")
            self.add_error("name", words % {"name": name, "nearest": " / ".join(nearest)})
        return given


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def replace_player(request: HttpRequest, tournament: Tournament, player_id: int) -> HttpResponse:
    """Give the places of a no-show to another player."""
    player = get_object_or_404(tournament.players.select_related("tournament"), pk=player_id)
    known = Players(tournament)
    form = NoShowForm(known, posted(request))
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            no_shows.replace(player, given["name"], signed_in(request), given["note"])
        except Refused as refused:
            form.add_error(None, said(refused.words))
        else:
            words = gettext("%(other)s plays instead of %(name)s.")
            messages.success(request, words % {"other": given["name"], "name": player.name})
            return redirect("players", tournament.slug)
    others = {key: each.name for key, each in known.by_name.items() if each.pk != player.pk}
    return page(request, tournament, "no-show", form, player=player, known=others)
