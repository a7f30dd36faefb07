"""Form field for date and time in the tournament's time zone."""

from datetime import datetime
from typing import Any

from django import forms

WHEN = "%Y-%m-%dT%H:%M"  # format of `datetime-local` inputs
YEARS = range(1970, 3000)  # near years 1 and 9999, conversion to another time zone overflows


class Instant(forms.DateTimeField):
    """Date and time that every time zone can represent."""

    def to_python(self, value: Any) -> datetime | None:
        """Parse the value; reject implausible years."""
        found = super().to_python(value)
        if found is not None and found.year not in YEARS:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return found


def instant(label: Any) -> Instant:
    """Optional date and time field with the browser's picker."""
    widget = forms.DateTimeInput(format=WHEN, attrs={"type": "datetime-local"})
    return Instant(label=label, required=False, widget=widget)
