"""What an overlay shows and how, as its address says; and the stages of a stream."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.models import Stage, Tournament

PARTS = ("clocks", "names", "score", "cube", "delay")
SIDES = ("both", "left", "right")
THEMES = ("dark", "light", "plain")


class OverlayForm(forms.Form):
    """The choices in an overlay's address; each fault is a sentence that the overlay shows in its place."""

    show = forms.CharField(required=False)
    side = forms.CharField(required=False)
    theme = forms.CharField(required=False)
    scale = forms.FloatField(
        required=False,
        min_value=0.25,
        max_value=4,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), _("scale must be a number from 0.25 to 4, such as 1.5.")
        ),
    )
    delay_s = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=300,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), _("delay_s must be a whole number of seconds from 0 to 300.")
        ),
    )

    def clean_show(self) -> list[str]:
        """Return what is shown; all of it where the address says nothing."""
        asked = [part.strip() for part in self.cleaned_data["show"].split(",") if part.strip()]
        unknown = [part for part in asked if part not in PARTS]
        if unknown:
            words = _("show has no “%(part)s”. It may name %(parts)s, separated by commas.")
            raise forms.ValidationError(words % {"part": unknown[0][:40], "parts": ", ".join(PARTS)})
        return asked or list(PARTS)

    def clean_side(self) -> str:
        """Return whose figures are shown."""
        return self._one_of("side", SIDES)

    def clean_theme(self) -> str:
        """Return the colours."""
        return self._one_of("theme", THEMES)

    def clean_scale(self) -> float:
        """Return how large it is; 1 where the address says nothing."""
        return self.cleaned_data["scale"] or 1.0

    def clean_delay_s(self) -> int:
        """Return by how many seconds the stream is late."""
        return self.cleaned_data["delay_s"] or 0

    def _one_of(self, name: str, allowed: tuple[str, ...]) -> str:
        value: str = self.cleaned_data[name] or allowed[0]
        if value not in allowed:
            words = _("%(name)s may be %(allowed)s, not “%(value)s”.")
            raise forms.ValidationError(words % {"name": name, "allowed": ", ".join(allowed), "value": value[:40]})
        return value

    @property
    def faults(self) -> list[str]:
        """Return what is wrong with the address, a sentence each."""
        return [str(words) for each in self.errors.values() for words in each]


class StageForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """A stage and the table that it shows."""

    class Meta:
        model = Stage
        fields = ("name", "table")

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.tournament = tournament
        self.fields["name"].label = _("Stage")
        self.fields["name"].widget.attrs |= {"placeholder": "main", "autocomplete": "off"}
        self.fields["table"].label = _("Table")
        self.fields["table"].queryset = tournament.tables.order_by("pk")  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """Refuse a name that another stage has."""
        name: str = self.cleaned_data["name"].lower()
        others = self.instance.tournament.stages.filter(name=name).exclude(pk=self.instance.pk)
        if others.exists():
            raise forms.ValidationError(_("There is a stage of that name. Point it at another table below."))
        return name
