"""Confirmation form before something that cannot be undone."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.models import Tournament


class TypedName(forms.Form):
    """The tournament's name, typed to confirm."""

    name = forms.CharField(label=_("Type the name of the tournament"), max_length=120)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        self.tournament = tournament
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "off"}

    def clean_name(self) -> str:
        """Reject any other name."""
        name = " ".join(str(self.cleaned_data["name"]).split())
        if name.casefold() != " ".join(self.tournament.name.split()).casefold():
            raise forms.ValidationError(
                _("The name of this tournament is “%(name)s”.") % {"name": self.tournament.name}
            )
        return name
