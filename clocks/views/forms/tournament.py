"""The forms of a tournament and its tables."""

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.functional import lazy
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from clocks.host.zone import local_zone
from clocks.models import CASUAL, Table, Tournament
from clocks.tournament import draw
from clocks.tournament.tables import table_named, table_names, tables_named
from clocks.views.forms.name_field import NameField
from clocks.views.forms.note import NoteField
from clocks.views.forms.renderer import CHECK
from clocks.wording.amounts import points

LATE_STEPS = 3
COSTS = [*((str(number), lazy(points, str)(number)) for number in (1, 2, 3)), ("match", _("the match"))]
TAKEN_PATHS = ("sign-in", "sign-out", "password", "invite", CASUAL)  # /director/<slug>/ is a tournament


class TournamentForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """The name of a tournament, its time zone, what being late costs, and whether players enter matches.

    Its address stays: it may be in bookmarks.
    """

    time_zone = forms.ChoiceField(label=_("Time zone"), required=False)
    paper_draw = forms.BooleanField(
        label=_("Players may enter their own match at a free table"), required=False, template_name=CHECK
    )

    class Meta:
        model = Tournament
        fields = ("name", "time_zone", "paper_draw")
        labels = {"name": _("Name of the tournament")}
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
        """Return the fields of each step of being late."""
        return [(self[f"late_{number}"], self[f"costs_{number}"]) for number in range(1, LATE_STEPS + 1)]

    def clean(self) -> dict[str, Any]:
        """Take the steps in the order of their minutes; each needs both."""
        given = super().clean() or self.cleaned_data
        pairs = [(given.get(f"late_{number}"), given.get(f"costs_{number}")) for number in range(1, LATE_STEPS + 1)]
        if any(bool(minutes) != bool(cost) for minutes, cost in pairs):
            raise forms.ValidationError(_("Say for each step how many minutes late, and what that costs."))
        self.instance.lateness = sorted([minutes, cost] for minutes, cost in pairs if minutes and cost)
        return given


class TypedName(forms.Form):
    """The name of the tournament, typed once more before something that cannot be undone."""

    name = forms.CharField(label=_("Type the name of the tournament"), max_length=120)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        self.tournament = tournament
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "off"}

    def clean_name(self) -> str:
        """Refuse any other name."""
        name = " ".join(str(self.cleaned_data["name"]).split())
        if name.casefold() != " ".join(self.tournament.name.split()).casefold():
            raise forms.ValidationError(
                _("The name of this tournament is “%(name)s”.") % {"name": self.tournament.name}
            )
        return name


class TablesForm(forms.Form):
    """New tables by their names: `1-32, Final`. `names` are those names after `is_valid`."""

    tables = NameField(label=_("New tables"), max_length=400, help_text=_("1-32, or names separated by commas"))

    names: list[str]
    MOST = 500

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        self.tournament = tournament
        super().__init__(*args, **kwargs)
        self.fields["tables"].widget.attrs |= {"autocomplete": "off", "placeholder": "1-32"}

    def clean_tables(self) -> str:
        """Read the names; refuse those that are taken."""
        given: str = self.cleaned_data["tables"]
        self.names = table_names(given)
        if len(self.names) > self.MOST:
            raise forms.ValidationError(_("At most %(number)s tables at once.") % {"number": self.MOST})
        long = [name for name in self.names if len(name) > draw.LONGEST_TABLE]
        if long:
            words = _("A table’s name has at most %(number)s characters: “%(name)s”.")
            raise forms.ValidationError(words % {"number": draw.LONGEST_TABLE, "name": long[0]})
        taken = list(tables_named(self.tournament.tables.all(), self.names))
        if taken:
            raise forms.ValidationError(_("There is already a table %(table)s.") % {"table": taken[0]})
        if not self.names:
            raise forms.ValidationError(_("Name at least one table."))
        return given


class TableForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """The name of a table."""

    class Meta:
        model = Table
        fields = ("name",)
        field_classes = {"name": NameField}

    def clean_name(self) -> str:
        """Refuse the name of another table."""
        name = " ".join(str(self.cleaned_data["name"]).split())
        others = Table.objects.filter(tournament=self.instance.tournament_id).exclude(pk=self.instance.pk)
        if table_named(others, name) is not None:
            raise forms.ValidationError(_("There is already a table %(table)s.") % {"table": name})
        return name


class NewCode(forms.Form):
    """Why a table gets a new code."""

    note = NoteField(label=_("Why it needs a new code"), widget=forms.TextInput(attrs={"autocomplete": "off"}))


class NewTournament(forms.Form):
    """A tournament by its name; its slug, which is used in addresses, is made from its name."""

    name = NameField(label=_("Name of the tournament"), max_length=120)

    slug: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "placeholder": "Summer Open"}

    def clean_name(self) -> str:
        """Refuse a name without letters or digits, and one whose address is taken."""
        name: str = self.cleaned_data["name"]
        self.slug = slugify(name)[:50].strip("-")
        if not self.slug:
            raise forms.ValidationError(_("The name needs a letter from A to Z or a digit for its address."))
        if self.slug in TAKEN_PATHS or Tournament.objects.filter(slug=self.slug).exists():
            raise forms.ValidationError(
                _("The address “%(slug)s” is taken. Choose another name.") % {"slug": self.slug}
            )
        return name
