"""Presence: signs of life by match and seat, and those to send to other processes."""

import pytest

from clocks.seats import absence, presence

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
    presence.saw(1, 0, 1_000)
    presence.saw(2, 1, presence.SILENT_MS)
    assert not presence.heard_elsewhere(3, (5_000, 6_000), 7_000)
    assert presence.to_tell(back_only=True) == {2: [0, presence.SILENT_MS]}
    presence.saw(1, 0, 2_000)
    assert presence.to_tell(back_only=True) == {}
    assert presence.to_tell(back_only=False) == {1: [2_000, 0]}
    assert presence.seen_at(3) == (5_000, 6_000)


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
    presence.saw(5, 0, now)
    assert presence.known(range(6)).keys() == {1, 2, 4, 5}


def test_the_silence_of_a_match_is_that_of_its_shared_phone() -> None:
    presence.silence(1, 7).heard(1_000)
    assert presence.heard_until(1, 7, 60_000) == 60_000
    assert presence.heard_until(1, 8, 60_000) is None
    assert presence.heard_until(2, 7, 60_000) is None
    presence.silence(1, 8)
    assert presence.heard_until(1, 7, 60_000) is None


@pytest.mark.django_db
def test_an_unknown_phone_was_never_heard_while_its_seat_was_on_loan() -> None:
    assert absence.last_heard(1) == 0
