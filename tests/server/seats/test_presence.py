"""Presence: when each seat's phone was last heard from, and what peers are told."""

import math
from dataclasses import replace
from typing import Any

import pytest

from clocks.engine.closed_sets import Status
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.models import Device
from clocks.seats import absence, claims, presence
from tests.server.house import US_2013

pytestmark = pytest.mark.usefixtures("nothing_heard")


def test_only_a_later_sign_is_sent_to_other_processes() -> None:
    presence.saw(1, 0, 1_000)
    assert presence.to_tell(back_only=False) == {1: [1_000, 0]}
    presence.saw(1, 0, 1_000)
    presence.saw(1, 0, 999)
    assert presence.to_tell(back_only=False) == {}
    presence.saw(1, 0, 1_001)
    assert presence.to_tell(back_only=False) == {1: [1_001, 0]}


def test_a_returning_phone_is_announced_at_once_and_news_is_not_relayed() -> None:
    presence.saw(1, 0, 6_000)
    presence.saw(2, 1, presence.SILENT_MS)
    assert not presence.heard_elsewhere(3, (5_000, 6_000), 7_000)
    assert presence.to_tell(back_only=True) == {2: [0, presence.SILENT_MS]}
    presence.saw(1, 0, 7_000)
    assert presence.to_tell(back_only=True) == {}
    assert presence.to_tell(back_only=False) == {1: [7_000, 0]}
    assert presence.seen_at(3) == (5_000, 6_000)


@pytest.mark.parametrize(
    ("first", "sign", "now", "returned"),
    [(0, 10_000, 10_000, True), (0, 1, 10_001, False), (5_000, 14_000, 14_000, False)],
)
def test_a_phone_returns_by_a_fresh_sign_after_a_long_silence(first: int, sign: int, now: int, returned: bool) -> None:
    presence.saw(1, 0, first)
    assert presence.heard_elsewhere(1, (sign, 0), now) is returned


def test_a_free_seat_is_not_silent_and_shows_no_sign() -> None:
    presence.saw(1, 0, 5_000)
    presence.saw(1, 1, 3_000)
    silent_at = 5_000 + presence.SILENT_MS
    assert presence.as_shown(1, [7, None]) == [5_000, None]
    assert [presence.silent_seats(1, [7, None], silent_at - back, True) for back in (1, 0)] == [
        [False, False],
        [True, False],
    ]
    assert presence.silence_at(1, [7, None], True) == silent_at
    assert presence.silence_at(1, [7, 8], False) == 3_000 + presence.SILENT_MS + presence.AT_REST_MS
    assert presence.silence_at(1, [None, None], True) == math.inf


def test_presence_is_unsure_five_seconds_after_the_last_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("_way", None), ("_answered_at", None), ("_unanswered_at", 0)):
        monkeypatch.setattr(presence, name, value)
    assert not presence.unsure(1)
    presence.ask_by(lambda match_ids: True)
    assert presence.unsure(1)
    presence.all_answered(1_000)
    assert [presence.unsure(1_000 + presence.UNSURE_MS + more) for more in (0, 1)] == [False, True]


def test_presence_of_old_matches_is_dropped_above_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "_tidied_above", 3)
    monkeypatch.setattr(presence, "MOST_KNOWN", 3)
    now = presence.FORGOTTEN_MS + 2_000
    for match_id, at in ((1, 1_000), (2, 3_000), (3, 1_999)):
        presence.saw(match_id, 0, at)
    presence.saw(1, 1, 2_000)
    presence.saw(4, 0, now)
    assert {match_id: presence.seen_at(match_id) for match_id in (1, 2, 3, 4)} == {
        1: (1_000, 2_000),
        2: (3_000, 0),
        3: (0, 0),
        4: (now, 0),
    }
    assert presence.to_tell(back_only=False).keys() == {1, 2, 4}
    assert presence._tidied_above == 4
    presence.saw(5, 0, now)
    assert presence.known(range(6)).keys() == {1, 2, 4, 5}


def test_the_silence_of_a_match_is_that_of_its_shared_phone() -> None:
    presence.silence(1, 7).heard(1_000)
    presence.silence(1, 7).sent_all()
    assert presence.heard_until(1, 7, 60_000) == 60_000
    assert presence.heard_until(1, 8, 60_000) is None
    assert presence.heard_until(2, 7, 60_000) is None
    presence.silence(1, 8)
    assert presence.heard_until(1, 7, 60_000) is None


@pytest.mark.django_db
def test_an_unknown_phone_was_never_heard_while_its_seat_was_on_loan() -> None:
    assert absence.last_heard(1) == 0


@pytest.mark.django_db
def test_a_sign_is_stored_every_five_seconds_and_read_as_an_upper_bound() -> None:
    phone = Device.objects.create(token_hash="phone").pk
    for at, last in ((10_000, 15_000), (15_000, 15_000), (15_001, 20_001)):
        absence.heard(phone, at)
        assert absence.last_heard(phone) == last


@pytest.mark.parametrize(
    ("changes", "begun"),
    [
        ({}, False),
        ({"status": Status.READY}, False),
        ({"status": Status.READY, "turn_number": 1}, True),
        ({"status": Status.READY, "game": 2}, True),
        ({"status": Status.STOPPED}, True),
    ],
)
def test_seats_decide_results_once_a_game_has_begun_or_ended(changes: dict[str, Any], begun: bool) -> None:
    assert claims.first_game_begun(replace(Match.begin(Setup.parse(US_2013)), **changes)) is begun
