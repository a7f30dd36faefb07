"""Formatting of amounts on pages, in records and in forms."""

import pytest

from clocks.wording.amounts import clock, in_words, points, seconds


@pytest.mark.parametrize(
    ("ms", "written"),
    [
        (0, "0:00"),
        (99, "0:00"),
        (100, "0:00.1"),
        (1_307_349, "21:47.3"),
        (3_599_999, "59:59.9"),
        (3_600_000, "1:00:00"),
        (35_999_000, "9:59:59"),
        (-90_000, "−1:30"),
    ],
)
def test_a_time_is_written_as_a_clock_shows_it(ms: int, written: str) -> None:
    assert clock(ms) == written


def test_a_form_writes_every_millisecond_and_a_timetable_no_hours() -> None:
    assert [clock(ms, decimals=3) for ms in (12_000, 12_345, 12_050, 3_912_250)] == [
        "0:12",
        "0:12.345",
        "0:12.05",
        "1:05:12.25",
    ]
    assert clock(7_530_000, hours=False) == "125:30"


def test_a_delay_is_written_in_seconds() -> None:
    assert [seconds(ms) for ms in (0, 8_440, 12_000, 75_000)] == ["0 s", "8.4 s", "12 s", "75 s"]


def test_durations_and_points_are_written_in_words() -> None:
    said = [in_words(ms) for ms in (0, 250, 1_000, 60_000, 75_000, 121_000, 300_000)]
    assert said == [
        "0 seconds",
        "0.25 seconds",
        "1 second",
        "1 minute",
        "1 minute 15 seconds",
        "2 minutes 1 second",
        "5 minutes",
    ]
    assert [points(1), points(2)] == ["1 point", "2 points"]
