"""Signs of life from a phone that refute a delayed press."""

from clocks.lag.late_presses import LATE_MS, was_heard
from clocks.lag.signs import Signs
from clocks.live.socket import PROBE_S


def heard(*instants: int, opened_at: int = 0, earlier: int = 0) -> Signs:
    signs = Signs(opened_at, earlier)
    for at in instants:
        signs.heard(at)
    return signs


def test_frames_with_the_press_do_not_show_when_it_was_made() -> None:
    assert heard(10_000, 18_000, 18_400, 18_900).last_before(10_500, 18_900) == 10_000


def test_a_frame_of_more_than_a_second_before_counts() -> None:
    assert heard(10_000, 14_000, 18_000).last_before(10_500, 18_000) == 14_000


def test_a_phone_that_sends_all_the_time_still_has_signs() -> None:
    signs = heard(*range(10_000, 18_300, 300))
    assert signs.last_before(10_500, 18_100) >= 18_100 - 1_300


def test_an_answered_ping_counts_from_when_it_was_sent() -> None:
    signs = heard(10_000, 18_000)
    signs.answered(15_000)
    assert signs.last_before(10_500, 18_000) == 15_000


def test_by_a_socket_opened_since_what_was_heard_before_it_counts() -> None:
    signs = heard(17_000, 18_500, opened_at=17_000, earlier=9_000)
    signs.answered(17_000)
    assert signs.last_before(10_500, 18_500) == 9_000


def test_a_phone_that_is_back_for_long_does_not_hold_a_press_any_more() -> None:
    signs = heard(17_000, 19_000, 21_000, 23_000, opened_at=17_000, earlier=9_000)
    assert signs.last_before(10_500, 23_000) == 21_000


def test_a_phone_that_was_never_heard_is_unknown() -> None:
    assert Signs().last_before(10_500, 18_000) == 0


def test_a_phone_that_answers_pings_claims_no_delay_of_six_seconds() -> None:
    every_ms, later_ms = round(PROBE_S * 1000), 1
    longest_ms = every_ms + LATE_MS
    signs = heard(10_000)
    for pinged_at in (10_000, 10_000 + every_ms):
        signs.answered(pinged_at)
    just_before_the_next = 10_000 + 2 * every_ms - later_ms
    delays = (longest_ms - later_ms, longest_ms - later_ms - 1)
    made = [just_before_the_next - delay for delay in delays]
    assert [was_heard(at, signs.last_before(at, just_before_the_next)) for at in made] == [True, False]
