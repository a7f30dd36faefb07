"""Parts of the feed: kinds of events, encoding, shared buffer."""

from typing import Any

import orjson
import pytest

from clocks.engine.commands import parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.feed import readers as feed_readers
from clocks.feed.encoding import Encoded, Wanted, as_json, encoded_event, in_one, public_part
from clocks.feed.folds import Around
from clocks.feed.kinds import Happened, of_entry, of_log_entry
from clocks.feed.numbering import Numberless, store
from clocks.feed.readers import Readers, Room
from clocks.models import FeedEvent, HallEntry, JournalEntry, Tournament
from tests.server.hall import drawn, summer_open
from tests.server.house import US_2013, in_loop, make_match

CONFIRM, BEGIN = ("director", {"do": "confirm"}), [("director", {"do": "confirm"}), ("left", {"do": "hit"})]
PROPOSE, AGREE = {"do": "propose"}, ("right", {"do": "agree"})
GAME = ("left", PROPOSE | {"what": "game", "winner": "left", "points": 2})
END = ("director", PROPOSE | {"what": "end", "winner": "right"})
SCORE, REOPEN = PROPOSE | {"what": "score"}, ("director", PROPOSE | {"what": "reopen"})
BREAK = ("left", {"do": "stop", "reason": "break"})
WON_GAME = {"winner": "left", "points": 2, "how": "game"}


class Step:
    """Stand-in for the cache of folded matches that returns the same step each time."""

    def __init__(self, around: Around) -> None:
        self.around = lambda _entry: around


def told(*asked: tuple[str, dict[str, Any]], **setup: Any) -> list[tuple[str, dict[str, Any]]]:
    """Feed events (kind, data) of the last command, given 13 s after the others."""
    match, last = MatchState.begin(Setup.parse(US_2013 | {"length": 3} | setup)), list[Happened]()
    for number, (by, command) in enumerate(asked):
        outcome = perform(match, parse_command(command), by, 0 if number < len(asked) - 1 else 13_000)  # type: ignore
        assert outcome.refusal is None, (command, outcome.refusal)
        last = []
        for event in outcome.events:
            before, match = match, evolve(match, event)
            last += of_entry(JournalEntry(at=event.at), Step(Around(before, match, event)))  # type: ignore[arg-type]
    standing = {"score", "game", "status", "reserve_ms"}
    assert all(standing <= each.data.keys() for each in last)
    return [(kind, {name: data[name] for name in data if name not in standing}) for kind, data in last]


@pytest.mark.parametrize(
    ("asked", "events"),
    [
        ([CONFIRM], [("match-begun", {})]),
        ([("left", {"do": "confirm"})], []),
        ([*BEGIN], []),
        ([*BEGIN, GAME, AGREE], [("game-ended", {**WON_GAME, "of_game": 1})]),
        ([*BEGIN, GAME, AGREE, BREAK, ("left", {"do": "confirm"}), ("right", {"do": "confirm"})], []),
        (
            [*BEGIN, GAME, AGREE, ("left", {"do": "hit"}), GAME, AGREE],
            [
                ("game-ended", {**WON_GAME, "of_game": 2}),
                ("result", {"winner": "left", "corrected": False}),
            ],
        ),
        ([*BEGIN, ("right", {"do": "stop", "reason": "dice"})], [("clock-stopped", {"by": "right", "reason": "dice"})]),
        ([*BEGIN, ("right", {"do": "call"})], [("call", {"by": "right"})]),
        ([*BEGIN, END], [("result", {"winner": "right", "corrected": False})]),
        ([*BEGIN, END, REOPEN], [("result-withdrawn", {})]),
        ([*BEGIN, GAME, AGREE, REOPEN], []),
        ([*BEGIN, END, ("director", SCORE | {"score": [1, 2]})], [("result-withdrawn", {})]),
        ([*BEGIN, END, ("director", SCORE | {"score": [3, 2]})], [("result", {"winner": "left", "corrected": True})]),
        ([*BEGIN, ("director", SCORE | {"score": [1, 2]})], []),
        ([*BEGIN, ("director", SCORE | {"score": [3, 2]})], [("result", {"winner": "left", "corrected": False})]),
    ],
)
def test_a_command_makes_its_events(asked: Any, events: list[tuple[str, dict[str, Any]]]) -> None:
    calls = [each for each in told(*asked) if asked[-1][1]["do"] != "call" or each[0] == "call"]
    assert calls == events


def test_an_event_tells_how_the_match_stands() -> None:
    confirmed = perform(MatchState.begin(Setup.parse(US_2013)), parse_command({"do": "confirm"}), "director", 0).match
    running = perform(confirmed, parse_command({"do": "hit"}), "left", 0).match
    (event,) = perform(running, parse_command({"do": "stop"}), "right", 13_000).events
    after = evolve(running, event)
    (stopped,) = of_entry(JournalEntry(at=13_000), Step(Around(running, after, event)))  # type: ignore[arg-type]
    standing = {"score": [0, 0], "game": 1, "status": "stopped", "reserve_ms": [14 * 60_000, 14 * 60_000 - 1_000]}
    assert stopped == Happened("clock-stopped", {"by": "right", "reason": "other", **standing})


@pytest.mark.parametrize(
    ("name", "data", "events"),
    [
        ("message_sent", {"text": "Lunch", "tables": [], "minutes": 5}, [Happened("message", {"to_all": True})]),
        ("message_sent", {"text": "Come", "tables": ["1"], "minutes": 5}, [Happened("message", {"to_all": False})]),
        ("message_withdrawn", {"text": "Lunch"}, [Happened("message-withdrawn", {"to_all": True})]),
        (
            "result_entered",
            {"pairing": 7, "match": "", "after": {}},
            [Happened("result", {"pairing": 7, "corrected": False})],
        ),
        (
            "result_corrected",
            {"pairing": 7, "match": "", "before": {}, "after": {}, "reason": ""},
            [Happened("result", {"pairing": 7, "corrected": True})],
        ),
        (
            "result_withdrawn",
            {"pairing": 7, "match": "", "before": {}, "reason": ""},
            [Happened("result-withdrawn", {"pairing": 7})],
        ),
        ("round_made", {"round": 2}, []),
        ("hall_painted", {}, []),
    ],
)
def test_a_log_entry_makes_its_events(name: str, data: dict[str, Any], events: list[Happened]) -> None:
    assert of_log_entry(HallEntry(event=name, data=data)) == events


@pytest.mark.django_db
def test_an_event_has_the_names_of_its_match_log_entry_or_pairing() -> None:
    (pairing,) = drawn(summer_open(), "3,Ann,Bob")
    tournament = pairing.round.tournament
    event = FeedEvent(number=3, at=5, kind="call", data={"by": "left"}, tournament=tournament, match=pairing.match)
    base = {"number": 3, "at": 5, "tournament": "open"}
    names = {"table": "3", "round": 1, "stage": "", "names": ["Ann", "Bob"], "length": 3}
    of_match = {"kind": "call", "match": pairing.match_id, "external_id": "", **names}
    assert as_json(event) == {**base, **of_match, "by": "left"}
    pairing.external_id = event.match.pairing.external_id = "x"
    pairing.save()
    assert as_json(event)["external_id"] == "x"
    casual = FeedEvent(number=3, at=5, kind="call", data={}, tournament=tournament, match=make_match())
    assert (as_json(casual)["round"], as_json(casual)["external_id"]) == (None, "")
    result = FeedEvent(number=3, at=5, kind="result", data={"pairing": pairing.pk}, tournament=tournament)
    of_pairing = {"kind": "result", "match": None, "pairing": pairing.pk, "external_id": "x", **names}
    assert as_json(result) == {**base, **of_pairing, "winner": None, "score": None}
    pairing.winner, pairing.score = "right", [1, 3]
    pairing.save()
    assert as_json(result) == {**base, **of_pairing, "winner": "right", "score": [1, 3]}
    gone = FeedEvent(number=3, at=5, kind="result", data={"pairing": 0}, tournament=tournament)
    assert as_json(gone) == {**base, "kind": "result", "match": None}
    log = HallEntry(data={"text": "Lunch", "tables": ["1"], "minutes": 5})
    message = FeedEvent(number=3, at=5, kind="message", data={"to_all": False}, tournament=tournament, log_entry=log)
    assert as_json(message) == {**base, "kind": "message", "text": "Lunch", "tables": ["1"]}
    message.log_entry = None
    assert as_json(message) == {**base, "kind": "message", "text": "", "tables": []}


@pytest.mark.django_db
def test_only_what_everybody_may_know_is_public() -> None:
    tournament = Tournament(slug="open")
    shown, hidden = make_match(), make_match(rules="michigan-2002")
    call = FeedEvent(number=3, at=5, kind="call", data={"reserve_ms": [1, 2]}, tournament=tournament, match=shown)
    full = as_json(call)
    assert public_part(call, full) == full
    call.match = hidden
    assert public_part(call, full) == full | {"reserve_ms": None}
    for kind in ("message", "message-withdrawn"):
        for to_all, public in ((True, {"a": 1}), (False, None)):
            event = FeedEvent(number=3, at=5, kind=kind, data={"to_all": to_all}, tournament=tournament)
            assert public_part(event, {"a": 1}) == public
    secret = encoded_event(FeedEvent(number=4, at=5, kind="message", data={"to_all": False}, tournament=tournament))
    text = orjson.dumps({"number": 4, "at": 5, "kind": "message", "tournament": "open", "text": "", "tables": []})
    assert secret == Encoded(4, "message", b"id: 4\nevent: message\ndata: " + text + b"\n\n", b"")


def encoded(number: int, kind: str = "call") -> Encoded:
    return Encoded(number, kind, b"full %d " % number, b"public %d " % number)


def test_a_reader_gets_the_kinds_it_wants() -> None:
    events = [encoded(1), encoded(2, "flag"), encoded(3)]
    assert in_one(events, Wanted(True)) == b"full 1 full 2 full 3 "
    assert in_one(events, Wanted(False, frozenset({"flag", "result"}))) == b"public 2 "


def test_a_room_has_its_last_events_without_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    room, full = Room(), Wanted(True)
    assert (room.number, room.reaches(0)) == (0, False)
    for number in (4, 5, 6):
        room.hear(encoded(number))
    assert (room.number, [room.reaches(number) for number in (2, 3, 4, 6, 7)]) == (6, [False, True, True, True, True])
    assert [room.since(number, full).data for number in (3, 4, 6)] == [b"full 4 full 5 full 6 ", b"full 5 full 6 ", b""]
    assert room.since(4, full) is room.since(4, full)
    assert room.since(4, Wanted(False)).data == b"public 5 public 6 "
    room.hear(encoded(7))
    assert room.since(4, full).data == b"full 5 full 6 full 7 "
    room.hear(encoded(9))
    assert (room.number, room.reaches(7), room.reaches(8), room.since(4, full).data) == (9, False, True, b"full 9 ")
    monkeypatch.setattr(feed_readers, "KEPT", 500)
    for number in range(10, 10 + 500):
        room.hear(encoded(number))
    assert (room.reaches(8), room.reaches(9)) == (False, True)


class Listener:
    """A reader that joins and leaves a room; notifying it fails the test."""

    def tell(self, room: Room) -> bool:
        raise AssertionError("nothing is told here")


@in_loop
async def test_a_room_lasts_as_long_as_its_readers() -> None:
    own, one, other = Readers(), Listener(), Listener()
    own.tell([FeedEvent()])
    room = own.join(7, one)
    assert own.join(7, other) is room
    own.join(8, one)
    assert own.count() == 3
    own.leave(7, one)
    assert (own.count(), own.rooms[7]) == (2, room)
    own.leave(7, other)
    own.leave(7, other)
    assert (own.count(), set(own.rooms)) == (1, {8})


@pytest.mark.django_db
def test_events_are_numbered_in_their_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clocks.feed.numbering.AT_A_TIME", 2)
    one, other = (Tournament.objects.create(slug=slug, name=slug) for slug in ("one", "other"))
    log = [HallEntry.objects.create(tournament=one, at=0, event="message_sent", data={}) for _ in range(6)]
    event = lambda at, entry: Numberless(at, "message", '{"to_all":true}', None, None, entry.pk)  # noqa: E731
    store(one.pk, [event(at, log[at]) for at in range(3)])
    store(other.pk, [event(3, log[3])])
    store(one.pk, [event(4, log[4]), event(0, log[0])])  # another process has already stored event 0
    store(one.pk, [event(4, log[4])])
    kept = FeedEvent.objects.order_by("tournament", "number").values_list("tournament", "number", "at", "log_entry")
    assert list(kept) == [
        *((one.pk, number, number - 1, log[number - 1].pk) for number in (1, 2, 3)),
        (one.pk, 4, 4, log[4].pk),
        (other.pk, 1, 3, log[3].pk),
    ]
