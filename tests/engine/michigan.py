"""Boards under the Michigan rules of 2002."""

from typing import Any

from tests.engine.board import Board, running

RULES = "michigan-2002"


def michigan(length: int = 9, **setup: Any) -> Board:
    """Board on which Ann (left) rolled lower at 0 and Bob (right) is on turn."""
    return running(rules=RULES, length=length, **setup)


def in_second_control(**options: Any) -> Board:
    """Board on which Bob's first control is used up and his second has not started.

    The first control was a minute; Ann has used 20 s of hers.
    """
    board = michigan(options={"reserve_ms": 60_000, **options})
    board.does(10_000, "right", "hit")
    board.does(30_000, "left", "hit")
    board.expires()
    return board
