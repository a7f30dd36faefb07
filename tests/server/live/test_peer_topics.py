"""Topics followed by server processes, and the updates and presence sent on them."""

import asyncio
from typing import Any

import orjson
import pytest
from asgiref.sync import sync_to_async

from clocks.host.process_lock import process_lock
from clocks.host.server_time import now_ms
from clocks.journal import entries, stored
from clocks.live import catchup
from clocks.live import peers as exchange
from clocks.live.hub import Hub
from clocks.live.peer_topics import FORGOTTEN_MS, PeerTopics
from clocks.live.peers import Peers
from clocks.live.table_room import TableRoom
from clocks.live.updates import Update
from clocks.seats import presence
from tests.server.house import Page, in_loop, make_match, running_match, sit_down


class Layer:
    """A channel layer that records the messages and their channels."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.came = asyncio.Event()

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        self.sent.append((channel, message))
        self.came.set()

    group_send = send


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> Layer:
    made = Layer()
    monkeypatch.setattr(exchange, "get_channel_layer", lambda: made)
    return made


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    made = Hub()
    monkeypatch.setattr(exchange, "hub", made)
    return made


def update(match_id: int, table_id: int, tournament_id: int, moved: bool = False) -> Update:
    return Update(match_id, table_id, tournament_id, 5, (1, 2), "{}", moved=moved, code="ABCD")


def process(channel: str = "me") -> Peers:
    made = Peers()
    made._channel = channel
    return made


async def settle() -> None:
    """Wait for the exchange's running tasks."""
    while exchange._running:
        await asyncio.gather(*exchange._running)


@in_loop
async def test_a_hit_is_sent_only_to_processes_that_follow_its_match(
    layer: Layer,
) -> None:
    me = process()
    for channel, tables, tournaments in (("phones", [7], []), ("console", [], [3]), ("elsewhere", [8], [4])):
        me.topics.said(channel, tables, tournaments, True, 0)
    me.tell([update(1, 7, 3), update(2, 9, 3), update(3, 9, 5)])
    await settle()
    assert [(to, [one[0] for one in message["news"]]) for to, message in layer.sent] == [
        ("phones", [1]),
        ("console", [1, 2]),
    ]


@in_loop
async def test_a_new_match_at_a_table_is_sent_to_all_processes(layer: Layer) -> None:
    me = process()
    me.topics.said("elsewhere", [8], [4], True, 0)
    me.tell([update(1, 7, 3, moved=True)])
    await settle()
    assert [to for to, _ in layer.sent] == ["elsewhere"]


@in_loop
async def test_a_process_announces_new_topics_and_all_topics_on_request(layer: Layer, hub: Hub) -> None:
    me = process()
    hub.begins = me.follow
    for socket, table_id in ((1, 7), (2, 7), (3, 8)):
        hub.join_table(socket, table_id, 3)  # type: ignore[arg-type]
    await asyncio.sleep(0)
    await settle()
    said = {"type": "follows", "tournaments": [], "asks": False, "from": "me"}
    assert layer.sent == [(exchange.GROUP, {**said, "tables": [7, 8], "whole": False})]
    hub.leave_table(3, 8)  # type: ignore[arg-type]
    me.hear({"type": "follows", "tables": [], "tournaments": [], "whole": True, "asks": True, "from": "new"})
    await settle()
    assert layer.sent[1:] == [(exchange.GROUP, {**said, "tables": [7], "whole": True})]
    assert me.topics.channels() == ["new"]


@in_loop
async def test_an_update_of_another_process_reaches_the_sockets(layer: Layer, hub: Hub) -> None:
    here, there = process("here"), process("there")
    room = hub.join_table(Deaf(), 7, 3)
    here.hear({"type": "follows", "tables": [7], "tournaments": [], "whole": True, "asks": False, "from": "there"})
    here.tell([update(1, 7, 3)])
    await settle()
    to, message = layer.sent[-1]
    there.hear(message)
    assert (to, room.match_id, room.v, room.devices) == ("there", 1, 5, (1, 2))


class Deaf:
    """A socket that ignores frames and must not be closed."""

    device_id: int | None = None
    user_id, session, code = 0, "", "ABCD"

    def push(self, frame: object) -> None:
        pass

    def close(self, code: int) -> None:
        raise AssertionError(code)


def test_new_topics_are_added_and_a_whole_list_replaces_them() -> None:
    known = PeerTopics()
    known.said("one", [1, 2], [3], True, 0)
    known.said("one", [4], [], False, 0)
    assert [known.following(table_id, 0) for table_id in (1, 4)] == [["one"], ["one"]]
    known.said("one", [4], [], True, 0)
    assert [known.following(1, 3), known.following(4, 0)] == [[], ["one"]]


def test_a_process_that_stopped_announcing_is_forgotten() -> None:
    known = PeerTopics()
    known.said("gone", [1], [], True, 0)
    known.said("here", [1], [], True, FORGOTTEN_MS)
    known.forget_silent(FORGOTTEN_MS + 1)
    assert known.following(1, 0) == ["here"]


def follows(hub: Hub, table_id: int, tournament_id: int, match_id: int) -> "Deaf":
    """Add a socket that follows this match at its table."""
    socket = Deaf()
    hub.join_table(socket, table_id, tournament_id).match_id = match_id
    return socket


@pytest.mark.usefixtures("nothing_heard")
@in_loop
async def test_presence_is_sent_only_to_processes_that_follow_the_match(layer: Layer, hub: Hub) -> None:
    me = process()
    hub.ends = me.leave
    for channel, tables, tournaments in (("phones", [7], []), ("console", [], [3]), ("elsewhere", [8], [4])):
        me.topics.said(channel, tables, tournaments, True, 0)
    sockets = [follows(hub, *place) for place in ((7, 3, 1), (9, 3, 2), (10, 5, 3))]
    for match_id in (1, 2, 3):
        presence.saw(match_id, 0, 1_000)
    hub.leave_table(sockets[1], 9)
    me.tell_seen()
    me.tell_seen()
    await settle()
    assert sorted((to, sorted(message["seen"])) for to, message in layer.sent) == [
        ("console", [[1, 1_000, 0], [2, 1_000, 0]]),
        ("phones", [[1, 1_000, 0]]),
    ]


@pytest.mark.usefixtures("nothing_heard")
@in_loop
async def test_a_process_that_begins_to_follow_a_match_gets_its_presence_at_once(layer: Layer, hub: Hub) -> None:
    me = process()
    for place in ((7, 3, 1), (9, 4, 2), (10, 5, 3)):
        follows(hub, *place)
    presence.saw(1, 0, 1_000)
    presence.saw(2, 1, 2_000)
    said = {"type": "follows", "tables": [7], "tournaments": [4], "whole": True, "asks": False, "from": "new"}
    me.hear(said)
    me.hear(said)
    await settle()
    assert [(to, message["seen"]) for to, message in layer.sent] == [("new", [[1, 1_000, 0], [2, 0, 2_000]])]


@pytest.fixture
def one_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that one other server process is running."""
    monkeypatch.setattr(process_lock, "others", lambda: 1)


@pytest.mark.usefixtures("nothing_heard", "one_other")
@in_loop
async def test_presence_is_asked_of_every_process(layer: Layer, hub: Hub) -> None:
    me, other = process(), process("other")
    hub.loop = asyncio.get_running_loop()
    me.topics.said("other", [], [], True, 0)
    presence.saw(7, 1, 1_000)
    asking = asyncio.create_task(sync_to_async(me.ask)([7]))
    await layer.came.wait()
    question = {"type": "asks", "from": "me", "number": 1, "heard": [7]}
    assert layer.sent == [("other", question)]
    other.hear(question)
    await settle()
    answer = {"type": "seen", "from": "other", "number": 1, "seen": [[7, 0, 1_000]]}
    assert (layer.sent[1:], asking.done()) == ([("me", answer)], False)
    me.hear(answer)
    assert await asking


@pytest.mark.usefixtures("layer", "one_other")
@pytest.mark.parametrize("known", [[], ["other"]])
@in_loop
async def test_a_silent_process_is_missed_whether_it_was_known_or_not(
    monkeypatch: pytest.MonkeyPatch, hub: Hub, known: list[str]
) -> None:
    monkeypatch.setattr(exchange, "ASK_S", 0.05)
    me = process()
    hub.loop = asyncio.get_running_loop()
    for channel in known:
        me.topics.said(channel, [], [], True, 0)
    assert not await sync_to_async(me.ask)([7])


@pytest.mark.usefixtures("nothing_heard")
@in_loop
async def test_phones_learn_at_once_that_a_phone_of_another_process_is_back(layer: Layer, hub: Hub) -> None:
    me = process()
    told: list[Any] = []
    player = follows(hub, 7, 3, 1)
    player.device_id = 5
    player.push = told.append  # type: ignore[method-assign, assignment]
    hub.tables[7].devices = (4, 5)
    now = now_ms()
    for at in (now, now):
        me.hear({"type": "seen", "from": "other", "seen": [[1, at, 0]]})
    assert [orjson.loads(frame.text)["seats"] for frame in told] == [{"1": [now, 0]}]


@pytest.mark.django_db(transaction=True)
def test_catch_up_does_not_repeat_lookups_of_other_processes_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[set[int]] = []
    monkeypatch.setattr(stored, "current_versions", lambda match_ids: asked.append(set(match_ids)) or [])
    monkeypatch.setattr(catchup.hub, "tables", {0: TableRoom()})
    others = [running_match() for _ in range(3)]
    catchup.look()
    catchup.look()
    sit_down(others[0], "left")
    catchup.look()
    assert asked == [{match.pk for match in others}]
    late = make_match()
    catchup.look()
    assert asked[1:] == [{late.pk}]


@pytest.mark.django_db(transaction=True)
def test_catch_up_awaits_young_updates_while_redis_delivers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[set[int]] = []
    monkeypatch.setattr(stored, "current_versions", lambda match_ids: asked.append(set(match_ids)) or [])
    monkeypatch.setattr(catchup.hub, "tables", {0: TableRoom()})
    monkeypatch.setattr(catchup, "OVERLAP", 0)  # so that an entry is read once
    monkeypatch.setattr(catchup, "several_processes", lambda: True)
    monkeypatch.setattr(catchup.peers, "connected", lambda: True)
    match = make_match()
    at = entries.versions_since(0)[0][match.pk][1]
    asked_at = []
    for after_ms in (0, catchup.UNDER_WAY_MS - 1, catchup.UNDER_WAY_MS, catchup.UNDER_WAY_MS + 1_000):
        monkeypatch.setattr(catchup, "now_ms", lambda after_ms=after_ms: at + after_ms)
        catchup.look()
        asked_at.append(len(asked))
    assert (asked, asked_at) == ([{match.pk}], [0, 0, 1, 1])
    young = make_match()
    monkeypatch.setattr(catchup.peers, "connected", lambda: False)
    catchup.look()
    assert asked[1:] == [{young.pk}]


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_only_tables_where_a_phone_may_be_silent_are_checked() -> None:
    match = await sync_to_async(running_match)()
    _, token = await sync_to_async(sit_down)(match, "left")
    await Page.at(match, token).open()
    heard_at, looks = max(presence.seen_at(match.pk)), list[int]()
    catchup.hub.tell_seen(heard_at)
    tell_seen = TableRoom.tell_seen
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TableRoom, "tell_seen", lambda room, at: looks.append(at) or tell_seen(room, at))
        for second in range(1, 12):
            catchup.hub.tell_seen(heard_at + second * 1_000)
    assert looks == [heard_at + 10_000, heard_at + 11_000]
