"""The feed: each event once, in order, across reconnects, without hidden times."""

import asyncio
import json
import random
import threading

import pytest
from channels.db import database_sync_to_async
from django.db import connection

from clocks.api.shapes import EventShape
from clocks.feed import recorder as recorder_module
from clocks.feed import stream
from clocks.feed.readers import readers
from clocks.feed.recorder import Recorder, recorder
from clocks.models import FeedEvent, HallEntry, Match, Tournament
from clocks.people import api_tokens
from clocks.tournament import messages
from tests.server import hall
from tests.server.following import Following, begin_anew, recorded, tournament_to_follow
from tests.server.house import in_loop
from tests.server.programs import Program, owner_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def a_new_recorder() -> None:
    begin_anew()


@pytest.fixture
def tournament() -> Tournament:
    tournament = hall.summer_open().tournament
    recorder.record()  # marks the start: only later events are recorded
    return tournament


# --- events --------------------------------------------------------------------------------------------------------


def test_each_event_is_sent_once_with_a_number_of_its_tournament(tournament: Tournament) -> None:
    (pairing,) = hall.drawn(tournament.rounds.get(), "1,Ann,Bob")
    match = pairing.match
    hall.begin(match)
    hall.do(match, "left", do="call", note="The dice")
    hall.do(match, "director", do="answer", note="")
    hall.do(match, "director", do="resume")
    hall.win(match, "left", 1)
    hall.do(match, "left", do="hit")
    hall.win(match, "left", 2)
    messages.send(tournament, owner_of(tournament), "Lunch at one.", [], 5)
    found = recorded()
    assert [event["number"] for event in found] == list(range(1, len(found) + 1))
    kinds = [event["kind"] for event in found]
    assert [kind for kind in kinds if kind != "clock-stopped"] == [
        "match-begun",
        "call",
        "game-ended",
        "game-ended",
        "result",
        "message",
    ]
    result = next(event for event in found if event["kind"] == "result")
    assert (result["names"], result["winner"], result["score"], result["table"]) == (
        ["Ann", "Bob"],
        "left",
        [3, 0],
        "1",
    )
    assert recorded() == found
    for event in found:
        described = EventShape.model_validate(event)
        assert (described.model_extra, described.model_dump(mode="json", exclude_unset=True)) == ({}, event)


def test_a_reopened_match_and_a_result_without_a_clock_are_events(tournament: Tournament) -> None:
    first = hall.drawn(tournament.rounds.get(), "1,Ann,Bob")[0]
    hall.win(first.match)
    hall.do(first.match, "director", do="propose", what="reopen", note="Wrong")
    second = hall.next_round(tournament.rounds.get(), policy="on-request")
    program = Program(tournament)
    program.ask("put", "/rounds/2/pairings", {"pairings": [{"external_id": "x", "left": "Chi", "right": "Dov"}]})
    pairing = second.pairings.get()
    program.ask("put", f"/rounds/2/pairings/{pairing.pk}/result", {"winner": "right", "score": [1, 3]})
    found = recorded()
    assert [event["kind"] for event in found][-2:] == ["result-withdrawn", "result"]
    assert [EventShape.model_validate(event).model_extra for event in found] == [{}] * len(found)
    assert {name: found[-1][name] for name in ("external_id", "winner", "score", "match")} == {
        "external_id": "x",
        "winner": "right",
        "score": [1, 3],
        "match": None,
    }


def test_an_unfinished_score_or_a_reopened_match_withdraws_the_result(tournament: Tournament) -> None:
    first = hall.drawn(tournament.rounds.get(), "1,Ann,Bob")[0]
    hall.win(first.match)
    hall.do(first.match, "director", do="propose", what="score", score=[2, 0], note="It was 2–0")
    (second,) = hall.drawn(hall.next_round(tournament.rounds.get(), policy="on-request"), "2,Chi,Dov")
    director = hall.client_of("director", tournament.slug)
    path = f"/director/{tournament.slug}/rounds/2/{second.pk}/result/"
    director.post(path, {"winner": "left"})
    director.post(path, {"winner": "right", "note": "Read the wrong way round"})
    director.post(path, {"winner": "nobody", "note": "Another table was meant"})
    found = recorded()
    withdrawn = ("result-withdrawn", None)
    kinds = [("result", False), withdrawn, ("result", False), ("result", True), withdrawn]
    assert [(e["kind"], e.get("corrected")) for e in found if e["kind"].startswith("result")] == kinds
    assert [EventShape.model_validate(event).model_extra for event in found] == [{}] * len(found)
    assert (found[-1]["pairing"], found[-1]["match"], found[-1]["names"]) == (second.pk, None, ["Chi", "Dov"])


def test_events_while_nothing_recorded_are_found_later(tournament: Tournament) -> None:
    (pairing,) = hall.drawn(tournament.rounds.get(), "1,Ann,Bob")
    hall.begin(pairing.match)
    before = recorded()
    hall.win(pairing.match)
    other = Recorder()
    other.record()
    assert recorded()[: len(before)] == before and recorded()[-1]["kind"] == "result"


def test_a_new_installation_records_what_follows() -> None:
    round_ = hall.summer_open()
    (pairing,) = hall.drawn(round_, "1,Ann,Bob")

    def happen() -> None:
        hall.do(pairing.match, "left", do="call", note="")
        hall.do(pairing.match, "director", do="answer", note="")
        messages.send(round_.tournament, owner_of(round_.tournament), "Lunch at one.", [], 5)

    happen()
    assert recorded() == []
    happen()
    assert [event["kind"] for event in recorded()] == ["call", "message"]


def test_an_event_committed_after_a_later_one_elsewhere_is_not_lost(tournament: Tournament, monkeypatch) -> None:
    monkeypatch.setattr(recorder_module, "LATE", 100)
    other = Tournament.objects.create(slug="other", name="Other")
    event = {"at": 1, "kind": "message", "data": {"to_all": True}}
    FeedEvent.objects.create(pk=5, tournament=other, number=1, **event)
    recorder.forget()
    recorder.record()
    told: list[list[int]] = []
    recorder.listeners.append(lambda events: told.append([event.pk for event in events]))
    for pk, where, number in ((12, other, 2), (10, tournament, 1), (11, tournament, 2), (13, other, 3)):
        FeedEvent.objects.create(pk=pk, tournament=where, number=number, **event)
        recorder.tell()
    assert told == [[12], [10], [11], [13]]


def test_a_log_entry_committed_after_a_later_one_is_found_after_a_restart(tournament: Tournament, monkeypatch) -> None:
    monkeypatch.setattr(recorder_module, "LATE", 100)

    def say(text: str, pk: int | None = None) -> int:
        data = {"text": text, "tables": [], "minutes": 5}
        return HallEntry.objects.create(pk=pk, tournament=tournament, at=1, event="message_sent", data=data).pk

    first = say("one")
    recorded()
    say("three", first + 2)
    recorded()
    say("two", first + 1)
    begin_anew()
    assert [event["text"] for event in recorded()] == ["one", "three", "two"]


# --- readers -------------------------------------------------------------------------------------------------------


@in_loop
async def test_a_hundred_cuts_lose_nothing_and_double_nothing() -> None:
    tournament = await database_sync_to_async(lambda: hall.summer_open().tournament)()
    owner = await database_sync_to_async(owner_of)(tournament)
    token = (await database_sync_to_async(Program)(tournament, "viewer")).token
    await database_sync_to_async(recorder.record)()
    number = 160

    def load() -> None:
        for each in range(number):
            messages.send(tournament, owner, f"Message {each}", [], 5)
            recorder.record()
            recorder.tell()
        connection.close()

    writer = threading.Thread(target=load)
    found: list[int] = []
    writer.start()
    random_ = random.Random(14)
    cuts = 0
    while len(found) < number or cuts < 100:
        following = Following(token, found[-1] if found else 0, stop_after=random_.choice([1, 1, 2, 3]))
        running = asyncio.ensure_future(following.run())
        if len(found) >= number:
            following.gone.set()
        await asyncio.wait_for(running, 30)
        found += [event["number"] for event in following.events]
        cuts += 1
    writer.join()
    assert found == list(range(1, number + 1)) and cuts >= 100


@in_loop
async def test_connected_readers_get_events_at_once_by_their_filter() -> None:
    def make() -> tuple[str, Match]:
        tournament = hall.summer_open().tournament
        (pairing,) = hall.drawn(tournament.rounds.get(), "1,Ann,Bob")
        recorder.record()
        return Program(tournament, "viewer").token, pairing.match

    token, match = await database_sync_to_async(make)()
    all_of_it, results = Following(token), Following(token, query="only=result&since=0")
    running = [asyncio.ensure_future(each.run()) for each in (all_of_it, results)]
    while readers.count() < 2:
        await asyncio.sleep(0.01)
    await database_sync_to_async(lambda: (hall.win(match), recorded()))()
    last = await database_sync_to_async(lambda: FeedEvent.objects.count())()
    await all_of_it.upto(last)
    await results.upto(last)
    assert [event["kind"] for event in results.events] == ["result"]
    assert [event["kind"] for event in all_of_it.events][-2:] == ["game-ended", "result"]
    for each in (all_of_it, results):
        each.gone.set()
    await asyncio.wait_for(asyncio.gather(*running), 10)
    assert readers.count() == 0
    assert "access-control-allow-origin" not in all_of_it.answered


@in_loop
async def test_a_revoked_token_ends_the_feed_and_an_idle_feed_gets_comments(monkeypatch) -> None:
    monkeypatch.setattr(stream, "COMMENT_S", 0.2)

    token, tournament = await database_sync_to_async(tournament_to_follow)()
    owner = await database_sync_to_async(owner_of)(tournament)
    following = Following(token)
    running = asyncio.ensure_future(following.run())
    while b"\n\n:\n\n" not in following.body:
        await asyncio.sleep(0.01)

    def say() -> None:
        messages.send(tournament, owner, "Still here?", [], 5)
        recorder.record()
        recorder.tell()

    def revoke_and_tell_on() -> None:
        api_tokens.revoke(tournament.api_tokens.get(), owner)
        while not running.done():
            say()
        connection.close()

    await database_sync_to_async(say)()
    await following.upto(1)
    telling = threading.Thread(target=revoke_and_tell_on)
    telling.start()
    await asyncio.wait_for(running, 30)
    telling.join()
    assert readers.rooms == {}


@pytest.mark.parametrize(
    ("token", "public", "query", "status", "title", "at_fault"),
    [
        ("", False, "", 401, "Unauthorized", []),
        ("bgc_made-up", True, "", 401, "Unauthorized", []),
        ("", True, "since=x", 422, "Unprocessable Entity", ["since"]),
        ("", True, "only=hits", 422, "Unprocessable Entity", ["only"]),
    ],
)
@in_loop
async def test_an_unauthorised_or_invalid_request_gets_a_problem_document(
    token: str, public: bool, query: str, status: int, title: str, at_fault: list[str]
) -> None:
    def make() -> None:
        Tournament.objects.filter(pk=hall.summer_open().tournament.pk).update(public_feed=public)

    await database_sync_to_async(make)()
    following = Following(token, query=query)
    await following.run()
    problem = json.loads(following.body)
    assert (following.status, problem["status"], problem["title"]) == (status, status, title)
    assert [error["pointer"] for error in problem["errors"]] == at_fault


@in_loop
async def test_the_feed_allows_get_only() -> None:
    following = Following()
    following.method = "POST"
    await following.run()
    assert (following.status, json.loads(following.body)["detail"]) == (405, "This address takes GET, not POST.")
    assert following.answered["allow"] == "GET"


@in_loop
async def test_a_public_feed_shows_what_the_hall_does_without_hidden_times() -> None:
    def make() -> None:
        round_ = hall.summer_open(rules="michigan-2002", length=7)
        recorder.record()
        Tournament.objects.update(public_feed=True)
        (pairing,) = hall.drawn(round_, "1,Ann,Bob")
        hall.win(pairing.match, "left", 1)
        owner = owner_of(round_.tournament)
        messages.send(round_.tournament, owner, "To one table", [pairing.table], 5)
        messages.send(round_.tournament, owner, "To all", [], 5)
        recorded()

    await database_sync_to_async(make)()
    following = Following(query="since=0")
    running = asyncio.ensure_future(following.run())
    await following.upto(await database_sync_to_async(FeedEvent.objects.count)())
    following.gone.set()
    await running
    assert following.answered["access-control-allow-origin"] == "*"
    assert [event["text"] for event in following.events if event["kind"] == "message"] == ["To all"]
    assert {event["reserve_ms"] for event in following.events if "reserve_ms" in event} == {None}
    live, polled = [await database_sync_to_async(Program().ask)("get", path) for path in ("/live.json", "/events")]
    assert polled.json()["items"] == following.events
    assert [answer["Access-Control-Allow-Origin"] for answer in (live, polled)] == ["*", "*"]
    (match,) = live.json()["matches"]
    assert (match["reserve_ms"], "code" in match, live["Cache-Control"]) == (None, False, "public, max-age=1")


def test_public_boards_have_no_notes(tournament: Tournament) -> None:
    Tournament.objects.update(public_feed=True)
    (pairing,) = hall.drawn(tournament.rounds.get(), "1,Ann,Bob")
    hall.do(pairing.match, "left", do="call", note="He moves my checkers")
    shown = [program.get("/live.json")["matches"][0] for program in (Program(), Program(tournament, "viewer"))]
    assert [(match["called"], match["call_note"]) for match in shown] == [(True, ""), (True, "He moves my checkers")]


def test_polling_gives_the_same_events_and_the_current_matches(tournament: Tournament) -> None:
    (pairing,) = hall.drawn(tournament.rounds.get(), "1,Ann,Bob")
    hall.win(pairing.match)
    found = recorded()
    program = Program(tournament, "viewer")
    assert program.get("/events")["items"] == found
    page = program.get("/events?limit=1")
    assert program.get(f"/events?cursor={page['next']}")["items"] == found[1:]
    live = program.ask("get", "/live.json")
    assert (live.json()["number"], live["Cache-Control"]) == (len(found), "private, max-age=1")
    assert [match["names"] for match in live.json()["matches"]] == [["Ann", "Bob"]]
    assert program.ask("get", "/live.json", If_None_Match=live["ETag"]).status_code == 304
    assert Program().ask("get", "/live.json").status_code == 401
