"""Hall screens receive no table codes, no notes and no casual matches."""

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.test import Client

from clocks import desk
from clocks.engine.commands import Confirm, Decline, parse_command
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
async def test_a_hall_socket_gets_no_notes() -> None:
    match = await database_sync_to_async(match_in_a_hall)()
    told = 'He "moves" my {checkers}\\'
    commands = [
        {"do": "hit"},
        {"do": "call", "note": told},
        {"do": "propose", "what": "time", "seat": "left", "by_ms": 5},
    ]
    assert (await sync_to_async(desk.submit_and_wait)(desk.Request(match.pk, Confirm(), "director"))).ok
    for command in commands:
        asked = desk.Request(match.pk, parse_command({**command, "note": told}), "left")
        assert (await sync_to_async(desk.submit_and_wait)(asked)).ok
    hall = Page("/ws/hall/open/")
    (board,) = (await hall.open())["boards"]
    assert (board["called"], board["call_note"]) == (True, "")
    assert (board["proposal"]["by_ms"], board["proposal"]["note"]) == (5, "")
    declined = desk.Request(match.pk, Decline(), "left")
    assert (await sync_to_async(desk.submit_and_wait)(declined)).ok
    change = await hall.hear("match")
    assert (change["v"], change["proposal"], change["call_note"]) == (board["v"] + 1, None, "")
    assert "checkers" not in str(hall.frames)


@in_loop
async def test_casual_matches_have_no_hall_socket() -> None:
    await database_sync_to_async(make_match)()
    assert await Page("/ws/hall/casual/").refused_with() == protocol.NO_SUCH_MATCH


def match_in_a_hall() -> Match:
    """A match at table 12 of the tournament `open`."""
    tournament = Tournament.objects.create(slug="open", name="Open")
    made = desk.make_match(tables.add_table(tournament, "12"), Setup.parse(US_2013))
    return Match.objects.select_related("table").get(pk=made.pk)
