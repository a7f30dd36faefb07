"""Run what-if reports within the limits of `long_runs`."""

from collections.abc import Sequence

from clocks.models import Tournament
from clocks.record import long_runs, what_if
from clocks.record.what_if import Report, Setting


def reports(tournament: Tournament, settings: Sequence[Setting]) -> list[Report]:
    """Report on all played matches, once for each of the settings.

    Raises TooMuch, Busy, or Refused for invalid settings.
    """
    with long_runs.alone(what_if.count(tournament) * len(settings)) as after_each:
        return what_if.reports(tournament, settings, after_each)
