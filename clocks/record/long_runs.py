"""Limit long computations over many matches: in size, and to one at a time.

They pause after each match, so that presses are not held up.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from clocks.host.yielding import rest

MOST_RUNS = 3_000  # matches times settings; each run takes some 3 to 6 ms

_one_at_a_time = threading.Lock()


class TooMuch(Exception):
    """Too many matches and settings for one request."""


class Busy(Exception):
    """Another long computation is running."""


@contextmanager
def alone(runs: int) -> Iterator[Callable[[int], None]]:
    """Lock for a long computation; yields a callback that pauses it.

    Call it after each match. Raises TooMuch for too many `runs`, and Busy during another computation.
    """
    if runs > MOST_RUNS:
        raise TooMuch
    if not _one_at_a_time.acquire(blocking=False):
        raise Busy
    began = time.monotonic()

    def after_each(number: int) -> None:
        nonlocal began
        rest(began)
        began = time.monotonic()

    try:
        yield after_each
    finally:
        _one_at_a_time.release()
