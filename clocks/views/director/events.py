"""Events of a tournament, such as a consolation: add, change and remove them."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from clocks.engine.setup import LONGEST_MATCH
from clocks.models import Section, Tournament
from clocks.people.roles import Action
from clocks.tournament import sections
from clocks.views import access
from clocks.views.director.first_round import METHODS
from clocks.views.errors import WayOn, problem
from clocks.views.forms.matches import RULES
from clocks.views.forms.name_field import NameField
from clocks.views.forms.posted import posted
from clocks.views.page import FORM, page

SETTINGS = ("method", "rules", "length", "colour", "losers_of", "losers_rounds", "feeds", "rounds_planned")


class EventForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """Name, method, setting and colour of an event, and its links to others."""

    method = forms.ChoiceField(label=_("Method"), choices=METHODS, widget=forms.RadioSelect)
    rules = forms.ChoiceField(label=_("Rules"), choices=[("", _("as in the round before")), *RULES], required=False)
    length = forms.IntegerField(
        label=_("Points"),
        help_text=_("as in the round before if empty"),
        min_value=1,
        max_value=LONGEST_MATCH,
        required=False,
    )
    losers_rounds = forms.IntegerField(
        label=_("Of how many rounds"),
        help_text=_("all if empty: the lower half of a double elimination"),
        min_value=1,
        max_value=99,
        required=False,
    )
    rounds_planned = forms.IntegerField(
        label=_("Number of rounds"), help_text=_("of a Swiss"), min_value=1, max_value=99, required=False
    )

    class Meta:
        model = Section
        fields = ("name", *SETTINGS)
        labels = {
            "name": _("Name of this event"),
            "colour": _("Colour"),
            "losers_of": _("The losers come from"),
            "feeds": _("Who wins or qualifies goes on to"),
        }
        field_classes = {"name": NameField}

    def __init__(self, section: Section, data: Mapping[str, Any] | None) -> None:
        super().__init__(data, instance=section)
        self.others = section.tournament.sections.exclude(pk=section.pk).order_by("pk")
        for name in ("losers_of", "feeds"):
            self.fields[name].queryset = self.others  # type: ignore[attr-defined]
            self.fields[name].empty_label = "–"  # type: ignore[attr-defined]
        self.fields["name"].required = section.pk is None or self.others.exists()
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        self.fields["colour"].choices = Section.Colour.choices  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """Reject the name of another event."""
        name: str = self.cleaned_data["name"]
        if any(each.name.casefold() == name.casefold() for each in self.others):
            raise forms.ValidationError(gettext("There is already an event called %(name)s.") % {"name": name})
        return name

    def clean_losers_of(self) -> Section | None:
        """Reject a cycle of events that feed each other."""
        return self._without_circle("losers_of")

    def clean_feeds(self) -> Section | None:
        """Reject a cycle, as `clean_losers_of` does."""
        return self._without_circle("feeds")

    def _without_circle(self, name: str) -> Section | None:
        found: Section | None = self.cleaned_data[name]
        at, seen = found, {self.instance.pk}
        while at is not None:
            if at.pk in seen:
                raise forms.ValidationError(gettext("The events would feed each other in a circle."))
            seen.add(at.pk)
            at = getattr(at, name)
        return found


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def events(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List the events; a POST adds one."""
    form = EventForm(Section(tournament=tournament, method=Section.Method.KNOCKOUT), posted(request))
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        more = {name: given[name] for name in SETTINGS if name != "method"}
        made = sections.make(tournament, given["method"], given["name"], **more)
        messages.success(request, gettext("%(event)s has been added.") % {"event": made})
        return redirect("events", tournament.slug)
    listed = tournament.sections.annotate(drawn=Count("rounds")).select_related("losers_of", "feeds").order_by("pk")
    return page(request, tournament, "events", form, events=listed)


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def edit_event(request: HttpRequest, tournament: Tournament, section_id: int) -> HttpResponse:
    """Change an event. Existing rounds keep their settings."""
    section = get_object_or_404(Section.objects.select_related("tournament"), tournament=tournament, pk=section_id)
    title, name = str(section), section.name
    form = EventForm(section, posted(request))
    if request.method == "POST" and form.is_valid():
        section.name = name
        section.save(update_fields=SETTINGS)
        sections.rename(section, form.cleaned_data["name"])
        messages.success(request, gettext("%(event)s has been changed.") % {"event": section})
        return redirect("events", tournament.slug)
    return page(
        request, tournament, "event-edit", form, title=title, section=section, empty=not section.rounds.exists()
    )


@require_POST
@access.to(Action.DELETE)
def remove_event(request: HttpRequest, tournament: Tournament, section_id: int) -> HttpResponse:
    """Remove an event without rounds."""
    section = get_object_or_404(Section, tournament=tournament, pk=section_id)
    if section.rounds.exists():
        back = WayOn(gettext("Back to the events"), reverse("events", args=[tournament.slug]))
        words = gettext("An event with rounds cannot be removed. Remove its rounds first.")
        return problem(request, 409, gettext("%(event)s has rounds") % {"event": section}, words, back)
    section.delete()
    messages.success(request, gettext("%(event)s has been removed.") % {"event": section})
    return redirect("events", tournament.slug)
