"""Sockets of director's pages and hall screens: coalesced boards, permissions."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Confirm, Hit
from clocks.engine.setup import Setup
from clocks.live import lookups
from clocks.live.hub import hub
from clocks.live.tournament_room import FLUSH_S
from clocks.models import Match, Membership, Round, Tournament
from clocks.seats import devices
from clocks.tournament.tables import add_table
from tests.server.house import US_2013, Page, in_loop

pytestmark = pytest.mark.django_db(transaction=True)

submit = sync_to_async(desk.submit_and_wait)


def make_tournament(slug: str = "open", tables: int = 2) -> list[Match]:
    """Create a tournament with a match at each table; return the matches."""
    tournament = Tournament.objects.create(slug=slug, name=slug)
    setup = Setup.parse(US_2013)
    return [desk.make_match(add_table(tournament, str(n)), setup) for n in range(1, tables + 1)]


def sign_in(name: str, role: str | None = None, slug: str = "open", superuser: bool = False) -> Client:
    """Sign in as a new user, with a role in the tournament if given."""
    user = User.objects.create_user(name, is_superuser=superuser)
    if role:
        Membership.objects.create(tournament=Tournament.objects.get(slug=slug), user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def director_page(client: Client | None, slug: str = "open") -> Page:
    session = client.cookies[settings.SESSION_COOKIE_NAME].value if client else ""
    cookies = f"{settings.SESSION_COOKIE_NAME}={session}" if session else ""
    return Page(f"/ws/director/{slug}/", cookies=cookies)


make_tournament_, sign_in_ = database_sync_to_async(make_tournament), database_sync_to_async(sign_in)


@in_loop
async def test_the_first_frame_has_every_table_s_match_as_the_table_shows_it() -> None:
    matches = await make_tournament_()
    page = director_page(await sign_in_("dora", "director"))
    boards = await page.open()
    assert boards["t"] == "boards"
    tables = [await Page.at(match).open() for match in matches]
    assert [board | {"now": 0} for board in boards["boards"]] == [frame | {"now": 0} for frame in tables]
    assert [board["table"] for board in boards["boards"]] == ["1", "2"]


@in_loop
async def test_the_first_change_is_sent_at_once_and_later_ones_once_per_flush(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("clocks.live.tournament_room.FLUSH_S", 1.0)
    one, two = await make_tournament_()
    page = Page("/ws/hall/open/")
    await page.open()
    assert (await submit(desk.Request(one.pk, Confirm(), "director"))).ok
    first = await page.hear()
    assert (first["t"], first["match"], first["v"]) == ("match", one.pk, 2)
    for command, by in ((Hit(), "left"), (Hit(), "right")):
        assert (await submit(desk.Request(one.pk, command, by))).ok
    assert (await submit(desk.Request(two.pk, Confirm(), "left"))).ok
    flush = await page.hear()
    assert {**flush, "now": 0, "matches": [(frame["match"], frame["v"]) for frame in flush["matches"]]} == {
        "t": "matches",
        "now": 0,
        "matches": [(one.pk, 4), (two.pk, 2)],
    }
    assert await page.is_silent()


@in_loop
async def test_a_new_match_at_a_table_is_shown() -> None:
    one, _ = await make_tournament_()
    page = Page("/ws/hall/open/")
    await page.open()
    new = await database_sync_to_async(desk.make_match)(one.table, Setup.parse(US_2013))
    frame = await page.hear()
    assert (frame["match"], frame["table"], frame["v"]) == (new.pk, "1", 1)


@in_loop
async def test_everybody_is_told_when_each_seat_was_last_heard() -> None:
    one, two = await make_tournament_()
    device, token = await database_sync_to_async(devices.join_device)({})
    await database_sync_to_async(desk.claim_seat)(one.pk, [Seat.RIGHT], device)
    phone = Page.at(one, token)
    await phone.open()
    page = Page("/ws/hall/open/")
    await page.open()
    next(iter(hub.tournaments.values())).tell_seen()
    seen = await page.hear("seen")
    seen_at = seen["seats"][str(one.pk)][1]
    assert seen == {"t": "seen", "now": seen["now"], "seats": {str(one.pk): [None, seen_at], str(two.pk): [None, None]}}
    assert seen_at <= seen["now"]


@in_loop
async def test_presence_is_sent_with_many_boards_and_deferred_once_for_one() -> None:
    one, two = await make_tournament_()
    page = Page("/ws/hall/open/")
    await page.open()
    [room] = hub.tournaments.values()
    assert (await submit(desk.Request(one.pk, Confirm(), "director"))).ok
    await page.hear("match")
    room.tell_seen()
    assert (await submit(desk.Request(one.pk, Hit(), "left"))).ok
    assert [(await page.hear())["t"] for _ in range(2)] == ["match", "seen"]
    room.tell_seen()
    for match, command in ((one, Hit()), (two, Confirm())):
        assert (await submit(desk.Request(match.pk, command, "right"))).ok
    flush = await page.hear()
    assert (flush["t"], list(flush["seats"])) == ("matches", [str(one.pk), str(two.pk)])


@in_loop
async def test_a_busy_hall_is_updated_once_in_a_quarter_of_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = await make_tournament_()
    page = Page("/ws/hall/open/")
    await page.open()
    assert (await submit(desk.Request(one.pk, Confirm(), "left"))).ok
    await page.hear("match")
    loop = asyncio.get_running_loop()
    really_later = loop.call_later
    flushes: list[tuple[float, Any]] = []

    def call_later(after: float, work: Any, *given: Any, **more: Any) -> asyncio.TimerHandle:
        """Record flushes; pass other timers, such as pings, to the loop."""
        if getattr(work, "__name__", "") != "_flush":
            return really_later(after, work, *given, **more)
        flushes.append((after, work))
        return asyncio.TimerHandle(0, work, (), loop)

    with monkeypatch.context() as patched:
        patched.setattr(loop, "call_later", call_later)
        for match in (one, two):
            for command, by in ((Confirm(), "director"), (Hit(), "left"), (Hit(), "right"), (Hit(), "left")):
                assert (await submit(desk.Request(match.pk, command, by))).ok
        await asyncio.sleep(0)
    [(after, flush)] = flushes
    assert 0 < after <= FLUSH_S
    assert FLUSH_S >= 0.25
    flush()
    frame = await page.hear()
    assert [(board["match"], board["v"]) for board in frame["matches"]] == [(one.pk, 6), (two.pk, 5)]
    assert await page.is_silent()


@in_loop
async def test_a_taken_alert_reaches_all_directors_present_and_later() -> None:
    [one, _] = await make_tournament_()
    pages = [director_page(await sign_in_(name, role)) for name, role in (("dora", "helper"), ("vic", "viewer"))]
    hall = Page("/ws/hall/open/")
    for page in (*pages, hall):
        await page.open()
    nobody = [await page.hear("taken") for page in pages]
    alert = f"{one.pk}:flag:1700000000123"
    await pages[0].say({"t": "take", "id": "one", "alert": alert})
    told = [await page.hear("taken") for page in pages]
    assert nobody == [{"t": "taken", "taken": {}}] * 2
    at = told[0]["taken"][alert]["at"]
    assert told == [{"t": "taken", "taken": {alert: {"by": "dora", "at": at}}}] * 2
    assert await pages[0].hear("ack") == {"t": "ack", "id": "one", "v": 0, "credit_ms": 0}
    await pages[1].say({"t": "take", "id": "two", "alert": alert})
    assert (await pages[1].hear("refused"))["code"] == "not-director"
    await hall.say({"t": "take", "id": "three", "alert": alert})
    assert (await hall.hear())["code"] == "not-director"
    late = director_page(await sign_in_("erin", "director"))
    await late.open()
    assert await late.hear() == told[0]


@pytest.mark.parametrize("alert", [None, 17, "", "x" * 65, "a\nb"])
@in_loop
async def test_an_alert_without_a_valid_name_is_not_taken(alert: object) -> None:
    await make_tournament_()
    page = director_page(await sign_in_("dora", "director"))
    await page.open()
    await page.say({"t": "take", "id": "one", "alert": alert})
    answer = await page.hear("refused")
    assert (answer["code"], answer["id"]) == ("bad-value", "one")


@in_loop
async def test_a_helper_of_another_event_silences_no_alert_of_this_one() -> None:
    [one, _] = await make_tournament_()
    await make_tournament_("side")
    page = director_page(await sign_in_("harry", "helper", "side"), "side")
    await page.open()
    for alert in (f"{one.pk}:flag:1700000000123", f"0{one.pk}:call", "all:call", f"{10**17}:call"):
        await page.say({"t": "take", "id": alert, "alert": alert})
        refused = await page.hear("refused")
        assert (refused["id"], refused["code"], refused["words"]) == (alert, "bad-value", NOT_HERE)
    late = director_page(await sign_in_("erin", "director", "side"), "side")
    await late.open()
    assert await late.hear("taken") == {"t": "taken", "taken": {}}


@in_loop
async def test_a_director_rules_and_the_journal_says_who() -> None:
    one, _ = await make_tournament_()
    client = await sign_in_("dora", "director")
    page = director_page(client)
    await page.open()
    assert await page.do("confirm", "one", match=one.pk) == {"t": "ack", "id": "one", "v": 2, "credit_ms": 0}
    entry = await one.journal.aget(seq=2)
    assert (entry.by, entry.user_id, entry.device_id) == ("director", (await User.objects.aget()).pk, None)


REFUSED = "Only the director may do that."
NOT_HERE = "There is no such match in this tournament."


@pytest.mark.parametrize(
    ("who", "opens", "code"),
    [
        ({"role": "owner"}, None, None),
        ({"role": "director"}, None, None),
        ({"role": "helper"}, None, None),
        ({"superuser": True}, None, None),
        ({"role": "viewer"}, None, "not-director"),
        ({"role": "director", "slug": "other"}, 4403, None),
        ({}, 4403, None),
        (None, 4401, None),
    ],
)
@in_loop
async def test_only_permitted_users_open_the_directors_socket_and_rule(
    who: dict[str, Any] | None, opens: int | None, code: str | None
) -> None:
    one, _ = await make_tournament_()
    await make_tournament_("other", 1)
    page = director_page(None if who is None else await sign_in_("somebody", **who))
    if opens is not None:
        assert await page.refused_with() == opens
        return
    await page.open()
    answer = await page.do("confirm", "one", match=one.pk)
    assert answer.get("code") == code
    assert (await Match.objects.aget(pk=one.pk)).version == (2 if code is None else 1)


@in_loop
async def test_a_match_of_another_tournament_is_not_ruled_on() -> None:
    await make_tournament_()
    [other] = await make_tournament_("other", 1)
    page = director_page(await sign_in_("dora", "director"))
    await page.open()
    for match_id in (other.pk, 999_999):
        answer = await page.do("confirm", f"id {match_id}", match=match_id)
        assert (answer["code"], answer["words"]) == ("bad-value", NOT_HERE)
    answer = await page.do("confirm", "no match")
    assert (answer["code"], answer["words"]) == ("bad-value", "Say which match is meant by its number in “match”.")


@pytest.mark.parametrize("how", ["signed out", "dismissed", "deactivated"])
@in_loop
async def test_a_former_director_cannot_rule(how: str) -> None:
    one, _ = await make_tournament_()
    client = await sign_in_("dora", "director")
    page = director_page(client)
    await page.open()
    if how == "signed out":
        await database_sync_to_async(client.logout)()
    elif how == "dismissed":
        await Membership.objects.all().adelete()
    else:
        await User.objects.aupdate(is_active=False)
    answer = await page.do("confirm", "one", match=one.pk)
    assert (answer["code"], answer["words"]) == ("not-director", REFUSED)


@in_loop
async def test_a_hall_screen_only_watches() -> None:
    one, _ = await make_tournament_()
    page = Page("/ws/hall/open/")
    await page.open()
    answer = await page.do("confirm", "one", match=one.pk)
    assert (answer["code"], answer["words"]) == ("no-seat", "This screen can only watch.")


@in_loop
async def test_an_unknown_tournaments_socket_is_closed_with_4404() -> None:
    assert await director_page(await sign_in_("dora", superuser=True), "nowhere").refused_with() == 4404


@pytest.mark.parametrize(
    ("frame", "lookup"),
    [
        ({"t": "do", "do": "stop"}, "ruling"),
        ({"t": "take", "alert": "1:call:1"}, "name_of_ruler"),
        ({"t": "seat", "ask": 1, "give": True}, "may_seat"),
    ],
)
@in_loop
async def test_a_failed_lookup_is_refused_and_may_be_repeated(monkeypatch, frame: dict[str, Any], lookup: str) -> None:
    (match, _) = await make_tournament_()
    page = director_page(await sign_in_("dora", "director"))
    await page.open()

    def locked(*asked: Any) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(lookups, lookup, locked)
    await page.say({**frame, "id": "one", "match": match.pk})
    refused = await page.hear("refused", "ack")
    assert refused == {
        "t": "refused",
        "id": "one",
        "code": "not-stored",
        "v": 0,
        "words": "The server could not store that. Try again.",
    }


@in_loop
async def test_a_board_has_the_number_of_a_round_without_a_name() -> None:
    (one, two, _) = await make_tournament_(tables=3)
    rounds = [
        await Round.objects.acreate(tournament_id=one.table.tournament_id, number=number, name=name)
        for number, name in ((4, ""), (5, "Final"))
    ]
    for match, round_ in zip((one, two), rounds, strict=True):
        await Match.objects.filter(pk=match.pk).aupdate(round=round_)
    boards = (await Page("/ws/hall/open/").open())["boards"]
    told = [(board["round"], board["round_number"]) for board in boards]
    assert told == [("Round 4", 4), ("Final", None), ("", None)]
