"""Whatever is sent as a form, to whatever address: no page fails, and where it is refused nothing has changed.

A few to each address go through the whole of Django, the rest to its view. `make check-attacks` sends half a million,
and more over the network.
"""

import logging
import os
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse

from tests.server import test_addresses
from tests.server.bare_forms import Sender, Stored, without_templates
from tests.server.malformed import ODD_TYPES, PLAIN_TYPES, bodies, spoilt
from tests.server.test_addresses import OPEN, Address
from tests.server.who_may import PAGES, Page_, client_of, everything, make_house

pytestmark = pytest.mark.django_db(transaction=True)


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was logged of faults of ours: that a form has a thousand fields is none."""
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    return [record.getMessage() for record in errors if not record.name.startswith("django.security")]


POSTS = [page for page in PAGES if page.method == "post"]
FIELDS = {  # of the forms that a stranger may send; the others' stand in the table of roles
    "start": {"left": "Ann", "right": "Bob", "length": "7", "rules": "us-2013", "format": "singles"},
    "seat": {"seat": "left"},
    "director": {"username": "dora", "password": "a long password"},
    "set_language": {"language": "de", "next": "/"},
    "join": {"username": "eve", "password1": "a long password", "password2": "a long password"},
}
TO_ALL = int(os.environ.get("MALFORMED_FORMS", "0"))  # forms to all addresses together
OF_AN_ADDRESS = max(8, TO_ALL // (len(POSTS) + len(OPEN)))
WHOLE = 50  # of so many forms one goes through the whole of Django, and four at least
HEAPS = 5  # of so many forms one is a heap of bytes


def stored() -> dict[str, Any]:
    """Return all that is stored but what sign-ins failed, of which there is a count."""
    return {name: rows for name, rows in everything().items() if name != "FailedSignIn"}


def send_all(client: Client, path: str, fields: dict[str, Any], seed: int) -> None:
    """Send malformed forms to an address; nothing fails, and what is refused changes nothing."""
    whole = max(4, OF_AN_ADDRESS // WHOLE)
    send_to_view(client, path, fields, seed, OF_AN_ADDRESS - whole)
    for form in islice(spoilt(fields, seed), whole // 2):
        before = stored()
        answer = client.post(path, form)
        assert answer.status_code < 500, (path, form)
        assert answer.status_code < 400 or stored() == before, (path, form)
    for content_type, body in islice(bodies(seed, PLAIN_TYPES), whole // 2):
        answer = client.generic("POST", path, body, content_type=content_type)
        assert answer.status_code < 500, (path, content_type, body)


def send_to_view(client: Client, path: str, fields: dict[str, Any], seed: int, number: int) -> None:
    """Give the view of an address malformed forms; each meets what was stored before the first."""
    sender, before = Sender(client, path), Stored(stored)
    with without_templates():
        for content_type, body in islice(sent(fields, seed), number):
            answer = sender.send(content_type, body)
            assert answer.status_code < 500, (path, content_type, body)
            if not before.is_touched():
                continue
            assert answer.status_code < 400 or not before.is_changed(), (path, content_type, body)
            before.go_back()


def sent(fields: dict[str, Any], seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield malformed forms as browsers send them, in either way, and heaps of bytes that are none."""
    dice = random.Random(seed)
    heaps, spoilt_ones = bodies(seed, [*PLAIN_TYPES, *ODD_TYPES]), spoilt(fields, seed)
    while True:
        if dice.random() < 1 / HEAPS:
            yield next(heaps)
        elif dice.random() < 0.5:
            yield "application/x-www-form-urlencoded", urlencode(next(spoilt_ones), doseq=True).encode()
        else:
            yield MULTIPART_CONTENT, encode_multipart(BOUNDARY, next(spoilt_ones))


@pytest.mark.parametrize("page", POSTS, ids=[page.name for page in POSTS])
def test_no_malformed_form_of_somebody_who_may_makes_a_page_of_a_tournament_fail(
    page: Page_, caplog: pytest.LogCaptureFixture
) -> None:
    house = make_house()
    path = reverse(page.name, kwargs={"slug": "open", **{name: house.of[name] for name in page.of}})
    send_all(client_of("owner"), path, page.data, len(page.name))
    assert faults(caplog) == []


@pytest.mark.parametrize("address", OPEN, ids=lambda address: address.name)
def test_no_malformed_form_of_a_stranger_makes_an_address_fail(
    address: Address, caplog: pytest.LogCaptureFixture
) -> None:
    test_addresses.make_house()
    path = reverse(address.name, kwargs=address.of)
    send_all(Client(), path, FIELDS.get(address.name, {"note": "x"}), len(address.name))
    assert faults(caplog) == []
