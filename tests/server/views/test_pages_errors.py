"""Error pages: status, message, link back, headers."""

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory

from clocks.host import addresses
from clocks.metrics import readiness
from clocks.models import Table, Tournament
from clocks.tournament import codes
from clocks.views import qr
from tests.server import hall

pytestmark = pytest.mark.django_db(transaction=True)

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self' {sockets}; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def test_an_unknown_path_is_404_with_a_way_back(client: Client) -> None:
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert 'href="/">Enter a code</a>' in response.content.decode()


def test_a_404_page_links_a_director_back_to_the_directors_page() -> None:
    hall.summer_open()
    text = hall.client_of("director").get("/director/open/nowhere/").content.decode()
    assert 'href="/director/">Director’s page</a>' in text
    assert 'href="/">Enter a code</a>' in text


def test_an_unknown_host_name_gets_a_400_that_names_the_right_address(client: Client) -> None:
    response = client.get("/", HTTP_HOST="evil.example")
    assert response.status_code == 400
    assert "Use the address that it printed when it was started" in response.content.decode()


def test_a_500_page_calms_the_players_and_leads_back(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str) -> None:
        raise RuntimeError("inner workings")

    monkeypatch.setattr(codes, "find_table", broken)
    client.raise_request_exception = False
    response = client.get("/t/7K3M9Q/")
    assert response.status_code == 500
    text = response.content.decode()
    assert "The clocks of your match are safe" in text
    assert "Traceback" not in text and "inner workings" not in text
    assert 'href="/">Enter a code</a>' in text


@pytest.mark.parametrize("path", ["/", "/nowhere/", "/director/", "/healthz", "/robots.txt", "/t/222222/"])
def test_every_response_has_the_security_headers(client: Client, path: str) -> None:
    headers = client.get(path, HTTP_HOST="localhost:8000").headers
    assert headers["Content-Security-Policy"] == CSP.format(sockets="wss://localhost:8000 ws://localhost:8000")
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"


def test_over_https_the_policy_allows_only_secure_sockets(client: Client) -> None:
    headers = client.get("/", secure=True, HTTP_HOST="localhost").headers
    assert headers["Content-Security-Policy"] == CSP.format(sockets="wss://localhost")
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_a_rejected_host_name_is_not_in_the_policy(client: Client) -> None:
    policy = client.get("/", HTTP_HOST="evil.example").headers["Content-Security-Policy"]
    assert "evil.example" not in policy


@pytest.mark.parametrize("path", ["/", "/director/", "/t/222222/"])
def test_pages_have_no_inline_script_or_style(client: Client, path: str) -> None:
    text = client.get(path).content.decode()
    assert [word for word in ("<style", " style=", "<script>", " onclick=", "javascript:") if word in text] == []


def test_healthz_is_200_if_the_database_can_be_read(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"ok": True, "database": "ok"})


def test_healthz_is_503_if_the_database_cannot_be_read(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable() -> bool:
        raise OperationalError("no")

    monkeypatch.setattr(readiness, "database", readiness.Lookup(unreachable))
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (503, {"ok": False, "database": "unreachable"})


def test_search_engines_are_asked_to_stay_away(client: Client) -> None:
    assert client.get("/robots.txt").content.decode() == "User-agent: *\nDisallow: /\n"


# --- the QR code and its address -----------------------------------------------------------------------------------


def test_the_qr_holds_the_upper_case_address_of_the_table(client: Client, settings) -> None:
    settings.BASE_URL = "https://clock.example.org"
    Table.objects.create(tournament=Tournament.objects.create(slug="open", name="Open"), name="12", code="7K3M9Q")
    response = client.get("/t/7k3m9q/qr.svg")
    assert response["Content-Type"] == "image/svg+xml"
    assert response.content == qr.qr_svg("HTTPS://CLOCK.EXAMPLE.ORG/T/7K3M9Q/")
    assert response.content.startswith(b"<svg ")


@pytest.mark.parametrize(
    ("host", "served", "base", "expected"),
    [
        ("10.0.0.2:8000", "", "", "http://10.0.0.2:8000"),
        ("localhost:8000", "", "", "http://localhost:8000"),
        ("localhost:8000", "http://10.0.0.2:8000", "", "http://10.0.0.2:8000"),
        ("127.0.0.1:8000", "http://10.0.0.2:8000", "", "http://10.0.0.2:8000"),
        ("10.0.0.9:8000", "http://10.0.0.2:8000", "", "http://10.0.0.9:8000"),
        ("10.0.0.9:8000", "http://10.0.0.2:8000", "https://clock.example.org/", "https://clock.example.org"),
    ],
)
def test_links_use_an_address_that_other_phones_can_reach(
    settings, tmp_path, host: str, served: str, base: str, expected: str
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.BASE_URL = base
    settings.SERVED_ADDRESS_FILE = tmp_path / "address"
    if served:
        settings.SERVED_ADDRESS_FILE.write_text(served)
    assert addresses.base_url(RequestFactory().get("/", HTTP_HOST=host)) == expected
