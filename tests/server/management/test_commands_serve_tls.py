"""The `serve --tls` process: HTTPS and WSS with its own certificate authority."""

import hashlib
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from django.test import Client
from websockets.sync.client import connect

from clocks.host import addresses
from clocks.host.fingerprint import in_words
from clocks.serving.sockets import CLOSE_S
from tests import prepared
from tests.server.management.test_commands_serve import ROOT, Served, manage


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation as prepared by `make run`."""
    path = tmp_path_factory.mktemp("secured")
    prepared.database(path)
    prepared.static_files(path)
    return path


@pytest.fixture(scope="module")
def served(data_dir: Path) -> Iterator[Served]:
    server = Served(data_dir, "--tls", terminal=True)
    yield server
    if server.process.poll() is None:
        server.end(signal.SIGTERM)


def trusting(data_dir: Path) -> ssl.SSLContext:
    """TLS context of a phone that trusts only this authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(data_dir / "tls" / "authority.crt")
    return context


def get(data_dir: Path, url: str) -> urllib.request.addinfourl:
    answer: urllib.request.addinfourl = urllib.request.urlopen(url, timeout=20, context=trusting(data_dir))
    return answer


def peer(server: Served) -> str:
    """The server's certificate in PEM format."""
    return ssl.get_server_certificate(("127.0.0.1", server.port), timeout=20)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", socket.gethostname().lower()])
def test_clients_that_trust_the_authority_connect_by_every_name(served: Served, data_dir: Path, host: str) -> None:
    with get(data_dir, f"https://{host}:{served.port}/healthz") as answer:
        assert (answer.status, json.load(answer)) == (200, {"ok": True, "database": "ok"})


def test_clients_that_do_not_trust_the_authority_are_warned(served: Served) -> None:
    with pytest.raises(urllib.error.URLError) as warned:
        urllib.request.urlopen(f"https://localhost:{served.port}/", timeout=20)
    assert isinstance(warned.value.reason, ssl.SSLCertVerificationError)


def test_the_clocks_socket_is_secured_too(served: Served, data_dir: Path) -> None:
    made = json.loads(manage(data_dir, "newmatch", "--rules=us-2013", "--length=5", "--json").stdout)
    address = f"wss://localhost:{served.port}/ws/table/{made['code']}/"
    with connect(address, ssl=trusting(data_dir), legacy=True) as watcher:
        assert json.loads(watcher.recv(timeout=20))["match"] == made["match"]


def test_a_phone_that_never_ends_tls_is_dropped(served: Served, data_dir: Path) -> None:
    plain = socket.create_connection(("127.0.0.1", served.port), timeout=CLOSE_S + 10)
    phone = trusting(data_dir).wrap_socket(plain, server_hostname="localhost")
    head = "GET /ws/elsewhere/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    phone.sendall(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode())
    with closing(phone), closing(socket.socket(fileno=os.dup(phone.fileno()))) as below:
        below.settimeout(CLOSE_S + 10)
        came = b""
        while not came.endswith(b"\x88\x02" + (4404).to_bytes(2)):
            came += phone.recv(1)
        phone.sendall(b"\x88\x82" + bytes(4) + (1000).to_bytes(2))
        assert phone.recv(1) == b""  # TLS close_notify, which this phone does not answer
        with suppress(ConnectionResetError):
            assert below.recv(1) == b""


def test_the_addresses_that_it_prints_are_https(served: Served) -> None:
    assert re.search(rf"^    https://[^/\s]+:{served.port}/director/sign-in/", served.printed, re.MULTILINE)
    assert re.search(rf"^    https://[^/\s]+:{served.port}/$", served.printed, re.MULTILINE)
    assert f"https://localhost:{served.port}/" in served.printed
    assert "http://" not in served.printed


def plainly(server: Served, said: bytes) -> tuple[str, str]:
    """Send plain HTTP to the HTTPS port; return first line and rest of the response."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(said)
        answer = b""
        while more := line.recv(4096):
            answer += more
    first, _, rest = answer.decode().partition("\r\n")
    return first, rest


def test_plain_http_on_the_tls_port_is_redirected_to_https(served: Served) -> None:
    first, rest = plainly(served, b"GET /t/7K3M9Q/?a=1 HTTP/1.1\r\nHost: localhost:8000\r\n\r\n")
    assert first == "HTTP/1.1 307 Temporary Redirect"
    assert "\r\nLocation: https://localhost:8000/t/7K3M9Q/?a=1\r\n" in f"\r\n{rest}"


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:443", "localhost:8000@evil.example", "[::1"])
def test_plain_http_for_a_foreign_host_is_not_redirected(served: Served, host: str) -> None:
    first, rest = plainly(served, f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert (first, "evil" in rest, "Location" in rest) == ("HTTP/1.1 400 Bad Request", False, False)


@pytest.mark.parametrize("said", [b"hello\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a b<script>\r\n\r\n", b"\x00"])
def test_a_request_without_an_address_gets_a_sentence(served: Served, said: bytes) -> None:
    first, rest = plainly(served, said)
    assert first == "HTTP/1.1 400 Bad Request"
    assert rest.endswith("Open it by an address that begins with https://</p>\n")


def test_addresses_to_read_out_omit_http_but_not_https() -> None:
    assert addresses.as_typed("https://10.0.0.2:8000") == "https://10.0.0.2:8000"
    assert addresses.as_typed("http://10.0.0.2:8000") == "10.0.0.2:8000"
    assert addresses.as_typed("https://clock.example.org") == "clock.example.org"


def test_the_output_explains_what_a_phone_will_ask_and_why(served: Served) -> None:
    words = "This Connection Is Not Private", "Show Details", "Advanced", "keep the screen on", "/certificate/"
    assert [text for text in words if text not in served.printed] == []


def fingerprint_of(shown: bytes) -> str:
    """SHA-256 fingerprint of a DER certificate, as displayed by devices."""
    return hashlib.sha256(shown).digest().hex(":").upper()


def test_the_terminal_shows_the_fingerprints_of_certificate_and_authority(served: Served, data_dir: Path) -> None:
    digits = re.findall(r"^      ((?:[0-9A-F]{2}:){7}[0-9A-F]{2})$", served.printed, re.MULTILINE)
    shown, installed = (ssl.PEM_cert_to_DER_cert(text) for text in (peer(served), authority(data_dir)))
    assert [":".join(digits[:4]), ":".join(digits[4:])] == [fingerprint_of(shown), fingerprint_of(installed)]
    words = re.findall(r"^      ([a-z]+(?: [a-z]+){5})$", served.printed, re.MULTILINE)
    assert words == [in_words(hashlib.sha256(one).digest()) for one in (shown, installed)]


def authority(data_dir: Path) -> str:
    return (data_dir / "tls" / "authority.crt").read_text()


def test_links_and_codes_made_by_other_commands_are_https(served: Served, data_dir: Path) -> None:
    link = manage(data_dir, "directorlink").stdout
    made = json.loads(manage(data_dir, "newmatch", "--rules=us-2013", "--length=5", "--json").stdout)
    assert re.match(rf"https://[^/]+:{served.port}/director/sign-in/", link)
    assert re.match(rf"https://[^/]+:{served.port}/t/{made['code']}/$", made["url"])


def test_cookies_never_travel_without_tls(served: Served, data_dir: Path) -> None:
    with get(data_dir, f"https://localhost:{served.port}/") as answer:
        cookies = answer.headers.get_all("Set-Cookie") or []
        policy = answer.headers["Content-Security-Policy"]
    assert cookies and all(cookie.startswith("__Host-") and "Secure" in cookie.split("; ") for cookie in cookies)
    assert f" wss://localhost:{served.port};" in policy and " ws://" not in policy


def test_the_authority_can_be_fetched_and_installed(served: Served, data_dir: Path) -> None:
    with get(data_dir, f"https://localhost:{served.port}/certificate/") as page:
        link = re.search(r'href="(/certificate/[^"]+\.crt)"', page.read().decode())
    assert link
    with get(data_dir, f"https://localhost:{served.port}{link.group(1)}") as answer:
        installed = ssl.DER_cert_to_PEM_cert(answer.read())
        assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert installed == (data_dir / "tls" / "authority.crt").read_text()


def test_a_port_in_use_is_reported_with_the_tls_command(served: Served, data_dir: Path) -> None:
    refused = manage(data_dir, "serve", "--tls", "--port", str(served.port))
    assert refused.returncode == 1
    assert refused.stderr.endswith(f"Choose another: make run TLS=1 PORT={served.port + 1}\n")


def test_a_restart_keeps_the_certificate_and_its_key_stays_private(tmp_path: Path) -> None:
    prepared.database(tmp_path)
    prepared.static_files(tmp_path)
    first = Served(tmp_path, "--tls", "--bind", "127.0.0.1")
    shown = peer(first)
    assert first.end(signal.SIGTERM)[0] == 0
    second = Served(tmp_path, "--tls", "--bind", "127.0.0.1")
    assert peer(second) == shown
    second.end(signal.SIGTERM)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "tls").glob("*.key")}
    assert modes == {"authority.key": 0o600, "clock.key": 0o600}


def test_without_tls_there_is_no_certificate_to_install() -> None:
    assert Client().get("/certificate/").status_code == 404
    assert Client().get("/certificate/backgammon-clock.crt").status_code == 404


@pytest.mark.parametrize(
    ("switch", "options"),
    [("TLS=1", "--port 8000 --tls"), ("TLS=0", "--port 8000"), ("BIND=127.0.0.1", "--port 8000 --bind 127.0.0.1")],
)
def test_make_run_passes_the_tls_option_on(switch: str, options: str) -> None:
    said = subprocess.run(
        ["make", "--no-print-directory", "-n", "run", switch], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert said.splitlines()[-1].partition(" start.py ")[2].strip() == options
