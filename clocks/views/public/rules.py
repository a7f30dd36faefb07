"""Rules of the clock under each rule book: a list, and a page for each."""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clocks.engine.books.published import RULESETS
from clocks.rulebook import pages
from clocks.rulebook.pages import MOST_POINTS


class PointsNeeded(forms.Form):
    """The points that both players still need."""

    left = forms.IntegerField(label=_("One needs"), min_value=1, max_value=MOST_POINTS)
    right = forms.IntegerField(label=_("The other needs"), min_value=1, max_value=MOST_POINTS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs |= {"inputmode": "numeric", "placeholder": f"1–{MOST_POINTS}"}

    @property
    def points(self) -> tuple[int, int]:
        """The points as (left, right), once valid."""
        return (self.cleaned_data["left"], self.cleaned_data["right"])


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the rule sets with their main figures."""
    books = [{"rules": rules, "figures": pages.figures(rules)[:3]} for rules in RULESETS.values()]
    return render(request, "clocks/rules/page.html", {"books": books})


@require_safe
def book(request: HttpRequest, key: str) -> HttpResponse:
    """Show a rule set; `?left=4&right=6` looks up a time in its timetable."""
    rules = RULESETS.get(key)
    if rules is None:
        raise Http404(f"no rule set is called {key!r}")
    needed = PointsNeeded(request.GET if {"left", "right"} & request.GET.keys() else None)
    context = {
        "rules": rules,
        "figures": pages.figures(rules),
        "sections": pages.sections(rules),
        "flag_choices": pages.flag_choices(rules),
        "choices": pages.choices(rules),
        "timetables": pages.timetables(key),
        "needed": needed,
        "at": needed.points if needed.is_valid() else None,
        "found": pages.look_up(key, *needed.points) if needed.is_valid() else None,
        "others": [other for other in RULESETS.values() if other is not rules],
    }
    return render(request, "clocks/rules/book.html", context)
