"""Account forms as entries for `writers.py`: sign-in, invitation, name, password."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from clocks.people import members, sign_in_links
from tests.server.large_hall import LargeHall
from tests.server.lock_meter import preparing

Work = Callable[[LargeHall], object]

PASSWORD = "seven green doors"


def _posted(client: Client, address: str, data: dict[str, Any], status: int = 302) -> HttpResponse:
    answer: HttpResponse = client.post(address, data)
    assert answer.status_code == status, answer.content[:2000]
    return answer


def _of_owner(name: str, **data: Any) -> Work:
    """Post a form as the signed-in owner."""
    return lambda hall: _posted(hall.owner, reverse(name), data)


def _by_password(given: str, status: int) -> Work:
    """Sign in by password as a user who already has a session."""

    def work(hall: LargeHall) -> object:
        with preparing():
            olga = User.objects.get(username="olga")
            olga.set_password(PASSWORD)
            olga.save()
        return _posted(Client(), reverse("director"), {"username": "olga", "password": given}, status)

    return work


def _by_link(hall: LargeHall) -> object:
    """Sign in through a link."""
    with preparing():
        link = sign_in_links.make_link()
    return _posted(Client(), link, {})


def _joined(hall: LargeHall) -> object:
    """Accept an invitation as a new user."""
    owner = hall.tournament.memberships.filter(role="owner").first()
    assert owner is not None
    with preparing():
        link = members.invite(hall.tournament, owner.user, "helper", sign_in_links.LINK_LIFE)
    return _posted(Client(), link, {"full_name": "Hella", "password1": PASSWORD, "password2": PASSWORD})


# By URL name.
ACCOUNTS: dict[str, Work] = {
    "director by password": _by_password(PASSWORD, 302),
    "director by a wrong password": _by_password("wrong", 400),
    "password": _of_owner("password", new_password1=PASSWORD, new_password2=PASSWORD),
    "own-name": _of_owner("own-name", full_name="Olga"),
    "sign-out": _of_owner("sign-out"),
    "sign-in": _by_link,
    "join": _joined,
}
