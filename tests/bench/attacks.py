"""Floods by one client against a server on the loopback.

Each runs in its own process, so as not to slow down the measuring one: `python -m tests.bench.attacks NAME`, with the
target as JSON on standard input. It stops after the target's `seconds`, at most 60, and prints the count of each
outcome as JSON.
"""

import asyncio
import itertools
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from tests.bench.lines import (
    CONTINUED,
    FINAL,
    PATIENCE_S,
    PING,
    TEXT,
    Line,
    Target,
    answer_of,
    form,
    frame,
    get,
    handshake,
    line,
)
from tests.bench.play import new_id

AT_ONCE = 400  # concurrent attempts of one flood


async def paced(target: Target, per_s: float) -> AsyncIterator[int]:
    """Yield 0, 1, 2, ... `per_s` times a second until the flood ends."""
    begin, ends, number = time.monotonic(), target.ends(), 0
    while time.monotonic() < ends:
        yield number
        number += 1
        await asyncio.sleep(max(0.0, begin + number / per_s - time.monotonic()))


async def crowd(works: AsyncIterator[Coroutine[Any, Any, str]]) -> Counter[str]:
    """Run coroutines, AT_ONCE at a time; return the count of each outcome."""
    seen: Counter[str] = Counter()
    free = asyncio.Semaphore(AT_ONCE)
    running: set[asyncio.Task[None]] = set()

    async def one(work: Coroutine[Any, Any, str]) -> None:
        try:
            seen[await work] += 1
        except (OSError, RuntimeError) as error:
            seen[type(error).__name__] += 1
        finally:
            free.release()

    async for work in works:
        await free.acquire()
        task = asyncio.create_task(one(work))
        running.add(task)
        task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    return seen


# --- the floods ----------------------------------------------------------------------------------------------------


async def _open(target: Target, path: str, stay_s: float) -> str:
    one = await line(target, handshake(target, path))
    with suppress(TimeoutError):
        await asyncio.wait_for(one.came.wait(), PATIENCE_S)
    await asyncio.sleep(stay_s)
    one.transport.abort()
    return one.data[9:12].decode(errors="replace") or "no answer"


async def opens(target: Target) -> Counter[str]:
    """Open 400 hall screen sockets a second; close each 0.5 s after its handshake."""
    return await crowd(_open(target, f"/ws/hall/{target.slug}/", 0.5) async for _ in paced(target, 400))


async def dropped(target: Target) -> Counter[str]:
    """Open 3,000 table sockets a second; drop each as soon as the server answers."""
    return await crowd(_open(target, f"/ws/table/{target.code}/", 0) async for _ in paced(target, 3_000))


async def pages(target: Target) -> Counter[str]:
    """Request a tournament's hall screen 400 times a second."""

    async def one() -> str:
        return str((await answer_of(target, get(target, f"/hall/{target.slug}/")))[0])

    return await crowd(one() async for _ in paced(target, 400))


async def half_sent(
    target: Target, number: int = 1_500, head: bytes = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
) -> Counter[str]:
    """Start requests and trickle bytes into them without completing them (slowloris)."""
    ends, seen = target.ends(), Counter[str]()
    lines: list[Line] = []
    for _ in range(number):
        try:
            lines.append(await asyncio.wait_for(line(target, head), PATIENCE_S))
        except (OSError, TimeoutError) as error:
            seen[type(error).__name__] += 1
    while time.monotonic() < ends:
        await asyncio.sleep(0.5)
        for each in lines:
            if not each.over.is_set():
                each.transport.write(b"X: y\r\n" if b"POST" not in head else b"x")
    for each in lines:
        seen["ended by the server" if each.over.is_set() else "held"] += 1
        each.transport.abort()
    return seen


async def half_bodies(target: Target) -> Counter[str]:
    """Start requests whose bodies arrive one byte at a time."""
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n"
    return await half_sent(target, 500, head)


async def _repeat(target: Target, path: str, piece: bytes, cookie: str = "", first: bytes = b"") -> Counter[str]:
    """Send `first`, then `piece` repeatedly; reconnect when the socket is closed."""
    ends, seen = target.ends(), Counter[str]()
    while time.monotonic() < ends:
        one = await line(target, handshake(target, path, cookie))
        await one.came.wait()
        if first:
            await one.send(first)
        while time.monotonic() < ends and await one.send(piece):
            seen["pieces"] += 1
            await asyncio.sleep(0)
        seen["sockets"] += 1
        one.transport.abort()
        await asyncio.sleep(0.01)
    return seen


async def pings(target: Target) -> Counter[str]:
    """Send WebSocket pings, a thousand per write."""
    return await _repeat(target, f"/ws/table/{target.code}/", frame(FINAL | PING) * 1_000)


async def fragments(target: Target) -> Counter[str]:
    """Send an endless message of empty fragments, a thousand per write."""
    path = f"/ws/table/{target.code}/"
    return await _repeat(target, path, frame(CONTINUED) * 1_000, first=frame(TEXT))


async def large_frames(target: Target) -> Counter[str]:
    """Send messages of 7 MB."""
    return await _repeat(target, f"/ws/table/{target.code}/", frame(FINAL | TEXT, b"x" * 7_000_000))


async def bodies(target: Target) -> Counter[str]:
    """Send bodies of 20 MB, eight at a time."""
    ends, head = target.ends(), b"POST /start/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000000\r\n\r\n"
    chunk, seen = b"x" * 65_536, Counter[str]()

    async def one() -> None:
        while time.monotonic() < ends:
            each = await line(target, head)
            for _ in range(20_000_000 // len(chunk) + 1):
                if time.monotonic() > ends or not await each.send(chunk):
                    break
                seen["64 KiB"] += 1
            seen["bodies"] += 1
            each.transport.abort()
            await asyncio.sleep(0.01)

    await asyncio.gather(*(one() for _ in range(8)))
    return seen


async def _send_form(target: Target, request: bytes) -> str:
    return str((await answer_of(target, request))[0])


async def sign_ins(target: Target) -> Counter[str]:
    """Guess passwords 40 times a second, each for another user name."""
    marker = b"marker-of-a-name"
    sent = await form(target, "/director/", "/director/", {"username": marker.decode(), "password": "x" * 20})
    return await crowd(
        _send_form(target, sent.replace(marker, b"%016d" % number)) async for number in paced(target, 40)
    )


async def casual(target: Target) -> Counter[str]:
    """Start 60 casual matches a second."""
    fields = {"left": "Eve", "right": "Mallory", "length": "7", "rules": "us-2013", "format": "singles"}
    sent = await form(target, "/start/", "/", fields)
    return await crowd(_send_form(target, sent) async for _ in paced(target, 60))


async def stops(target: Target) -> Counter[str]:
    """Stop and resume the attacker's own clock, exceeding the limit on commands.

    The rate is just below the limit on messages.
    """
    ends, seen = target.ends(), Counter[str]()
    texts = [
        b'{"t":"do","id":"%s","do":"stop","reason":"break","seat":"left"}',
        b'{"t":"do","id":"%s","do":"resume","seat":"left"}',
    ]
    while time.monotonic() < ends:
        one = await line(target, handshake(target, f"/ws/table/{target.code}/", target.cookie), keep=True)
        await one.came.wait()
        await one.send(frame(FINAL | TEXT, b'{"t":"do","id":"%s","do":"hit","seat":"left"}' % new_id().encode()))
        while time.monotonic() < ends:
            pair = b"".join(frame(FINAL | TEXT, text % new_id().encode()) for text in texts)
            if not await one.send(pair):
                break
            await asyncio.sleep(1 / 12)
            for kind in ("ack", "refused"):
                seen[kind] += one.data.count(f'"t":"{kind}"'.encode())
            one.data = b""
        seen["sockets"] += 1
        one.transport.abort()
        await asyncio.sleep(0.01)
    return seen


async def deaf(target: Target) -> Counter[str]:
    """Connect 150 spectators to the hall's socket that send pings but never read."""
    ends, seen = target.ends(), Counter[str]()
    lines = []
    for _ in range(150):
        one = await line(target, handshake(target, f"/ws/hall/{target.slug}/"))
        await one.came.wait()
        one.transport.pause_reading()
        lines.append(one)
    while time.monotonic() < ends:
        await asyncio.sleep(1)
        for each in lines:
            each.transport.write(frame(FINAL | TEXT, b'{"t":"ping","c":1}'))
    for each in lines:
        with suppress(RuntimeError):
            each.transport.resume_reading()
    await asyncio.sleep(0.5)
    for each in lines:
        seen["dropped by the server" if each.over.is_set() else "held"] += 1
        each.transport.abort()
    return seen


async def _ask_on(target: Target, path: str, cookie: str = "") -> Counter[str]:
    """Request a page repeatedly, each time on a new connection."""
    ends, seen = target.ends(), Counter[str]()
    while time.monotonic() < ends:
        seen[str((await answer_of(target, get(target, path, cookie)))[0])] += 1
    return seen


async def connections(target: Target) -> Counter[str]:
    """Request a table's page in 140 parallel loops, each time on a new connection."""
    return sum(await asyncio.gather(*(_ask_on(target, f"/t/{target.code}/") for _ in range(140))), Counter[str]())


async def phones(target: Target) -> Counter[str]:
    """Like `connections`, with the device cookies of casual matches."""
    tokens = [cookie for _, *cookies in target.casual for cookie in cookies]
    return sum(await asyncio.gather(*(_ask_on(target, f"/t/{target.code}/", one) for one in tokens)), Counter[str]())


async def codes(target: Target) -> Counter[str]:
    """Guess 600 table codes a second."""
    drawn = random.Random("codes")

    async def one() -> str:
        guess = "".join(drawn.choices("23456789CFGHJKMPQRVWX", k=6))
        return str((await answer_of(target, get(target, f"/t/{guess}/qr.svg")))[0])

    return await crowd(one() async for _ in paced(target, 600))


async def _say(
    target: Target, code: str, cookie: str, ends: float, command: Callable[[int], dict[str, Any]]
) -> Counter[str]:
    """Send commands from a phone, just below its socket's rate limit."""
    seen = Counter[str]()
    while time.monotonic() < ends:
        one = await line(target, handshake(target, f"/ws/table/{code}/", cookie), keep=True)
        await one.came.wait()
        for number in itertools.count():
            text = json.dumps({"t": "do", "id": new_id(), **command(number)}).encode()
            if time.monotonic() > ends or not await one.send(frame(FINAL | TEXT, text)):
                break
            await asyncio.sleep(1 / 25)
            for kind in ("ack", "refused"):
                seen[kind] += one.data.count(f'"t":"{kind}"'.encode())
            one.data = b""
        one.transport.abort()
        await asyncio.sleep(0.1)
    return seen


async def _say_in_casual_matches(target: Target, command: Callable[[int], dict[str, Any]]) -> Counter[str]:
    ends = target.ends()
    phones = [(code, cookie) for code, *cookies in target.casual for cookie in cookies]
    return sum(await asyncio.gather(*(_say(target, *phone, ends, command) for phone in phones)), Counter[str]())


async def calls(target: Target) -> Counter[str]:
    """Call the director in a hundred casual matches; each note has 290 emoji."""
    return await _say_in_casual_matches(target, lambda number: {"do": "call", "note": f"{number} {'🎲' * 290}"})


async def hand_overs(target: Target) -> Counter[str]:
    """Hand over 64 invented presses from each phone of a hundred casual matches."""
    hit = {"do": "hit", "seat": "left"}
    kept = [{**hit, "at": at} for at in range(64)]  # ids are derived from the hand-over's
    return await _say_in_casual_matches(target, lambda _: {"do": "hand-over", "kept": kept})


FLOODS: dict[str, Callable[[Target], Awaitable[Counter[str]]]] = {
    "opens": opens,
    "pages": pages,
    "dropped": dropped,
    "half-sent": half_sent,
    "half-bodies": half_bodies,
    "pings": pings,
    "fragments": fragments,
    "large-frames": large_frames,
    "bodies": bodies,
    "sign-ins": sign_ins,
    "casual": casual,
    "stops": stops,
    "deaf": deaf,
    "connections": connections,
    "phones": phones,
    "codes": codes,
    "calls": calls,
    "hand-overs": hand_overs,
}


if __name__ == "__main__":
    os.nice(10)  # yield the load core to the measuring process
    print(json.dumps(asyncio.run(FLOODS[sys.argv[1]](Target(**json.load(sys.stdin))))))
