"""Feed readers: shared encoding, a buffer, slow readers, limits."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from channels.db import database_sync_to_async

from clocks.feed import readers as feed_readers
from clocks.feed import stream
from clocks.feed.encoding import Encoded, encoded_event
from clocks.feed.readers import Room, readers
from clocks.feed.recorder import Recorder, recorder, with_what_they_name
from clocks.models import FeedEvent
from clocks.tournament import messages
from tests.server.following import Following, begin_anew, recorded, tournament_to_follow
from tests.server.house import in_loop
from tests.server.programs import owner_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def a_new_recorder() -> None:
    begin_anew()


@in_loop
async def test_an_event_is_encoded_once_for_all_readers_of_the_same_kind() -> None:
    def say(*texts: str) -> None:
        for text in texts:
            messages.send(tournament, owner_of(tournament), text, [], 5)
        recorded()

    token, tournament = await database_sync_to_async(tournament_to_follow)(public=True)
    many = [Following(token) for _ in range(25)] + [Following() for _ in range(5)]
    running = [asyncio.ensure_future(each.run()) for each in many]
    while readers.count() < len(many):
        await asyncio.sleep(0.01)
    await database_sync_to_async(say)("Round 1")
    late = Following(token, last=0)
    running.append(asyncio.ensure_future(late.run()))
    await database_sync_to_async(say)("Round 2", "Round 3")
    (room,) = readers.rooms.values()
    for each in (*many, late):
        await each.upto(3)
        assert [event["number"] for event in each.events] == [1, 2, 3]
    assert len({id(reader._wanted) for reader in room.readers}) > 2 >= len({reader._wanted for reader in room.readers})
    assert {wanted.full for _number, wanted in room._pieces} == {True, False} and len(room._pieces) <= 4
    for each in (*many, late):
        each.gone.set()
    await asyncio.wait_for(asyncio.gather(*running), 10)


@in_loop
async def test_a_reader_behind_the_buffer_reads_from_the_database(monkeypatch) -> None:
    monkeypatch.setattr(stream, "AT_ONCE", 2)

    def say(number: int, told: bool) -> None:
        for each in range(number):
            messages.send(tournament, owner_of(tournament), f"Message {each}", [], 5)
        recorder.record()
        if told:
            recorder.tell()

    token, tournament = await database_sync_to_async(tournament_to_follow)()
    following = Following(token)
    running = asyncio.ensure_future(following.run())
    while not readers.count():
        await asyncio.sleep(0.01)
    await database_sync_to_async(say)(1, told=True)
    await following.upto(1)
    (room,) = readers.rooms.values()
    await database_sync_to_async(say)(5, told=False)
    newest = await database_sync_to_async(lambda: with_what_they_name(FeedEvent.objects.filter(number=6)))()
    room.hear(encoded_event(newest[0]))  # this process was not notified of events 2 to 5
    for reader in room.readers:
        reader.tell(room)
    await following.upto(6)
    following.gone.set()
    await asyncio.wait_for(running, 10)
    assert [event["number"] for event in following.events] == [1, 2, 3, 4, 5, 6]


@in_loop
async def test_an_event_that_is_heard_while_it_is_read_is_sent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def say(text: str) -> None:
        messages.send(tournament, owner_of(tournament), text, [], 5)
        recorded()

    async def hear(events: list[Encoded]) -> None:
        (room,) = readers.rooms.values()
        room.hear(*events)
        for each in room.readers:
            each.tell(room)

    def read_and_hear(reader: stream._Reader) -> list[Encoded]:
        events = read(reader)
        asyncio.run_coroutine_threadsafe(hear(events), loop).result(10)
        return events

    token, tournament = await database_sync_to_async(tournament_to_follow)()
    await database_sync_to_async(say)("Round 1")
    loop, read = asyncio.get_running_loop(), stream._Reader._read
    monkeypatch.setattr(stream._Reader, "_read", read_and_hear)
    following = Following(token, last=0)
    running = asyncio.ensure_future(following.run())
    await following.upto(1)
    await database_sync_to_async(say)("Round 2")
    await following.upto(2)
    following.gone.set()
    await asyncio.wait_for(running, 10)
    assert [event["number"] for event in following.events] == [1, 2]


@in_loop
async def test_a_reader_cut_off_before_its_first_event_knows_where_to_continue() -> None:
    def make() -> str:
        token, tournament = tournament_to_follow()
        for text in ("Round 1", "Round 2"):
            messages.send(tournament, owner_of(tournament), text, [], 5)
        recorded()
        return token

    token = await database_sync_to_async(make)()
    following = Following(token)
    following.headers = [(b"authorization", f"bearer {token}".encode())]  # the scheme is case-insensitive
    running = asyncio.ensure_future(following.run())
    while not following.body:
        await asyncio.sleep(0.01)
    following.gone.set()
    await asyncio.wait_for(running, 10)
    assert following.body == b"retry: 2000\nid: 2\n\n" and following.status == 200
    assert following.goes_on


@pytest.fixture
def behind(monkeypatch: pytest.MonkeyPatch) -> str:
    """Token for a tournament with thirty events, sent to each reader two at a time."""
    monkeypatch.setattr(stream, "AT_ONCE", 2)
    monkeypatch.setattr(stream, "LOOK_S", 0.001)
    monkeypatch.setattr(stream, "ENOUGH_UNSENT", 100)
    monkeypatch.setattr(stream, "MOST_UNSENT", 1_000)  # bytes; about five events
    token, tournament = tournament_to_follow()
    for number in range(30):
        messages.send(tournament, owner_of(tournament), f"Message {number}", [], 5)
    recorded()
    return token


@in_loop
async def test_a_slow_reader_that_is_far_behind_gets_everything(behind: str) -> None:
    following = Following(behind, last=0)
    following.pause_s = 0.05
    running = asyncio.ensure_future(following.run())
    await following.upto(30)
    following.gone.set()
    await asyncio.wait_for(running, 10)
    assert [event["number"] for event in following.events] == list(range(1, 31))


@in_loop
async def test_a_reader_that_accepts_nothing_is_dropped(behind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PATIENCE_S", 0.01)

    class Stalled(Following):
        async def send(self, message: dict[str, Any]) -> None:
            if b"data: " in message.get("body", b""):
                await asyncio.Event().wait()
            await super().send(message)

    await asyncio.wait_for(Stalled(behind, last=0).run(), 10)
    assert readers.count() == 0


@in_loop
async def test_an_address_gets_a_limited_number_of_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MOST_OF_ONE", 2)
    token, _ = await database_sync_to_async(tournament_to_follow)()

    async def open_reader() -> tuple[Following, asyncio.Future[None]]:
        following = Following(token)
        running = asyncio.ensure_future(following.run())
        while not (following.body or running.done()):
            await asyncio.sleep(0.01)
        return following, running

    opened = [await open_reader() for _ in range(3)]
    assert [following.status for following, _ in opened] == [200, 200, 429]
    opened[0][0].gone.set()
    await asyncio.wait_for(opened[0][1], 10)
    opened.append(await open_reader())
    assert opened[-1][0].status == 200
    for following, _ in opened:
        following.gone.set()
    await asyncio.wait_for(asyncio.gather(*(running for _, running in opened)), 10)


@in_loop
async def test_a_thousand_readers_are_written_to_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[tuple[int, float]] = []

    async def pause(seconds: float) -> None:
        pauses.append((len(written), seconds))

    written: list[int] = []
    monkeypatch.setattr(feed_readers, "asyncio", SimpleNamespace(sleep=pause))
    listening = [
        SimpleNamespace(tell=lambda room, number=number: written.append(number) is None) for number in range(1_000)
    ]
    await feed_readers._tell_in_turn(Room(), listening)
    assert written == list(range(1_000))
    assert [number for number, _ in pauses] == list(range(10, 1_001, 10))
    assert sum(seconds for _, seconds in pauses) < 0.25


def test_the_recorder_wakes_up_for_changes_with_feed_events_only() -> None:
    for batch, wakes in (([], False), ([{"hit"}], False), ([{"hit"}, {"hit", "stopped"}], True), ([{"stopped"}], True)):
        one = Recorder()
        one.see([SimpleNamespace(events=events) for events in batch])
        assert one._woken.is_set() is wakes
