"""Duration of a shared phone's silence."""

import random

from clocks.lag.silence import PROBE_MS, SENDING_MS, SETTLED_MS, SHORTEST_MS, UNANSWERED_MS, Silence

START = 1_000_000


def heard_once() -> Silence:
    """Silence of a phone last heard from at START, and known for `SETTLED_MS`."""
    phone = Silence(7)
    phone.heard(START - SETTLED_MS)
    phone.sent_all()
    phone.heard(START)
    return phone


def test_a_phone_that_was_never_heard_is_unknown() -> None:
    phone = Silence(7)
    assert phone.heard_until(START) is None
    phone.heard(START)
    phone.sent_all()
    assert (phone.heard_until(START), phone.heard_until(START + SETTLED_MS)) == (None, START + SETTLED_MS)


def test_a_phone_that_sends_nothing_and_is_not_pinged_is_reachable() -> None:
    assert heard_once().heard_until(START + 60_000) == START + 60_000


def test_an_unanswered_ping_makes_it_silent_from_its_last_sign() -> None:
    phone = heard_once()
    phone.missed(START + 1_500)
    assert [phone.heard_until(START + 1_500 + ms) for ms in (UNANSWERED_MS - 1, UNANSWERED_MS)] == [
        START + 1_500 + UNANSWERED_MS - 1,
        START,
    ]


def test_a_missed_ping_makes_no_silence_of_the_time_long_before_it() -> None:
    phone = heard_once()
    phone.missed(START + 10_000)
    assert phone.heard_until(START + 15_000) == START + 10_000 - PROBE_MS


def test_for_a_moment_after_its_return_frames_count_in_the_silence() -> None:
    phone = heard_once()
    phone.missed(START + 1_000)
    phone.heard(START + 9_000)
    phone.sent_all()
    assert [phone.heard_until(START + 9_000 + ms) for ms in (0, 400, SETTLED_MS)] == [
        START,
        START,
        START + 9_000 + SETTLED_MS,
    ]


def test_a_phone_on_a_slow_network_has_a_minute_for_its_kept_commands() -> None:
    phone = heard_once()
    phone.missed(START + 1_000)
    phone.heard(START + 600_000)
    assert [phone.heard_until(START + 600_000 + ms) for ms in (0, 5_000, SENDING_MS - 1, SENDING_MS)] == [
        START,
        START + 5_000 - SETTLED_MS,
        START + SENDING_MS - 1 - SETTLED_MS,
        START + 600_000 + SENDING_MS,
    ]


def test_a_return_without_its_kept_commands_ends_no_silence() -> None:
    phone = heard_once()
    phone.missed(START + 1_000)
    phone.heard(START + 60_000)
    phone.missed(START + 62_000)
    phone.heard(START + 70_000)
    assert phone.heard_until(START + 70_000) == START
    phone.sent_all()
    phone.missed(START + 80_000)
    phone.heard(START + 90_000)
    assert phone.heard_until(START + 90_000) == START + 80_000 - PROBE_MS


def test_nothing_is_dated_back_by_more_than_the_silences_together() -> None:
    phone, at, backdated = heard_once(), START, list[int]()
    for _time in range(6):
        phone.missed(at + 1_000)
        at += 4_000
        for _ping in range(14):
            phone.heard(at)
            at += PROBE_MS
        phone.heard(at)
        until = phone.heard_until(at)
        assert until is not None
        backdated.append((at - until) // 1000)
    assert backdated == [7, 11, 0, 7, 11, 0]  # seconds: silences of 4 s, and 3 s to send stored commands


def test_a_frame_after_several_silences_is_dated_back_by_no_more_than_them() -> None:
    phone = heard_once()
    phone.missed(START + 1_000)
    for ms in range(4_000, 50_000, PROBE_MS):
        phone.heard(START + ms)
    phone.missed(START + 50_000)
    phone.heard(START + 54_000)
    phone.sent_all()
    until = phone.heard_until(START + 54_500)
    assert until is not None and START + 54_500 - until <= 4_000 + 6_000 + SETTLED_MS


def test_its_first_other_frame_says_that_all_kept_commands_have_come() -> None:
    phone = heard_once()
    phone.missed(START + 1_000)
    phone.heard(START + 600_000)
    assert [phone.has_sent_all(START + 600_000 + ms) for ms in (0, SENDING_MS - 1, SENDING_MS)] == [False, False, True]
    phone.sent_all()
    assert phone.has_sent_all(START + 600_000)
    assert phone.heard_until(START + 600_000 + SETTLED_MS) == START + 600_000 + SETTLED_MS


def test_a_gap_shorter_than_three_seconds_is_none() -> None:
    phone = heard_once()
    phone.missed(START + 500)
    phone.heard(START + SHORTEST_MS - 1)
    assert phone.heard_until(START + SHORTEST_MS - 1) == START + SHORTEST_MS - 1


def test_nothing_is_dated_back_further_than_the_start_of_a_silence() -> None:
    for seed in range(500):
        chance = random.Random(seed)
        phone, at, longest_ms, last = heard_once(), START, 0, START
        for _ in range(60):
            at += chance.choice([10, 400, 1_100, 2_000, 3_100, 9_000])
            if chance.random() < 0.5:
                phone.missed(at)
            else:
                longest_ms, last = max(longest_ms, at - last), at
                phone.heard(at)
                phone.sent_all()
            until = phone.heard_until(at)
            assert until is not None and at - until <= max(longest_ms + SETTLED_MS, at - last)


def test_a_phone_that_sends_late_dates_back_by_its_silence_alone() -> None:
    phone = heard_once()
    phone.missed(START + 1_000)
    phone.heard(START + 4_000)
    for ms in range(4_000, 30_000, PROBE_MS):
        phone.heard(START + ms)
        until = phone.heard_until(START + ms)
        assert until is not None and ms - (until - START) <= 4_000 + SETTLED_MS


def test_a_phone_that_answers_every_ping_at_once_is_never_silent() -> None:
    phone = heard_once()
    for at in range(START, START + 600_000, PROBE_MS):
        phone.missed(at)
        phone.heard(at + 300)
        assert [phone.heard_until(at + ms) for ms in (300, PROBE_MS)] == [at + 300, at + PROBE_MS]
