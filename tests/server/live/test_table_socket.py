"""Table sockets, tested through the whole application."""

import json

import orjson
import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.core.management import call_command

from clocks import desk
from clocks.desk.batch import Desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Hit, Stop
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.live import catchup
from clocks.live.hub import hub
from clocks.models import Match
from clocks.seats import claims, presence
from clocks.tournament import tables
from tests.server.house import US_2013, Page, in_loop, make_match, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

make_match_, running_match_, sit_down_ = (database_sync_to_async(f) for f in (make_match, running_match, sit_down))
new_match = database_sync_to_async(desk.make_match)
submit = sync_to_async(desk.submit_and_wait)


async def two_phones(**changes: object) -> tuple[Match, Page, Page]:
    """Running match, and Ann's and Bob's pages after their first snapshots."""
    match = await running_match_(**changes)
    pages = [Page.at(match, (await sit_down_(match, seat))[1]) for seat in ("left", "right")]
    for page in pages:
        await page.open()
    return match, *pages


@in_loop
async def test_the_first_frame_is_the_whole_match() -> None:
    match = await running_match_()
    _, token = await sit_down_(match, "left")
    page = Page.at(match, token)
    before = now_ms()
    frame = await page.open()
    now = frame["now"]
    assert before <= now <= now_ms()
    stored = await Match.objects.aget(pk=match.pk)
    board = MatchState.from_dict(stored.state)
    assert frame == {
        "t": "match",
        "match": match.pk,
        "v": 4,
        "now": now,
        **json.loads(orjson.dumps(board.wire(now))),
        "table": match.table.name,
        "code": match.table.code,
        "tournament": "casual",
        "round": "",
        "round_number": None,
        "made_at": int(stored.created_at.timestamp() * 1000),
        "rules_name": "US 2013 · simple delay",
        "features": json.loads(orjson.dumps(board.rules.features)),
        "lag_credit_ms": 250,
        "late": None,
        "lent_at": [None, None],
        "between": False,
        "seats": [{"held": True, "seen_at": frame["seats"][0]["seen_at"]}, {"held": False, "seen_at": None}],
    }
    assert before <= frame["seats"][0]["seen_at"] <= now
    assert (frame["since"], frame["turn"], frame["turn_delay_ms"], frame["kind"]) == (
        board.clock.since,
        "right",
        12_000,
        "simple",
    )


@in_loop
async def test_a_hit_is_acknowledged_and_sent_to_all() -> None:
    match, ann, bob = await two_phones()
    watcher = Page.at(match)
    await watcher.open()
    assert await bob.do("hit", "one", turn_number=1, at=now_ms()) == {
        "t": "ack",
        "id": "one",
        "v": 6,
        "credit_ms": 0,
    }
    frames = [await page.hear("match") for page in (ann, bob, watcher)]
    assert frames[0] == frames[1] == frames[2]
    assert (frames[0]["v"], frames[0]["turn"], frames[0]["hits"]) == (6, "left", [1, 1])


@in_loop
async def test_a_repeated_id_gets_the_same_answer_and_counts_once() -> None:
    _match, _ann, bob = await two_phones()
    first = await bob.do("hit", "one", turn_number=1)
    await bob.hear("match")
    again = await bob.do("hit", "one", turn_number=1)
    assert first == again == {"t": "ack", "id": "one", "v": 6, "credit_ms": 0}
    assert await bob.is_silent()


@in_loop
async def test_a_press_by_the_player_not_on_turn_is_refused() -> None:
    _match, ann, bob = await two_phones()
    assert await ann.do("hit", "one", turn_number=1) == {
        "t": "refused",
        "id": "one",
        "code": "not-your-turn",
        "v": 5,
        "words": "Bob’s clock is running.",
    }
    assert await ann.is_silent() and await bob.is_silent()


@in_loop
async def test_a_spectator_may_watch_and_send_no_command() -> None:
    match, _, _ = await two_phones()
    watcher = Page.at(match, "a token that nobody gave out")
    await watcher.open()
    assert await watcher.do("hit", "one") == {
        "t": "refused",
        "id": "one",
        "code": "no-seat",
        "v": 5,
        "words": "This device has no seat at the table.",
    }


@in_loop
async def test_a_shared_phone_names_the_seat_that_asks() -> None:
    match = await make_match_()
    _, token = await sit_down_(match, "left", "right")
    page = Page.at(match, token)
    await page.open()
    assert await page.do("confirm", "one") == {
        "t": "refused",
        "id": "one",
        "code": "bad-value",
        "v": 2,
        "words": "This phone holds both seats. Say which one is asking: left or right.",
    }
    assert (await page.do("confirm", "two", seat="left"))["t"] == "ack"
    assert (await page.do("confirm", "three", seat="right"))["t"] == "ack"


@in_loop
async def test_a_proposal_of_time_names_the_asking_seat_separately() -> None:
    match = await running_match_()
    _, token = await sit_down_(match, "left", "right")
    page = Page.at(match, token)
    await page.open()
    assert (await page.do("propose", "one", what="time", seat="right", by="left", by_ms=5_000))["t"] == "ack"
    proposal = (await page.hear("match"))["proposal"]
    assert (proposal["by"], proposal["seat"], proposal["by_ms"]) == ("left", "right", 5_000)


@in_loop
async def test_a_ping_is_answered_with_the_server_s_time_and_the_version() -> None:
    _, ann, _ = await two_phones()
    before = now_ms()
    await ann.say({"t": "ping", "c": 123.4})
    pong = await ann.hear()
    assert before <= pong["now"] <= now_ms()
    assert pong == {"t": "pong", "c": 123.4, "now": pong["now"], "v": 5}


@in_loop
async def test_a_phone_cannot_set_its_own_credit() -> None:
    _, _, bob = await two_phones()
    assert (await bob.do("hit", "one", credit_ms=200))["credit_ms"] == 0


@in_loop
async def test_the_credit_of_a_press_is_bounded_by_the_measured_round_trip() -> None:
    match, _ann, bob = await two_phones()
    [socket] = [s for s in hub.tables[match.table_id].sockets if s.device_id == hub.tables[match.table_id].devices[1]]
    socket.rtt_ms = 70
    assert (await bob.do("hit", "one", at=now_ms() - 5_000))["credit_ms"] == 70


@in_loop
async def test_the_server_measures_the_round_trip_of_a_phone_with_a_seat() -> None:
    match, ann, _ = await two_phones()
    probe = await ann.hear("probe")
    assert probe == {"t": "probe", "p": 1}
    await ann.say(probe)
    assert await ann.is_silent()
    device_id = hub.tables[match.table_id].devices[0]
    [socket] = [s for s in hub.tables[match.table_id].sockets if s.device_id == device_id]
    assert 0 <= socket.rtt_ms < 5_000


@in_loop
async def test_the_code_is_read_without_regard_to_case_and_dashes() -> None:
    match = await make_match_()
    code = match.table.code.lower()
    page = Page(f"/ws/table/{code[:3]}-{code[3:]}/")
    assert (await page.open())["match"] == match.pk


@pytest.mark.parametrize("path", ["/ws/table/222222/", "/ws/table/nonsense/", "/ws/nowhere/", "/ws/hall/nowhere/"])
@in_loop
async def test_an_unknown_path_is_accepted_and_closed_with_4404(path: str) -> None:
    assert await Page(path).refused_with() == 4404


@in_loop
async def test_a_table_without_a_match_is_closed_with_4404() -> None:
    table = await database_sync_to_async(lambda: tables.add_table(tables.casual_tournament()))()
    assert await Page(f"/ws/table/{table.code}/").refused_with() == 4404


@pytest.mark.parametrize(
    "headers",
    [
        [(b"origin", b"http://evil.example")],
        [(b"origin", b"null")],
        [(b"origin", b"http://localhost:9000")],
        [(b"origin", b"file://localhost:8000")],
        [(b"origin", b"http://localhost:8000.evil.example")],
        [(b"origin", b"http://evil@localhost:9000")],
        [(b"host", b"evil.example"), (b"origin", b"http://evil.example")],
        [(b"host", b"")],
        [(b"origin", b"http://localhost:port")],
    ],
)
@in_loop
async def test_another_sites_page_gets_no_socket(headers: list[tuple[bytes, bytes]]) -> None:
    match = await make_match_()
    assert await Page(f"/ws/table/{match.table.code}/", headers=headers).denied()


@pytest.mark.parametrize(
    "headers",
    [
        [(b"origin", b"")],  # not from a browser
        [(b"origin", b"https://localhost:8000")],  # behind a proxy that terminates TLS
        [(b"host", b"localhost"), (b"origin", b"http://localhost")],
        [(b"host", b"localhost:443"), (b"origin", b"https://localhost")],
        [(b"host", b"[::1]:8000"), (b"origin", b"http://[::1]:8000")],
    ],
)
@in_loop
async def test_our_own_pages_and_programs_get_a_socket(headers: list[tuple[bytes, bytes]]) -> None:
    match = await make_match_()
    page = Page(f"/ws/table/{match.table.code}/", headers=headers)
    assert (await page.open())["match"] == match.pk


@in_loop
async def test_a_phone_that_loses_its_seat_is_closed_with_4409(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "PLAYED_MS", 0)
    match, ann, bob = await two_phones()
    presence._seen[match.pk][Seat.LEFT.index] -= presence.silent_ms(False)
    _, token = await sit_down_(match, "left")
    assert await ann.closed_with() == 4409
    assert (await bob.hear("match"))["v"] == 6
    again = Page.at(match, token)
    await again.open()
    assert (await bob.do("hit"))["t"] == "ack"
    assert (await again.do("hit"))["t"] == "ack"


@in_loop
async def test_too_many_messages_are_closed_with_4429() -> None:
    _, ann, _ = await two_phones()
    for number in range(200):
        await ann.say({"t": "ping", "c": number})
    assert await ann.closed_with() == 4429


@in_loop
async def test_sockets_follow_their_table_to_its_next_match() -> None:
    match, ann, _bob = await two_phones()
    assert (await submit(Request(match.pk, Stop("director"), "director"))).ok
    assert (await ann.hear("match"))["status"] == "stopped"
    following = await new_match(match.table, Setup.parse(US_2013 | {"names": ["Cat", "Dan"]}), replace=True)
    frame = await ann.hear("match")
    assert (frame["match"], frame["v"], frame["names"]) == (following.pk, 1, ["Cat", "Dan"])
    assert (await submit(Request(match.pk, Hit(), "left"))).code == "stopped"
    assert (await ann.do("hit", "one"))["code"] == "no-seat"
    assert (await submit(Request(match.pk, Stop("dice"), "director"))).code == "stopped"
    assert await ann.is_silent()


@in_loop
async def test_a_press_for_the_last_match_does_not_count_in_the_next() -> None:
    match, _ann, bob = await two_phones()
    answer = await bob.do("hit", "one", match=match.pk + 1)
    assert (answer["code"], answer["words"]) == ("stale", "Another match is played at this table now.")


@in_loop
async def test_catch_up_sends_what_another_process_stored() -> None:
    match, ann, _ = await two_phones()
    theirs = Desk()
    request = Request(match.pk, Hit(), "right", now_ms())

    def behind_our_back() -> None:
        loop, hub.loop = hub.loop, None  # another process does not know our sockets
        theirs.settle([request])
        hub.loop = loop

    await database_sync_to_async(behind_our_back)()
    assert await ann.is_silent()
    await database_sync_to_async(catchup.look)()
    assert (await ann.hear("match"))["v"] == 6
    await database_sync_to_async(catchup.look)()
    assert await ann.is_silent()


@in_loop
async def test_a_closed_socket_is_forgotten() -> None:
    match, ann, bob = await two_phones()
    await ann.leave()
    assert len(hub.tables[match.table_id].sockets) == 1
    await bob.leave()
    assert hub.tables == {}


@in_loop
async def test_a_hundred_turns_in_a_row_are_within_the_limit() -> None:
    _match, ann, bob = await two_phones()
    for number in range(100):
        assert (await (bob, ann)[number % 2].do("hit", f"id {number}"))["t"] == "ack"


def test_the_journal_of_play_over_sockets_verifies() -> None:
    test_a_hundred_turns_in_a_row_are_within_the_limit()
    call_command("verify")
