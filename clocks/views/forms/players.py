"""The forms of the players of a tournament."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_NAME
from clocks.models import Player
from clocks.tournament import player_list, spreadsheet
from clocks.tournament.players import Players, name_key
from clocks.views.forms.name_field import NameField
from clocks.views.forms.named import SEATS, NamesPlayers
from clocks.views.forms.note import NoteField
from clocks.views.forms.renderer import CHECK, DROP
from clocks.views.forms.rounds import ReasonForm
from clocks.wording.language import said


class CorrectPlayers(NamesPlayers, ReasonForm):
    """Who really plays a match, and why that is corrected."""

    field_order = ("left", "right", "new_player", "note")

    left = NameField(label=_("Left player"), max_length=LONGEST_NAME)
    right = NameField(label=_("Right player"), max_length=LONGEST_NAME)

    names: tuple[str, str]

    def __init__(self, players: Players, setup: Mapping[str, Any], data: Mapping[str, Any] | None = None) -> None:
        self.setup = setup
        super().__init__(data, initial=dict(zip(SEATS, setup["names"], strict=True)))
        self.name_players(players)

    def clean(self) -> dict[str, Any] | None:
        """Refuse names that have not changed."""
        given = super().clean() or self.cleaned_data
        if not self.errors:
            self.names = self.checked_names(given, self.setup["format"])
            if list(self.names) == list(self.setup["names"]):
                raise forms.ValidationError(gettext("Nothing has changed."))
        return given


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """A player. A new name applies to every draw and match, and takes a reason."""

    note = NoteField(label=_("Why the name changes"), required=False, help_text=_("only where it changes"))
    merge = forms.BooleanField(label=_("Both are one player"), required=False, template_name=CHECK)

    class Meta:
        model = Player
        fields = ("name", "number", "club", "rating", "withdrawn")
        field_classes = {"name": NameField, "club": NameField}
        labels = {
            "name": _("Name"),
            "number": _("Number"),
            "club": _("Club or town"),
            "rating": _("Rating"),
            "withdrawn": _("Has withdrawn and plays no further round"),
        }

    asks_to_merge = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.was = self.instance.name
        self.fields["withdrawn"].template_name = CHECK  # type: ignore[attr-defined]
        for name in ("name", "number", "club", "rating", "note"):
            self.fields[name].widget.attrs |= {"autocomplete": "off"}

    @property
    def renames(self) -> bool:
        """Tell whether the name is another one."""
        return bool(self.cleaned_data["name"] != self.was)

    def clean_name(self) -> str:
        """Put single spaces between the words."""
        return " ".join(str(self.cleaned_data["name"]).split())

    def clean(self) -> dict[str, Any]:
        """Ask for a reason, and where the name is another player's, whether the two are one."""
        given = super().clean() or self.cleaned_data
        if "name" not in given or not self.renames:
            return given
        if not given.get("note"):
            self.add_error("note", gettext("Give a reason for the record."))
        other = Players(self.instance.tournament).by_name.get(name_key(given["name"]))
        if other is not None and other.pk != self.instance.pk and not given.get("merge"):
            self.asks_to_merge = True
            words = gettext("%(name)s is already in the list. If both are one player, say so.")
            self.add_error("name", words % {"name": other.name})
        return given

    def validate_unique(self) -> None:
        """Leave it to `clean`, which knows what to do about it."""

    def validate_constraints(self) -> None:
        """Leave it to `clean`, likewise."""


class PlayersForm(forms.Form):
    """Players as a file or as lines of text. `listed` is what was read after `is_valid`."""

    pasted = forms.CharField(
        label=_("One player per line: name, number, club, rating"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )
    file = forms.FileField(label=_("Or drop a file here, or choose it"), required=False, template_name=DROP)  # type: ignore[call-arg]

    listed: player_list.PlayerList

    def clean(self) -> dict[str, Any] | None:
        """Read the file, or else what was typed."""
        given = super().clean() or self.cleaned_data
        try:
            if given.get("file"):
                text = spreadsheet.decode(given["file"].read(spreadsheet.LONGEST_FILE + 1))
            else:
                text = spreadsheet.decode(given.get("pasted", "").encode())
        except Refused as refused:
            raise forms.ValidationError(said(refused.words)) from refused
        if not text.strip():
            raise forms.ValidationError(gettext("Enter at least one name, or choose a file."))
        self.listed = player_list.parse(text)
        if self.listed.faults:
            raise forms.ValidationError(_lines(self.listed.faults))
        return given


def _lines(faults: Iterable[str]) -> list[str]:
    return list(faults)[:20]
