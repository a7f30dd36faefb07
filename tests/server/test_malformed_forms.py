"""Whatever is sent as a form, to whatever address: no page fails, and where it is refused nothing has changed.

`make check-attacks` sends more of them, over the network too.
"""

import logging
import os
from itertools import islice
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.server import test_addresses
from tests.server.malformed import PLAIN_TYPES, bodies, spoilt
from tests.server.test_addresses import OPEN, Address
from tests.server.who_may import PAGES, Page_, client_of, everything, make_house

pytestmark = pytest.mark.django_db(transaction=True)

OF_AN_ADDRESS = int(os.environ.get("MALFORMED_FORMS", "4"))


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


def stored() -> dict[str, Any]:
    """Return all that is stored but what sign-ins failed, of which there is a count."""
    return {name: rows for name, rows in everything().items() if name != "FailedSignIn"}


def send_all(client: Client, path: str, fields: dict[str, Any], seed: int) -> None:
    """Send malformed forms to an address; nothing fails, and what is refused changes nothing."""
    for form in islice(spoilt(fields, seed), OF_AN_ADDRESS):
        before = stored()
        answer = client.post(path, form)
        assert answer.status_code < 500, (path, form)
        assert answer.status_code < 400 or stored() == before, (path, form)
    for content_type, body in islice(bodies(seed, PLAIN_TYPES), OF_AN_ADDRESS):
        answer = client.generic("POST", path, body, content_type=content_type)
        assert answer.status_code < 500, (path, content_type, body)


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
