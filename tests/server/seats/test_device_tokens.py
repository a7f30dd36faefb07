"""Phone token: renewed at each claim, revoked when its seat is released."""

import pytest
from django.conf import settings
from django.test import Client

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Propose, ReleaseSeat
from clocks.engine.proposals import EndMatch
from clocks.host.server_time import now_ms
from clocks.models import Match, SeatAsk
from clocks.seats import devices
from clocks.tournament import tables
from tests.server.house import make_match

pytestmark = pytest.mark.django_db(transaction=True)


def post(client: Client, match: Match, seat: str) -> tuple[int, str]:
    """Claim a seat on the table's page; return the status and the phone's new token."""
    response = client.post(f"/t/{match.table.code}/seat/", {"seat": seat})
    return response.status_code, client.cookies[settings.DEVICE_COOKIE_NAME].value


def test_each_claim_rotates_the_phones_token() -> None:
    match, phone = make_match(), Client()
    (_, first), (_, second) = post(phone, match, "left"), post(phone, match, "both")
    assert first != second
    old, new = ({settings.DEVICE_COOKIE_NAME: token} for token in (first, second))
    assert devices.find_device(old) == devices.find_device(new)  # the old one is valid until the new one is used
    assert devices.find_device(old) is None


def test_a_seat_request_or_a_rematch_rotates_the_token_too() -> None:
    match, ann, bob = make_match(), Client(), Client()
    post(ann, match, "left")
    (_, first), (_, asking) = post(bob, match, "right"), post(bob, match, "both")
    assert SeatAsk.objects.get().wanted == (Seat.LEFT, Seat.RIGHT)
    ended = desk.submit_and_wait(Request(match.pk, Propose(EndMatch(Seat.LEFT)), "director"))
    assert ended.ok and bob.post(f"/t/{match.table.code}/rematch/").status_code == 302
    assert len({first, asking, bob.cookies[settings.DEVICE_COOKIE_NAME].value}) == 3
    assert "data-seats" in bob.get(f"/t/{match.table.code}/clock/").content.decode()


def test_a_released_phone_cannot_return_by_its_old_token() -> None:
    match, phone = make_match(), Client()
    _, token = post(phone, match, "left")
    command, alongside = tables.prepare(match.pk, ReleaseSeat(Seat.LEFT))
    release = Request(match.pk, command, "director", now_ms(), alongside=alongside)
    assert [answer.ok for answer in desk.submit_all_and_wait([release])] == [True]
    assert devices.find_device({settings.DEVICE_COOKIE_NAME: token}) is None
