"""Forms for actions on the whole hall."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clocks.models import Table, Tournament
from clocks.tournament.messages import LONGEST_TEXT
from clocks.tournament.tables import table_names, tables_named
from clocks.views.forms.renderer import CHECK

LONGEST_REASON = 200
MINUTES = [
    ("5", _("5 minutes")),
    ("15", _("15 minutes")),
    ("30", _("half an hour")),
    ("60", _("1 hour")),
    ("240", _("4 hours")),
]


class WholeHall(forms.Form):
    """Choice of tournaments: this one alone, or also the `others` in the hall."""

    everywhere = forms.BooleanField(required=False, template_name=CHECK)

    def __init__(self, tournament: Tournament, others: Sequence[Tournament], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament, self.others = tournament, others
        if others:
            names = ", ".join(other.name for other in others)
            self.fields["everywhere"].label = gettext("In the whole hall: %(names)s, too") % {"names": names}
        else:
            del self.fields["everywhere"]

    def meant(self) -> list[Tournament]:
        """Tournaments chosen in a valid form, this one first."""
        return [self.tournament, *(self.others if self.cleaned_data.get("everywhere") else [])]


class StopAll(WholeHall):
    """Reason for stopping the hall: one of the buttons, or the director's own words."""

    reason = forms.CharField(max_length=LONGEST_REASON, required=False)
    other = forms.CharField(
        label=_("Another reason"),
        max_length=LONGEST_REASON,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    why: str

    def clean(self) -> dict[str, Any] | None:
        """Require a reason, because the record of every match will give it."""
        given = super().clean() or self.cleaned_data
        self.why = (given.get("reason") or given.get("other") or "").strip()
        if not self.why and not self.errors:
            self.add_error("other", _("Say why. The reason goes into the record of every match."))
        return given


class NewMessage(forms.Form):
    """A message to phones. `at` are its tables once valid, empty for all."""

    text = forms.CharField(
        label=_("Message"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": _("The next round begins at 14:30.")}),
    )
    tables = forms.CharField(
        label=_("To the tables"),
        max_length=400,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": _("all"), "autocomplete": "off"}),
        help_text=_("Leave empty for all tables, or list some: 3, 7-12"),
    )
    minutes = forms.ChoiceField(label=_("Shown for"), choices=MINUTES, initial="15")

    at: list[Table]

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        self.tournament = tournament
        super().__init__(*args, **kwargs)

    def clean_tables(self) -> str:
        """Look up the tables; reject an unknown name."""
        given: str = self.cleaned_data["tables"]
        names = table_names(given)
        known = tables_named(self.tournament.tables.all(), names)
        unknown = [name for name in names if name not in known]
        if unknown:
            raise forms.ValidationError(_("There is no table %(table)s.") % {"table": unknown[0]})
        self.at = list(known.values())
        return given
