"""Michigan 3.11: times are hidden from spectators, not from players or directors."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Hit
from clocks.live import protocol
from clocks.models import Match, Tournament
from clocks.seats import devices
from tests.server.house import Page, in_loop, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = (
    "reserve_ms",
    "delay_ms",
    "turn_reserve_ms",
    "since",
    "used_ms",
    "flag_at",
    "wait_until",
    "late",
    "lag_used_ms",
)
HIDDEN = dict.fromkeys(TIMES)

submit = sync_to_async(desk.submit_and_wait)


def times(frame: dict[str, Any]) -> dict[str, Any]:
    return {name: frame[name] for name in TIMES}


def director() -> str:
    """Session cookie of a new superuser."""
    client = Client()
    client.force_login(User.objects.create_user("dora", is_superuser=True))
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


async def seen_by(rules: str, **options: Any) -> tuple[Match, Page, list[Page]]:
    """A running match, and pages of a player, a spectator, a hall screen, a director."""
    match = await database_sync_to_async(running_match)(rules=rules, options=options)
    await Tournament.objects.aupdate(slug="open")  # a new slug, as the casual tournament has no hall screen
    _, token = await database_sync_to_async(sit_down)(match, "right")
    cookies = await database_sync_to_async(director)()
    pages = [
        Page.at(match, token),
        Page.at(match),
        Page("/ws/hall/open/"),
        Page("/ws/director/open/", cookies=cookies),
    ]
    return match, pages[0], pages[1:]


async def first_of(page: Page) -> dict[str, Any]:
    """The match in a page's first frame."""
    frame = await page.open()
    board: dict[str, Any] = frame["boards"][0] if frame["t"] == "boards" else frame
    return board


@in_loop
async def test_players_and_directors_see_the_times_and_spectators_do_not() -> None:
    match, player, (watcher, hall, console) = await seen_by("michigan-2002")
    first = [await first_of(page) for page in (player, watcher, hall, console)]
    assert [times(frame) == HIDDEN for frame in first] == [False, True, True, False]
    assert first[0]["reserve_ms"][0] == first[3]["reserve_ms"][0] == 42 * 60_000

    assert (await submit(desk.Request(match.pk, Hit(), "right"))).ok
    then = [await page.hear("match") for page in (player, watcher, hall, console)]
    assert [times(frame) == HIDDEN for frame in then] == [False, True, True, False]
    shown = [{name: frame[name] for name in frame if name not in (*TIMES, "now", "code")} for frame in then]
    assert shown[1:] == shown[:1] * 3


def test_no_proposal_pending_or_declined_tells_spectators_a_time() -> None:
    expiry = {
        "what": "expiry",
        "seat": "left",
        "consequence": {"kind": "next-control", "reserve_ms": [180_000, 400_000]},
    }
    time = {"what": "time", "seat": "left", "by_ms": 60_000, "note": ""}
    hidden = [
        {"what": "expiry", "seat": "left", "consequence": {"kind": "next-control", "reserve_ms": None}},
        {"what": "time", "seat": "left", "by_ms": None, "note": ""},
        None,
    ]
    for proposal, shown in zip((expiry, time, None), hidden, strict=True):
        frame = {"proposal": proposal, "declined": None if proposal is None else {"by": "left", "proposal": proposal}}
        told = protocol.without_times(frame)
        assert told["proposal"] == shown
        assert (told["declined"] and told["declined"]["proposal"]) == shown


@in_loop
async def test_the_director_may_let_spectators_of_a_michigan_match_see_the_times() -> None:
    match, player, others = await seen_by("michigan-2002", spectators="times")
    first = [await first_of(page) for page in (player, *others)]
    assert (await submit(desk.Request(match.pk, Hit(), "right"))).ok
    then = [await page.hear("match") for page in (player, *others)]
    assert [times(frame) == HIDDEN for frame in first + then] == [False] * 8


@in_loop
async def test_other_rule_sets_hide_nothing() -> None:
    _, player, others = await seen_by("us-2013")
    first = [await first_of(page) for page in (player, *others)]
    assert [frame["reserve_ms"][0] for frame in first] == [14 * 60_000] * 4


@in_loop
async def test_a_spectator_who_takes_a_seat_sees_the_times() -> None:
    match = await database_sync_to_async(running_match)(rules="michigan-2002")
    device, token = await database_sync_to_async(devices.join_device)({})
    page = Page.at(match, token)
    assert times(await page.open()) == HIDDEN
    await sync_to_async(desk.claim_seat)(match.pk, [Seat.LEFT], device)
    assert times(await page.hear("match")) != HIDDEN
