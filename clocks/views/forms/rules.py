"""Looking a time up in a timetable: how many points each player needs."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.rulebook.pages import MOST_POINTS


class PointsNeeded(forms.Form):
    """The points that the two players still need. `points` are [left, right] after `is_valid`."""

    left = forms.IntegerField(label=_("One needs"), min_value=1, max_value=MOST_POINTS)
    right = forms.IntegerField(label=_("The other needs"), min_value=1, max_value=MOST_POINTS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs |= {"inputmode": "numeric", "placeholder": f"1–{MOST_POINTS}"}

    @property
    def points(self) -> tuple[int, int]:
        """Return the points that were given."""
        return (self.cleaned_data["left"], self.cleaned_data["right"])
