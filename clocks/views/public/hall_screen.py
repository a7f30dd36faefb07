"""Hall screen: every board of a tournament, public."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clocks.host.version import version
from clocks.models import CASUAL, Tournament
from clocks.views.access import zone_of


@never_cache
@require_safe
def hall_screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page; the boards arrive on its socket.

    Casual matches have no hall screen.
    """
    tournament = get_object_or_404(Tournament.objects.exclude(slug=CASUAL), slug=slug)
    return render(
        request,
        "clocks/hall/page.html",
        {"tournament": tournament, "version": version(), "zone": zone_of(tournament).key},
    )
