"""How events are applied: each kind of event registers here what it makes of a match."""

from collections.abc import Callable
from functools import singledispatch
from typing import Any

from clocks.engine import events as e
from clocks.engine.clock import Seat
from clocks.engine.match import Match


@singledispatch
def apply(event: e.Event, match: Match) -> Match:
    raise TypeError(f"nothing knows how to apply {event!r}")


on: Callable[..., Any] = apply.register


def marked(marks: tuple[bool, bool], seat: Seat, mark: bool) -> tuple[bool, bool]:
    """Return the pair with the seat's mark replaced."""
    return (mark, marks[1]) if seat is Seat.LEFT else (marks[0], mark)
