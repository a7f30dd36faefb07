"""The field of a form in which a director says why."""

from typing import Any

from django import forms

from clocks.engine.parsing import LONGEST_NOTE, note_must_be_stored
from clocks.engine.refusals import Refused
from clocks.wording.language import said


class NoteField(forms.CharField):
    """A note for the record, as long as one on the wire may be."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_NOTE, **options)

    def validate(self, value: str) -> None:
        """Refuse a note that takes too much room."""
        super().validate(value)
        try:
            note_must_be_stored(value)
        except Refused as refused:
            raise forms.ValidationError(said(refused.words)) from refused
