"""Players' turn times, by phase and around cube actions."""

from clocks.engine.clock import Seat
from clocks.record.player_pace import PlayerPace, Taken, of_seat
from clocks.record.turn_times import turns
from tests.server.record.played_steps import Game


def pace(game: Game, seat: Seat) -> PlayerPace:
    return of_seat(turns(game.steps), seat)


def test_turns_are_divided_into_opening_middle_and_last_ten() -> None:
    game = Game(options={"reserve_ms": 3_600_000}).hits(0)
    for number in range(25):
        game.hits(1_000 * (number + 1), 500)
    assert pace(game, Seat.RIGHT)[:4] == (
        Taken(25, 325_000),
        Taken(10, 55_000),
        Taken(5, 65_000),
        Taken(10, 205_000),
    )
    assert pace(game, Seat.LEFT).all == Taken(25, 12_500)


def test_a_short_game_has_an_opening_first() -> None:
    game = Game().hits(0)
    for _ in range(12):
        game.hits(2_000, 1_000)
    assert pace(game, Seat.RIGHT)[:4] == (Taken(12, 24_000), Taken(10, 20_000), Taken(), Taken(2, 4_000))


def test_cube_decisions_count_apart_from_the_turns_around_them() -> None:
    game = Game(length=7).hits(0, 8_000, 6_000, 4_000)
    game.do("left", 20_000, do="double").do("right", 10_000, do="take").hits(3_000, 5_000)
    game.do("left", do="propose", what="game", winner="left", points=2).do("right", do="agree")
    game.hits(0, 30_000)  # a game without a cube action
    right = pace(game, Seat.RIGHT)
    assert (right.before_cube, right.cube, right.after_cube) == (Taken(2, 12_000), Taken(1, 10_000), Taken(1, 5_000))
    assert right.all == Taken(5, 57_000)


def test_the_average_is_rounded_to_tenths_of_a_second() -> None:
    assert (Taken(3, 10_000).each_ms, Taken().each_ms) == (3_300, None)
