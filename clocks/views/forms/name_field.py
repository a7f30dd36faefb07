"""The field for a name, in any form."""

from django import forms
from django.core.exceptions import ValidationError

from clocks.engine.parsing import refuse_hidden
from clocks.engine.refusals import Refused
from clocks.wording.language import said


def refuse_hidden_characters(value: str) -> None:
    """Validator: refuse invisible and direction-changing characters."""
    try:
        refuse_hidden("a name", value)
    except Refused as refused:
        raise ValidationError(said(refused.words)) from None


class NameField(forms.CharField):
    """A name of a person, a table, a tournament: one that shows all that it holds."""

    default_validators = [refuse_hidden_characters]
