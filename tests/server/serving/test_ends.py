"""Cleaning up when a connection or its ASGI application ends."""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from clocks.serving import ends
from clocks.serving.ends import ScanlessServer

App = Callable[..., Awaitable[None]]


class Limit:
    """A delayed call, as returned by the reactor."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.work, self.is_active = work, True

    def active(self) -> bool:
        return self.is_active

    def cancel(self) -> None:
        self.is_active = False


class Connection:
    """Connection; `failed` lists its application's errors."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def handle_exception(self, error: Exception) -> None:
        self.failed.append(str(error))


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[Limit]:
    """Delayed calls so far."""
    limits: list[Limit] = []

    def later(_seconds: float, work: Callable[[], object]) -> Limit:
        limits.append(Limit(work))
        return limits[-1]

    monkeypatch.setattr(ends, "reactor", SimpleNamespace(callLater=later))
    return limits


def connected(
    application: App,
) -> tuple[ScanlessServer, Connection, "asyncio.Queue[dict[str, str]]", "asyncio.Task[None]"]:
    """Server and connection, with the queue and task of the running application."""
    server, connection = ScanlessServer(application, endpoints=["tcp:port=0"]), Connection()
    server.connections = {}  # set by `run` in Daphne
    server.protocol_connected(connection)
    queue = server.create_application(connection, {"type": "websocket"})
    return server, connection, queue, server.connections[connection]["application_instance"]


async def hangs(**scope: Any) -> None:
    await asyncio.Event().wait()


async def fails(**scope: Any) -> None:
    raise OSError("the disk")


async def ends_with_its_connection(receive: Callable[[], Awaitable[object]], **scope: Any) -> None:
    await receive()


def test_an_application_that_outlives_its_connection_is_cancelled(limits: list[Limit]) -> None:
    async def play() -> None:
        server, connection, _, application = connected(hangs)
        await asyncio.sleep(0)
        server.protocol_disconnected(connection)
        server.protocol_disconnected(connection)
        assert (len(limits), connection in server.connections) == (1, True)
        limits[0].work()
        await asyncio.wait([application])
        await asyncio.sleep(0)
        assert (application.cancelled(), server.connections, connection.failed) == (True, {}, [])

    asyncio.run(play())


def test_an_application_that_ends_with_its_connection_leaves_nothing(limits: list[Limit]) -> None:
    async def play() -> None:
        server, connection, queue, application = connected(ends_with_its_connection)
        server.protocol_disconnected(connection)
        queue.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait([application])
        await asyncio.sleep(0)
        assert (server.connections, [limit.is_active for limit in limits]) == ({}, [False])

    asyncio.run(play())


def test_the_client_of_a_failed_application_gets_an_error(
    limits: list[Limit], caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        server, connection, _, application = connected(fails)
        await asyncio.wait([application])
        await asyncio.sleep(0)
        assert connection.failed == ["the disk"]
        server.protocol_disconnected(connection)
        assert (server.connections, limits) == ({}, [])

    asyncio.run(play())
    assert [record.message for record in caplog.records] == ["an application failed: the disk"]
