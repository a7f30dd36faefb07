"""The table is told of a silent phone, and the record names the pressing phone."""

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async

from clocks.engine.clock import Seat
from clocks.host.server_time import now_ms
from clocks.live import catchup
from clocks.live.hub import hub
from clocks.models import Device, Match
from clocks.record import match_record
from clocks.seats import claims, presence
from tests.server.house import Page, in_loop, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

look = sync_to_async(catchup.look)


@database_sync_to_async
def seated() -> tuple[Match, list[tuple[Device, str]]]:
    """Match in which it is Bob's turn, and Ann's and Bob's phones."""
    match = running_match()
    return match, [sit_down(match, seat) for seat in ("left", "right")]


def fall_silent(match: Match, seat: Seat) -> int:
    """Make a seat's phone silent for ten seconds; return when it was last heard from."""
    heard_at = now_ms() - presence.SILENT_MS
    presence._seen[match.pk][seat.index] = heard_at
    for room in hub.tables.values():
        room.silence_at = heard_at + presence.SILENT_MS
    return heard_at


@in_loop
async def test_players_learn_once_of_a_silent_phone_and_at_once_of_its_return() -> None:
    match, [(_, ann), (_, bob)] = await seated()
    pages = [Page.at(match, token) for token in (ann, bob, "")]
    for page in pages:
        await page.open()
    await look()
    for page in pages:
        assert await page.is_silent()
    heard_at = fall_silent(match, Seat.RIGHT)
    await look()
    told = await pages[0].hear()
    assert (told["t"], list(told["seats"]), told["seats"][str(match.pk)][1]) == ("seen", [str(match.pk)], heard_at)
    await look()
    assert await pages[0].is_silent() and await pages[2].is_silent()
    await pages[1].say({"t": "ping", "c": 1})
    back = await pages[0].hear()
    assert (back["t"], back["now"] - back["seats"][str(match.pk)][1] < presence.SILENT_MS) == ("seen", True)
    assert await pages[0].is_silent() and await pages[2].is_silent()


@in_loop
async def test_the_record_names_the_phone_that_pressed_for_a_silent_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "PLAYED_MS", 0)
    match, [(_, ann), _] = await seated()
    page = Page.at(match, ann)
    await page.open()
    fall_silent(match, Seat.RIGHT)
    assert (await page.do("hit", "one", turn_number=1, seat="right"))["t"] == "ack"
    assert (await page.do("hit", "two", turn_number=2, seat="left"))["t"] == "ack"
    lines = [
        (line.who, line.phone, line.what) for line in await sync_to_async(lambda: [*match_record.lines(match.pk)])()
    ]
    pressed, own = lines[-2:]
    assert pressed[:2] == ("Bob", "phone 1 (Ann)")
    assert (pressed[2].endswith(", pressed at Ann’s phone"), "pressed at" in own[2]) == (True, False)
