"""The proxy configurations in deploy/ in front of a real server.

Only names, ports and certificate files are replaced. If a proxy is not installed, its tests are skipped, or fail under
CI=true.
"""

import http.client
import http.cookies
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from clocks.host import certificate
from tests.ports import free_port
from tests.server.daphne import ROOT, START_S, House

NAME = "localhost"
DEPLOY = ROOT / "deploy"


def put_in(text: str, values: dict[str, str]) -> str:
    """Replace text in a configuration; each old text must occur in it."""
    for old, new in values.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


class Proxy:
    """A proxy on loopback, configured from deploy/, and the server behind it."""

    def __init__(self, kind: str, program: str, folder: Path) -> None:
        self.port, self.plain_port = free_port(), free_port()
        self.files = certificate.keep(folder / "tls", [], [], datetime.now(UTC))
        self.trust = ssl.create_default_context(cafile=self.files.authority)
        site = f"https://{NAME}:{self.port}"
        self.site = site
        self.house = House(folder / "house", BASE_URL=site, TRUSTED_PROXIES="127.0.0.1")
        self.house.start()
        command = {"nginx": self._nginx, "caddy": self._caddy}[kind](program, folder)
        self.log = folder / "log"
        environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + START_S
        while True:
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self.process.poll() is None and time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)  # no event signals an open port

    def _nginx(self, program: str, folder: Path) -> list[str]:
        shipped = (DEPLOY / "nginx" / "backgammon-clock.conf").read_text()
        site = put_in(
            shipped,
            {
                "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
                "listen 443 ssl;": f"listen 127.0.0.1:{self.port} ssl;",
                "/etc/letsencrypt/live/clock.example.org/fullchain.pem": str(self.files.certificate),
                "/etc/letsencrypt/live/clock.example.org/privkey.pem": str(self.files.key),
                "server_name clock.example.org;": f"server_name {NAME};",
                "server 127.0.0.1:8000 ": f"server 127.0.0.1:{self.house.port} ",
            },
        )
        (folder / "site.conf").write_text(site)
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        # The relevant part of Debian's nginx.conf.
        (folder / "nginx.conf").write_text(
            f"pid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
            f"http {{\naccess_log {folder}/access.log;\n{temporary}include {folder}/site.conf;\n}}\n"
        )
        return [program, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]

    def _caddy(self, program: str, folder: Path) -> list[str]:
        shipped = (DEPLOY / "caddy" / "Caddyfile").read_text()
        tls = f"\ttls {self.files.certificate} {self.files.key}\n"
        values = {
            "\n{$CLOCK_HOST:clock.example.org} {\n": f"\n{self.site} {{\n\tbind 127.0.0.1\n{tls}",
            "{$CLOCK_SERVERS:127.0.0.1:8000}": f"127.0.0.1:{self.house.port}",
            "{\n\tlog {": f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port {self.plain_port}\n\tlog {{",
        }
        (folder / "Caddyfile").write_text(put_in(shipped, values))
        return [program, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]

    def ask(self, method: str, path: str, form: dict[str, str] | None = None, **headers: str) -> "Answered":
        """Send a request over HTTPS, like a browser."""
        connection = http.client.HTTPSConnection(NAME, self.port, timeout=20, context=self.trust)
        body = None if form is None else urlencode(form)
        if form is not None:
            headers |= {"Origin": self.site, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request(method, path, body, headers)
        answered = Answered(connection.getresponse())
        connection.close()
        return answered

    def close(self) -> None:
        """Stop the proxy and its server."""
        self.process.terminate()
        self.process.wait(15)
        self.house.close()


class Answered:
    """A response: status, headers, text and cookies."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.text = answer.status, answer.headers, answer.read().decode()
        self.cookies: http.cookies.SimpleCookie = http.cookies.SimpleCookie()
        for line in answer.headers.get_all("Set-Cookie") or []:
            self.cookies.load(line)

    def cookie(self, *names: str) -> str:
        """Cookie header with these of its cookies."""
        return "; ".join(f"{name}={self.cookies[name].value}" for name in names)


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """A running proxy with its configuration from deploy/."""
    program = shutil.which(request.param, path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        assert os.environ.get("CI") != "true", f"{request.param} is missing: .ci/packages installs it"
        pytest.skip(f"left out: {request.param} is not installed")
    proxy = Proxy(request.param, program, tmp_path_factory.mktemp(request.param))
    yield proxy
    proxy.close()


def sign_in(proxy: Proxy) -> str:
    """Use a sign-in link like a browser; return the new session's Cookie header."""
    link = proxy.house.manage("directorlink").strip().removeprefix(proxy.site)
    page = proxy.ask("GET", link)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert token, page.text
    cookie = page.cookie("__Host-csrftoken")
    signed_in = proxy.ask("POST", link, {"csrfmiddlewaretoken": token.group(1)}, Cookie=cookie)
    assert signed_in.status == 302, signed_in.text
    return signed_in.cookie("__Host-sessionid", "__Host-csrftoken")


def test_pages_come_with_strict_transport_and_sockets_of_the_same_site(proxy: Proxy) -> None:
    page = proxy.ask("GET", "/")
    assert page.status == 200
    assert page.headers.get_all("Strict-Transport-Security") == ["max-age=31536000"]
    assert f"connect-src 'self' wss://{NAME}:{proxy.port};" in page.headers["Content-Security-Policy"]


def test_a_form_is_taken_and_its_cookies_are_of_this_host_alone(proxy: Proxy) -> None:
    page = proxy.ask("GET", "/director/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert token
    form = {"csrfmiddlewaretoken": token.group(1), "username": "dora", "password": "wrong"}
    refused = proxy.ask("POST", "/director/", form, Cookie=page.cookie("__Host-csrftoken"))
    assert refused.status == 400  # a wrong password; a CSRF error would be 403
    counted = "import json\nfrom clocks.models import FailedSignIn\n"
    counted += "print(json.dumps(list(FailedSignIn.objects.values_list('account', 'address'))))"
    assert proxy.house.python(counted) == [["dora", "127.0.0.1"]]


def test_a_forged_client_address_stops_at_the_proxy(proxy: Proxy) -> None:
    page = proxy.ask("GET", "/director/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert token
    form = {"csrfmiddlewaretoken": token.group(1), "username": "gina", "password": "wrong"}
    claims = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example"}
    answer = proxy.ask("POST", "/director/", form, Cookie=page.cookie("__Host-csrftoken"), **claims)
    assert (answer.status, answer.headers["Strict-Transport-Security"]) == (400, "max-age=31536000")
    counted = "import json\nfrom clocks.models import FailedSignIn\n"
    counted += "print(json.dumps(list(FailedSignIn.objects.filter(account='gina').values_list('address', flat=True))))"
    assert proxy.house.python(counted) == ["127.0.0.1"]


def test_a_seat_is_claimed_and_its_phone_plays_over_a_socket(proxy: Proxy) -> None:
    made = json.loads(
        proxy.house.manage("newmatch", "--rules=us-2013", "--length=3", "--names", "Ann", "Bob", "--json")
    )
    assert made["url"] == f"{proxy.site}/t/{made['code']}/"
    page = proxy.ask("GET", f"/t/{made['code']}/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert token
    form = {"csrfmiddlewaretoken": token.group(1), "seat": "left"}
    claimed = proxy.ask("POST", f"/t/{made['code']}/seat/", form, Cookie=page.cookie("__Host-csrftoken"))
    assert (claimed.status, claimed.headers["Location"]) == (302, f"/t/{made['code']}/clock/")
    device = claimed.cookies["__Host-device"]
    assert (device["secure"], device["httponly"], device["path"], device["domain"]) == (True, True, "/", "")
    headers = {"Cookie": claimed.cookie("__Host-device"), "Origin": proxy.site}
    address = f"wss://{NAME}:{proxy.port}/ws/table/{made['code']}/"
    with connect(address, additional_headers=headers, ssl=proxy.trust, legacy=True) as phone:
        assert json.loads(phone.recv(timeout=20))["t"] == "match"
        phone.send(json.dumps({"t": "do", "id": "first", "do": "confirm"}))
        while (frame := json.loads(phone.recv(timeout=20)))["t"] != "ack":
            pass
    assert frame["id"] == "first"


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost", "null"])
def test_a_page_of_another_site_opens_no_socket(proxy: Proxy, origin: str) -> None:
    address = f"wss://{NAME}:{proxy.port}/ws/hall/casual/"
    with pytest.raises(InvalidStatus) as refused:
        connect(address, additional_headers={"Origin": origin}, ssl=proxy.trust, legacy=True)
    assert refused.value.response.status_code == 403


def test_a_director_signs_in_by_the_link_and_sees_every_table_live(proxy: Proxy) -> None:
    proxy.house.manage("newmatch", "--rules=us-2013", "--length=3", "--names", "Ann", "Bob")
    headers = {"Cookie": sign_in(proxy), "Origin": proxy.site}
    address = f"wss://{NAME}:{proxy.port}/ws/director/casual/"
    with connect(address, additional_headers=headers, ssl=proxy.trust, legacy=True) as page:
        assert json.loads(page.recv(timeout=20))["t"] == "boards"


def test_sign_in_links_are_in_no_log(proxy: Proxy) -> None:
    sign_in(proxy)
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=20)
    plain.request("GET", "/director/sign-in/made-up/", headers={"Host": NAME})
    assert plain.getresponse().status in (301, 308)
    plain.close()
    link = proxy.house.manage("directorlink").strip().removeprefix(proxy.site)
    proxy.house.signal(signal.SIGTERM)
    try:
        assert proxy.ask("GET", link).status in (502, 503)
    finally:
        proxy.house.start()
        while proxy.ask("GET", "/livez").status != 200:
            time.sleep(0.1)  # until the proxy's next health check
    logs = [path for path in (proxy.log, proxy.log.parent / "access.log") if path.exists()]
    text = "".join(path.read_text() for path in logs)
    tokens = [link.rstrip("/").rpartition("/")[2], "made-up"]
    assert text
    assert [token for token in tokens if token in text] == []


def test_http_is_redirected_to_https(proxy: Proxy) -> None:
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=20)
    plain.request("GET", "/t/7K3M9Q/", headers={"Host": NAME})
    answer = plain.getresponse()
    plain.close()
    assert answer.status in (301, 308)
    assert answer.headers["Location"].startswith(f"https://{NAME}") and answer.headers["Location"].endswith(
        "/t/7K3M9Q/"
    )


def test_a_too_large_form_stops_at_the_proxy(proxy: Proxy) -> None:
    answer = proxy.ask("POST", "/director/", {"username": "x" * 1_200_000})
    assert answer.status in (413, 502)  # 502 by Caddy before 2.7
