"""What the clock does under each rule book: the list, and a page for each to read at the table or to print."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clocks.engine.books.published import RULESETS
from clocks.rulebook import pages
from clocks.views.forms.rules import PointsNeeded


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the rule sets with what tells them apart."""
    books = [{"rules": rules, "figures": pages.figures(rules)[:3]} for rules in RULESETS.values()]
    return render(request, "clocks/rules/page.html", {"books": books})


@require_safe
def book(request: HttpRequest, key: str) -> HttpResponse:
    """Show one rule set; `?left=4&right=6` looks a time up in its timetable."""
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
