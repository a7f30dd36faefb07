"""Replay of a tournament's matches under other settings, as a page and as CSV."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clocks.engine.books.published import RULESETS
from clocks.engine.refusals import Refused
from clocks.interchange import exports, what_if_files
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.record import long_runs, what_if_chart, what_if_runs
from clocks.record.what_if import ASSUMPTIONS, Report, RoundLine, Setting, compared
from clocks.views import access
from clocks.views.director.results import csv
from clocks.views.forms.matches import RULES
from clocks.views.forms.setting import Duration
from clocks.views.page import page
from clocks.wording.language import as_recorded, said

NAMES = dict(RULES)
MOST_FLAGS = 200  # shown on the page; the file has all


class WhatIfForm(forms.Form):
    """Rule books to compare, and reserves and delays to use instead of theirs."""

    rules = forms.MultipleChoiceField(
        label=_("Rules"), choices=RULES, widget=forms.CheckboxSelectMultiple, required=False
    )
    per_point_ms = Duration(label=_("Reserve a point"), help_text=_("Such as 0:45. Empty: as in each book."))
    delay_ms = Duration(label=_("Delay a turn"), help_text=_("Such as 0:12. Empty: as in each book."))

    def clean(self) -> dict[str, Any]:
        """Reject times without a book, a delay that a book fixes, and a reserve of 0."""
        given = super().clean() or {}
        if not given.get("rules") and any(given.get(name) is not None for name in ("per_point_ms", "delay_ms")):
            self.add_error("rules", _("Choose the books to which these times apply."))
        for key in given.get("rules") or ():
            if given.get("delay_ms") is not None and "delay_ms" not in RULESETS[key].options:
                words = _("“%(rules)s” sets the delay itself. Leave the delay empty, or choose “%(custom)s”.")
                self.add_error("rules", words % {"rules": NAMES[key], "custom": NAMES["custom"]})
        if given.get("per_point_ms") == 0:
            self.add_error("per_point_ms", _("A reserve is at least a second. Leave the field empty for the book’s."))
        return given

    @property
    def settings(self) -> list[Setting]:
        """The settings of a valid form: as played, and each chosen book."""
        return compared(**self.cleaned_data)


@require_safe
@access.to(Action.EXPORT)
def what_if_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Compare the matches as played with the same turns under other settings."""
    form = WhatIfForm(request.GET)
    reports = _reports(tournament, form)
    shown = [(NAMES.get(report.setting.rules, _("As played")), report) for report in reports]
    left = what_if_chart.of_reserves_left(reports)
    flags = [(name, line) for name, report in shown for line in report.flags]
    return page(
        request,
        tournament,
        "what-if",
        form,
        shown=shown if any(report.matches for report in reports) else [],
        rounds=_rounds(shown),
        curves=what_if_chart.of_reports(reports),
        left=left,
        left_charts=[
            (name, chart) for (name, _), chart in zip(shown, left.charts if left else [], strict=False) if chart
        ],
        flags=flags[:MOST_FLAGS],
        more=len(flags) > MOST_FLAGS,
        assumptions=[said(sentence) for sentence in ASSUMPTIONS],
        query=request.GET.urlencode(),
    )


@require_safe
@access.to(Action.EXPORT)
@as_recorded()
def what_if_csv(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Serve the figures of `what_if_page` as CSV."""
    form = WhatIfForm(request.GET)
    reports = _reports(tournament, form)
    if form.errors:
        words = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return HttpResponse(words, status=400, content_type="text/plain")
    return csv(f"{tournament.slug}-what-if.csv", exports.table(what_if_files.table(reports)))


def _rounds(shown: Sequence[tuple[Any, Report]]) -> list[tuple[RoundLine, list[tuple[Any, RoundLine | None]]]]:
    """Pair each round, as played, with its line under each named setting."""
    return [
        (line, [(name, report.by_round.get(key)) for name, report in shown])
        for key, line in (shown[0][1].by_round.items() if shown else ())
    ]


def _reports(tournament: Tournament, form: WhatIfForm) -> list[Report]:
    """Reports for a form's settings; [] if it is invalid, or they cannot be computed."""
    if not form.is_valid():
        return []
    try:
        return what_if_runs.reports(tournament, form.settings)
    except long_runs.TooMuch:
        words = gettext("That is too much for a page. Choose fewer books, or use the command manage.py whatif.")
    except long_runs.Busy:
        words = gettext("Another page is computing this. Try again in a moment.")
    except Refused as refused:
        words = said(refused.words)
    form.add_error(None, words)
    return []
