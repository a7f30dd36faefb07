"""Rate limit for seat claims."""

import pytest
from django.test import Client

from clocks.engine.clock import Seat
from clocks.engine.refusals import Refused
from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.models import Device, JournalEntry
from clocks.seats import claim_limit, presence, takeover
from tests.server.hall import drawn, summer_open
from tests.server.house import make_match, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = ((claim_limit.OF_PHONE, 3), (claim_limit.NEW_OF_ADDRESS, 2), (claim_limit.NEW_AT_TABLE, 1))
    for allowance, burst in limits:
        monkeypatch.setattr(allowance, "burst", burst)
        monkeypatch.setattr(allowance, "per_s", 0.001)


def claim(client: Client, code: str, seat: str, address: str = "10.0.0.1") -> int:
    """Claim a seat from an address and return the status."""
    return client.post(f"/t/{code}/seat/", {"seat": seat}, REMOTE_ADDR=address).status_code


def test_a_phone_that_claims_seats_in_a_loop_must_wait() -> None:
    code, phone = make_match().table.code, Client()
    assert claim(phone, code, "both") == 302  # registers the phone
    assert [claim(phone, code, seat) for seat in ("left", "both", "left")] == [302] * 3
    before = JournalEntry.objects.count()
    assert [claim(phone, code, seat) for seat in ("both", "left")] == [429] * 2
    assert JournalEntry.objects.count() == before


def test_an_address_is_limited_in_new_phones_only() -> None:
    code, known = make_match().table.code, Client()
    assert claim(known, code, "left") == 302
    assert [claim(Client(), code, "right") for _ in range(3)] == [302, 429, 429]
    assert Device.objects.count() == 2
    assert claim(Client(), code, "right", "10.0.0.2") == 302
    assert claim(known, code, "left") == 302


def test_a_flood_of_new_phones_at_one_table_leaves_room_at_others() -> None:
    casual = make_match().table.code
    assert [claim(Client(), casual, "both") for _ in range(3)] == [302, 302, 429]
    codes = [pairing.table.code for pairing in drawn(summer_open(), "1,Chi,Dov", "2,Eva,Finn")]
    assert [[claim(Client(), code, "left") for _ in range(2)] for code in codes] == [[302, 429]] * 2


def test_after_five_refused_requests_for_a_seat_a_sixth_must_wait() -> None:
    match = running_match()
    for seat in ("left", "right"):
        sit_down(match, seat)
    board, now = stored.matches([match.pk])[match.pk], now_ms()
    for number in range(6):
        at = now + number * (takeover.WAIT_MS // 2)
        presence.saw(match.pk, 0, at)
        stranger = Device.objects.create(token_hash=f"stranger {number}")
        if number == 5:
            with pytest.raises(Refused, match="Speak to the director"):
                takeover.request_seat(board, [Seat.LEFT], stranger, at)
            break
        asked = takeover.request_seat(board, [Seat.LEFT], stranger, at)
        takeover.keep(asked.pk, board.devices[0], at - takeover.REST_MS)
