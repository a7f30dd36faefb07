"""GET requests for all pages: directors', phones' and public ones."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.conf import settings
from django.test import Client
from django.urls import reverse

from clocks.models import Device, Match, Table, Tournament
from clocks.people import members, sign_in_links
from clocks.seats.devices import join_device, renew_token
from clocks.tournament import entering
from tests.server.large_hall import LargeHall
from tests.server.lock_meter import preparing
from tests.server.views.test_addresses import OPEN
from tests.server.who_may import PAGES

Work = Callable[[LargeHall], object]


class Looked(NamedTuple):
    """A page that answers GET: URL name, argument names, and argument values."""

    name: str
    of: tuple[str, ...]
    given: dict[str, Any] = {}

    def path(self, hall: LargeHall, arguments: dict[str, Any]) -> str:
        """Path of the page in this hall; the argument `transcript` is passed as `form`."""
        own = arguments | ARGUMENTS_OF.get(self.name, lambda hall: {})(hall)
        found = {"form" if name == "transcript" else name: own.get(name, self.given.get(name)) for name in self.of}
        return reverse(self.name, kwargs=found)


def arguments(hall: LargeHall) -> dict[str, Any]:
    """Arguments of all pages: those of the hall, and table T7 with its match."""
    at = Table.objects.get(name="T7")
    return hall.of | {"slug": "open", "code": at.code, "match_id": at.current_id}


def _last(path: str) -> dict[str, Any]:
    return {"token": path.rstrip("/").rpartition("/")[2]}


def _invitation(hall: LargeHall) -> dict[str, Any]:
    owner = hall.tournament.memberships.filter(role="owner").first()
    assert owner is not None
    return _last(members.invite(hall.tournament, owner.user, "helper", sign_in_links.LINK_LIFE))


ARGUMENTS_OF: dict[str, Callable[[LargeHall], dict[str, Any]]] = {
    "sign-in": lambda hall: _last(sign_in_links.make_link()),
    "join": _invitation,
    "enter": lambda hall: {"code": entering.code(hall.tournament)},
}
LOOKED_AT = [
    *(Looked(page.name, ("slug", *page.of)) for page in PAGES if page.method == "get"),
    *(Looked(page.name, tuple(page.of), page.of) for page in OPEN if page.get != 405),
]


def make_public(hall: LargeHall) -> None:
    """Open the tournament to spectators and to player entries."""
    Tournament.objects.filter(slug="open").update(public=True, entry_open=True)


def phone_of(hall: LargeHall, *, lent: bool = False) -> Client:
    """Phone in the left seat of table T7, or returning to it if `lent`.

    If `lent`, another phone has borrowed the seat, and this phone's token has just been renewed.
    """
    device, token = join_device({})
    seated = {"left_device": device, "status": "running"}
    if lent:
        borrower, _token = join_device({})
        tenure = {"owners": [device.pk, None], "lent_at": [1, None], "between": None}
        seated |= {"left_device": borrower, "tenure": tenure}
        token = renew_token(device)
        Device.objects.filter(pk=device.pk).update(heard_at=0)
    Match.objects.filter(table__name="T7").update(**seated)
    client = Client()
    client.cookies[settings.DEVICE_COOKIE_NAME] = token
    return client


def _by_returning_phone(name: str) -> Work:
    """Request a page that stores when a phone was last heard from, and its new token."""

    def work(hall: LargeHall) -> object:
        page = next(page for page in LOOKED_AT if page.name == name)
        with preparing():
            client = phone_of(hall, lent=True)
            path = page.path(hall, arguments(hall))
        return client.get(path)

    return work


# Pages that recognise the phone, by URL name; all others only read.
STORES_A_LOOK = (
    *("table", "asking", "clock", "watch", "home"),
    *("own-record", "own-record-file", "match-summary", "what-next"),
)
LOOKS: dict[str, Work] = {name: _by_returning_phone(name) for name in STORES_A_LOOK}
