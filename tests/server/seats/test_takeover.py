"""Requesting a seat whose phone is online, and answering such requests."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import ReleaseSeat, TakeSeat
from clocks.engine.refusals import Refused
from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.live import catchup
from clocks.models import Device, JournalEntry, Match, SeatAsk
from clocks.people.tokens import hash_token
from clocks.record import match_record
from clocks.seats import presence, takeover
from clocks.wording.language import said_in
from tests.server.house import Page, in_loop, make_match, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

look = sync_to_async(catchup.look)


@pytest.fixture
def match() -> Match:
    """Match with two online phones."""
    match = running_match()
    for seat in ("left", "right"):
        sit_down(match, seat)
    return Match.objects.select_related("table").get(pk=match.pk)


@pytest.fixture
def stranger() -> Device:
    return Device.objects.create(token_hash="stranger")


def post(client: Client, match: Match, seat: str) -> tuple[int, str]:
    """Claim a seat on the table's page; return the status and the redirect target."""
    response = client.post(f"/t/{match.table.code}/seat/", {"seat": seat})
    return response.status_code, response.headers.get("Location", "")


def state(client: Client, match: Match) -> str:
    """State shown on the requesting phone's page, or the redirect target."""
    response = client.get(f"/t/{match.table.code}/asking/")
    return response.headers["Location"] if response.status_code == 302 else response.context["state"]


def ask(match: Match, device: Device, *seats: str, at: int | None = None) -> SeatAsk:
    board = stored.matches([match.pk])[match.pk]
    return takeover.request_seat(board, [Seat(seat) for seat in seats], device, now_ms() if at is None else at)


# --- requesting ----------------------------------------------------------------------------------------------------


def test_a_claim_of_an_online_seat_becomes_a_request_and_a_waiting_page(match: Match) -> None:
    version, phone = match.version, Client()
    assert post(phone, match, "left") == (302, f"/t/{match.table.code}/asking/")
    assert state(phone, match) == "waits"
    page = phone.get(f"/t/{match.table.code}/asking/").content.decode()
    assert f'href="/t/{match.table.code}/"' in page and "pages/seat-wait.js" in page
    match.refresh_from_db()
    assert (match.version, SeatAsk.objects.values("seats", "answer").get()) == (
        version,
        {"seats": "left", "answer": ""},
    )


def test_a_repeated_claim_is_the_same_request(match: Match, stranger: Device) -> None:
    one = ask(match, stranger, "left")
    assert ask(match, stranger, "left") == one
    assert SeatAsk.objects.count() == 1
    assert [takeover.tournament_of(pk) for pk in (one.pk, one.pk + 1)] == [match.table.tournament_id, None]


def test_only_the_phone_in_the_seat_is_asked(match: Match, stranger: Device) -> None:
    ask(match, stranger, "left")
    (waiting,) = takeover.waiting(now_ms())
    holders = match.left_device_id, match.right_device_id
    asked = [waiting.seats_of(phone, holders) for phone in (*holders, stranger.pk, None)]
    assert asked == [[Seat.LEFT], [], [], []]


def test_one_phone_at_a_time_asks_for_a_seat(match: Match, stranger: Device) -> None:
    ask(match, stranger, "left")
    other = Device.objects.create(token_hash="other")
    for seats in (["left"], ["left", "right"]):
        with pytest.raises(Refused, match="Another phone has already asked"):
            ask(match, other, *seats)
    assert ask(match, other, "right").seats == "right"


def test_a_phone_with_one_seat_does_not_ask_for_the_other_alone(match: Match) -> None:
    """Bob’s phone would trade his seat for Ann’s, and hers would have none."""
    device = Device.objects.get(pk=match.right_device_id)
    with pytest.raises(Refused, match="This phone has Bob’s seat"):
        ask(match, device, "left")
    assert ask(match, device, "left", "right").seats == "left right"


def test_after_a_refusal_nobody_asks_for_that_seat_for_a_minute(match: Match, stranger: Device) -> None:
    now = now_ms()
    takeover.keep(ask(match, stranger, "left", at=now).pk, None, now)
    other = Device.objects.create(token_hash="other")
    with pytest.raises(Refused, match="just been turned down"):
        ask(match, other, "left", at=now + takeover.REST_MS - 1)
    presence.saw(match.pk, 0, now + takeover.REST_MS)
    assert ask(match, other, "left", at=now + takeover.REST_MS).device == other


def test_a_phone_may_request_seats_three_times_in_ten_minutes(match: Match, stranger: Device) -> None:
    now = now_ms()
    for number in range(3):
        at = now + number * takeover.WAIT_MS
        presence.saw(match.pk, 0, at)
        ask(match, stranger, "left", at=at)
    with pytest.raises(Refused, match="asked several times"):
        ask(match, stranger, "left", at=now + 3 * takeover.WAIT_MS)
    assert ask(match, stranger, "left", at=now + 3 * takeover.WAIT_MS + takeover.WINDOW_MS)


def test_a_request_expires_and_may_be_repeated(match: Match, stranger: Device) -> None:
    now = now_ms()
    first = ask(match, stranger, "left", at=now - takeover.WAIT_MS)
    board = stored.matches([match.pk])[match.pk]
    assert (takeover.state_of(first, board, now), takeover.waiting(now)) == ("unanswered", [])
    with pytest.raises(Refused, match="no longer waiting"):
        takeover.give(first.pk, match.left_device_id, now)
    assert ask(match, stranger, "left", at=now) != first


def test_a_seat_that_falls_silent_meanwhile_can_be_taken_at_once(match: Match) -> None:
    phone = Client()
    post(phone, match, "left")
    presence._seen[match.pk][0] = now_ms() - presence.silent_ms(False)
    assert state(phone, match) == "free"
    assert post(phone, match, "left") == (302, f"/t/{match.table.code}/clock/")


def test_a_seat_is_not_called_free_while_a_process_does_not_answer(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = Client()
    post(phone, match, "left")
    presence._seen[match.pk][0] = now_ms() - presence.silent_ms(False)
    monkeypatch.setattr(presence, "_answered_at", 0)
    assert state(phone, match) == "waits"


def test_without_a_request_the_waiting_page_redirects_to_the_table(match: Match) -> None:
    assert state(Client(), match) == f"/t/{match.table.code}/"


# --- answering -----------------------------------------------------------------------------------------------------


@pytest.fixture
def at_table(match: Match) -> dict[str, str]:
    """Create tokens for Ann's and Bob's phones; return them by player."""
    tokens = {}
    for name, device_id in (("ann", match.left_device_id), ("bob", match.right_device_id)):
        token = f"{name}-token"
        Device.objects.filter(pk=device_id).update(token_hash=hash_token(token))
        tokens[name] = token
    return tokens


@in_loop
async def test_the_holder_is_told_who_asks_and_gives_the_seat(match: Match, at_table: dict[str, str]) -> None:
    ann, bob = Page.at(match, at_table["ann"]), Page.at(match, at_table["bob"])
    for page in (ann, bob):
        await page.open()
    phone = Client()
    assert (await sync_to_async(post)(phone, match, "left"))[0] == 302
    told = await ann.hear("asks")
    (asked,) = told["asks"]
    assert (asked["match"], asked["seats"], asked["until"] - asked["at"]) == (match.pk, ["left"], takeover.WAIT_MS)
    assert (await bob.hear("asks"))["asks"] == []
    await bob.say({"t": "seat", "id": "b", "ask": asked["id"], "give": True})
    assert (await bob.hear("refused"))["code"] == "no-seat"
    await ann.say({"t": "seat", "id": "a", "ask": asked["id"], "give": True})
    assert await ann.closed_with() == 4409
    frame = await bob.hear("match")
    assert frame["v"] == match.version + 1
    assert await sync_to_async(state)(phone, match) == f"/t/{match.table.code}/clock/"
    entry = await JournalEntry.objects.aget(match=match, seq=frame["v"])
    assert (entry.by, entry.device_id, entry.event) == ("left", match.left_device_id, "seat_taken")
    lines = await sync_to_async(lambda: [line.what for line in match_record.lines(match.pk)])()
    assert lines[-1] == "A phone took Ann’s seat, handed over by Ann"


@in_loop
async def test_the_holder_keeps_the_seat_and_the_other_phone_is_told(match: Match, at_table: dict[str, str]) -> None:
    ann, phone = Page.at(match, at_table["ann"]), Client()
    await ann.open()
    await sync_to_async(post)(phone, match, "both")
    asked = (await ann.hear("asks"))["asks"][0]
    assert asked["seats"] == ["left"]
    await ann.say({"t": "seat", "id": "a", "ask": asked["id"], "give": False})
    assert (await ann.hear("ack"))["v"] == match.version
    assert await sync_to_async(state)(phone, match) == "kept"
    assert await database_sync_to_async(lambda: Match.objects.get(pk=match.pk).version)() == match.version


@in_loop
async def test_both_seats_need_the_agreement_of_both_phones(match: Match, at_table: dict[str, str]) -> None:
    pages = [Page.at(match, at_table[name]) for name in ("ann", "bob")]
    for page in pages:
        await page.open()
    phone = Client()
    await sync_to_async(post)(phone, match, "both")
    asked = (await pages[0].hear("asks"))["asks"][0]
    await pages[0].say({"t": "seat", "id": "a", "ask": asked["id"], "give": True})
    assert (await pages[0].hear("ack"))["v"] == match.version
    assert await sync_to_async(state)(phone, match) == "waits"
    await pages[1].say({"t": "seat", "id": "b", "ask": asked["id"], "give": True})
    assert [await page.closed_with() for page in pages] == [4409, 4409]
    assert await sync_to_async(state)(phone, match) == f"/t/{match.table.code}/clock/"


@in_loop
async def test_a_request_in_another_process_is_shown_within_a_second(match: Match, at_table: dict[str, str]) -> None:
    ann = Page.at(match, at_table["ann"])
    await ann.open()
    await database_sync_to_async(lambda: ask(match, Device.objects.create(token_hash="x"), "left"))()
    await look()
    assert [one["seats"] for one in (await ann.hear("asks"))["asks"]] == [["left"]]
    late = Page.at(match, at_table["ann"])
    await late.open()
    assert len((await late.hear("asks"))["asks"]) == 1


@pytest.mark.parametrize(
    "answer",
    [{}, {"ask": "1", "give": True}, {"ask": 0, "give": True}, {"ask": 1}, {"ask": 1, "give": 1}, {"ask": 2**60}],
)
@in_loop
async def test_an_invalid_answer_is_refused(match: Match, at_table: dict[str, str], answer: dict[str, Any]) -> None:
    ann = Page.at(match, at_table["ann"])
    await ann.open()
    await ann.say({"t": "seat", "id": "a", **answer})
    assert (await ann.hear("refused"))["code"] == "bad-value"


@in_loop
async def test_a_refusal_is_in_the_language_of_the_answering_phone(match: Match, at_table: dict[str, str]) -> None:
    bob = Page(f"/ws/table/{match.table.code}/", at_table["bob"], headers=[(b"accept-language", b"de")])
    await bob.open()
    await bob.say({"t": "seat", "id": "a", "ask": 17, "give": True})
    english = "There is no such request."
    words = (await bob.hear("refused"))["words"]
    assert (words, words != english) == (said_in("de", english), True)


@in_loop
async def test_spectators_cannot_answer_requests(match: Match) -> None:
    watcher = Page.at(match)
    await watcher.open()
    await watcher.say({"t": "seat", "id": "a", "ask": 1, "give": True})
    assert (await watcher.hear("refused"))["code"] == "no-seat"


def test_the_same_answer_again_gets_the_same_claim_and_another_is_too_late(match: Match, stranger: Device) -> None:
    one, now = ask(match, stranger, "left"), now_ms()
    first = takeover.give(one.pk, match.left_device_id, now)
    assert first == takeover.give(one.pk, match.left_device_id, now)
    with pytest.raises(Refused, match="already been handed over"):
        takeover.keep(one.pk, match.left_device_id, now)


def claimed(match: Match, claim: TakeSeat | None, by: Seat) -> tuple[int | None, int | None]:
    """Submit a granted claim as the seat's phone; return the device ids in both seats."""
    if claim is not None:
        holder = Match.objects.values_list(f"{by}_device", flat=True).get(pk=match.pk)
        assert desk.submit_and_wait(desk.Request(match.pk, claim, by, device_id=holder)).ok
    return Match.objects.values_list("left_device", "right_device").get(pk=match.pk)


def test_an_old_answer_does_not_give_a_seat_that_was_taken_back(match: Match, stranger: Device) -> None:
    ann, bob = match.left_device_id, match.right_device_id
    one, now = ask(match, stranger, "left", "right"), now_ms()
    assert takeover.give(one.pk, ann, now) is None
    assert claimed(match, takeover.give(one.pk, bob, now), Seat.RIGHT) == (stranger.pk, stranger.pk)
    back = takeover.give(ask(match, Device(pk=bob), "right").pk, stranger.pk, now)
    assert claimed(match, back, Seat.RIGHT) == (stranger.pk, bob)
    assert takeover.give(one.pk, ann, now) is None
    assert claimed(match, takeover.give(one.pk, bob, now + takeover.WAIT_MS), Seat.RIGHT) == (stranger.pk, bob)


def test_a_grant_that_was_not_used_for_long_expires(match: Match, stranger: Device) -> None:
    one, now = ask(match, stranger, "left"), now_ms()
    takeover.give(one.pk, match.left_device_id, now)
    one.refresh_from_db()
    presence.saw(match.pk, 0, now + takeover.CLAIM_MS)
    board = stored.matches([match.pk])[match.pk]
    states = [takeover.state_of(one, board, now + takeover.CLAIM_MS - left_ms) for left_ms in (1, 0)]
    assert states == ["waits", "unanswered"]
    with pytest.raises(Refused, match="no longer waiting"):
        takeover.give(one.pk, match.left_device_id, now + takeover.CLAIM_MS)


def test_a_seat_that_became_free_needs_no_answer(stranger: Device) -> None:
    match = make_match()
    sit_down(match, "left")
    match.refresh_from_db()
    one = ask(match, stranger, "left", "right")
    claim = takeover.give(one.pk, match.left_device_id, now_ms())
    assert claim is not None and claim.seats == (Seat.LEFT, Seat.RIGHT)


@in_loop
async def test_a_returning_page_is_told_that_its_phone_lost_the_seat(match: Match, at_table: dict[str, str]) -> None:
    presence._seen[match.pk][Seat.RIGHT.index] -= presence.silent_ms(False)
    _, taker = await database_sync_to_async(sit_down)(match, "right")
    released = desk.Request(match.pk, ReleaseSeat(Seat.LEFT), "director")
    assert (await sync_to_async(desk.submit_and_wait)(released)).ok
    ann, bob = at_table["ann"], at_table["bob"]

    def back(token: str, says: str) -> Page:
        return Page(f"/ws/table/{match.table.code}/{says}", token)

    says = f"?match={match.pk}&seats="
    assert await back(bob, f"{says}right").refused_with() == 4409
    assert await back(bob, f"{says}left,right").refused_with() == 4409
    assert await back(ann, f"{says}left").refused_with() == 4403
    assert await back("", f"{says}left").refused_with() == 4403
    for page in (
        back(taker, f"{says}right"),  # has the named seat
        back(bob, ""),  # is only a spectator
        back(bob, f"?match={match.pk + 1}&seats=right"),  # names another match
        back(bob, f"{says}right&seats=left"),  # malformed
    ):
        assert (await page.open())["match"] == match.pk
        await page.leave()


@pytest.mark.parametrize("give", [True, False])
def test_an_answer_to_an_unknown_request_takes_no_write_lock(give: bool) -> None:
    with CaptureQueriesContext(connection) as queries, pytest.raises(Refused, match="no such request"):
        takeover.settle(999, give, 1, now_ms())
    assert [query["sql"].split()[0] for query in queries.captured_queries] == ["SELECT"]
