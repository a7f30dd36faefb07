"""Connection deadlines, the page queue and rate limits, with an injected clock."""

import asyncio
import os
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from twisted.internet.error import ConnectionDone
from twisted.internet.protocol import Protocol
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from clocks.host.ratelimit import RateLimiter, client_key
from clocks.host.yielding import OF_PAGES
from clocks.serving.opening import MOST_WAITING as MOST_OPENING
from clocks.serving.opening import Turns
from clocks.serving.page_queue import MOST_WAITING, PageQueue
from clocks.serving.pages import BODY_S, HEAD_S, ClockChannel, ClockFactory

FILES = 1_024  # the server's limit of open files
KINDS = {"hall", "t"}  # kinds of pages: first part of the path


class Factory(ClockFactory):
    """Factory of connections that answer no requests; `opened` counts WebSockets."""

    def __init__(self) -> None:
        super().__init__(server=self, files=FILES, door=lambda scope: None)
        self.ws_factory, self.opened = self, 0
        self.proxy_forwarded_address_header = None
        self.connections: set[Any] = set()
        self.protocol_connected = self.connections.add
        self.protocol_disconnected = self.connections.discard

    def buildProtocol(self, addr: Any) -> Any:
        """Build an HTTP connection, or count a WebSocket."""
        if addr is None:
            return super().buildProtocol(addr)
        self.opened += 1
        return Protocol()


def connection(clock: Clock) -> tuple[ClockChannel, StringTransport]:
    """A new connection and its transport."""
    factory = Factory()
    factory.reactor = clock
    channel, transport = factory.buildProtocol(None), StringTransport()
    channel.makeConnection(transport)
    return channel, transport


def ended_after(clock: Clock, transport: StringTransport, each_second: Callable[[], None]) -> int:
    """Seconds until the server closes a connection; `each_second` is called meanwhile."""
    seconds = 0
    while not transport.disconnecting:
        each_second()
        clock.advance(1)
        seconds += 1
    return seconds


def test_a_head_that_comes_a_byte_at_a_time_has_a_deadline() -> None:
    clock = Clock()
    channel, transport = connection(clock)
    channel.dataReceived(b"GET / HTTP/1.1\r\n")
    assert ended_after(clock, transport, lambda: channel.dataReceived(b"X")) == HEAD_S


def test_a_body_that_comes_a_byte_at_a_time_has_a_deadline() -> None:
    clock = Clock()
    channel, transport = connection(clock)
    channel.dataReceived(b"POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n")
    assert ended_after(clock, transport, lambda: channel.dataReceived(b"x")) == BODY_S


def test_a_connection_without_a_request_is_closed() -> None:
    clock = Clock()
    _, transport = connection(clock)
    assert ended_after(clock, transport, lambda: None) == HEAD_S


def test_the_pause_between_two_opening_sockets_is_as_long_as_one_took() -> None:
    now_s, opened = [0.0], list[str]()
    to_call: list[tuple[float, Callable[[], None]]] = []
    turns = Turns(lambda after_s, call: to_call.append((after_s, call)), lambda: now_s[0])

    def go_round(took_s: float) -> list[str]:
        """Run a loop iteration that takes `took_s`, and the equally long pause after it."""
        for after_s in (0, took_s):
            (asked_s, call), *to_call[:] = to_call
            assert asked_s == after_s
            now_s[0] += took_s
            call()
        return opened

    for who, name in (("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1")):
        assert turns.wait(who, partial(opened.append, name))
    assert opened == ["a1"]
    assert go_round(0.5) == ["a1", "a2"]
    assert go_round(0.25) == ["a1", "a2", "b1"]
    assert go_round(0.25) == ["a1", "a2", "b1", "a3"]
    assert go_round(0.25) == ["a1", "a2", "b1", "a3"]
    assert turns.wait("b", partial(opened.append, "b2"))
    assert opened[-1] == "b2"


def test_just_after_the_start_four_sockets_open_before_each_pause() -> None:
    now_s, pauses_s = [0.0], list[float]()
    to_call: list[tuple[float, Callable[[], None]]] = []
    turns = Turns(lambda after_s, call: to_call.append((after_s, call)), lambda: now_s[0], hurry_s=10.0)
    for began_s in (0.0, 1.0, 2.0, 3.0, 8.0, 9.5):
        now_s[0] = began_s
        turns.wait("a", lambda: None)
        now_s[0] += 1.0
        to_call.pop()[1]()
        pause_s, over = to_call.pop()
        pauses_s.append(pause_s)
        over()
    assert pauses_s == [0, 0, 0, 1.0, 0, 1.0]


def test_only_an_address_with_more_sockets_than_a_hall_is_refused() -> None:
    turns = Turns(Clock().callLater, lambda: 0.0)
    assert [turns.wait("a", lambda: None) for _ in range(MOST_OPENING + 2)] == [True] * (MOST_OPENING + 1) + [False]
    assert turns.wait("b", lambda: None)


def test_a_socket_whose_client_has_gone_is_not_opened() -> None:
    clock, factory = Clock(), Factory()
    factory.opening = Turns(clock.callLater, clock.seconds)
    factory.reactor = clock
    channels = []
    for _ in range(3):
        channels.append(factory.buildProtocol(None))
        channels[-1].makeConnection(StringTransport())  # type: ignore[no-untyped-call]
        channels[-1].dataReceived(b"GET /ws/table/ABC/ HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n")
    channels[1].connectionLost(Failure(ConnectionDone()))  # type: ignore[no-untyped-call]
    assert factory.opened == 1
    clock.pump([0.001] * 10)
    assert factory.opened == 2


class Pages:
    """Application that answers on demand; `begun` lists the paths requested so far."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._ends: dict[str, asyncio.Future[None]] = {}

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.begun.append(scope["path"])
        self._ends[scope["path"]] = asyncio.get_running_loop().create_future()
        await self._ends[scope["path"]]

    async def end(self, path: str) -> None:
        """Answer a request, and let the next one start."""
        self._ends[path].set_result(None)
        for _ in range(5):
            await asyncio.sleep(0)


async def account(scope: dict[str, Any]) -> tuple[str, str] | None:
    """Account (rank, name) from a path such as `/page@rank@name`; None for strangers."""
    _, rank, who = ["", *scope["path"].split("@")[1:], "", ""][:3]
    return (rank, who) if rank else None


async def ask(queue: PageQueue, path: str, address: str = "10.0.0.1") -> asyncio.Task[list[dict[str, Any]]]:
    """Request a page; the task returns the messages sent."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def work() -> list[dict[str, Any]]:
        await queue({"type": "http", "path": path, "client": [address, 1]}, None, send)
        return sent

    task = asyncio.create_task(work())
    for _ in range(5):
        await asyncio.sleep(0)
    return task


def test_places_are_shared_and_one_account_has_at_most_half() -> None:
    async def play() -> list[str]:
        pages = Pages()
        queue = PageQueue(pages, KINDS, account, places=3)
        asked = [await ask(queue, f"/hall/{number}") for number in range(3)]
        asked += [await ask(queue, "/t/1"), await ask(queue, "/hall/other", "10.0.0.2")]
        assert pages.begun == ["/hall/0", "/t/1"]
        await pages.end("/hall/0")
        await pages.end("/t/1")
        assert pages.begun == ["/hall/0", "/t/1", "/hall/1", "/hall/other"]
        await pages.end("/hall/1")
        for path in ("/hall/other", "/hall/2"):
            await pages.end(path)
        await asyncio.gather(*asked)
        return pages.begun

    assert asyncio.run(play())[4:] == ["/hall/2"]


def begun_in_turn(asked: list[str], places: int) -> list[str]:
    """Order in which pages start, if requested at once and ending in that order."""

    async def play() -> list[str]:
        pages = Pages()
        queue = PageQueue(pages, KINDS, account, places)
        waiting = [await ask(queue, path) for path in asked]
        for number in range(len(asked)):
            await pages.end(pages.begun[number])
        await asyncio.gather(*waiting)
        return pages.begun

    return asyncio.run(play())


def test_one_place_is_reserved_for_users_and_phones_that_play() -> None:
    strangers = [f"/t/{number}" for number in range(3)]
    phones = [f"/t/@phone@{number}" for number in range(3)]
    begun = begun_in_turn([*strangers, *phones, "/t/@seat@1"], places=4)
    assert begun[:4] == ["/t/0", "/t/1", "/t/@phone@0", "/t/@seat@1"]


def test_places_are_shared_by_rank_and_then_by_account() -> None:
    asked = [f"/t/@phone@{number}" for number in range(6)]
    asked += ["/t/stranger", "/t/@seat@1", "/t/@seat@1@again", "/t/@seat@2"]
    assert begun_in_turn(asked, places=1) == [
        *("/t/@phone@0", "/t/@phone@1", "/t/stranger", "/t/@seat@1"),
        *("/t/@phone@2", "/t/@seat@2", "/t/@phone@3", "/t/@seat@1@again"),
        *("/t/@phone@4", "/t/@phone@5"),
    ]


def test_unknown_paths_are_one_kind() -> None:
    async def play() -> list[str]:
        pages = Pages()
        queue = PageQueue(pages, KINDS, account, places=3)
        asked = [await ask(queue, path) for path in ("/a/", "/b/", "*", "//c", "/hall/1", "/t/1")]
        for path in ("/a/", "/hall/1", "/t/1", "/b/", "*", "//c"):
            await pages.end(path)
        await asyncio.gather(*asked)
        return pages.begun

    assert asyncio.run(play()) == ["/a/", "/hall/1", "/b/", "/t/1", "*", "//c"]


def test_a_request_behind_a_full_queue_gets_503_with_retry_after() -> None:
    async def play() -> list[dict[str, Any]]:
        pages = Pages()
        queue = PageQueue(pages, KINDS, account, places=3)
        waiting = [await ask(queue, f"/hall/{number}") for number in range(MOST_WAITING + 1)]
        sent = await (await ask(queue, "/hall/last"))
        for task in waiting:
            task.cancel()
        return sent

    start, body = asyncio.run(play())
    assert (start["status"], dict(start["headers"])[b"retry-after"]) == (503, b"3")
    assert b"asked for again in a moment" in body["body"]


def test_a_waiting_client_that_goes_leaves_its_place_to_the_next() -> None:
    async def play() -> list[str]:
        pages = Pages()
        queue = PageQueue(pages, KINDS, account, places=1)
        _, gone, _ = [await ask(queue, f"/t/{number}") for number in range(3)]
        gone.cancel()
        await pages.end("/t/0")
        return pages.begun

    assert asyncio.run(play()) == ["/t/0", "/t/2"]


def test_pages_are_computed_at_a_lower_priority_than_presses() -> None:
    """Otherwise a page could take the GIL from a press between two SQL statements."""

    @sync_to_async
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    found: list[int] = []

    async def page(scope: dict[str, Any], receive: Any, send: Any) -> None:
        found.append(await niceness())

    usual = os.getpriority(os.PRIO_PROCESS, 0)
    asyncio.run(PageQueue(page, KINDS, account, places=1)({"path": "/hall/", "client": ("10.0.0.1", 1)}, None, None))
    assert found == [OF_PAGES if usual < OF_PAGES else usual]


def test_a_rate_limiter_runs_out_and_refills() -> None:
    now = [0.0]
    allowance = RateLimiter(burst=3, per_s=0.5, clock=lambda: now[0])
    assert [allowance.take("a") for _ in range(4)] == [True, True, True, False]
    assert allowance.take("b")
    now[0] = 2.0
    assert [allowance.take("a") for _ in range(2)] == [True, False]
    allowance.give_back("a")
    assert allowance.take("a")
    now[0] = 1_000.0
    assert [allowance.take("a") for _ in range(4)] == [True, True, True, False]


@pytest.mark.parametrize(
    ("address", "account"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
        ("a:b", "a:b"),
    ],
)
def test_a_rate_limit_key_is_an_address_or_an_ipv6_network(address: str, account: str) -> None:
    assert client_key(address) == account
