"""The whole hall: stop all and resume all, messages to phones; a seat released, a new code, another table."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.test import Client

from clocks import announce, catchup, desk, hall, hallbook, joining, record, tables
from clocks.engine.commands import Confirm, Hit, Move, Propose, Resume, Stop, parse_command
from clocks.engine.setup import Setup
from clocks.engine.transcript import run
from clocks.journal import refold, replay_lines
from clocks.models import JournalEntry, Match, Membership, RetiredCode, Table, Tournament
from clocks.requests import Request
from clocks.timebase import now_ms
from tests.server.house import US_2013, Page, in_loop, sit_down
from tests.server.test_roles import socket_of

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = database_sync_to_async


@pytest.fixture
def dora() -> User:
    return User.objects.create_user("dora")


@pytest.fixture
def tournament(dora: User) -> Tournament:
    made = Tournament.objects.create(slug="open", name="Summer Open")
    Membership.objects.create(tournament=made, user=dora, role="director")
    return made


def make(tournament: Tournament, table: str, *commands: tuple[str, Any]) -> Match:
    """Make a match at a table and let these commands be given."""
    match = desk.make_match(joining.add_table(tournament, table), Setup.parse(US_2013))
    for by, command in commands:
        assert desk.submit_and_wait(match.pk, command, by).ok
    return Match.objects.select_related("table").get(pk=match.pk)


RUNNING = (("director", Confirm()), ("left", Hit()))


def hall_of(tournament: Tournament) -> dict[str, Match]:
    """Make a hall in which something of everything is going on."""
    return {
        "one": make(tournament, "1", *RUNNING),
        "two": make(tournament, "2", *RUNNING, ("right", Hit())),
        "by a player": make(tournament, "3", *RUNNING, ("left", Stop("dice"))),
        "by the director": make(tournament, "4", *RUNNING, ("director", Stop("director"))),
        "not begun": make(tournament, "5"),
        "ready": make(tournament, "6", ("director", Confirm())),
    }


def state(match: Match) -> tuple[Any, ...]:
    """Return what a director would see of a match that stands."""
    row = Match.objects.get(pk=match.pk)
    _, played = refold(row.pk)
    assert played.to_dict() == row.state
    return row.status, played.turn, played.clock.reserves(now_ms()), played.clock.used_ms


# --- stop all and resume all ---------------------------------------------------------------------------------------


def test_stop_all_stops_what_runs_at_one_instant_and_leaves_the_rest(tournament: Tournament, dora: User) -> None:
    matches = hall_of(tournament)
    untouched = {name: match.version for name, match in matches.items() if name not in ("one", "two")}
    assert hall.stop_all(tournament, dora, "Fire alarm") == 2
    rows = {name: Match.objects.get(pk=match.pk) for name, match in matches.items()}
    assert {name: rows[name].version for name in untouched} == untouched
    halts = [rows[name].state["halt"] for name in ("one", "two")]
    (entry,) = tournament.hall_entries.all()
    assert (
        halts
        == [{"by": "director", "reason": "director", "at": halts[0]["at"], "hall": entry.pk, "note": "Fire alarm"}] * 2
    )
    assert (entry.event, entry.user, entry.data) == ("stopped_all", dora, {"reason": "Fire alarm"})


def test_stop_all_and_resume_all_charge_nobody(tournament: Tournament, dora: User, monkeypatch) -> None:
    matches = hall_of(tournament)
    hall.stop_all(tournament, dora, "Fire alarm")
    stopped = {name: state(match) for name, match in matches.items()}
    later = now_ms() + 25 * 60_000
    monkeypatch.setattr(hall, "now_ms", lambda: later)
    assert hall.resume_all(tournament, dora) == hall.Resumed(2, [])
    for name in ("one", "two"):
        row = Match.objects.get(pk=matches[name].pk)
        _, played = refold(row.pk)
        resumed = ("stopped", played.turn, played.clock.reserves(later), played.clock.used(later))
        assert (row.status, resumed) == ("running", stopped[name])
    others = {name: state(match) for name, match in matches.items() if name not in ("one", "two")}
    assert others == {name: stopped[name] for name in others}


def test_all_of_it_is_one_transaction(tournament: Tournament, dora: User, monkeypatch) -> None:
    matches = [make(tournament, str(number), *RUNNING) for number in range(1, 21)]
    batches = []
    settle = desk._desk.settle
    monkeypatch.setattr(desk._desk.writer, "_settle", lambda batch: (batches.append(len(batch)), settle(batch)))
    assert hall.stop_all(tournament, dora, "Fire alarm") == 20
    assert hall.resume_all(tournament, dora).number == 20
    assert [size for size in batches if size] == [20, 20]
    assert set(Match.objects.values_list("status", flat=True)) == {"running"}
    assert {match.version + 2 for match in matches} == set(Match.objects.values_list("version", flat=True))


def test_what_the_director_settled_meanwhile_is_not_resumed(tournament: Tournament, dora: User) -> None:
    restarted = make(tournament, "1", *RUNNING)
    stopped_again = make(tournament, "2", *RUNNING)
    hall.stop_all(tournament, dora, "Fire alarm")
    for match in (restarted, stopped_again):
        assert desk.submit_and_wait(match.pk, Resume(), "director").ok
    assert desk.submit_and_wait(stopped_again.pk, Stop("dice"), "left").ok
    assert hall.resume_all(tournament, dora) == hall.Resumed(0, [])
    assert [Match.objects.get(pk=match.pk).status for match in (restarted, stopped_again)] == ["running", "stopped"]


def test_what_cannot_go_on_is_named_with_its_reason(tournament: Tournament, dora: User) -> None:
    match = make(tournament, "7", *RUNNING)
    hall.stop_all(tournament, dora, "Fire alarm")
    offer = parse_command({"do": "propose", "what": "game", "winner": "left", "points": 1})
    assert isinstance(offer, Propose)
    assert desk.submit_and_wait(match.pk, offer, "left").ok
    left = ["Table 7: A proposal is waiting: settle it first."]
    assert hall.resume_all(tournament, dora) == hall.Resumed(0, left)
    assert desk.submit_and_wait(match.pk, parse_command({"do": "decline"}), "left").ok
    assert hall.resume_all(tournament, dora) == hall.Resumed(1, [])


def test_a_second_alarm_resumes_only_its_own(tournament: Tournament, dora: User) -> None:
    left_over = make(tournament, "1", *RUNNING)
    hall.stop_all(tournament, dora, "Fire alarm")
    offer = parse_command({"do": "propose", "what": "game", "winner": "left", "points": 1})
    assert desk.submit_and_wait(left_over.pk, offer, "left").ok
    hall.resume_all(tournament, dora)
    assert desk.submit_and_wait(left_over.pk, parse_command({"do": "decline"}), "left").ok
    running = make(tournament, "2", *RUNNING)
    hall.stop_all(tournament, dora, "Announcement")
    assert hall.resume_all(tournament, dora).number == 1
    assert [Match.objects.get(pk=match.pk).status for match in (left_over, running)] == ["stopped", "running"]


def test_two_directors_at_once_do_no_harm(tournament: Tournament, dora: User) -> None:
    match = make(tournament, "1", *RUNNING)
    assert [hall.stop_all(tournament, dora, "Fire alarm"), hall.stop_all(tournament, dora, "Fire!")] == [1, 0]
    assert [stop.data["reason"] for stop in hallbook.stops_in_force(tournament)] == ["Fire alarm", "Fire!"]
    assert hall.resume_all(tournament, dora).number == 1
    assert hallbook.stops_in_force(tournament) == []
    assert Match.objects.get(pk=match.pk).status == "running"


def test_the_record_says_who_and_why_and_can_be_replayed(tournament: Tournament, dora: User) -> None:
    match = make(tournament, "1", *RUNNING)
    hall.stop_all(tournament, dora, "Fire alarm")
    hall.resume_all(tournament, dora)
    told = [(line.who, line.what, line.why) for line in record.lines(match.pk)][-2:]
    assert told == [
        ("director dora", "The director stopped all clocks of the hall", "Fire alarm"),
        ("director dora", "Bob’s clock went on", ""),
    ]
    *_, last = run([json.dumps(line) for line in replay_lines(match.pk)])
    shown = Match.objects.get(pk=match.pk)
    assert (last["ok"], last["status"], last["flag_at"]) == (True, "running", shown.flag_at)
    assert [(line.who, line.what, line.why) for line in hallbook.lines(tournament)] == [
        ("dora", "Let the clocks go on that were stopped together", ""),
        ("dora", "Stopped all clocks", "Fire alarm"),
    ]


def test_a_stop_without_a_reason_stops_nothing(tournament: Tournament, dora: User) -> None:
    match = make(tournament, "1", *RUNNING)
    client = Client()
    client.force_login(dora)
    answer = client.post("/director/open/hall/stop/", {"other": "  "})
    assert (answer.status_code, Match.objects.get(pk=match.pk).status) == (400, "running")
    assert "Say why" in answer.content.decode()
    assert client.post("/director/open/hall/stop/", {"other": "Power cut"})["Location"] == "/director/open/"
    page = client.get("/director/open/hall/").content.decode()
    assert "The hall is stopped" in page and "Power cut" in page
    assert Match.objects.get(pk=match.pk).state["halt"]["note"] == "Power cut"


# --- messages ------------------------------------------------------------------------------------------------------


async def look() -> None:
    await in_thread(catchup.look)()


@in_loop
async def test_a_message_reaches_the_phones_it_is_for_and_those_that_come_later(
    tournament: Tournament, dora: User
) -> None:
    one, two = [await in_thread(make)(tournament, name) for name in ("1", "2")]
    pages = [Page.at(one), Page.at(two)]
    for page in pages:
        await page.open()
    tables = [await Table.objects.aget(pk=one.table_id)]
    message = await in_thread(hall.send)(tournament, dora, "Please come to the desk.", tables, 15)
    await look()
    told = await pages[0].hear("message")
    assert told == {
        "t": "message",
        "now": told["now"],
        "id": message.pk,
        "text": "Please come to the desk.",
        "at": message.sent_at,
        "until": message.sent_at + 15 * 60_000,
    }
    assert await pages[1].is_silent()
    late = Page.at(one)
    assert (await late.open())["t"] == "match"
    assert (await late.hear())["id"] == message.pk
    await look()
    assert [await page.is_silent() for page in (pages[0], late)] == [True, True]


@in_loop
async def test_a_withdrawn_message_vanishes_and_brings_no_older_one_back(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1")
    page = Page.at(match)
    await page.open()
    ids = []
    for text in ("Welcome.", "Lunch at one."):
        message = await in_thread(hall.send)(tournament, dora, text, [], 15)
        await look()
        ids.append((await page.hear("message"))["id"])
    await in_thread(hall.withdraw)(message, dora)
    await look()
    gone = await page.hear("message")
    assert (gone["id"], gone["text"], len(set(ids))) == (0, "", 2)
    events = [entry.event async for entry in tournament.hall_entries.order_by("pk")]
    assert events == ["message_sent", "message_sent", "message_withdrawn"]


@in_loop
async def test_a_message_that_is_out_of_date_is_not_told(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1")
    await in_thread(hall.send)(tournament, dora, "Welcome.", [], 0)
    page = Page.at(match)
    await page.open()
    assert await page.is_silent()


@pytest.mark.parametrize(
    ("given", "tables"), [("", []), ("2", ["2"]), ("1-3, Final", ["1", "2", "3", "Final"]), ("final", ["Final"])]
)
def test_a_message_names_its_tables(tournament: Tournament, dora: User, given: str, tables: list[str]) -> None:
    for name in ("1", "2", "3", "Final"):
        joining.add_table(tournament, name)
    client = Client()
    client.force_login(dora)
    client.post("/director/open/hall/message/", {"text": "Hello.", "tables": given, "minutes": "5"})
    message = tournament.phone_messages.get()
    assert [table.name for table in message.tables.order_by("name")] == tables
    assert message.until - message.sent_at == 5 * 60_000


@pytest.mark.parametrize("wrong", [{"text": ""}, {"text": "x" * 201}, {"tables": "99"}, {"minutes": "99999"}])
def test_a_wrong_message_is_not_sent(tournament: Tournament, dora: User, wrong: dict[str, str]) -> None:
    client = Client()
    client.force_login(dora)
    given = {"text": "Hello.", "tables": "", "minutes": "5"}
    answer = client.post("/director/open/hall/message/", given | wrong)
    assert (answer.status_code, list(answer.context["message_form"].errors)) == (400, list(wrong))
    assert tournament.phone_messages.count() == 0


# --- seats, codes, tables ------------------------------------------------------------------------------------------


class Desk_:
    """A director's socket of the tournament."""

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
async def test_a_released_phone_is_sent_away_and_its_seat_is_free(tournament: Tournament, dora: User) -> None:
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
    _, both = await sit(match, "left", "right")
    page = Page.at(match, both)
    await page.open()
    desk_ = await Desk_.of(dora)
    assert (await desk_.do(match, "release-seat", seat="right"))["t"] == "ack"
    assert await page.closed_with() == 4403
    row = await Match.objects.aget(pk=match.pk)
    assert (row.left_device_id, row.right_device_id) == (None, None)
    again = await desk_.page.do("release-seat", "again", match=match.pk, seat="right")
    assert (again["code"], again["words"]) == ("bad-value", "No phone holds the seat of Bob.")


@in_loop
async def test_a_new_code_sends_all_away_and_keeps_the_seats(tournament: Tournament, dora: User) -> None:
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
    assert (old.status_code, "This code is an old one" in old.content.decode()) == (404, True)


@in_loop
async def test_no_phone_is_told_the_new_code_by_the_old_one(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1")
    page = Page.at(match)
    await page.open()
    await (await Desk_.of(dora)).do(match, "replace-code")
    await page.closed_with()
    assert {frame["code"] for frame in page.frames if frame["t"] == "match"} == {match.table.code}


@in_loop
async def test_a_match_goes_to_another_table_and_its_phones_follow(tournament: Tournament, dora: User) -> None:
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
    way.cookies[joining.DEVICE_COOKIE] = ann
    page = await in_thread(way.get)(f"/t/{match.table.code}/")
    assert f'href="/t/{row.table.code}/clock/"' in page.content.decode()


@in_loop
async def test_a_match_goes_to_no_table_that_is_taken_nor_where_it_is(tournament: Tournament, dora: User) -> None:
    match, other = [await in_thread(make)(tournament, name) for name in ("1", "2")]
    desk_ = await Desk_.of(dora)
    words = [(await desk_.page.do("move", f"to-{to}", match=match.pk, to=to))["words"] for to in ("2", "1", "x" * 21)]
    assert words == [
        "Table 2 is taken: Ann – Bob is not over.",
        "The match is at table 1 already.",
        "to must be the name of a table: 1 to 20 characters.",
    ]
    rows = [await Match.objects.aget(pk=each.pk) for each in (match, other)]
    assert [(row.version, row.table_id) for row in rows] == [(1, match.table_id), (1, other.table_id)]


@in_loop
async def test_a_process_that_was_not_told_finds_a_moved_match_by_itself(
    tournament: Tournament, dora: User, monkeypatch
) -> None:
    match = await in_thread(make)(tournament, "1")
    page = Page.at(match)
    await page.open()
    await look()
    monkeypatch.setattr(announce, "tell", lambda replies, news: None)
    command, alongside = await in_thread(tables.prepared)(match.pk, Move("", "9"))
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
    told = [line.what for line in record.lines(match.pk)][-3:]
    code = RetiredCode.objects.get().code
    assert [words.replace(code, "OLD") for words in told] == [
        "The director released the seat of Ann from its phone",
        f"The director gave the table a new code: {match.table.__class__.objects.get(name='1').code} instead of OLD",
        "The director moved the match from table 1 to table 3",
    ]


def _give(match: Match, command: dict[str, Any], user: User) -> None:
    """Give a command through the director's socket."""

    @in_loop
    async def give() -> None:
        answer = await (await Desk_.of(user)).do(match, **command)
        assert answer["t"] == "ack", answer

    give()
