"""Bounded runs of played matches under other settings, one at a time.

A run rests after each match, so that presses get through.
"""

import threading
import time
from collections.abc import Sequence

from clocks.host.yielding import rest
from clocks.models import Tournament
from clocks.record import what_if
from clocks.record.what_if import Report, Setting

MOST_RUNS = 3_000  # matches times settings, some 3 ms each

_one_at_a_time = threading.Lock()


class TooMuch(Exception):
    """More matches and settings than a request may ask for."""


class Busy(Exception):
    """Another request computes."""


def reports(tournament: Tournament, settings: Sequence[Setting]) -> list[Report]:
    """Reports of all played matches.

    Raises TooMuch, Busy, or Refused for an impossible setting.
    """
    if what_if.count(tournament) * len(settings) > MOST_RUNS:
        raise TooMuch
    if not _one_at_a_time.acquire(blocking=False):
        raise Busy
    try:
        return _resting(tournament, settings)
    finally:
        _one_at_a_time.release()


def _resting(tournament: Tournament, settings: Sequence[Setting]) -> list[Report]:
    began = time.monotonic()

    def after_each(number: int) -> None:
        nonlocal began
        rest(began)
        began = time.monotonic()

    return what_if.reports(tournament, settings, after_each)
