"""A delayed press is refuted if its phone was heard from in the meantime."""

from clocks.lag.late_presses import LATE_MS, was_heard
from clocks.lag.signs import Signs
from clocks.live.socket import PROBE_S


def answered(*pings: int, opened_at: int = 0, earlier: int = 0) -> Signs:
    signs = Signs(opened_at, earlier)
    for pinged_at in pings:
        signs.answered(pinged_at)
    return signs


def test_an_answered_ping_counts_from_when_it_was_sent() -> None:
    assert answered(10_000, 15_000).last_before(10_500) == 15_000


def test_by_a_socket_opened_since_what_was_answered_before_it_counts() -> None:
    assert answered(17_000, opened_at=17_000, earlier=9_000).last_before(10_500) == 9_000


def test_a_phone_that_is_back_for_long_does_not_hold_a_press_any_more() -> None:
    assert answered(17_000, 21_000, opened_at=17_000, earlier=9_000).last_before(10_500) == 21_000


def test_a_phone_that_never_answered_is_unknown() -> None:
    assert Signs().last_before(10_500) == 0


def test_a_phone_that_answers_pings_claims_no_delay_of_six_seconds() -> None:
    every_ms, later_ms = round(PROBE_S * 1000), 1
    longest_ms = every_ms + LATE_MS
    signs = answered(10_000, 10_000 + every_ms)
    just_before_the_next = 10_000 + 2 * every_ms - later_ms
    delays = (longest_ms - later_ms, longest_ms - later_ms - 1)
    made = [just_before_the_next - delay for delay in delays]
    assert [was_heard(at, signs.last_before(at)) for at in made] == [True, False]
