"""Form fields for match settings: durations, and the options of all rule sets."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Kind
from clocks.engine.closed_sets import Bronstein, FlagPolicy, Reset, Spectators
from clocks.models import Round
from clocks.wording.amounts import clock
from clocks.wording.language import said


class Duration(forms.CharField):
    """Duration such as 22:00, 1:05:00, 0:12.5 or 12 s.

    Cleans to milliseconds or, with `pair`, also to a [left, right] pair of them. A bare number is rejected, because it
    could be minutes or seconds.
    """

    def __init__(self, *, pair: bool = False, **kwargs: Any) -> None:
        self.pair = pair
        super().__init__(required=False, **kwargs)

    def clean(self, value: Any) -> Any:
        """Parse into milliseconds; None if empty."""
        text = super().clean(value).replace(" ", "")
        if not text:
            return None
        parts = text.split("/") if self.pair else [text]
        found = [_milliseconds(part) for part in parts]
        if len(found) > 2 or None in found:
            pair = _("Write a time as 22:00, or 22:00 / 18:00 for left and right.")
            raise forms.ValidationError(pair if self.pair else _("Write a time as minutes:seconds, such as 0:12."))
        return found if len(found) == 2 else found[0]

    def prepare_value(self, value: Any) -> Any:
        """Format stored milliseconds."""
        if isinstance(value, list | tuple):
            return " / ".join(clock(ms, decimals=3) for ms in value)
        return clock(value, decimals=3) if isinstance(value, int) else value


def _milliseconds(text: str) -> int | None:
    found = re.fullmatch(r"(?:(?:(\d{1,3}):)?(\d{1,4}):(?=\d\d(?!\d)))?(\d{1,5})(?:[.,](\d{1,3}))?(s?)", text)
    if found is None or not (found[2] or found[5]):
        return None
    hours, minutes, seconds, part, _unit = found.groups()
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds)
    return whole * 1000 + int((part or "0").ljust(3, "0"))


def _choice(label: Any, *choices: tuple[str, Any]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=[("", _("As in the book")), *choices], required=False)


def _option_fields() -> dict[str, forms.Field]:
    """Fields for the options of all rule sets, by name."""
    return {
        "reserve_ms": Duration(
            label=_("Reserve of each clock"), pair=True, help_text=_("instead of the book’s timetable")
        ),
        "per_point_ms": Duration(label=_("Reserve for each point needed")),
        "kind": _choice(
            _("Delay"), (Kind.NONE, _("None")), (Kind.SIMPLE, _("Simple")), (Kind.BRONSTEIN, _("Bronstein"))
        ),
        "delay_ms": Duration(label=_("Delay of each turn")),
        "bronstein": _choice(
            _("Bronstein clocks"),
            (Bronstein.STRICT, _("Strict")),
            (Bronstein.PRECREDITED, _("Delay added at the start")),
        ),
        "flag": _choice(
            _("A flag means"),
            (FlagPolicy.LOSE_MATCH, _("Loses the match")),
            (FlagPolicy.PENALTY, _("Penalty points")),
            (FlagPolicy.NEXT_CONTROL, _("A second control")),
            (FlagPolicy.OVERTIME, _("Overtime once, then loses")),
        ),
        "reset": _choice(
            _("Both clocks after a flag"), (Reset.ADD, _("5:00 more for the other")), (Reset.SET, _("Both to 5:00"))
        ),
        "second_control": _choice(
            _("Second control"), (Kind.SIMPLE, _("Simple delay")), (Kind.BRONSTEIN, _("Bronstein"))
        ),
        "spectators": _choice(
            _("Spectators see"), (Spectators.NO_TIMES, _("No times")), (Spectators.TIMES, _("All times"))
        ),
        "overtime_ms": Duration(label=_("Overtime at the first flag")),
        "lag_credit_ms": forms.IntegerField(
            label=_("Greatest credit for the network (ms)"), required=False, min_value=0, help_text=_("250 unless set")
        ),
    }


OPTIONS = tuple(_option_fields())


class Setting(forms.Form):
    """Mixin for match settings; the options of the rules are the last fields."""

    def __init__(self, *args: Any, options: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in _option_fields().items():
            self.fields[name] = field
            self.initial[name] = (options or {}).get(name)
        for name, field in self.fields.items():
            if isinstance(field, forms.IntegerField | Duration):
                field.widget.attrs |= {"autocomplete": "off"}
            if isinstance(field, forms.IntegerField):
                field.widget.attrs |= {"inputmode": "numeric"}
            if name in OPTIONS:
                field.widget.attrs |= {"data-option": name}

    def option_fields(self) -> Iterator[forms.BoundField]:
        """Bound fields of the options."""
        for name in OPTIONS:
            yield self[name]

    @property
    def wrong_option(self) -> bool:
        """True if an option has an error, so that the options must not be collapsed."""
        return not self.errors.keys().isdisjoint(OPTIONS)

    def given_options(self) -> dict[str, Any]:
        """Options with a value."""
        chosen = {name: self.cleaned_data.get(name) for name in OPTIONS}
        return {name: value for name, value in chosen.items() if value not in (None, "")}


def facts_of_rules() -> str:
    """JSON for the page's script, by rule set: options, doubles, clock on request."""
    facts = {
        key: {
            "options": rules.options,
            "doubles": rules.doubles_per_point_ms is not None,
            "on_request": said(rules.on_request or Round.Policy.ON_REQUEST.label),
        }
        for key, rules in RULESETS.items()
    }
    return json.dumps(facts)
