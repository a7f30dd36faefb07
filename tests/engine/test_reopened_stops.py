"""Reopening a match replaces the stop recorded before its end."""

import pytest

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Reason
from clocks.engine.events import event_from_dict
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Halt
from tests.engine.test_reopening import played, reopen


@pytest.mark.parametrize("reason", ["break", "dice", "other"])
def test_a_reopening_replaces_the_stop_from_before_the_end(reason: str) -> None:
    board = played("us-2013")
    board.does(40_000, "right", "stop", reason=reason)
    board.does(50_000, "director", "propose", what="end", winner="left")
    reopen(board, 60_000)
    assert board.match.halt == Halt(Official.DIRECTOR, Reason.REOPEN, 60_000)
    assert board.refuses(61_000, "right", "resume") == "not-director"
    assert board.does(62_000, "director", "resume")["status"] == "running"


def test_an_old_journal_keeps_the_stop_before_the_end_when_reopened() -> None:
    board = played("us-2013")
    board.does(40_000, "right", "stop", reason="break")
    board.does(50_000, "director", "propose", what="end", winner="left")
    over = board.match
    reopen(board, 60_000)
    earlier = {name: value for name, value in board.events[-1].to_dict().items() if name != "stops"}
    assert evolve(over, event_from_dict("reopened", earlier)).halt == Halt(Seat.RIGHT, Reason.BREAK, 40_000)
