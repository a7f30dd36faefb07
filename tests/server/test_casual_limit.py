"""How many casual matches may be started in an hour."""

import pytest
from django.test import Client

from clocks.models import Match
from clocks.people import devices
from clocks.tournament import casual_limit

pytestmark = pytest.mark.django_db(transaction=True)

FORM = {"left": "Ann", "right": "Bob", "length": "7", "rules": "us-2013", "format": "singles"}


@pytest.fixture(autouse=True)
def few(settings) -> None:
    settings.CASUAL_PER_HOUR = {"device": 1, "address": 3, "all": 4}
    casual_limit.forget()


def start(client: Client, address: str = "10.0.0.1") -> tuple[int, str]:
    """Start a match from an address; return the status and the page."""
    answer = client.post("/start/", FORM, REMOTE_ADDR=address)
    return answer.status_code, answer.content.decode()


def phone(settings) -> Client:
    """Return the browser of a phone that has joined a table once."""
    client = Client()
    _, token = devices.join_device({})
    client.cookies[settings.DEVICE_COOKIE_NAME] = token
    return client


def test_a_phone_an_address_and_everybody_may_start_so_many(settings) -> None:
    ours = phone(settings)
    assert start(ours)[0] == 302
    status, page = start(ours)
    assert status == 429
    assert "This phone has started 1 matches within an hour, which is the most that a phone may start." in page
    assert [start(Client())[0] for _ in range(2)] == [302, 302]
    status, page = start(Client())
    assert status == 429
    assert "3 matches have been started from your network within an hour, which is the most allowed." in page
    assert start(Client(), "10.0.0.2")[0] == 302
    status, page = start(Client(), "10.0.0.3")
    assert status == 429
    assert "4 matches have been started here within an hour, which is the most that this clock allows." in page
    assert Match.objects.count() == 4


def test_what_one_limit_refuses_is_not_counted_by_the_others(settings) -> None:
    ours = phone(settings)
    assert [start(ours)[0] for _ in range(5)] == [302, 429, 429, 429, 429]
    assert [start(Client())[0] for _ in range(2)] == [302, 302]


def test_a_setting_that_was_filled_in_wrongly_is_not_counted() -> None:
    client = Client()
    for _ in range(5):
        assert client.post("/start/", FORM | {"length": "0"}).status_code == 400
    assert start(client)[0] == 302
