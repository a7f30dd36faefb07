"""Show exceptions of the engine as form errors."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError

from clocks.engine.refusals import Refused
from clocks.wording.language import said


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Context manager: turn Refused into ValidationError."""
    try:
        yield
    except Refused as refused:
        raise ValidationError(said(refused.words)) from refused
