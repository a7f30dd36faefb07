"""Released seats, new codes and moved matches, as seen by phones."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from clocks import desk
from clocks.desk import changes
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Confirm, Move, ReleaseSeat
from clocks.engine.refusals import Refused
from clocks.host.server_time import now_ms
from clocks.journal.entries import replay_lines
from clocks.models import Device, JournalEntry, Match, Pairing, RetiredCode, Table, Tournament
from clocks.record import match_record
from clocks.seats import presence
from clocks.tournament import codes, moves, tables
from tests.server.hall import drawn, summer_open, win
from tests.server.house import Page, in_loop, make_match, sit_down
from tests.server.tournament.test_hall_wide import RUNNING, in_thread, make
from tests.server.tournament.test_messages import look
from tests.server.who_may import socket_of

pytestmark = pytest.mark.django_db(transaction=True)


class Desk_:
    """A director's socket for the tournament."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @classmethod
    async def of(cls, user: User) -> "Desk_":
        client = Client()
        await in_thread(client.force_login)(user)
        desk_ = cls(socket_of(client, "/ws/director/open/"))
        await desk_.page.open()
        return desk_

    async def do(self, match: Match, do: str, **arguments: Any) -> dict[str, Any]:
        return await self.page.do(do, match=match.pk, note="as the director says", **arguments)


sit = sync_to_async(sit_down)


@in_loop
async def test_a_released_phone_is_disconnected_and_its_seat_free(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1")
    _, ann = await sit(match, "left")
    device, bob = await sit(match, "right")
    pages = [Page.at(match, ann), Page.at(match, bob)]
    for page in pages:
        await page.open()
    answer = await (await Desk_.of(dora)).do(match, "release-seat", seat="left")
    assert (answer["t"], await pages[0].closed_with()) == ("ack", 4403)
    seats = (await pages[1].hear("match"))["seats"]
    assert [seat["held"] for seat in seats] == [False, True]
    row = await Match.objects.aget(pk=match.pk)
    assert (row.left_device_id, row.right_device_id) == (None, device.pk)
    entry = await JournalEntry.objects.select_related("user").aget(match=match, event="seat_released")
    assert (entry.user, entry.data) == (dora, {"at": entry.at, "seat": "left", "note": "as the director says"})
    await sit(match, "left")


@in_loop
async def test_a_phone_between_the_players_loses_both_seats(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1")
    phone, both = await sit(match, "left", "right")
    page = Page.at(match, both)
    await page.open()
    desk_ = await Desk_.of(dora)
    assert (await desk_.do(match, "release-seat", seat="right"))["t"] == "ack"
    assert await page.closed_with() == 4403
    row = await Match.objects.aget(pk=match.pk)
    assert (row.left_device_id, row.right_device_id) == (None, None)
    assert (await Device.objects.aget(pk=phone.pk)).token_hash == f"retired {phone.pk}"
    again = await desk_.page.do("release-seat", "again", match=match.pk, seat="right")
    assert (again["code"], again["words"]) == ("bad-value", "No phone holds Bob’s seat.")


@in_loop
async def test_a_new_code_disconnects_phones_and_keeps_their_seats(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1")
    device, ann = await sit(match, "left")
    pages = [Page.at(match, ann), Page.at(match)]
    for page in pages:
        await page.open()
    desk_ = await Desk_.of(dora)
    assert (await desk_.do(match, "replace-code"))["t"] == "ack"
    assert [await page.closed_with() for page in pages] == [4403, 4403]
    table = await Table.objects.aget(pk=match.table_id)
    assert table.code != match.table.code
    assert [retired.code async for retired in RetiredCode.objects.all()] == [match.table.code]
    assert await Page.at(match).refused_with() == 4404
    row = await Match.objects.select_related("table").aget(pk=match.pk)
    shown = await Page.at(row, ann).open()
    assert (shown["code"], shown["seats"][0]["held"], row.left_device_id) == (table.code, True, device.pk)
    old = await in_thread(Client().get)(f"/t/{match.table.code}/")
    assert (old.status_code, "This code is out of date" in old.content.decode()) == (404, True)


@in_loop
async def test_the_old_code_does_not_reveal_the_new_one(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1")
    page = Page.at(match)
    await page.open()
    await (await Desk_.of(dora)).do(match, "replace-code")
    await page.closed_with()
    assert {frame["code"] for frame in page.frames if frame["t"] == "match"} == {match.table.code}


@in_loop
async def test_phones_follow_a_moved_match(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1", *RUNNING)
    device, ann = await sit(match, "left")
    pages = [Page.at(match, ann), Page.at(match)]
    for page in pages:
        await page.open()
    desk_ = await Desk_.of(dora)
    assert (await desk_.do(match, "move", to="14"))["t"] == "ack"
    row = await Match.objects.select_related("table").aget(pk=match.pk)
    told = [await page.hear("match") for page in pages]
    assert [(frame["match"], frame["table"], frame["code"]) for frame in told] == [(row.pk, "14", row.table.code)] * 2
    old = await Table.objects.aget(pk=match.table_id)
    assert (row.table.name, row.table.current_id, old.current_id) == ("14", row.pk, None)
    assert (row.status, row.left_device_id, row.flag_at) == ("running", device.pk, match.flag_at)
    there = await Page.at(row, ann).open()
    assert (there["v"], [seat["held"] for seat in there["seats"]]) == (row.version, [True, False])
    assert await Page.at(match, ann).refused_with() == 4404
    way = Client()
    way.cookies[settings.DEVICE_COOKIE_NAME] = ann
    page = await in_thread(way.get)(f"/t/{match.table.code}/")
    assert f'href="/t/{row.table.code}/clock/"' in page.content.decode()


@in_loop
async def test_a_match_cannot_move_to_a_taken_table(tournament: Tournament, dora: User) -> None:
    match, other = [await in_thread(make)(tournament, name) for name in ("1", "2")]
    desk_ = await Desk_.of(dora)
    words = [(await desk_.page.do("move", f"to-{to}", match=match.pk, to=to))["words"] for to in ("2", "1", "x" * 21)]
    assert words == [
        "Table 2 is taken: Ann – Bob is not over.",
        "The match is already at table 1.",
        "to must be the name of a table: 1 to 20 characters.",
    ]
    rows = [await Match.objects.aget(pk=each.pk) for each in (match, other)]
    assert [(row.version, row.table_id) for row in rows] == [(1, match.table_id), (1, other.table_id)]


@in_loop
async def test_another_process_finds_a_moved_match_by_itself(tournament: Tournament, dora: User, monkeypatch) -> None:
    match = await in_thread(make)(tournament, "1")
    page = Page.at(match)
    await page.open()
    await look()
    monkeypatch.setattr(changes, "_listeners", [])
    command, alongside = await in_thread(tables.prepare)(match.pk, Move("", "9"))
    request = Request(match.pk, command, "director", now_ms(), user_id=dora.pk, alongside=alongside)
    assert (await in_thread(desk.submit_all_and_wait)([request]))[0].ok
    await look()
    moved = await page.hear("match")
    assert (moved["match"], moved["table"], moved["v"]) == (match.pk, "9", 2)


def test_beside_the_rules_is_not_replayed(tournament: Tournament, dora: User) -> None:
    match = make(tournament, "1", *RUNNING)
    sit_down(match, "left")
    for command in ({"do": "release-seat", "seat": "left"}, {"do": "replace-code"}, {"do": "move", "to": "3"}):
        _give(match, command, dora)
    lines = list(replay_lines(match.pk))
    assert [line.get("do", "setup") for line in lines] == ["setup", "confirm", "hit"]
    told = [line.what for line in match_record.lines(match.pk)][-3:]
    code = RetiredCode.objects.get().code
    assert [words.replace(code, "OLD") for words in told] == [
        "The director released Ann’s seat from its phone",
        f"The director gave the table a new code: {match.table.__class__.objects.get(name='1').code} instead of OLD",
        "The director moved the match from table 1 to table 3",
    ]


def _give(match: Match, command: dict[str, Any], user: User) -> None:
    """Send a command on the director's socket; it must be accepted."""

    @in_loop
    async def give() -> None:
        answer = await (await Desk_.of(user)).do(match, **command)
        assert answer["t"] == "ack", answer

    give()


def test_a_phone_keeps_its_token_if_only_its_borrowed_seat_is_released() -> None:
    match = make_match()
    ann, bob = sit_down(match, "left")[0], sit_down(match, "right")[0]
    for seat, phone in zip(Seat, (ann, bob), strict=True):
        assert desk.submit_and_wait(Request(match.pk, Confirm(), seat, device_id=phone.pk)).ok
    presence._seen[match.pk][Seat.RIGHT.index] = now_ms() - presence.silent_ms(False)
    desk.claim_seat(match.pk, list(Seat), ann)

    def token_after_release(seat: Seat) -> str:
        command, alongside = tables.prepare(match.pk, ReleaseSeat(seat, "Bob is back"))
        assert desk.submit_and_wait(Request(match.pk, command, "director", alongside=alongside)).ok
        return Device.objects.get(pk=ann.pk).token_hash

    assert token_after_release(Seat.RIGHT) == ann.token_hash
    assert token_after_release(Seat.LEFT) == f"retired {ann.pk}"


def test_a_new_table_gets_the_next_number(tournament: Tournament) -> None:
    suggested = [tables.next_name(tournament, ())]
    for name in ("1", "7", "Final"):
        tables.add_table(tournament, name)
        suggested.append(tables.next_name(tournament, ("9",)))
    assert suggested == ["1", "2", "8", "8"]


def test_a_code_that_has_just_been_taken_is_not_used_again(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = tables.add_table(tournament, "1").code
    found = iter([taken, "7K3M9Q"])
    monkeypatch.setattr(codes, "unused_code", lambda: next(found))
    assert tables.add_table(tournament, "2").code == "7K3M9Q"
    assert tables.is_archived(tournament.pk) is False
    Tournament.objects.update(archived_at=timezone.now())
    assert tables.is_archived(tournament.pk) is True


@pytest.mark.parametrize("policy", ["required", "on-request"])
def test_a_match_that_is_over_is_not_moved(policy: str, dora: User) -> None:
    (pairing,) = drawn(summer_open(policy=policy), "1,Ann,Bob")
    if policy == "required":
        win(pairing.match)
    else:
        Pairing.objects.update(winner="left")
    pairing = Pairing.objects.get()
    with pytest.raises(Refused, match="Ann – Bob is over"):
        moves.move(pairing, "2", dora)
    assert [table.name for table in Table.objects.all()] == ["1"]


def test_a_command_that_needs_no_table_is_given_as_it_is() -> None:
    assert tables.prepare(make_match().pk, Confirm()) == (Confirm(), None)


def test_tables_are_added_all_or_none(tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = tables.add_table(tournament, "1").code
    with pytest.raises(IntegrityError):
        tables.add_tables(tournament, ["2", "1"])
    found = iter([[taken], ["7K3M9Q"]])
    monkeypatch.setattr(codes, "unused_codes", lambda _number: next(found))
    tables.add_tables(tournament, ["2"])
    assert list(Table.objects.order_by("pk").values_list("name", "code")) == [("1", taken), ("2", "7K3M9Q")]
