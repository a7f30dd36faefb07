"""A date and a time in a form, in the time zone of the tournament."""

from typing import Any

from django import forms

WHEN = "%Y-%m-%dT%H:%M"  # as browsers send a date and a time


def instant(label: Any) -> forms.DateTimeField:
    """Return a field of a date and a time, which a browser offers a picker for."""
    widget = forms.DateTimeInput(format=WHEN, attrs={"type": "datetime-local"})
    return forms.DateTimeField(label=label, required=False, widget=widget)
