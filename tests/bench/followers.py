"""What programs around the clock cost a hit: many who follow the feed, and a webhook whose receiver hangs."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

from tests.bench.lines import Target, get, line
from tests.bench.measure import Alarm, join, leave, steady
from tests.bench.phone import Phone
from tests.bench.play import MatchBoard, Place, new_id
from tests.bench.product import SLUG, inside
from tests.bench.rig import SQLITE, Rig, must_hold, must_keep_up
from tests.bench.server import HOST, Server

BOARDS, READERS, CALLERS = 1_000, 500, 200
CALL_S = 1.0  # a player calls the director: an event for whoever follows
TURNS = 3
OPEN_THE_FEED = f"""
from clocks.models import Tournament
print(Tournament.objects.filter(slug={SLUG!r}).update(public_feed=True))
"""
MAKE_A_WEBHOOK = """
from django.contrib.auth.models import User
from clocks.models import Tournament
from clocks.webhooks import registry
by, _ = User.objects.get_or_create(username="owner")
print(registry.make(Tournament.objects.get(slug={slug!r}), by, {url!r}, private=True).pk)
"""
REMOVE_IT = """
from clocks.models import Webhook
print(Webhook.objects.all().delete()[0])
"""
Beside = Callable[[Server], AbstractAsyncContextManager[Any]]


def feed(rig: Rig) -> dict[str, Any]:
    """Let many follow the feed over server-sent events."""
    readers = rig.scaled(READERS)
    must_hold(2 * rig.scaled(BOARDS) + readers + CALLERS)
    return _compare(rig, lambda environment: partial(_followed, readers), OPEN_THE_FEED) | {"readers": readers}


def webhooks(rig: Rig) -> dict[str, Any]:
    """Let a webhook's receiver take connections and never answer."""
    return _compare(rig, lambda environment: partial(_told_to_nobody, environment), "")


def _compare(rig: Rig, beside: Callable[[Mapping[str, str]], Beside], before: str) -> dict[str, Any]:
    folder, places = rig.places(rig.scaled(BOARDS) + CALLERS)
    environment = SQLITE.environment(str(folder))
    if before:
        inside(environment, before)
    with rig.serve(folder) as server:
        figures = asyncio.run(_in_turns(server, places, beside(environment), rig))
    must_keep_up(figures["load_cpu"])
    return figures


async def _in_turns(server: Server, places: Sequence[Place], beside: Beside, rig: Rig) -> dict[str, Any]:
    """Measure the same hall without and with what runs beside it, several times in turn."""
    alarm = Alarm()
    number = rig.scaled(BOARDS)
    boards = [MatchBoard(server.port, place, alarm.ring) for place in places[:number]]
    await join(boards, server.port)
    callers = asyncio.create_task(_call(server.port, places[number:]))
    quiet, busy = list[float](), list[float]()
    load_cpu = 0.0
    for _ in range(TURNS):
        figures = await steady(boards, server, rig.chosen.every, rig.chosen.hall_seconds, alarm, quiet)
        async with beside(server):
            figures = await steady(boards, server, rig.chosen.every, rig.chosen.hall_seconds, alarm, busy)
        load_cpu = max(load_cpu, figures["load_cpu"])
    callers.cancel()
    await leave(boards)
    without, with_it = (sorted(delays)[int(len(delays) * 0.99)] * 1000 for delays in (quiet, busy))
    return {
        "boards": number,
        "hits": len(quiet) + len(busy),
        "quiet_p99_ms": round(without, 2),
        "p99_ms": round(with_it, 2),
        "p99_ratio": round(with_it / without, 3),
        "server_cpu": figures["server_cpu"],
        "load_cpu": load_cpu,
    }


async def _call(port: int, places: Sequence[Place]) -> None:
    """Let a player of each board call the director, one after another."""
    for place in places:
        phone = Phone(port, f"/ws/table/{place.code}/", place.cookies[0])
        await phone.open(port)
        phone.send(b'{"t":"do","id":"%s","do":"call","seat":"left"}' % new_id().encode())
        await asyncio.sleep(CALL_S)
        phone.close()


@asynccontextmanager
async def _followed(number: int, server: Server) -> AsyncIterator[None]:
    """Let so many read the feed."""
    target = Target(server.port, 60, SLUG, "", "")
    asked = get(target, f"/api/v1/tournaments/{SLUG}/feed").replace(b"Connection: close", b"Accept: text/event-stream")
    readers = [await line(target, asked) for _ in range(number)]
    for reader in readers:
        await asyncio.wait_for(reader.came.wait(), 20)
    refused = [reader.data[:80] for reader in readers if not reader.data.startswith(b"HTTP/1.1 200")]
    if refused:
        raise RuntimeError(f"{len(refused)} of {number} readers were refused: {refused[0]!r}")
    yield
    ended = sum(reader.over.is_set() for reader in readers)
    for reader in readers:
        reader.transport.abort()
    if ended:
        raise RuntimeError(f"{ended} of {number} readers were dropped")


@asynccontextmanager
async def _told_to_nobody(environment: Mapping[str, str], server: Server) -> AsyncIterator[None]:
    """Let a webhook lead to somebody who takes what comes and never answers."""
    heard = asyncio.Event()

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.set()
        await reader.read()
        writer.close()

    receiver = await asyncio.start_server(hang, HOST, 0)
    url = f"http://{HOST}:{receiver.sockets[0].getsockname()[1]}/"
    await asyncio.to_thread(inside, environment, MAKE_A_WEBHOOK.format(url=url, slug=SLUG))
    yield
    await asyncio.to_thread(inside, environment, REMOVE_IT)
    receiver.close()
    if not heard.is_set():
        raise RuntimeError("the webhook's receiver was told nothing")
