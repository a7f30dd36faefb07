"""Forwarded headers are trusted only from trusted proxies."""

import asyncio
import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from config.proxies import Forwarded, network
from tests.server.daphne import House

PROXY, STRANGER = "127.0.0.9", "127.0.0.1"
SITE = "https://clock.example.org"


def seen(client: str | None, *headers: tuple[str, str], kind: str = "http") -> dict[str, Any]:
    """Scope passed to the application for a request from this peer with these headers."""
    found: dict[str, Any] = {}

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        found.update(scope)

    sent = [(name.encode(), value.encode("latin1")) for name, value in headers]
    scope = {"type": kind, "client": [client, 50_000] if client else None, "headers": sent}
    trusted = [network(text) for text in ("127.0.0.1", "10.8.0.0/24", "fd00::/8")]
    asyncio.run(Forwarded(application, trusted)(scope, None, None))
    return found


@pytest.mark.parametrize(
    ("peer", "way", "client"),
    [
        ("127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("::ffff:127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("fd00::1", "2001:db8::7", "2001:db8::7"),
        ("10.8.0.4", "198.51.100.1, 203.0.113.7", "203.0.113.7"),  # the first may be forged
        ("10.8.0.4", "203.0.113.7, 10.8.0.2", "203.0.113.7"),  # two trusted proxies
        ("10.8.0.4", "10.8.0.3, 10.8.0.2", "10.8.0.3"),  # a request by a trusted proxy itself
        ("10.8.0.4", "203.0.113.7, nonsense", "10.8.0.4"),
        ("10.8.0.4", "203.0.113.7, nonsense, 10.8.0.2", "10.8.0.2"),
        ("10.8.0.4", "", "10.8.0.4"),
        ("10.8.1.4", "203.0.113.7", "10.8.1.4"),
        ("203.0.113.9", "127.0.0.1", "203.0.113.9"),
    ],
)
def test_the_client_is_the_last_address_that_is_not_a_trusted_proxy(peer: str, way: str, client: str) -> None:
    assert seen(peer, ("x-forwarded-for", way))["client"][0] == client


def test_repeated_headers_are_joined() -> None:
    headers = ("x-forwarded-for", "198.51.100.1"), ("x-forwarded-for", "203.0.113.7"), ("x-forwarded-for", "10.8.0.2")
    assert seen("10.8.0.4", *headers)["client"][0] == "203.0.113.7"


@pytest.mark.parametrize(
    ("peer", "said", "kind", "scheme"),
    [
        ("127.0.0.1", "https", "http", "https"),
        ("127.0.0.1", "HTTPS", "http", "https"),
        ("127.0.0.1", "http, https", "http", "https"),
        ("127.0.0.1", "https, http", "http", "http"),
        ("127.0.0.1", "https", "websocket", "wss"),
        ("127.0.0.1", "wss", "websocket", "wss"),
        ("127.0.0.1", "http", "websocket", "ws"),
        ("127.0.0.1", "gopher", "http", None),
        ("203.0.113.9", "https", "http", None),
        (None, "https", "http", None),
    ],
)
def test_the_scheme_comes_from_the_nearest_trusted_proxy(
    peer: str | None, said: str, kind: str, scheme: str | None
) -> None:
    assert seen(peer, ("x-forwarded-proto", said), kind=kind).get("scheme") == scheme


@pytest.mark.parametrize("peer", ["127.0.0.1", "203.0.113.9"])
def test_other_forwarding_headers_are_removed(peer: str) -> None:
    claims = ("x-forwarded-host", "evil.example"), ("forwarded", "for=1.2.3.4"), ("x-real-ip", "1.2.3.4")
    kept = ("host", "clock.example.org"), ("x-forward", "no such header")
    assert seen(peer, *claims, *kept)["headers"] == [(name.encode(), value.encode()) for name, value in kept]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Server behind HTTPS that trusts only the proxy at `PROXY`."""
    house = House(tmp_path_factory.mktemp("house"), BASE_URL=SITE, TRUSTED_PROXIES=PROXY)
    house.start()
    yield house
    house.close()


def ask(house: House, method: str, path: str, came_from: str, body: str = "", **headers: str) -> tuple[int, Any, str]:
    """Send a request from this address; return status, headers and text.

    Underscores in the names of `headers` become hyphens.
    """
    connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60, source_address=(came_from, 0))
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body or None, {"Host": "clock.example.org", **named})
    answer = connection.getresponse()
    status, text = answer.status, answer.read().decode()
    connection.close()
    return status, answer.headers, text


def post(house: House, path: str, came_from: str, body: str = "", **headers: str) -> tuple[int, str]:
    """Submit a form over HTTPS, like a page of the site; return status and text."""
    token = "x" * 32
    form = {"Cookie": f"__Host-csrftoken={token}", "Content-Type": "application/x-www-form-urlencoded"}
    body = f"csrfmiddlewaretoken={token}&{body}"
    status, _, text = ask(
        house, "POST", path, came_from, body, Origin=SITE, X_Forwarded_Proto="https", **form, **headers
    )
    return status, text


def test_a_form_from_a_trusted_proxy_is_accepted(house: House) -> None:
    status, text = post(house, "/director/", PROXY, "username=dora&password=wrong", X_Forwarded_For="203.0.113.7")
    assert (status, "password" in text) == (400, True)


def test_a_form_with_a_forged_scheme_is_refused(house: House) -> None:
    assert post(house, "/director/", STRANGER, "username=dora&password=wrong", X_Forwarded_For="203.0.113.7")[0] == 403


def test_guesses_are_counted_by_the_client_behind_the_proxy(house: House) -> None:
    guess = "username=gina&password=wrong"
    tries = [post(house, "/director/", PROXY, guess, X_Forwarded_For="203.0.113.8")[0] for _ in range(9)]
    assert tries == [400] * 8 + [429]
    invented = [
        post(house, "/director/", PROXY, guess, X_Forwarded_For=f"198.51.100.{n}, 203.0.113.8")[0] for n in range(3)
    ]
    assert invented == [429] * 3
    assert post(house, "/director/", PROXY, guess, X_Forwarded_For="203.0.113.9")[0] == 400


def test_hsts_and_the_policy_follow_the_scheme_and_cannot_be_forged(house: House) -> None:
    _, secured, _ = ask(house, "GET", "/", PROXY, X_Forwarded_Proto="https")
    assert secured["Strict-Transport-Security"] == "max-age=31536000"
    assert "wss://clock.example.org;" in secured["Content-Security-Policy"]
    for came_from, said in ((PROXY, "http"), (STRANGER, "https")):
        _, plain, _ = ask(house, "GET", "/", came_from, X_Forwarded_Proto=said)
        assert plain["Strict-Transport-Security"] is None
        assert "ws://clock.example.org;" in plain["Content-Security-Policy"]


def test_every_secret_cookie_is_host_only(house: House) -> None:
    _, page, _ = ask(house, "GET", "/", PROXY, X_Forwarded_Proto="https")
    (cookie,) = page.get_all("Set-Cookie")
    parts = cookie.split("; ")
    assert parts[0].startswith("__Host-csrftoken=") and {"Path=/", "Secure"} <= set(parts)
    assert not any(part.startswith("Domain") for part in parts)


def test_a_foreign_host_is_refused_despite_forwarding_headers(house: House) -> None:
    assert ask(house, "GET", "/", PROXY, Host="evil.example", X_Forwarded_Host="clock.example.org")[0] == 400
    assert ask(house, "GET", "/", PROXY, X_Forwarded_Host="evil.example")[0] == 200


@pytest.mark.parametrize(("origin", "opens"), [(SITE, True), ("http://clock.example.org", False), ("null", False)])
def test_only_https_pages_open_sockets(house: House, origin: str, opens: bool) -> None:
    made = json.loads(house.manage("newmatch", "--rules=us-2013", "--length=3", "--names", "Ann", "Bob", "--json"))
    headers = {"Origin": origin, "X-Forwarded-Proto": "https"}
    address = f"ws://clock.example.org/ws/table/{made['code']}/"
    way = socket.create_connection(("127.0.0.1", house.port), timeout=20, source_address=(PROXY, 0))
    try:
        with connect(address, additional_headers=headers, sock=way, legacy=True) as watcher:
            assert json.loads(watcher.recv(timeout=20))["t"] == "match" and opens
    except InvalidStatus as refused:
        assert (refused.response.status_code, opens) == (403, False)


def test_an_untrusted_proxy_is_logged_once(tmp_path: Path) -> None:
    house = House(tmp_path, BASE_URL=SITE, TRUSTED_PROXIES=PROXY)
    house.start()
    try:
        for _ in range(3):
            ask(house, "GET", "/healthz", STRANGER, X_Forwarded_Proto="https")
    finally:
        house.close()
    said = [line for line in house.log.read_text().splitlines() if "TRUSTED_PROXIES" in line]
    words = "X-Forwarded headers from 127.0.0.1 are ignored: TRUSTED_PROXIES does not name it"
    assert [line.split(": ", 1)[1] for line in said] == [words]
