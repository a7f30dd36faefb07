"""Hall screens get no table codes and no casual matches."""

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.test import Client

from clocks import desk
from clocks.engine.commands import Confirm
from clocks.engine.setup import Setup
from clocks.live import protocol
from clocks.models import Match, Tournament
from clocks.tournament import tables
from tests.server.house import US_2013, Page, in_loop, make_match

pytestmark = pytest.mark.django_db(transaction=True)


@in_loop
async def test_a_hall_socket_gets_no_codes() -> None:
    match = await database_sync_to_async(match_in_a_hall)()
    hall = Page("/ws/hall/open/")
    first = await hall.open()
    assert [("code" in board, board["table"], board["match"]) for board in first["boards"]] == [(False, "12", match.pk)]
    assert (await sync_to_async(desk.submit_and_wait)(desk.Request(match.pk, Confirm(), "director"))).ok
    change = await hall.hear("match")
    assert ("code" in change, match.table.code in str(hall.frames)) == (False, False)


def test_casual_matches_have_no_hall_page() -> None:
    make_match()
    assert Client().get("/hall/casual/").status_code == 404


@in_loop
async def test_casual_matches_have_no_hall_socket() -> None:
    await database_sync_to_async(make_match)()
    assert await Page("/ws/hall/casual/").refused_with() == protocol.NO_SUCH_MATCH


def match_in_a_hall() -> Match:
    """A match at table 12 of the tournament `open`."""
    tournament = Tournament.objects.create(slug="open", name="Open")
    made = desk.make_match(tables.add_table(tournament, "12"), Setup.parse(US_2013))
    return Match.objects.select_related("table").get(pk=made.pk)
