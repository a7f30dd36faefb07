"""Home page: enter a table's code, or start a casual match."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clocks.journal import stored
from clocks.models import CASUAL
from clocks.rulebook.glance import glance
from clocks.seats import devices
from clocks.tournament import casual_limit, codes, public, tables
from clocks.views.errors import problem
from clocks.views.forms.matches import CasualMatch
from clocks.views.public.by_code import find_table
from clocks.wording.language import said

MOST_LISTED = 12  # public tournaments


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the home page, with the forms to join a table and to start a casual match.

    `?code=` redirects to that table, or shows an error.
    """
    typed = request.GET.get("code")
    if typed is None:
        return _page(request, CasualMatch())
    table = find_table(request, typed)
    if table:
        return redirect("table", code=table.code)
    if not typed.strip():
        return _page(request, CasualMatch(), status=400, empty=True)
    why = {"retired": True} if codes.is_retired(typed) else {"unknown": True}
    return _page(request, CasualMatch(), status=404, typed=typed[:40], **why)


def start(request: HttpRequest) -> HttpResponse:
    """Create a casual match at its own table and redirect there."""
    if request.method != "POST":
        return redirect("home")
    address = request.META["REMOTE_ADDR"]
    refusal = casual_limit.spent(address)  # before any database query
    if not refusal:
        form = CasualMatch(request.POST)
        if not form.is_valid():
            return _page(request, form, status=400)
        device = devices.find_device(request.COOKIES)
        refusal = casual_limit.refusal(device.pk if device else None, address)
    if refusal:
        return problem(request, 429, _("Too many new matches"), said(refusal))
    return redirect("table", code=tables.start_casual(form.setup).code)


def _page(request: HttpRequest, form: CasualMatch, status: int = 200, **more: object) -> HttpResponse:
    device = devices.find_device(request.COOKIES)
    mine = stored.match_of(device.pk) if device else None
    context = {
        "form": form,
        "certificate": settings.AUTHORITY_FILE is not None,
        "glance": glance(),
        "mine": mine,
        "public": public.tournaments()[:MOST_LISTED],
        "mine_casual": mine is not None and mine.table.tournament.slug == CASUAL,
        **more,
    }
    return render(request, "clocks/home.html", context, status=status)
