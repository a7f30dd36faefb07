"""Form field for names."""

from django import forms
from django.core.exceptions import ValidationError

from clocks.engine.parsing import refuse_hidden
from clocks.engine.refusals import Refused
from clocks.wording.language import said


def refuse_hidden_characters(value: str) -> None:
    """Validator: reject invisible and direction-changing characters."""
    try:
        refuse_hidden("a name", value)
    except Refused as refused:
        raise ValidationError(said(refused.words)) from None


class NameField(forms.CharField):
    """Name of a person, table or tournament, without hidden characters."""

    default_validators = [refuse_hidden_characters]
