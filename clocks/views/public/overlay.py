"""Public overlays for streams: one match on a transparent page, without controls.

Streaming software shows the page over its video. The overlay of a table follows the table; that of a stage has a
fixed address and shows the table that the director chooses.
"""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clocks.models import CASUAL, Stage
from clocks.views.public.table import find

PARTS = ("clocks", "names", "score", "cube", "delay")
SIDES = ("both", "left", "right")
THEMES = ("dark", "light", "plain")


def _for_any_fault(words: Any) -> dict[str, Any]:
    """Error messages of a number field: the same for every fault."""
    return dict.fromkeys(("invalid", "min_value", "max_value"), words)


class OverlayForm(forms.Form):
    """Query parameters of an overlay, which shows their errors as text."""

    show = forms.CharField(required=False)
    side = forms.CharField(required=False)
    theme = forms.CharField(required=False)
    scale = forms.FloatField(
        required=False,
        min_value=0.25,
        max_value=4,
        error_messages=_for_any_fault(_("scale must be a number from 0.25 to 4, such as 1.5.")),
    )
    delay_s = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=300,
        error_messages=_for_any_fault(_("delay_s must be a whole number of seconds from 0 to 300.")),
    )

    def clean_show(self) -> list[str]:
        """Parts to show; all by default."""
        asked = [part.strip() for part in self.cleaned_data["show"].split(",") if part.strip()]
        unknown = [part for part in asked if part not in PARTS]
        if unknown:
            words = _("show has no “%(part)s”. It may name %(parts)s, separated by commas.")
            raise forms.ValidationError(words % {"part": unknown[0][:40], "parts": ", ".join(PARTS)})
        return asked or list(PARTS)

    def clean_side(self) -> str:
        """Seat whose figures are shown; both by default."""
        return self._one_of("side", SIDES)

    def clean_theme(self) -> str:
        """Colour theme; dark by default."""
        return self._one_of("theme", THEMES)

    def clean_scale(self) -> float:
        """Scale; 1 by default."""
        return self.cleaned_data["scale"] or 1.0

    def clean_delay_s(self) -> int:
        """Delay in seconds, to match that of the stream; 0 by default."""
        return self.cleaned_data["delay_s"] or 0

    def _one_of(self, name: str, allowed: tuple[str, ...]) -> str:
        value: str = self.cleaned_data[name] or allowed[0]
        if value not in allowed:
            words = _("%(name)s may be %(allowed)s, not “%(value)s”.")
            raise forms.ValidationError(words % {"name": name, "allowed": ", ".join(allowed), "value": value[:40]})
        return value

    @property
    def faults(self) -> list[str]:
        """Error messages of the parameters."""
        return [str(words) for each in self.errors.values() for words in each]


@never_cache
@require_safe
def table_overlay(request: HttpRequest, code: str) -> HttpResponse:
    """Show the match at a table."""
    table, _board = find(request, code)
    return _overlay(request, {"code": table.code})


@never_cache
@require_safe
def stage_overlay(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Show the match at a stage's table."""
    stage = _stage(slug, name)
    return _overlay(request, {"stage": stage, "slug": slug})


@require_safe
def stage_table(request: HttpRequest, slug: str, name: str) -> JsonResponse:
    """Current table of a stage: `{"table": "12"}`, or null."""
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
