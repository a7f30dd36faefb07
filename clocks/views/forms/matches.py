"""Forms for the settings of a match.

They only collect values; the engine's `Setup.parse` validates them.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clocks.engine.books.published import RULESETS
from clocks.engine.closed_sets import Format
from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_MATCH, LONGEST_NAME, Setup
from clocks.models import Round
from clocks.tournament.entering import may_be_a_name
from clocks.tournament.players import Players, team
from clocks.views.forms.name_field import NameField
from clocks.views.forms.named import SEATS, NamesPlayers
from clocks.wording.language import said

POINTS = _("A match is played to a number of points from 1 to 99.")
SO_FAR = _("Write the points so far as a whole number, or leave this empty.")
NOT_A_NAME = _("This is not a name. Enter your first and last name.")
RULES = [(key, _(rules.name)) for key, rules in RULESETS.items()]
FORMATS = [(Format.SINGLES, _("Singles")), (Format.DOUBLES, _("Doubles"))]

_length = partial(
    forms.IntegerField,
    label=_("Points"),
    min_value=1,
    max_value=LONGEST_MATCH,
    error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), POINTS),
)
_so_far = partial(
    forms.IntegerField,
    min_value=0,
    required=False,
    error_messages=dict.fromkeys(("invalid", "min_value"), SO_FAR),
)


class CasualMatch(forms.Form):
    """Settings of a casual match. `setup` is set once valid.

    Unnamed players are called White and Black.
    """

    without_names: tuple[Any, Any] | None = (_("White"), _("Black"))

    left = NameField(label=_("Left player"), max_length=LONGEST_NAME)
    right = NameField(label=_("Right player"), max_length=LONGEST_NAME)
    length = _length(initial=7)
    rules = forms.ChoiceField(label=_("Rules"), choices=RULES)
    format = forms.ChoiceField(
        label=_("Format"), choices=FORMATS, initial=Format.SINGLES, widget=forms.RadioSelect, required=False
    )
    left_score = _so_far(label=_("Left player’s points so far"))
    right_score = _so_far(label=_("Right player’s points so far"))

    setup: Setup

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, otherwise in zip(("left", "right"), self.without_names or ("", ""), strict=True):
            self.fields[name].widget.attrs |= {"autocomplete": "off", "autocapitalize": "words"}
            if otherwise:
                self.fields[name].required = False
                self.fields[name].widget.attrs["placeholder"] = otherwise
        for name in ("length", "left_score", "right_score"):
            self.fields[name].widget.attrs |= {"inputmode": "numeric"}

    def clean(self) -> dict[str, Any] | None:
        """Validate the settings with the engine."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        names = self.names_given(given)
        if self.errors:  # a name resembles a known player's
            return given
        try:
            self.setup = Setup.parse(
                {
                    "rules": given["rules"],
                    "format": given["format"] or Format.SINGLES,
                    "length": given["length"],
                    "score": [given["left_score"] or 0, given["right_score"] or 0],
                    "names": names,
                }
            )
        except Refused as refused:
            self._refuse(given, said(refused.words))
        return given

    def _refuse(self, given: dict[str, Any], words: str) -> None:
        """Add an error: the form's own message at a field, or else the engine's."""
        rules, length = RULESETS[given["rules"]], given["length"]
        too_high = [name for name in ("left_score", "right_score") if (given[name] or 0) >= length]
        if given["format"] == Format.DOUBLES and rules.doubles_per_point_ms is None:
            allowed = ", ".join(gettext(book.name) for book in RULESETS.values() if book.doubles_per_point_ms)
            doubles = gettext("%(rules)s has no doubles. These have: %(allowed)s.")
            self.add_error("format", doubles % {"rules": gettext(rules.name), "allowed": allowed})
        elif too_high:
            most = ngettext(
                "Before the end of a match to %(length)s a player has at most %(most)s point.",
                "Before the end of a match to %(length)s a player has at most %(most)s points.",
                length - 1,
            )
            self.add_error(too_high[0], most % {"length": length, "most": length - 1})
        else:
            self.add_error("right" if given["left"].split() == given["right"].split() else None, words)

    def names_given(self, given: dict[str, Any]) -> Sequence[str]:
        """Players' names; empty ones are replaced by those in `without_names`."""
        left, right = self.without_names or ("", "")
        return given["left"] or str(left), given["right"] or str(right)


class PlayersMatch(NamesPlayers):
    """Names and length of a match that players enter at their table.

    Other settings are those of the round. `setup` is set once valid.
    """

    left = NameField(label=_("One player"), max_length=LONGEST_NAME)
    right = NameField(label=_("The other player"), max_length=LONGEST_NAME)
    length = _length()

    players: Players
    setup: Setup

    def __init__(self, round_: Round, data: Mapping[str, Any] | None = None) -> None:
        self.round = round_
        self.setting = {name: getattr(round_, name) for name in ("rules", "format", "options", "length")}
        super().__init__(data, initial={"length": round_.length})
        self.fields["length"].widget.attrs |= {"inputmode": "numeric"}
        self.name_players(Players(round_.tournament))

    def clean(self) -> dict[str, Any]:
        """Validate the settings with the engine."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        names = self.checked_names(given, self.round.format)
        for seat, name in zip(SEATS, names, strict=True):
            if not all(self.players.of(each) or may_be_a_name(each) for each in team(name, self.round.format)):
                self.add_error(seat, NOT_A_NAME)
        if self.errors:
            return given
        try:
            self.setup = Setup.parse({**self.setting, "names": names, "length": given["length"]})
        except Refused as refused:
            self.add_error("right", said(refused.words))
        return given
