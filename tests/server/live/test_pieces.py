"""Frames for many sockets are pushed a few at a time, so that presses get a turn."""

import asyncio
from typing import Any

import pytest

from clocks.live import first_frame
from clocks.live.first_frame import Read
from clocks.live.tournament_room import AT_A_TIME, TournamentRoom
from clocks.serving.frames import Frame
from tests.server.held_up import held_up
from tests.server.house import Page, in_loop
from tests.server.live.test_gallery_sockets import make_tournament_


class Screen:
    """Hall screen that records the frames pushed to it."""

    device_id: int | None = None
    user_id, session, code = 0, "", ""

    def __init__(self) -> None:
        self.frames: list[str] = []

    def push(self, frame: Frame) -> None:
        self.frames.append(frame.text)

    def close(self, code: int) -> None: ...

    def probe_now(self) -> None: ...


def with_screens(number: int) -> tuple[TournamentRoom, list[Screen]]:
    room, screens = TournamentRoom(), [Screen() for _ in range(number)]
    room.sockets.update(screens)
    return room, screens


@in_loop
async def test_a_frame_reaches_twenty_sockets_per_turn_of_the_loop() -> None:
    room, screens = with_screens(2 * AT_A_TIME + 1)
    room.forget([7])
    reached = []
    for _ in range(3):
        reached.append(sum(bool(screen.frames) for screen in screens))
        await asyncio.sleep(0)
    assert reached == [AT_A_TIME, 2 * AT_A_TIME, 2 * AT_A_TIME + 1]


@in_loop
async def test_every_socket_gets_the_frames_in_the_order_in_which_they_were_made() -> None:
    room, screens = with_screens(2 * AT_A_TIME)
    room.forget([7])
    room.forget([8])
    for _ in range(4):
        await asyncio.sleep(0)
    assert {tuple(frame.partition('"matches":')[2] for frame in screen.frames) for screen in screens} == {
        ("[7]}", "[8]}")
    }


@in_loop
async def test_a_socket_that_left_meanwhile_gets_nothing_more() -> None:
    room, screens = with_screens(2 * AT_A_TIME)
    room.forget([7])
    gone = next(screen for screen in screens if not screen.frames)
    room.sockets.remove(gone)
    await asyncio.sleep(0)
    assert [screen for screen in screens if not screen.frames] == [gone]


@in_loop
async def test_a_socket_that_fails_keeps_no_later_frame_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    room, (broken,) = with_screens(1)
    monkeypatch.setattr(broken, "push", lambda frame: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        room.forget([7])
    other = Screen()
    room.sockets.add(other)
    room.sockets.remove(broken)
    room.forget([8])
    assert len(other.frames) == 1


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_pages_that_wait_for_one_reading_get_it_one_per_turn_of_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, turns, pushed = asyncio.get_running_loop(), 0, list[int]()

    def turn() -> None:
        nonlocal turns
        turns += 1
        loop.call_soon(turn)

    def push_to(self: Read, socket: Any) -> None:
        pushed.append(turns)
        socket.push(self.screens)

    monkeypatch.setattr(Read, "push_to", push_to)
    await make_tournament_()
    with held_up(first_frame, monkeypatch) as readings:
        readings.hold()
        pages = [Page("/ws/hall/open/") for _ in range(10)]
        opening = [asyncio.create_task(page.open()) for page in pages]
        await readings.has_found()
        turn()
        readings.may_end.set()
        await asyncio.gather(*opening)
    assert (len(pushed), len(set(pushed))) == (10, 10)
