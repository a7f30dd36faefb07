"""A date and a time in a form, in the time zone of the tournament."""

from typing import Any

from django import forms

WHEN = "%Y-%m-%dT%H:%M"  # as browsers send a date and a time


def instant(label: Any) -> forms.DateTimeField:
    """Return a field for a date and a time, for which a browser offers a picker."""
    widget = forms.DateTimeInput(format=WHEN, attrs={"type": "datetime-local"})
    return forms.DateTimeField(label=label, required=False, widget=widget)
