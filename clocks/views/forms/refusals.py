"""Refusals of the rules as errors of a form."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError

from clocks.engine.refusals import Refused
from clocks.wording.language import said


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Raise ValidationError for a refusal within the block."""
    try:
        yield
    except Refused as refused:
        raise ValidationError(said(refused.words)) from refused
