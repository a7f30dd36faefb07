"""Form fields for notes and for the reason of a correction."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.engine.parsing import LONGEST_NOTE, note_must_be_stored
from clocks.views.forms.refusals import refusals_as_errors


class NoteField(forms.CharField):
    """A note with the length limit of the protocol."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_NOTE, **options)

    def validate(self, value: str) -> None:
        """Reject a note that cannot be stored."""
        super().validate(value)
        with refusals_as_errors():
            note_must_be_stored(value)


class ReasonForm(forms.Form):
    """The reason for a correction."""

    note = NoteField(label=_("Reason for the record"))
