"""Overlays for streams: one match, transparent, without anything to press. Nothing here needs a sign-in.

A streaming program shows the page over its picture. A table's overlay follows the table; a stage's has an address that
stays, and shows the table that the director points it at.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clocks.models import CASUAL, Stage
from clocks.views.forms.overlay import OverlayForm
from clocks.views.public.table import find


@never_cache
@require_safe
def table_overlay(request: HttpRequest, code: str) -> HttpResponse:
    """Show the match at a table."""
    table, _board = find(request, code)
    return _overlay(request, {"code": table.code})


@never_cache
@require_safe
def stage_overlay(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Show the match at the table that a stage is pointed at."""
    stage = _stage(slug, name)
    return _overlay(request, {"stage": stage, "slug": slug})


@require_safe
def stage_table(request: HttpRequest, slug: str, name: str) -> JsonResponse:
    """Answer which table a stage is pointed at: `{"table": "12"}`, null for none."""
    stage = _stage(slug, name)
    response = JsonResponse({"table": stage.table.name if stage.table is not None else None})
    response["Cache-Control"] = "public, max-age=1"
    return response


def _stage(slug: str, name: str) -> Stage:
    stages = Stage.objects.exclude(tournament__slug=CASUAL).select_related("table", "tournament")
    return get_object_or_404(stages, tournament__slug=slug, name=name)


def _overlay(request: HttpRequest, what: dict[str, Any]) -> HttpResponse:
    form = OverlayForm(request.GET)
    wrong = not form.is_valid()
    chosen = form.cleaned_data
    context = {**what, "faults": form.faults, "chosen": chosen, "shown": ",".join(chosen.get("show", []))}
    return render(request, "clocks/overlay/page.html", context, status=400 if wrong else 200)
