"""Form fields for the players of a match."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clocks.tournament.players import Players, names_of, respell
from clocks.views.forms.renderer import CHECK

KNOWN = "players"  # id of the page's datalist
SEATS = ("left", "right")


def completed(form: forms.Form, *fields: str) -> None:
    """Offer the page's list of players in these fields, for completion."""
    for name in fields:
        form.fields[name].widget.attrs |= {"list": KNOWN, "autocomplete": "off", "autocapitalize": "words"}


class NamesPlayers(forms.Form):
    """Mixin for the fields `left` and `right`.

    An unknown name that resembles a player's is rejected with a suggestion, unless `new_player` confirms it.
    """

    new_player = forms.BooleanField(label=_("This is a new player"), required=False, template_name=CHECK)

    players: Players | None = None
    asks_for_new = False  # show the checkbox `new_player`

    def name_players(self, players: Players) -> None:
        """Complete and check the names against these players."""
        self.players = players
        completed(self, *SEATS)

    def checked_names(self, given: Mapping[str, Any], format_: str) -> tuple[str, str]:
        """Both names, spelt as in the list of players.

        Adds an error for a name that resembles a player's.
        """
        names = (given["left"], given["right"])
        if self.players is None:
            return names
        left, right = (respell(name, format_, self.players.spelling) for name in names)
        for seat, name in zip(SEATS, (left, right), strict=True):
            for stranger in self.players.unknown(names_of([{"names": [name], "format": format_}])):
                nearest = self.players.nearest(stranger)
                if nearest and not given.get("new_player"):
                    self.asks_for_new = True
                    words = gettext("Nobody in the list is called %(name)s. Is it %(nearest)s?")
                    self.add_error(seat, words % {"name": stranger, "nearest": " / ".join(nearest)})
        return left, right
