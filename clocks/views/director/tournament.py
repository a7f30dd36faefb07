"""Settings of a tournament."""

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from clocks.host.zone import local_zone
from clocks.journal import tournament_log
from clocks.journal.tournament_events import EntryClosed, EntryOpened
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.forms.name_field import NameField
from clocks.views.forms.posted import posted
from clocks.views.forms.renderer import CHECK
from clocks.views.page import FORM, page
from clocks.wording.amounts import points

LATE_STEPS = 3
COSTS = [*((str(number), lazy(points, str)(number)) for number in (1, 2, 3)), ("match", _("the match"))]


class TournamentForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """Settings of a tournament.

    The slug never changes, because the tournament's pages may be bookmarked.
    """

    time_zone = forms.ChoiceField(label=_("Time zone"), required=False)
    paper_draw = forms.BooleanField(
        label=_("Players may enter their own match at a free table"), required=False, template_name=CHECK
    )
    public = forms.BooleanField(label=_("Show its pages to everybody"), required=False, template_name=CHECK)

    entry_open = forms.BooleanField(label=_("Players may enter by phone"), required=False, template_name=CHECK)

    class Meta:
        model = Tournament
        fields = ("name", "time_zone", "table_prefix", "paper_draw", "public", "entry_open")
        labels = {"name": _("Name of the tournament"), "table_prefix": _("Letters before the numbers of new tables")}
        field_classes = {"name": NameField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = [(name, name) for name in sorted(available_timezones())]
        own = _("Same as this computer: %(zone)s") % {"zone": local_zone()}
        self.fields["time_zone"].choices = [("", own), *zones]  # type: ignore[attr-defined]
        steps = [*self.instance.lateness, *[["", ""]] * LATE_STEPS][:LATE_STEPS]
        for number, (minutes, cost) in enumerate(steps, 1):
            self.fields[f"late_{number}"] = forms.IntegerField(
                label=_("Minutes late"), required=False, min_value=1, max_value=600
            )
            self.fields[f"costs_{number}"] = forms.ChoiceField(
                label=_("It costs"), required=False, choices=[("", "–"), *COSTS]
            )
            self.initial.update({f"late_{number}": minutes, f"costs_{number}": cost})

    @property
    def steps(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """Pairs of fields (minutes late, penalty), one for each step."""
        return [(self[f"late_{number}"], self[f"costs_{number}"]) for number in range(1, LATE_STEPS + 1)]

    def clean_table_prefix(self) -> str:
        """Reject a prefix with characters other than letters, such as digits."""
        prefix = str(self.cleaned_data["table_prefix"])
        if prefix and not prefix.isalpha():
            raise forms.ValidationError(_("Use letters only, such as B for the tables B1, B2."))
        return prefix

    def clean(self) -> dict[str, Any]:
        """Sort the penalties by minutes; each needs minutes and a cost."""
        given = super().clean() or self.cleaned_data
        pairs = [(given.get(f"late_{number}"), given.get(f"costs_{number}")) for number in range(1, LATE_STEPS + 1)]
        if any(bool(minutes) != bool(cost) for minutes, cost in pairs):
            raise forms.ValidationError(_("Say for each step how many minutes late, and what that costs."))
        self.instance.lateness = sorted([minutes, cost] for minutes, cost in pairs if minutes and cost)
        return given


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def edit_tournament(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Change the settings of a tournament."""
    form = TournamentForm(posted(request), instance=Tournament.objects.get(pk=tournament.pk))
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            form.save()
            if "entry_open" in form.changed_data:
                opened = form.cleaned_data["entry_open"]
                tournament_log.write(tournament, signed_in(request), EntryOpened() if opened else EntryClosed())
        messages.success(request, gettext("The settings have been changed."))
        return redirect("rounds", tournament.slug)
    return page(request, tournament, "tournament-edit", form)
