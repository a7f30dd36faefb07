"""Overlays for streams: a URL builder, and stages."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from clocks.host import addresses
from clocks.models import Stage, Tournament
from clocks.people.roles import Action
from clocks.tournament.tables import table_order
from clocks.views import access
from clocks.views.page import page


class StageForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """A stage and the table that it shows."""

    class Meta:
        model = Stage
        fields = ("name", "table")

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.tournament = tournament
        self.fields["name"].label = _("Stage")
        self.fields["name"].widget.attrs |= {"placeholder": "main", "autocomplete": "off"}
        self.fields["table"].label = _("Table")
        self.fields["table"].queryset = tournament.tables.order_by("pk")  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """Reject the name of another stage."""
        name: str = self.cleaned_data["name"].lower()
        others = self.instance.tournament.stages.filter(name=name).exclude(pk=self.instance.pk)
        if others.exists():
            raise forms.ValidationError(_("There is a stage of that name. Point it at another table below."))
        return name


@require_safe
@access.to(Action.WATCH)
def overlays(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the builder of overlay URLs with a preview, and the stages."""
    return _page(request, tournament, StageForm(tournament))


@require_POST
@access.to(Action.ARRANGE)
def new_stage(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Create a stage."""
    form = StageForm(tournament, request.POST)
    if not form.is_valid():
        return _page(request, tournament, form)
    stage = form.save()
    messages.success(request, gettext("The stage %(name)s has an address of its own now.") % {"name": stage.name})
    return redirect("overlays", tournament.slug)


@require_POST
@access.to(Action.ARRANGE)
def point_stage(request: HttpRequest, tournament: Tournament, stage_id: int) -> HttpResponse:
    """Choose the table of a stage."""
    stage = get_object_or_404(tournament.stages, pk=stage_id)
    given = request.POST.get("table", "")
    table = tournament.tables.filter(pk=given if given.isdecimal() and len(given) < 18 else 0).first()
    if table is None:
        messages.error(request, gettext("There is no table %(table)s.") % {"table": given[:20]})
        return redirect("overlays", tournament.slug)
    stage.table = table
    stage.save(update_fields=["table"])
    words = gettext("The stage %(name)s shows table %(table)s.")
    messages.success(request, words % {"name": stage.name, "table": stage.table.name})
    return redirect("overlays", tournament.slug)


@require_POST
@access.to(Action.DELETE)
def remove_stage(request: HttpRequest, tournament: Tournament, stage_id: int) -> HttpResponse:
    """Remove a stage; its address then answers 404."""
    stage = get_object_or_404(tournament.stages, pk=stage_id)
    stage.delete()
    messages.success(request, gettext("The stage %(name)s has been removed.") % {"name": stage.name})
    return redirect("overlays", tournament.slug)


def _page(request: HttpRequest, tournament: Tournament, form: StageForm) -> HttpResponse:
    tables = sorted(tournament.tables.all(), key=lambda table: table_order(table.name))
    return page(
        request,
        tournament,
        "overlays",
        form,
        here="tables",
        stages=tournament.stages.select_related("table"),
        tables=tables,
        base=addresses.base_url(request),
    )
