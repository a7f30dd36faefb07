"""Opening sockets share one read and delay no open socket."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import User

from clocks.desk.requests import Request
from clocks.engine.commands import Confirm, Hit
from clocks.live import first_frame
from clocks.live.consumers import HallSocket
from clocks.models import Tournament
from clocks.tournament import messages
from tests.server.held_up import HeldUp, held_up
from tests.server.house import Page, in_loop
from tests.server.live.test_gallery_sockets import director_page, make_tournament_, sign_in_, submit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldUp]:
    with held_up(first_frame, monkeypatch) as readings:
        yield readings


@in_loop
async def test_a_ruling_does_not_wait_for_pages_that_open(readings: HeldUp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_frame, "KEPT_S", 0.0)
    match, _ = await make_tournament_()
    director = director_page(await sign_in_("dora", "director"))
    await director.open()
    readings.hold()
    halls = [asyncio.create_task(Page("/ws/hall/open/").open()) for _ in range(50)]
    await readings.has_found()
    answer = await director.do("confirm", match=match.pk)
    assert (answer["t"], answer["v"]) == ("ack", 2)
    assert not any(hall.done() for hall in halls)
    readings.may_end.set()
    await asyncio.gather(*halls)


@in_loop
async def test_pages_that_open_at_the_same_time_share_one_reading(
    readings: HeldUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_frame, "KEPT_S", 60.0)
    await make_tournament_()
    pages = [Page("/ws/hall/open/") for _ in range(20)]  # kept, because an unreferenced page closes
    shown = await asyncio.gather(*(page.open() for page in pages))
    assert len(readings.asked) == 1
    assert [frame | {"now": 0} for frame in shown] == [shown[0] | {"now": 0}] * 20


@in_loop
async def test_a_page_with_an_older_reading_gets_the_frames_since(
    readings: HeldUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_frame, "KEPT_S", 60.0)
    match, _ = await make_tournament_()
    first = Page("/ws/hall/open/")
    await first.open()
    assert (await submit(Request(match.pk, Confirm(), "director"))).ok
    await first.hear("match")
    second = Page("/ws/hall/open/")
    boards = await second.open()
    told = await second.hear("match")
    assert len(readings.asked) == 1
    assert [board["v"] for board in boards["boards"]] == [1, 1]
    assert (told["match"], told["v"]) == (match.pk, 2)


@in_loop
async def test_updates_while_a_page_opens_follow_its_first_frame(readings: HeldUp) -> None:
    match, _ = await make_tournament_()
    readings.hold()
    page = Page("/ws/hall/open/")
    opens: asyncio.Task[dict[str, Any]] = asyncio.create_task(page.open())
    await readings.has_found()
    assert (await submit(Request(match.pk, Confirm(), "director"))).ok
    readings.may_end.set()
    boards = await opens
    told = await page.hear("match")
    assert [board["v"] for board in boards["boards"]] == [1, 1]
    assert (told["match"], told["v"]) == (match.pk, 2)


@in_loop
async def test_a_press_while_a_page_opens_does_not_send_all_boards_twice(readings: HeldUp) -> None:
    match, _ = await make_tournament_()
    readings.hold()
    page = Page("/ws/hall/open/")
    opens = asyncio.create_task(page.open())
    await readings.has_found()
    assert (await submit(Request(match.pk, Confirm(), "director"))).ok
    readings.may_end.set()
    await opens
    await page.hear("match")
    assert (await submit(Request(match.pk, Hit(), "left"))).ok
    told = await page.hear("match", "matches")
    assert (told["t"], told.get("match")) == ("match", match.pk)


@in_loop
async def test_a_second_screen_needs_no_lookup_and_gets_the_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(first_frame, "KEPT_S", 60.0)
    await make_tournament_()
    tournament, dora = await Tournament.objects.aget(slug="open"), await User.objects.acreate(username="dora")
    await database_sync_to_async(messages.send)(tournament, dora, "Lunch at one.", [], 15)
    first = Page("/ws/hall/open/")
    await first.open()
    assert (await first.hear("message"))["text"] == "Lunch at one."
    monkeypatch.setattr(HallSocket, "looked_up", lambda *asked: pytest.fail(f"looked up: {asked}"))
    second = Page("/ws/hall/open/")
    await second.open()
    assert (await second.hear("message"))["text"] == "Lunch at one."


@in_loop
async def test_a_reading_that_failed_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    matches = await make_tournament_()
    read, failures = first_frame.read, [OSError("the disk")]

    def once(tournament_id: int) -> first_frame.Read:
        if failures:
            raise failures.pop()
        return read(tournament_id)

    monkeypatch.setattr(first_frame, "read", once)
    with pytest.raises(OSError, match="the disk"):
        await Page("/ws/hall/open/").open()
    assert len((await Page("/ws/hall/open/").open())["boards"]) == len(matches)
