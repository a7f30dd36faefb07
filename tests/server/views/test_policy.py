"""Content security policy of all pages, word for word (phone.md 56)."""

import json
import re

import pytest
from django.test import Client
from django.urls.resolvers import RoutePattern

from clocks.models import Match
from clocks.urls import urlpatterns
from tests.server.house import make_match

pytestmark = pytest.mark.django_db(transaction=True)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self' {sockets}; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
PLAIN, SECURE = (POLICY.format(sockets=sockets) for sockets in ("wss://testserver ws://testserver", "wss://testserver"))
FILLED = {"code": "7K3M9Q", "slug": "casual", "key": "us-2013", "form": "csv", "token": "x", "language": "de"}


def paths(match: Match) -> list[str]:
    """All URL paths of the product, with arguments filled in."""
    found = []
    for pattern in urlpatterns:
        route = str(pattern.pattern)
        if not isinstance(pattern.pattern, RoutePattern):
            plain = route.strip("^$").replace("\\.", ".")
            route = re.sub(r"\(\?P<(\w+)>(?:\[[^]]*\][+]?|[^()])*\)", r"<\1>", plain)
        values = FILLED | {"code": match.table.code, "match_id": str(match.pk)}
        found.append("/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda name, given=values: given.get(name[1], "1"), route))
    return found


def test_56_every_response_has_exactly_this_policy() -> None:
    match = make_match()
    wrong = {}
    for path in [*paths(match), "/nowhere", f"/t/{match.table.code.lower()}/"]:
        for secure, policy in ((False, PLAIN), (True, SECURE)):
            said = Client(raise_request_exception=False).get(path, secure=secure).headers["Content-Security-Policy"]
            if said != policy:
                wrong[path, secure] = said
    assert len(paths(match)) > 50
    assert wrong == {}


def test_56_no_page_has_an_inline_script_or_style() -> None:
    match, phone = make_match(), Client()
    phone.post(f"/t/{match.table.code}/seat/", {"seat": "left"})
    inline = {}
    for path in paths(match):
        text = phone.get(path).content.decode(errors="replace")
        # Browsers do not run a JSON block.
        found = re.findall(r'<script(?![^>]*(?:\bsrc=|type="application/json"))[^>]*>|<style|\sstyle=|\son\w+=', text)
        if found and not re.search(r"\.(svg|js)$", path):
            inline[path] = found
    assert json.dumps(inline) == "{}"
