"""Look-ups of opening sockets are batched and miss no update."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.commands import Confirm
from clocks.engine.setup import Setup
from clocks.live import protocol, table_opens
from clocks.live.hub import hub
from clocks.live.table_opens import Asked, Found
from clocks.models import Tournament
from tests.server.held_up import HeldUp, held_up
from tests.server.house import US_2013, Page, in_loop, make_match, sit_down
from tests.server.live.test_gallery_sockets import submit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def look_ups(monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldUp]:
    with held_up(table_opens, monkeypatch) as look_ups:
        yield look_ups


async def opening(look_ups: HeldUp, page: Page) -> "asyncio.Task[dict[str, Any]]":
    """Start opening a page; return the task once its look-up is done and held back."""
    await Page.at(await database_sync_to_async(make_match)()).open()  # so that this process has an open socket
    look_ups.hold()
    opens = asyncio.create_task(page.open())
    await look_ups.has_found()
    return opens


def test_each_socket_gets_its_own_table_and_phone() -> None:
    one, two, away = make_match(), make_match(), make_match()
    phone, token = sit_down(one, "left")
    Tournament.objects.create(name="Old", slug="old", archived_at=timezone.now()).tables.add(away.table)
    asked = [
        Asked(one.table.code, token, lambda: True),
        Asked(two.table.code, token, lambda: True),
        Asked(two.table.code, "", lambda: True),
        Asked(two.table.code, "nobody's", lambda: False),
        Asked("222222", token, lambda: True),
        Asked(away.table.code, token, lambda: True),
    ]
    found = [
        one and (one.table_id, one.device_id, one.board and one.board.id, one.refused_with)
        for one in table_opens.read(asked)
    ]
    assert found == [
        (one.table_id, phone.pk, one.pk, None),
        (two.table_id, phone.pk, two.pk, None),
        (two.table_id, None, two.pk, None),
        None,
        (0, None, None, protocol.NO_SUCH_MATCH),
        (0, None, None, protocol.PUT_AWAY),
    ]


@in_loop
async def test_phones_that_open_meanwhile_are_looked_up_together(look_ups: HeldUp) -> None:
    matches = [await database_sync_to_async(make_match)() for _ in range(6)]
    first = await opening(look_ups, Page.at(matches[0]))
    others = [asyncio.create_task(Page.at(match).open()) for match in matches[1:]]
    while len(table_opens.table_opens._waiting) < len(others):
        await asyncio.sleep(0)
    look_ups.may_end.set()
    shown = await asyncio.gather(first, *others)
    assert [frame["match"] for frame in shown] == [match.pk for match in matches]
    assert [len(asked) for asked in look_ups.asked][-2:] == [1, 5]


@in_loop
async def test_a_change_while_a_phone_opens_is_in_its_first_frame(look_ups: HeldUp) -> None:
    match = await database_sync_to_async(make_match)()
    opens = await opening(look_ups, Page.at(match))
    assert (await submit(Request(match.pk, Confirm(), "director"))).ok
    while hub.told.get(match.pk) != 2:
        await asyncio.sleep(0)
    look_ups.may_end.set()
    assert (await opens)["v"] == 2


@in_loop
async def test_a_match_that_starts_while_a_phone_opens_is_in_its_first_frame(
    look_ups: HeldUp,
) -> None:
    match = await database_sync_to_async(make_match)()
    opens, moves = await opening(look_ups, Page.at(match)), hub.moves
    following = await database_sync_to_async(desk.make_match)(match.table, Setup.parse(US_2013))
    while hub.moves == moves:
        await asyncio.sleep(0)
    look_ups.may_end.set()
    assert (await opens)["match"] == following.pk


@in_loop
async def test_a_failed_lookup_closes_its_sockets_and_no_later_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    match = await database_sync_to_async(make_match)()
    read, failures = table_opens.read, [OSError("the disk")]

    def once(asked: Sequence[Asked]) -> list[Found | None]:
        if failures:
            raise failures.pop()
        return read(asked)

    monkeypatch.setattr(table_opens, "read", once)
    with pytest.raises(OSError, match="the disk"):
        await Page.at(match).open()
    assert (await Page.at(match).open())["match"] == match.pk
