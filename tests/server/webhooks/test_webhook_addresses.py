"""Allowed and forbidden webhook addresses."""

import ipaddress

import pytest

from clocks.engine.refusals import Refused
from clocks.models import Tournament, Webhook
from clocks.webhooks import addresses
from tests.server import hall

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost:8000/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[fe80::1]/",
        "http://[fec0::1]/",
        "http://0.0.0.0/",
        "http://2130706433/",
        "ftp://example.org/",
        "https://user:secret@example.org/",
        "https://exa mple.org/",
        "javascript:alert(1)",
        "https://[::1",
        "https://example..org/",
        f"https://{'a' * 64}.org/",
    ],
)
def test_a_local_or_invalid_address_is_refused_unless_the_owner_allows_it(tournament: Tournament, url: str) -> None:
    owner = hall.client_of("owner")
    answer = owner.post("/director/open/programs/", {"url": url})
    assert (answer.status_code, Webhook.objects.count()) == (400, 0)
    assert list(answer.context["form"].errors) == ["url"]


@pytest.mark.parametrize(
    "address",
    [
        *("169.254.169.254", "224.0.0.1", "0.0.0.0", "fe80::1", "::ffff:169.254.169.254"),
        *("168.63.129.16", "192.0.0.192", "::ffff:168.63.129.16", "64:ff9b::c000:c0", "2002:a83f:8110::1"),
        *("100.100.100.200", "fd00:ec2::254", "fd20:ce::254"),
    ],
)
def test_special_addresses_are_never_allowed(address: str) -> None:
    with pytest.raises(Refused):
        addresses.must_be_allowed(ipaddress.ip_address(address), private=True)


def test_a_hosted_clock_never_sends_to_a_private_network(tournament: Tournament, settings) -> None:
    settings.WEBHOOKS_PRIVATE = False
    owner = hall.client_of("owner")
    assert "private" not in owner.get("/director/open/programs/").context["form"].fields
    assert owner.post("/director/open/programs/", {"url": "http://127.0.0.1/", "private": "on"}).status_code == 400
    with pytest.raises(Refused):
        addresses.must_be_allowed(ipaddress.ip_address("10.0.0.1"), private=True)
