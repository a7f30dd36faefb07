"""Matches under the Michigan rules of 2002."""

from typing import Any

from tests.engine.board import Board, running

RULES = "michigan-2002"


def michigan(length: int = 9, **setup: Any) -> Board:
    """Match in which Ann (left) rolled lower and the turn of Bob (right) began at 0."""
    return running(rules=RULES, length=length, **setup)


def in_second_control(**options: Any) -> Board:
    """Match in which Bob has used up his first control and not started his second.

    The first control was one minute, of which Ann has used 20 s.
    """
    board = michigan(options={"reserve_ms": 60_000, **options})
    board.does(10_000, "right", "hit")
    board.does(30_000, "left", "hit")
    board.expires()
    return board
