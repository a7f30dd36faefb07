"""Seat requests withdrawn by the requesting phone."""

import pytest
from django.test import Client

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import ReleaseSeat
from clocks.engine.refusals import Refused
from clocks.host.server_time import now_ms
from clocks.models import Device, Match
from clocks.seats import takeover
from tests.server.seats.test_takeover import ask, match, post, state, stranger

__all__ = ["match", "stranger"]
pytestmark = pytest.mark.django_db(transaction=True)


def test_a_phone_that_leaves_the_waiting_page_withdraws_its_request(match: Match) -> None:
    phone = Client()
    post(phone, match, "left")
    left = phone.post(f"/t/{match.table.code}/seat/withdraw/")
    assert (left.status_code, left.headers["Location"]) == (302, f"/t/{match.table.code}/")
    assert (takeover.waiting(now_ms()), state(phone, match)) == ([], "unanswered")
    assert phone.get(f"/t/{match.table.code}/seat/withdraw/").status_code == 405


def test_a_phone_that_takes_another_seat_withdraws_its_request(match: Match) -> None:
    phone = Client()
    post(phone, match, "left")
    assert desk.submit_and_wait(desk.Request(match.pk, ReleaseSeat(Seat.RIGHT), "director")).ok
    assert post(phone, match, "right")[0] == 302
    assert takeover.waiting(now_ms()) == []


def test_a_phone_with_one_seat_is_not_given_the_other_on_an_old_request(match: Match, stranger: Device) -> None:
    asked = ask(match, stranger, "left")
    Match.objects.filter(pk=match.pk).update(right_device=stranger)
    with pytest.raises(Refused, match="no longer waiting"):
        takeover.give(asked.pk, match.left_device_id, now_ms())
