"""Players can grant a borrowed seat only after its owner's two minutes of silence."""

import asyncio
import urllib.request
from http.cookies import SimpleCookie
from queue import Queue
from urllib.parse import urlencode

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import Client

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Confirm, GrantSeat
from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.journal.tenure import IN_FULL
from clocks.models import Device, Match
from clocks.people.tokens import hash_token
from clocks.seats import absence, claims, devices, presence
from tests.server.daphne import House, Phone
from tests.server.house import Page, in_loop, make_match, sit_down
from tests.server.seats.test_borrowed_seats import ANN_WON, Table, granted

pytestmark = pytest.mark.django_db(transaction=True)

SOON = claims.AWAY_MS - 1_000
MAY_COME_BACK = "Bob’s own phone was online less than two minutes ago and may come back. Try again in "


@pytest.fixture
def table() -> Table:
    return Table()


def a_phone() -> Device:
    return devices.join_device({})[0]


def score(table: Table) -> list[int]:
    return list(Match.objects.get(pk=table.match.pk).state["score"])


def test_against_a_real_server_two_phones_settle_nothing_alone(house: House) -> None:
    made = house.new_match()
    house.start()
    ann, bob = house.phone(made, "left"), house.phone(made, "right")
    assert [phone.do("confirm", f"confirm {phone is ann}")["t"] for phone in (ann, bob)] == ["ack", "ack"]
    ann.see(status="ready")
    assert ann.do("hit", "start", turn_number=0)["t"] == "ack"
    bob.socket.close()
    while ann.hear("seen")["now"] - ann.snapshot["now"] < presence.SILENT_MS:
        pass
    form = {"seat": "right", "csrfmiddlewaretoken": "x" * 32}
    address = f"http://127.0.0.1:{house.port}/t/{made['code']}/seat/"
    claim = urllib.request.Request(address, urlencode(form).encode(), {"Cookie": f"csrftoken={'x' * 32}"})
    opener = urllib.request.build_opener(_NoRedirect)
    token = SimpleCookie(opener.open(claim, timeout=20).headers["Set-Cookie"])[settings.DEVICE_COOKIE_NAME].value
    carl = Phone(f"ws://127.0.0.1:{house.port}/ws/table/{made['code']}/", token)
    answer = ann.do("grant-seat", "grant", seat="right", by="left")
    assert (answer["t"], answer["words"].startswith(MAY_COME_BACK)) == ("refused", True)
    assert ann.do("propose", "won", what="game", winner="left", points=3)["t"] == "ack"
    number = ann.see(status="stopped")["proposal"].get("number")
    assert carl.do("agree", "yes", proposal=number)["code"] == "no-seat"
    assert ann.snapshot["score"] == [0, 0]


class _NoRedirect(urllib.request.HTTPRedirectHandler, urllib.request.HTTPErrorProcessor):
    """Returns responses of any status, without following redirects."""

    def http_response(self, request: urllib.request.Request, response: object) -> object:
        """Return the response unchanged."""
        return response

    https_response = http_response


@pytest.mark.parametrize("seat", [Seat.LEFT, Seat.RIGHT])
def test_neither_the_other_player_nor_the_borrower_grants_it_sooner(table: Table, seat: Seat) -> None:
    carl = a_phone()
    table.silence(Seat.RIGHT)
    table.claim(carl, "right")
    by = table.ann if seat is Seat.LEFT else carl
    assert granted(table, by, seat, Seat.RIGHT, SOON) == (False, "no-seat")
    assert table.seating()[1].owners == (None, table.bob.pk)


@pytest.mark.parametrize(
    ("after_ms", "words"),
    [(19_999, MAY_COME_BACK + "101 seconds."), (119_999, MAY_COME_BACK + "1 second."), (120_000, "")],
)
def test_the_refusal_says_how_many_seconds_remain(table: Table, after_ms: int, words: str) -> None:
    table.silence(Seat.RIGHT)
    table.claim(a_phone(), "right")
    lent_at = table.seating()[1].lent_at[1]
    assert lent_at is not None
    request = Request(table.match.pk, GrantSeat(Seat.RIGHT), Seat.LEFT, lent_at + after_ms, device_id=table.ann.pk)
    assert desk.submit_and_wait(request).words == words


@pytest.mark.parametrize("settles", [("propose", "agree"), ("double", "pass")])
def test_a_phone_lent_twice_settles_nothing_sooner(table: Table, settles: tuple[str, str]) -> None:
    first, second = a_phone(), a_phone()
    for phone in (first, second):
        table.silence(Seat.RIGHT)
        table.claim(phone, "right")
    assert granted(table, table.ann, Seat.LEFT, Seat.RIGHT, SOON) == (False, "no-seat")
    asks = ANN_WON if settles[0] == "propose" else {"do": "double"}
    table.ask(second, "right", claims.PLAYED_MS, do="hit")
    assert table.ask(table.ann, "left", **asks)[0]
    assert table.ask(second, "right", do=settles[1])[:2] == (False, "no-seat")
    assert score(table) == [0, 0]


def test_after_both_have_confirmed_a_seat_is_lent_before_the_first_press() -> None:
    match = make_match()
    ann, bob = sit_down(match, "left")[0], sit_down(match, "right")[0]
    for seat, phone in (("left", ann), ("right", bob)):
        assert desk.submit_and_wait(Request(match.pk, Confirm(), Seat(seat), device_id=phone.pk)).ok
    presence._seen[match.pk][1] = now_ms() - presence.silent_ms(False)
    carl = a_phone()
    desk.claim_seat(match.pk, [Seat.RIGHT], carl)
    board = stored.matches([match.pk])[match.pk]
    assert (board.devices, board.tenure.owners) == ((ann.pk, carl.pk), (None, bob.pk))


def test_a_brief_return_of_the_owner_restarts_the_two_minutes(table: Table) -> None:
    table.silence(Seat.RIGHT)
    table.claim(a_phone(), "right")
    absence.heard(table.bob.pk, now_ms() + SOON)
    assert granted(table, table.ann, Seat.LEFT, Seat.RIGHT, claims.AWAY_MS + 1_000) == (False, "no-seat")
    assert granted(table, table.ann, Seat.LEFT, Seat.RIGHT, 2 * claims.AWAY_MS + absence.SPACING_MS) == (True, "")


def test_the_sign_of_an_owner_that_was_back_outlives_a_restart(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.silence(Seat.RIGHT)
    table.claim(a_phone(), "right")
    absence.heard(table.bob.pk, now_ms() + SOON)
    monkeypatch.setattr(presence, "_seen", {})
    desk.forget()
    assert granted(table, table.ann, Seat.LEFT, Seat.RIGHT, claims.AWAY_MS + 1_000) == (False, "no-seat")


def _signs(monkeypatch: pytest.MonkeyPatch) -> Queue[int]:
    """Queue of the device ids whose last-heard-from times have been stored."""
    signs, heard = Queue[int](), absence.heard

    def noted(device_id: int, at: int) -> None:
        heard(device_id, at)
        signs.put(device_id)

    monkeypatch.setattr(absence, "heard", noted)
    return signs


@in_loop
async def test_a_socket_or_a_page_of_the_owner_is_a_sign_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = await sync_to_async(Table)()
    token, carl = "bobs-token", await sync_to_async(a_phone)()
    await Device.objects.filter(pk=table.bob.pk).aupdate(token_hash=hash_token(token))
    table.silence(Seat.RIGHT)
    await sync_to_async(table.claim)(carl, "right")
    before = now_ms()
    signs = _signs(monkeypatch)
    gone = Page(f"/ws/table/{table.match.table.code}/?match={table.match.pk}&seats=right", token)
    assert await gone.refused_with() == 4409
    await asyncio.to_thread(signs.get, timeout=5)
    first = (await Device.objects.aget(pk=table.bob.pk)).heard_at
    await Device.objects.filter(pk=table.bob.pk).aupdate(heard_at=0)
    phone = Client()
    phone.cookies[settings.DEVICE_COOKIE_NAME] = token
    assert (await sync_to_async(phone.get)(f"/t/{table.match.table.code}/")).status_code == 200
    second = (await Device.objects.aget(pk=table.bob.pk)).heard_at
    assert [at >= before for at in (first, second)] == [True, True]
    assert (await Device.objects.aget(pk=carl.pk)).heard_at == 0


@in_loop
async def test_an_owner_that_watches_is_heard_for_as_long_as_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    table = await sync_to_async(Table)()
    await Device.objects.filter(pk=table.bob.pk).aupdate(token_hash=hash_token("bobs-token"))
    table.silence(Seat.RIGHT)
    await sync_to_async(table.claim)(await sync_to_async(a_phone)(), "right")
    page = Page.at(table.match, "bobs-token")
    await page.open()
    signs = _signs(monkeypatch)
    monkeypatch.setattr(absence, "SPACING_MS", -1)
    before = now_ms()
    assert await page.is_silent()
    await asyncio.to_thread(signs.get, timeout=5)
    assert (await Device.objects.aget(pk=table.bob.pk)).heard_at >= before


def test_the_phone_that_returns_finds_its_seat_and_settles(table: Table) -> None:
    carl = a_phone()
    table.silence(Seat.RIGHT)
    table.claim(carl, "right")
    assert not granted(table, table.ann, Seat.LEFT, Seat.RIGHT, SOON)[0]
    table.claim(table.bob, "right")
    assert table.seating() == ((table.ann.pk, table.bob.pk), IN_FULL)
    assert granted(table, table.ann, Seat.LEFT, Seat.RIGHT, claims.AWAY_MS) == (False, "stale")
    assert table.ask(table.ann, "left", **ANN_WON)[0]
    assert table.ask(carl, "right", do="agree")[:2] == (False, "no-seat")
    assert table.ask(table.bob, "right", do="agree")[0]
