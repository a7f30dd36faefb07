"""Malformed forms never make a page fail and never change anything.

For each URL, a few forms pass through all of Django, some go straight to the view, and the rest to the form class, if
the view has one. `make check-attacks` sends half a million, and more over the network.
"""

import logging
import os
import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse

from tests.server.bare_forms import Sender, Stored, forms_made, without_templates
from tests.server.malformed import ODD_TYPES, PLAIN_TYPES, bodies, spoilt
from tests.server.views import test_addresses
from tests.server.views.test_addresses import OPEN, Address
from tests.server.who_may import PAGES, Page_, client_of, everything, make_house

pytestmark = pytest.mark.django_db(transaction=True)


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Messages of logged errors, except Django's about suspicious requests."""
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    return [record.getMessage() for record in errors if not record.name.startswith("django.security")]


POSTS = [page for page in PAGES if page.method == "post"]
FIELDS = {  # valid fields of public forms; those of tournament pages are in who_may.py
    "start": {"left": "Ann", "right": "Bob", "length": "7", "rules": "us-2013", "format": "singles"},
    "seat": {"seat": "left"},
    "director": {"username": "dora", "password": "a long password"},
    "set_language": {"language": "de", "next": "/"},
    "join": {"username": "eve", "password1": "a long password", "password2": "a long password"},
}
TO_ALL = int(os.environ.get("MALFORMED_FORMS", "0"))  # intended total number of forms; each URL gets at least 8
WITH_FORM = 28  # views that construct a form; each of the other URLs gets a fiftieth of the forms
OF_AN_ADDRESS = max(8, TO_ALL // WITH_FORM)
# One form in TO_VIEW goes to the view, and one in WHOLE through all of Django; at least four of each.
TO_VIEW, WHOLE = 50, 500
HEAPS = 5  # one body in this many is not a form
Count = Callable[[str, object], None]


def stored() -> dict[str, Any]:
    """All stored rows except failed sign-ins, which are always recorded."""
    return {name: rows for name, rows in everything().items() if name != "FailedSignIn"}


def send_all(client: Client, path: str, fields: dict[str, Any], seed: int) -> int:
    """Send malformed forms, which must not fail or change data; return their number."""
    whole, before = max(4, OF_AN_ADDRESS // WHOLE), Stored(stored)
    for form in islice(spoilt(fields, seed), whole // 2):
        answer = client.post(path, form)
        assert answer.status_code < 500, (path, form)
        assert answer.status_code < 400 or not before.is_changed(), (path, form)
        if before.is_touched():
            before.go_back()
    for content_type, body in islice(bodies(seed, PLAIN_TYPES), whole // 2):
        answer = client.generic("POST", path, body, content_type=content_type)
        assert answer.status_code < 500, (path, content_type, body)
        if before.is_touched():
            before.go_back()
    return whole + send_past_django(client, path, fields, seed, OF_AN_ADDRESS - whole, before)


def send_past_django(client: Client, path: str, fields: dict[str, Any], seed: int, number: int, before: Stored) -> int:
    """Send malformed forms straight to a view and its form; return their number."""
    sender, forms = Sender(client, path), sent(fields, seed)
    to_view = max(4, number // TO_VIEW)
    with without_templates(), forms_made() as made:
        for content_type, body in islice(forms, to_view):
            answer = sender.send(content_type, body)
            assert answer.status_code < 500, (path, content_type, body)
            if before.is_touched():
                assert answer.status_code < 400 or not before.is_changed(), (path, content_type, body)
                before.go_back()
    for form in made.values():
        for content_type, body in islice(forms, (number - to_view) // len(made)):
            sender.check(form, content_type, body)
    assert not before.is_touched() or not before.is_changed(), path
    return number if made else to_view


def sent(fields: dict[str, Any], seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield malformed forms in both encodings, and bodies that are not forms."""
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
def test_no_malformed_form_of_an_authorised_user_makes_a_page_fail(
    page: Page_, caplog: pytest.LogCaptureFixture, record_property: Count
) -> None:
    house = make_house()
    path = reverse(page.name, kwargs={"slug": "open", **{name: house.of[name] for name in page.of}})
    record_property("forms", send_all(client_of("owner"), path, page.data, len(page.name)))
    assert faults(caplog) == []


@pytest.mark.parametrize("address", OPEN, ids=lambda address: address.name)
def test_no_malformed_form_of_a_stranger_makes_an_address_fail(
    address: Address, caplog: pytest.LogCaptureFixture, record_property: Count
) -> None:
    test_addresses.make_house()
    path = reverse(address.name, kwargs=address.of)
    record_property("forms", send_all(Client(), path, FIELDS.get(address.name, {"note": "x"}), len(address.name)))
    assert faults(caplog) == []
