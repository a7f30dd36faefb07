"""Sockets after a match or tournament is archived, removed, moved or rescheduled."""

from datetime import UTC, datetime

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone

from clocks.live import catchup, protocol
from clocks.models import Match, Pairing, Round, Table, Tournament
from clocks.tournament import archive, draw_store
from tests.server.hall import client_of, drawn, summer_open
from tests.server.house import Page, in_loop

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = database_sync_to_async
START = datetime(2026, 11, 22, 10, 0, tzinfo=UTC)


async def hall() -> tuple[Match, Page, Page, Page]:
    """A tournament match, and open pages: a phone's, a hall screen, a director's."""
    round_ = await in_thread(summer_open)()
    (pairing,) = await in_thread(drawn)(round_, "1,Ann,Bob")
    client = await in_thread(client_of)("owner")
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    match = await Match.objects.select_related("table__tournament").aget(pk=pairing.match_id)
    pages = Page.at(match), Page("/ws/hall/open/"), Page("/ws/director/open/", cookies=cookies)
    for page in pages:
        await page.open()
    return match, *pages


async def look() -> None:
    await in_thread(catchup.look)()


@in_loop
async def test_archiving_closes_phones_and_screens_but_not_directors_pages() -> None:
    match, phone, screen, director = await hall()
    await Tournament.objects.filter(slug="open").aupdate(archived_at=timezone.now())
    await look()
    assert [await phone.closed_with(), await screen.closed_with()] == [protocol.PUT_AWAY] * 2
    assert (await director.hear("starts"))["starts"] == {}
    assert await director.is_silent()
    for page in (Page.at(match), Page("/ws/hall/open/")):
        assert await page.refused_with() == protocol.PUT_AWAY


@in_loop
async def test_sockets_of_a_deleted_tournament_are_closed() -> None:
    match, phone, screen, director = await hall()
    user = await in_thread(lambda: match.table.tournament.memberships.get().user)()
    await in_thread(archive.delete)(match.table.tournament, user)
    await look()
    codes = [await page.closed_with() for page in (phone, screen, director)]
    assert codes == [protocol.NO_SUCH_MATCH] * 3


@in_loop
async def test_a_removed_match_leaves_the_boards_and_its_phones_are_told() -> None:
    match, phone, screen, director = await hall()
    await in_thread(draw_store.take_back)(await Pairing.objects.aget(), None)
    await look()
    assert await phone.closed_with() == protocol.NO_SUCH_MATCH
    for page in (screen, director):
        assert (await page.hear("gone"))["matches"] == [match.pk]
    await look()
    assert [await page.is_silent() for page in (screen,)] == [True]


@in_loop
async def test_a_phone_follows_its_match_to_another_table() -> None:
    match, phone, _screen, _director = await hall()
    other = await in_thread(lambda: Table.objects.create(tournament=match.table.tournament, name="2", code="7K3M9Q"))()
    await Table.objects.filter(pk=match.table_id).aupdate(current=None)
    await Table.objects.filter(pk=other.pk).aupdate(current=match)
    await look()
    assert await phone.is_silent()


@in_loop
async def test_phones_are_told_when_their_round_starts_also_if_they_come_later() -> None:
    match, phone, *_ = await hall()
    await look()
    assert await phone.is_silent()
    await Round.objects.aupdate(starts_at=START)
    await look()
    late = Page.at(match)
    await late.open()
    for page in (phone, late):
        told = await page.hear("starts")
        assert told == {"t": "starts", "now": told["now"], "starts": {"Round 1": 1_795_341_600_000}, "lateness": []}
    await Tournament.objects.aupdate(lateness=[[15, "1"]])
    await look()
    assert await phone.is_silent()
    await Round.objects.aupdate(starts_at=None)
    await look()
    assert (await phone.hear("starts"))["starts"] == {}


@in_loop
async def test_directors_are_told_of_a_changed_start_time_or_lateness_rule() -> None:
    _match, _phone, screen, director = await hall()
    await look()
    assert (await director.hear("starts"))["starts"] == {}
    await Round.objects.aupdate(starts_at=START)
    await look()
    told = await director.hear("starts")
    assert told == {"t": "starts", "now": told["now"], "starts": {"Round 1": 1_795_341_600_000}, "lateness": []}
    await Tournament.objects.aupdate(lateness=[[15, "1"]])
    await look()
    assert (await director.hear("starts"))["lateness"] == [[15, "1"]]
    await look()
    assert [await page.is_silent() for page in (screen, director)] == [True, True]
