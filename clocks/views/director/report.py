"""One-page report on a tournament, for its organiser."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clocks.engine.closed_sets import Reason
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.record import long_runs, tournament_report, what_if
from clocks.record.tournament_report import HALL, StopLine
from clocks.views import access
from clocks.views.page import page

REASONS = {
    HALL: _("Stop of the whole hall"),
    Reason.DICE: _("Fallen dice"),
    Reason.BREAK: _("Break"),
    Reason.CONTEST: _("Contested play"),
    Reason.DICE_PICKED_UP: _("Dice picked up too soon"),
    Reason.DICE_CONTESTED: _("Dice picked up too soon, contested"),
    Reason.SCORE: _("Score or cube"),
    Reason.DIRECTOR: _("Director called"),
    Reason.OUTAGE: _("Server down"),
    Reason.FLAG: _("Flag"),
    Reason.CONCESSION: _("Concession"),
    Reason.GAME: _("Result of a game"),
    Reason.OFFER: _("Claim or concession"),
    Reason.UNDO: _("Press taken back"),
    Reason.OTHER: _("No reason given"),
}


@require_safe
@access.to(Action.WATCH)
def report(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show pace, longest matches, stops, network and rulings of a tournament."""
    found, refusal, status = None, "", 200
    try:
        with long_runs.alone(what_if.count(tournament)) as after_each:
            found = tournament_report.of_tournament(tournament, after_each)
    except long_runs.TooMuch:
        refusal, status = gettext("This tournament has too many matches for a report."), 400
    except long_runs.Busy:
        refusal, status = gettext("Another page is computing this. Try again in a moment."), 503
    lines = [] if found is None else [(_reason(line), line) for line in found.stops]
    return page(request, tournament, "report", report=found, stops=lines, refusal=refusal, status=status)


def _reason(line: StopLine) -> str:
    return str(REASONS.get(line.reason, _("Another proposal")))
