"""Formatting of times on a clock."""

import pytest

from clocks.engine.words import clock


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (1_307_300, "21:47.3"),
        (3_599_999, "59:59.9"),
        (3_600_000, "1:00:00"),
        (3_900_000, "1:05:00"),
        (59_050, "0:59"),
        (0, "0:00"),
        (-30_000, "−0:30"),
    ],
)
def test_a_time_has_hours_from_an_hour_on_and_its_tenths_cut_off(ms: int, shown: str) -> None:
    assert clock(ms) == shown


def test_a_time_is_shown_in_minutes_and_to_the_millisecond_on_request() -> None:
    assert (clock(3_900_000, hours=False), clock(3_900_000, hours=True)) == ("65:00", "1:05:00")
    assert (clock(1_234, decimals=0), clock(1_234, decimals=3), clock(1_230, decimals=3)) == (
        "0:01",
        "0:01.234",
        "0:01.23",
    )
