"""Lag budget: charged per press, reset for each game, restored on reopening."""

from clocks.engine.clock import Seat
from clocks.engine.lag import Lag
from tests.engine.board import Board, running


def played() -> Board:
    """Match with lag credits used: 200 ms by Bob, 90 and 250 ms by Ann."""
    board = running(length=5)
    board.does(10_000, "right", "hit", credit_ms=200)
    board.does(20_000, "left", "hit", credit_ms=90)
    board.does(30_000, "right", "hit")
    board.does(40_000, "left", "double", credit_ms=250)
    return board


PLAYED = Lag((340, 200), (2, 1), (3, 2))


def test_the_budget_of_a_game_is_a_second_and_a_tenth_for_each_press() -> None:
    lag = Lag()
    assert (lag.left_ms(Seat.LEFT), lag.left_ms(Seat.RIGHT)) == (1_100, 1_100)
    for _ in range(4):
        lag = lag.after(Seat.LEFT, 250)
    assert lag == Lag((1_000, 0), (4, 0), (4, 0))
    assert (lag.left_ms(Seat.LEFT), lag.left_ms(Seat.RIGHT)) == (500, 1_100)
    assert Lag((5_000, 0), (20, 0), (20, 0)).left_ms(Seat.LEFT) == 0


def test_every_press_counts_with_its_credit_and_the_first_has_none() -> None:
    board = Board(length=5)
    board.does(0, "left", "hit", credit_ms=250)
    assert board.match.lag == Lag((0, 0), (0, 0), (1, 0))
    assert played().match.lag == PLAYED


def test_a_pass_counts_too() -> None:
    board = played()
    board.does(50_000, "right", "pass", credit_ms=100)
    assert board.match.lag == Lag((340, 300), (2, 2), (3, 3))


def test_a_games_credits_stay_visible_until_the_next_game_begins() -> None:
    board = played()
    board.does(50_000, "right", "pass")
    assert board.match.wire(50_000)["lag_used_ms"] == (340, 200)
    board.does(60_000, "right", "hit")
    assert board.match.lag == Lag((0, 0), (0, 0), (0, 1))


def test_an_undone_press_keeps_its_credit_in_the_budget_and_on_the_clock() -> None:
    board = running(length=5)
    board.does(10_000, "right", "hit", credit_ms=200)
    board.does(11_000, "director", "propose", what="undo")
    assert board.match.lag == Lag((0, 200), (0, 1), (1, 1))


def test_a_reopened_game_has_its_old_budget() -> None:
    board = played()
    board.does(50_000, "right", "pass", credit_ms=100)
    board.does(60_000, "right", "hit")
    board.does(61_000, "director", "propose", what="undo")
    board.does(62_000, "director", "propose", what="reopen")
    assert board.match.lag == Lag((340, 300), (2, 2), (3, 3))


def test_a_snapshot_has_credits_presses_and_budget() -> None:
    wire = played().match.wire(40_000)
    said = {name: wire[name] for name in ("lag_used_ms", "lag_presses", "game_presses")}
    assert said == {"lag_used_ms": (340, 200), "lag_presses": (2, 1), "game_presses": (3, 2)}
