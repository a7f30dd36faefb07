"""What a director fills in to arrange a tournament. What a setting may be is decided by the engine's `Setup.parse`."""

from collections.abc import Mapping
from typing import Any

import orjson
from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clocks.engine.match import Match as MatchState
from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_MATCH, LONGEST_NAME, Setup
from clocks.models import SEATS, Pairing, Round
from clocks.tournament import draw, draw_columns, spreadsheet
from clocks.tournament.players import Players
from clocks.tournament.without_clock import reject_impossible_score
from clocks.views.forms.instants import instant
from clocks.views.forms.matches import FORMATS, RULES
from clocks.views.forms.name_field import NameField
from clocks.views.forms.named import NamesPlayers
from clocks.views.forms.note import NoteField
from clocks.views.forms.renderer import CHECK, DROP
from clocks.views.forms.setting import Setting
from clocks.wording.language import said

NOBODY = "nobody"  # who has won a match whose result is taken back
AS_ROUND = ("", _("Same as the round"))


class RoundForm(Setting):
    """A round: its number and name, whether clocks are required, and the setting of its matches."""

    number = forms.IntegerField(label=_("Number"), min_value=1, max_value=99)
    name = NameField(label=_("Name"), max_length=60, required=False)
    starts_at = instant(_("Start time"))
    policy = forms.ChoiceField(
        label=_("Posted on the draw sheet"),
        choices=[(key, _(words)) for key, words in Round.Policy.choices],
        widget=forms.RadioSelect,
    )
    rules = forms.ChoiceField(label=_("Rules"), choices=RULES)
    format = forms.ChoiceField(label=_("Format"), choices=FORMATS, widget=forms.RadioSelect)
    length = forms.IntegerField(label=_("Points"), min_value=1, max_value=LONGEST_MATCH)

    def __init__(self, round_: Round, *args: Any, **kwargs: Any) -> None:
        self.round = round_
        names = ("number", "name", "starts_at", "policy", "rules", "format", "length")
        initial = {name: getattr(round_, name) for name in names}
        super().__init__(*args, initial=initial, options=round_.options, **kwargs)
        self.fields["name"].widget.attrs |= {
            "placeholder": _("Round %(number)s") % {"number": round_.number},
            "autocomplete": "off",
        }

    def clean_number(self) -> int:
        """Refuse the number of another round."""
        number: int = self.cleaned_data["number"]
        others = Round.objects.filter(tournament=self.round.tournament_id, number=number).exclude(pk=self.round.pk)
        if others.exists():
            raise forms.ValidationError(_("There is already a round %(number)s.") % {"number": number})
        return number

    def clean(self) -> dict[str, Any] | None:
        """Hand the setting to the engine and show its sentence when it refuses."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        try:
            setup = Setup.parse(
                {name: given[name] for name in ("rules", "format", "length")} | {"options": self.given_options()}
            )
        except Refused as refused:
            raise forms.ValidationError(said(refused.words)) from refused
        self.options = setup.to_dict()["options"]
        return given

    def save(self) -> Round:
        """Store the round."""
        for name in ("number", "name", "starts_at", "policy", "rules", "format", "length"):
            setattr(self.round, name, self.cleaned_data[name])
        self.round.options = self.options
        self.round.save()
        return self.round


class PairingForm(NamesPlayers, Setting):
    """One match of a round; what is left out is as the round has it. `line` is the checked line after `is_valid`."""

    table = NameField(label=_("Table"), max_length=draw.LONGEST_TABLE)
    left = NameField(label=_("Left player"), max_length=LONGEST_NAME)
    right = NameField(label=_("Right player"), max_length=LONGEST_NAME)
    length = forms.IntegerField(label=_("Points"), min_value=1, max_value=LONGEST_MATCH, required=False)
    rules = forms.ChoiceField(label=_("Rules"), choices=[AS_ROUND, *RULES], required=False)
    format = forms.ChoiceField(label=_("Format"), choices=[AS_ROUND, *FORMATS], required=False)
    score_left = forms.IntegerField(label=_("Left player’s points so far"), min_value=0, required=False)
    score_right = forms.IntegerField(label=_("Right player’s points so far"), min_value=0, required=False)

    line: draw.DrawLine

    def __init__(self, round_: Round, pairing: Pairing | None, *args: Any, **kwargs: Any) -> None:
        self.round = round_
        initial = kwargs.pop("initial", {}) | (self._initial(round_, pairing) if pairing else {})
        options = pairing.setup["options"] if pairing else round_.options
        super().__init__(*args, initial=initial, options=options, **kwargs)
        self.fields["length"].widget.attrs |= {"placeholder": str(round_.length)}
        self.fields["table"].widget.attrs |= {"autocomplete": "off"}
        self.name_players(Players(round_.tournament))

    @staticmethod
    def _initial(round_: Round, pairing: Pairing) -> dict[str, Any]:
        setup = pairing.setup
        own = {name: setup[name] for name in ("length", "rules", "format") if setup[name] != getattr(round_, name)}
        names, score = setup["names"], setup["score"]
        scores = {"score_left": score[0], "score_right": score[1]} if any(score) else {}
        return {"table": pairing.table.name, "left": names[0], "right": names[1], **own, **scores}

    def clean(self) -> dict[str, Any] | None:
        """Hand the setting to the engine and show its sentence when it refuses."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        cells = {name: "" if given.get(name) is None else str(given[name]) for name in draw_columns.NAMES}
        names = self.checked_names(given, given["format"] or self.round.format)
        cells |= dict(zip(("left", "right"), names, strict=True))
        try:
            setting = draw.setting(self.round, cells) | {"options": self.given_options()}
            self.line = draw.DrawLine(0, cells, Setup.parse(setting))
        except Refused as refused:
            raise forms.ValidationError(said(refused.words)) from refused
        return given


class DrawForm(forms.Form):
    """A draw as a file or as pasted text. `text` is what was read after `is_valid`."""

    file = forms.FileField(  # type: ignore[call-arg]  # Django knows `template_name` here, its types do not
        label=_("Drop the file here, or choose it"), required=False, template_name=DROP
    )
    pasted = forms.CharField(label=_("Or paste the lines"), required=False, widget=forms.Textarea)
    give_way = forms.BooleanField(
        label=_("Replace matches of other rounds that have not begun"), required=False, template_name=CHECK
    )

    text: str
    meant: list[tuple[str, str]]  # players' names that the draw spells differently: as written, as meant

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].widget.attrs |= {"accept": ".csv,.tsv,.txt,.trf,.trfx,.json,text/csv,text/plain"}
        self.fields["pasted"].widget.attrs |= {"rows": 6, "spellcheck": "false", "placeholder": "table,left,right"}
        self.fields["pasted"].strip = False  # type: ignore[attr-defined]  # a line may begin with an empty cell

    def clean(self) -> dict[str, Any] | None:
        """Read the file, or else what was pasted."""
        given = super().clean() or self.cleaned_data
        self.meant = [pair for pair in map(_pair, self.data.getlist("meant")) if pair]  # type: ignore[attr-defined]
        try:
            if given.get("file"):
                self.text = spreadsheet.decode(given["file"].read(spreadsheet.LONGEST_FILE + 1))
            else:
                self.text = spreadsheet.decode(given.get("pasted", "").encode())
        except Refused as refused:
            raise forms.ValidationError(said(refused.words)) from refused
        if not self.errors and not self.text.strip():
            raise forms.ValidationError(_("Choose a file or paste the lines of the draw."))
        return given


def _pair(text: str) -> tuple[str, str] | None:
    """Return two names that the preview wrote as JSON; None for anything else."""
    try:
        pair = orjson.loads(text)  # which refuses what is nested without end
    except ValueError:
        return None
    fits = isinstance(pair, list) and len(pair) == 2 and all(isinstance(name, str) for name in pair)
    return (pair[0], pair[1]) if fits else None


class ScoreForm(forms.Form):
    """The points of both players; `crawford` says that the Crawford game has been played."""

    score_left = forms.IntegerField(min_value=0, max_value=LONGEST_MATCH)
    score_right = forms.IntegerField(min_value=0, max_value=LONGEST_MATCH)
    crawford_played = forms.BooleanField(
        label=_("The Crawford game has been played"), required=False, template_name=CHECK
    )

    setup: Setup

    def __init__(self, pairing: Pairing, *args: Any, **kwargs: Any) -> None:
        self.pairing = pairing
        super().__init__(*args, **kwargs)
        names, score = pairing.setup["names"], pairing.setup["score"]
        for name, player, points in zip(("score_left", "score_right"), names, score, strict=True):
            self.initial[name] = points
            self.fields[name].label = _("%(name)s’s points") % {"name": player}
            self.fields[name].widget.attrs |= {"inputmode": "numeric", "autocomplete": "off"}

    def clean(self) -> dict[str, Any] | None:
        """Make the setting of a clock that begins at this score."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        setting = self.pairing.setup | {"score": [given["score_left"], given["score_right"]]}
        del setting["crawford"]
        if given["crawford_played"]:
            setting["crawford"] = "done"
        try:
            self.setup = Setup.from_dict(setting)
        except Refused as refused:
            raise forms.ValidationError(said(refused.words)) from refused
        return given


class ReasonForm(forms.Form):
    """Why a director corrects something."""

    note = NoteField(label=_("Reason for the record"))


class ResultForm(ReasonForm):
    """Who won a match and, where known, the score; for a correction, what it is now and why.

    `corrects` says that there is a result already.
    """

    field_order = ("winner", "score_left", "score_right", "note")

    winner = forms.ChoiceField(label=_("Winner"), choices=SEATS, widget=forms.RadioSelect)
    score_left = forms.IntegerField(min_value=0, max_value=LONGEST_MATCH, required=False)
    score_right = forms.IntegerField(min_value=0, max_value=LONGEST_MATCH, required=False)

    def __init__(self, pairing: Pairing, data: Mapping[str, Any] | None = None) -> None:
        now = _result_now(pairing)
        super().__init__(data, initial=now)
        self.corrects = bool(now)
        self.won = now.get("winner", "")
        self.score_now = [now.get("score_left"), now.get("score_right")]
        if not self.corrects:
            del self.fields["note"]
        names = pairing.setup["names"]
        self.length = pairing.setup["length"]
        self.pairing = pairing
        winners = list(zip(("left", "right"), names, strict=True))
        if self.corrects and not pairing.match_id:
            winners.append((NOBODY, gettext("Nobody yet: take the result back")))
        self.fields["winner"].choices = winners  # type: ignore[attr-defined]
        for name, player in zip(("score_left", "score_right"), names, strict=True):
            self.fields[name].label = _("%(name)s’s points") % {"name": player}
            self.fields[name].widget.attrs |= {"inputmode": "numeric", "autocomplete": "off"}

    @property
    def by_points(self) -> bool:
        """Tell whether somebody wins by the score; a match that a flag or a ruling ended may stay at any other."""
        return self.length in self.score

    @property
    def turns(self) -> bool:
        """Tell whether the other player wins now."""
        return self.corrects and not self.takes_back and bool(self.cleaned_data["winner"] != self.won)

    @property
    def takes_back(self) -> bool:
        """Tell whether nobody has won after all."""
        return bool(self.cleaned_data["winner"] == NOBODY)

    def clean(self) -> dict[str, Any] | None:
        """Refuse a score by which the winner did not win."""
        given = super().clean() or self.cleaned_data
        self.score = [given.get("score_left"), given.get("score_right")]
        if self.errors or self.score == [None, None] or self.takes_back:
            return given
        if self.pairing.match_id and not self.by_points and self.score == self.score_now:
            if not self.turns:
                raise forms.ValidationError(gettext("Nothing has changed."))
            return given
        try:
            reject_impossible_score(self.length, given["winner"], self.score)
        except Refused as refused:
            raise forms.ValidationError(said(refused.words)) from refused
        return given


def _result_now(pairing: Pairing) -> dict[str, Any]:
    """Return the result that a pairing has, as the form's fields; empty where it has none."""
    if pairing.match is not None:
        state = MatchState.from_dict(pairing.match.state)
        return {"winner": str(state.winner), "score_left": state.score[0], "score_right": state.score[1]}
    left, right = pairing.score or (None, None)
    return {"winner": pairing.winner, "score_left": left, "score_right": right} if pairing.winner else {}
