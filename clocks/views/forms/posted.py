"""Form data of a request."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, QueryDict

from clocks.tournament import spreadsheet
from clocks.views.forms.refusals import refusals_as_errors


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the form data of a POST, even if empty, else None.

    `request.POST or None` would treat an empty form as unsent.
    """
    return request.POST if request.method == "POST" else None


def file_or_text(given: Mapping[str, Any]) -> str:
    """Decode the field `file` or, without one, `pasted`. Raises ValidationError."""
    with refusals_as_errors():
        if given.get("file"):
            return spreadsheet.decode(given["file"].read(spreadsheet.LONGEST_FILE + 1))
        return spreadsheet.decode(given.get("pasted", "").encode())
