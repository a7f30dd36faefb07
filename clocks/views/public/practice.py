"""Practice clock on one phone; needs no server once it is loaded."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clocks.engine.clock import Kind
from clocks.engine.closed_sets import FlagPolicy
from clocks.rulebook import practice as rule_books
from clocks.rulebook.practice import LONGEST
from clocks.views.forms.matches import FORMATS, RULES
from clocks.wording.language import said

KINDS = [(Kind.SIMPLE, _("simple")), (Kind.BRONSTEIN, _("Bronstein")), (Kind.NONE, _("none"))]
FLAGS = [
    (FlagPolicy.LOSE_MATCH, _("the match is lost")),
    (FlagPolicy.OVERTIME, _("overtime, once")),
    (FlagPolicy.PENALTY, _("penalty points")),
    (FlagPolicy.NEXT_CONTROL, _("the second control starts")),
]


def _name(label: Any, placeholder: Any) -> forms.CharField:
    attributes = {"placeholder": placeholder, "autocomplete": "off", "autocapitalize": "words"}
    return forms.CharField(label=label, max_length=40, required=False, widget=forms.TextInput(attrs=attributes))


def _whole(label: Any, least: int, most: int, **more: Any) -> forms.IntegerField:
    attributes = {"inputmode": "numeric", **more.pop("attrs", {})}
    widget = forms.NumberInput(attrs=attributes)
    return forms.IntegerField(label=label, min_value=least, max_value=most, required=False, widget=widget, **more)


def _minutes(label: Any, least: float, **attributes: Any) -> forms.FloatField:
    widget = forms.NumberInput(attrs={"inputmode": "decimal", **attributes})
    return forms.FloatField(label=label, min_value=least, max_value=600, required=False, widget=widget)


class PracticeForm(forms.Form):
    """Settings of a practice match."""

    rules = forms.ChoiceField(label=_("Rules"), choices=RULES)
    length = _whole(_("Points"), 1, LONGEST, initial=7)
    format = forms.ChoiceField(label=_("Format"), choices=FORMATS)
    kind = forms.ChoiceField(label=_("Delay"), choices=KINDS)
    seconds = _whole(_("Seconds per turn"), 0, 600, attrs={"placeholder": "12"})
    minutes = _minutes(_("Minutes each"), 0.1)
    flag = forms.ChoiceField(label=_("When a player’s time is up"), choices=FLAGS)
    overtime = _minutes(_("Overtime in minutes"), 0, placeholder=_("none"))
    second = forms.ChoiceField(label=_("Second control"), choices=KINDS[:2])
    left = _name(_("Left player"), _("White"))
    right = _name(_("Right player"), _("Black"))
    left_score = _whole(_("Left player’s points so far"), 0, LONGEST, initial=0)
    right_score = _whole(_("Right player’s points so far"), 0, LONGEST, initial=0)


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """Show the page with all its data; matches are stored on the phone alone."""
    books = [{**book, "name": said(book["name"])} for book in rule_books.books()]
    data = {"books": books, "first": rule_books.first_match()}
    return render(request, "clocks/practice/page.html", {"data": data, "form": PracticeForm()})
