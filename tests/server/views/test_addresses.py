"""All URLs outside tournament pages: permissions, and no side effects.

URLs of tournament pages are listed in `who_may.py`. A URL in neither list fails.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.urls import get_resolver, reverse

from clocks.live.routing import websockets
from clocks.models import FailedSignIn, Stage, Tournament
from tests.server.house import make_match
from tests.server.who_may import PAGES

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]


class Address(NamedTuple):
    """URL name, arguments, and the status that strangers get for GET and POST."""

    name: str
    of: dict[str, Any] = {}
    get: int = 200
    post: int = 405


CODE = {"code": "7K3M9Q"}
OPEN = [
    Address("home"),
    Address("start", get=302, post=400),  # shows the form again with its errors
    Address("table", CODE),
    Address("seat", CODE, get=302, post=400),
    Address("enter-match", CODE, get=302, post=409),
    Address("asking", CODE, get=302),
    Address("withdraw", CODE, get=405, post=302),
    Address("clock", CODE, get=302),
    Address("watch", CODE),
    Address("qr", CODE),
    Address("table-overlay", CODE),
    Address("stage-overlay", {"slug": "open", "name": "main"}),
    Address("stage-table", {"slug": "open", "name": "main"}),
    Address("rematch", CODE, get=302, post=403),
    Address("what-next", {**CODE, "match_id": 1}, get=404),
    Address("match-summary", {**CODE, "match_id": 1}, get=404),
    Address("own-record", {**CODE, "match_id": 1}, get=404),
    Address("own-record-file", {**CODE, "match_id": 1, "form": "csv"}, get=404),
    Address("ask-clock", {**CODE, "pairing_id": 99}, get=302, post=302),
    Address("director", post=400),
    Address("sign-out", get=302, post=302),
    Address("sign-in", {"token": "made-up"}, get=410, post=410),
    Address("password", get=302, post=302),
    Address("own-name", get=302, post=302),
    Address("join", {"token": "made-up"}, get=410, post=410),
    Address("hall", {"slug": "open"}),
    Address("hall-events", {"slug": "open"}),
    Address("public", {"slug": "open"}, get=404),  # not public
    Address("public-standings", {"slug": "open"}, get=404),
    Address("public-results", {"slug": "open"}, get=404),
    Address("public-me", {"slug": "open"}, get=404, post=404),
    Address("enter", {"slug": "open", **CODE}, get=404, post=404),
    Address("worker"),
    Address("manifest"),
    Address("offline"),
    Address("practice"),
    Address("rules"),
    Address("rule-book", {"key": "us-2013"}),
    Address("components", get=404),  # only with DEBUG
    Address("certificate", get=404),  # only with `serve --tls`
    Address("authority", get=404),
    Address("set_language", get=302, post=302),
    Address("words", {"part": "phone", "language": "de", "version": "0"}),
    Address("healthz"),
    Address("livez"),
    Address("readyz"),
    Address("metrics"),
    Address("robots"),
]


@pytest.fixture
def house() -> None:
    make_house()


def make_house() -> None:
    """Create a tournament, a user, and a match at the table with the code `CODE`."""
    match = make_match()
    match.table.code = CODE["code"]
    match.table.save()
    Stage.objects.create(tournament=Tournament.objects.create(slug="open", name="Open"), name="main")
    User.objects.create_user("dora", password="a long password")


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """All stored rows except failed sign-ins, by model."""
    models = {*apps.get_app_config("clocks").get_models(), User} - {FailedSignIn}
    return {model.__name__: list(model._default_manager.order_by("pk").values_list()) for model in models}


def test_every_address_has_an_entry() -> None:
    named = {pattern.name for pattern in get_resolver("clocks.urls").url_patterns if pattern.name}
    assert named == {address.name for address in OPEN} | {page.name for page in PAGES}


def test_every_address_is_used_by_a_page() -> None:
    files = [*ROOT.glob("clocks/**/*.py"), *ROOT.glob("templates/**/*.html")]
    written = "".join(path.read_text() for path in files if path.name != "urls.py")
    names = {pattern.name for pattern in get_resolver("clocks.urls").url_patterns if pattern.name}
    for_programs = {"healthz", "livez", "readyz", "metrics", "robots"}
    by_its_path = {"join", "worker", "match-result", "what-next", "match-summary"}  # used by invitations and by scripts
    assert {name for name in names if not re.search(f"[\"']{name}[\"']", written)} == for_programs | by_its_path


def test_every_socket_has_an_entry() -> None:
    paths = [str(route.pattern) for route in websockets.routes]
    assert paths == ["ws/table/<str:code>/", "ws/director/<slug:slug>/", "ws/hall/<slug:slug>/", ""]


@pytest.mark.parametrize("address", OPEN, ids=lambda address: address.name)
def test_strangers_get_the_listed_status_and_change_nothing(house: None, address: Address) -> None:
    before = everything()
    path = reverse(address.name, kwargs=address.of)
    client = Client()
    answers = (client.get(path).status_code, client.post(path).status_code)
    assert answers == (address.get, address.post)
    assert everything() == before


def test_the_admin_needs_a_sign_in(house: None) -> None:
    answer = Client().get("/admin/clocks/match/")
    assert answer.status_code == 404  # the admin is switched off
    assert not re.search(r"Ann|Bob", answer.content.decode())
