"""All components of the pages in every state, for developers."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Show the components; only with DEBUG."""
    if not settings.DEBUG:
        raise Http404("the components are shown only with DEBUG")
    return render(request, "clocks/components.html")
