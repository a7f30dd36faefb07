"""Cost of the feed: only new journal entries are folded, and readers are limited."""

import pytest

from clocks.feed import folds, stream
from clocks.feed.recorder import Recorder
from clocks.host.ratelimit import RateLimiter
from clocks.host.server_time import now_ms
from clocks.journal import entries
from clocks.models import FeedEvent, JournalEntry, Match
from tests.server import hall
from tests.server.feed.test_feed import Following
from tests.server.house import in_loop

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_journal_entry_is_folded_once_however_long_its_journal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    round_, recorder = hall.summer_open(), Recorder()
    recorder.record()  # marks the start: only later events are recorded

    def recorded() -> list[str]:
        recorder.record()
        return list(FeedEvent.objects.order_by("number").values_list("kind", flat=True))

    (pairing,) = hall.drawn(round_, "1,Ann,Bob")
    match = pairing.match
    folded: list[str] = []
    fold_one = folds.evolve
    monkeypatch.setattr(folds, "evolve", lambda state, event: folded.append(event.name) or fold_one(state, event))
    hall.do(match, "left", do="confirm")
    assert [recorded(), recorded(), folded] == [[], [], ["confirmed"]]
    hall.begin(match)
    for _ in range(3):
        hall.do(match, "left", do="stop", reason="break")
        hall.do(match, "left", do="resume")
        recorded()
    assert folded == ["confirmed", "confirmed", "hit", "stopped", *["resumed", "stopped"] * 2]
    assert recorded() == ["match-begun", *["clock-stopped"] * 3]


def test_only_the_latest_ended_matches_are_cached_others_are_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(folds, "OVER_AT_HAND", 1)
    round_, recorder = hall.summer_open(), Recorder()
    recorder.record()
    first, second = (pairing.match for pairing in hall.drawn(round_, "1,Ann,Bob", "2,Cem,Dora"))
    for match in (first, second):
        hall.begin(match)
        hall.win(match)
    recorder.record()
    folded: list[str] = []
    fold_one = folds.evolve
    monkeypatch.setattr(folds, "evolve", lambda state, event: folded.append(event.name) or fold_one(state, event))

    def take_back(match: Match) -> None:
        hall.do(match, "director", do="propose", what="reopen", note="Wrong")
        recorder.record()

    take_back(second)
    assert folded == ["reopened"]
    take_back(first)
    assert (folded[1:], len(folded) > 2) == ([*folded[1:-1], "reopened"], True)
    assert list(FeedEvent.objects.order_by("number").values_list("kind", flat=True))[-2:] == ["result-withdrawn"] * 2


def test_an_entry_read_again_gives_the_same_match() -> None:
    (pairing,) = hall.drawn(hall.summer_open(), "1,Ann,Bob")
    hall.begin(pairing.match)
    hall.do(pairing.match, "right", do="hit")
    known = folds.Folds()
    rows = list(JournalEntry.objects.filter(match=pairing.match, seq__gt=1).order_by("seq"))
    first = [known.around(row) for row in rows]
    assert [known.around(row) for row in (rows[-1], rows[-1], rows[0])] == [first[-1], first[-1], first[0]]
    assert first[-1].after == entries.refold(pairing.match_id)[1]


def test_the_very_first_event_of_an_installation_is_announced() -> None:
    recorder, told = Recorder(), []
    recorder.listeners.append(lambda events: told.extend(event.pk for event in events))
    tournament = hall.summer_open().tournament
    recorder.record()
    FeedEvent.objects.create(pk=1, tournament=tournament, number=1, at=now_ms(), kind="message", data={})
    recorder.tell()
    assert told == [1]


@in_loop
async def test_an_address_with_too_many_requests_waits_before_any_lookup(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "OPENS", RateLimiter(burst=2, per_s=0.001))
    asked = [Following("made-up") for _ in range(4)]
    for one in asked:
        await one.run()
    assert [one.status for one in asked] == [401, 401, 429, 429]
