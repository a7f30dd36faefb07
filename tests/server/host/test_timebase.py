"""The server's time base."""

import pytest

from clocks.host.server_time import MS, Timebase


class Clocks:
    """Monotonic and wall clocks set by the test, in milliseconds."""

    def __init__(self) -> None:
        self.steady, self.wall = 5_000, 1_700_000_000_000
        self.timebase = Timebase(lambda: self.steady * MS, lambda: self.wall * MS)


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


def test_time_begins_as_the_wall_clock_and_goes_on_steadily(clocks: Clocks) -> None:
    clocks.steady += 250
    assert clocks.timebase.now_ms() == 1_700_000_000_250


def test_a_step_of_the_system_clock_moves_nothing(clocks: Clocks) -> None:
    clocks.wall -= 3_600_000
    clocks.steady += 1
    assert clocks.timebase.now_ms() == 1_700_000_000_001


def test_it_follows_the_authority_by_the_shortest_round_trip(clocks: Clocks) -> None:
    trips = iter([40, 4, 30])

    def ask() -> float:
        trip = next(trips)
        clocks.steady += trip // 2
        theirs = 1_700_000_000_000 + clocks.steady - 5_000 + 700
        clocks.steady += trip - trip // 2
        return float(theirs)

    ahead_ms = clocks.timebase.ahead_ms(ask, tries=3)
    clocks.timebase.move(ahead_ms)
    assert ahead_ms == 700
    assert clocks.timebase.now_ms() == 1_700_000_000_774


def test_a_clock_that_was_ahead_stands_still_and_never_goes_back(clocks: Clocks) -> None:
    before = clocks.timebase.now_ms()
    assert clocks.timebase.ahead_ms(lambda: before - 1_000.0) == -1_000
    clocks.timebase.move(-1_000)
    assert clocks.timebase.now_ms() == before
    clocks.steady += 1_005
    assert clocks.timebase.now_ms() == before + 5
