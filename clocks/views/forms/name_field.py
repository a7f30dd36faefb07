"""Form field for names."""

from django import forms

from clocks.engine.parsing import refuse_hidden
from clocks.views.forms.refusals import refusals_as_errors


def refuse_hidden_characters(value: str) -> None:
    """Validator: reject invisible and direction-changing characters."""
    with refusals_as_errors():
        refuse_hidden("a name", value)


class NameField(forms.CharField):
    """Name of a person, table or tournament, without invisible characters."""

    default_validators = [refuse_hidden_characters]
