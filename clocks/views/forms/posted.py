"""Form data of a request."""

from django.http import HttpRequest, QueryDict


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the form data of a POST, even if empty, else None.

    `request.POST or None` would treat an empty form as unsent.
    """
    return request.POST if request.method == "POST" else None
