"""Rate limits for casual matches."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clocks.host import shared_ratelimit
from clocks.models import JournalEntry, Match, Table
from clocks.seats import devices
from clocks.tournament import casual_limit, codes
from clocks.tournament.tables import casual_tournament

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
    """Client of a phone that has joined a table."""
    client = Client()
    _, token = devices.join_device({})
    client.cookies[settings.DEVICE_COOKIE_NAME] = token
    return client


def phone_of_nobody(settings) -> Client:
    """Client with an unknown device token."""
    client = Client()
    client.cookies[settings.DEVICE_COOKIE_NAME] = "x" * 43
    return client


def test_phone_address_and_total_have_limits(settings) -> None:
    ours = phone(settings)
    assert start(ours)[0] == 302
    status, page = start(ours)
    assert status == 429
    assert "This phone has started 1 match within an hour, which is the most that a phone may start." in page
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


def test_an_invalid_setting_is_not_counted() -> None:
    client = Client()
    for _ in range(5):
        assert client.post("/start/", FORM | {"length": "0"}).status_code == 400
    assert start(client)[0] == 302


def test_starting_a_casual_match_holds_no_long_lock() -> None:
    casual_tournament()
    with CaptureQueriesContext(connection) as page:
        assert start(Client())[0] == 302
    asked = [query["sql"] for query in page.captured_queries if shared_ratelimit.TABLE not in query["sql"]]
    assert {sql.partition(" ")[0] for sql in asked} == {"SELECT"}
    assert list(JournalEntry.objects.values_list("event", flat=True)) == ["setup"]


def test_a_refusal_comes_before_any_lookup(settings) -> None:
    assert [start(Client())[0] for _ in range(3)] == [302, 302, 302]
    with CaptureQueriesContext(connection) as page:
        assert start(phone_of_nobody(settings))[0] == 429
    assert page.captured_queries == []


def test_a_code_taken_meanwhile_is_not_used(monkeypatch) -> None:
    drawn = iter(["7K3M9Q", "7K3M9Q", "7K3M9R"])
    monkeypatch.setattr(codes, "unused_code", lambda: next(drawn))
    assert [start(Client())[0] for _ in range(2)] == [302, 302]
    assert sorted(Table.objects.values_list("code", flat=True)) == ["7K3M9Q", "7K3M9R"]
