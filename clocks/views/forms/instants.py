"""A date and a time in a form, in the time zone of the tournament."""

from datetime import datetime
from typing import Any

from django import forms

WHEN = "%Y-%m-%dT%H:%M"  # as browsers send a date and a time
YEARS = range(1970, 3000)  # near the years 1 and 9999 an instant is in no year at all in some other time zone


class Instant(forms.DateTimeField):
    """A date and a time that can be shown in every time zone."""

    def to_python(self, value: Any) -> datetime | None:
        """Return what was entered; refuse what nobody means."""
        found = super().to_python(value)
        if found is not None and found.year not in YEARS:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return found


def instant(label: Any) -> Instant:
    """Return a field for a date and a time, for which a browser offers a picker."""
    widget = forms.DateTimeInput(format=WHEN, attrs={"type": "datetime-local"})
    return Instant(label=label, required=False, widget=widget)
