"""What a form was sent with."""

from django.http import HttpRequest, QueryDict


def posted(request: HttpRequest) -> QueryDict | None:
    """Return what was sent, however little, or None where the page is only read.

    `request.POST or None` would mistake a form that was sent empty for one that was never sent.
    """
    return request.POST if request.method == "POST" else None
