"""Invalid HTTP requests get a message and do not fill the log."""

import logging
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from clocks.models import Membership, Tournament
from config.logs import AT_ONCE, EACH_S, LONGEST, Limited, Line
from tests import prepared
from tests.server.management.test_commands_serve import Served

TOKEN = "x" * 32
NOT_UNDERSTOOD = "Your browser sent something that this clock does not understand."


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Server as started by `make run`; must log no error until it exits."""
    folder = tmp_path_factory.mktemp("served")
    prepared.database(folder)
    prepared.static_files(folder)
    server = Served(folder)
    yield server
    logged = server.end(signal.SIGTERM)[2]
    assert "Traceback" not in logged
    assert "ERROR" not in logged


def send(server: Served, request: bytes) -> tuple[int, str]:
    """Send raw bytes; return the response's status and body."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request)
        answer = connection.recv(65_536)
        if answer.startswith(b"HTTP/1.1 101"):
            return 101, ""
        while part := connection.recv(65_536):
            answer += part
    assert answer.startswith(b"HTTP/1.1 "), answer
    return int(answer.split(b" ", 2)[1]), answer.partition(b"\r\n\r\n")[2].decode()


def post(server: Served, path: str, content_type: str, body: str) -> tuple[int, str]:
    """Send a form with this content type and a valid CSRF token."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: csrftoken={TOKEN}\r\n"
        f"X-CSRFToken: {TOKEN}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return send(server, head.encode() + body.encode())


def part(head: str) -> str:
    """Multipart form body with a single part."""
    return f"--b\r\n{head}\r\n\r\nx\r\n--b--\r\n"


@pytest.mark.parametrize("path", ["/start/", "/director/"])
@pytest.mark.parametrize(
    "content_type",
    [
        "multipart/form-data; boundary=b; charset=hex",
        "multipart/form-data; boundary=b; charset=zlib",
        "multipart/form-data; boundary=b; charset=rot13",
        "multipart/form-data; boundary=b; charset=idna",
        "multipart/form-data; boundary=b; charset=utf-16",
        "multipart/form-data; boundary=b; charset=nonsense",
        "multipart/form-data; boundary*=nonsense''b",
        "application/x-www-form-urlencoded; charset=utf-7",
        "application/x-www-form-urlencoded; charset*=nonsense''utf-8",
    ],
)
def test_a_form_in_another_charset_is_refused_in_a_sentence(served: Served, path: str, content_type: str) -> None:
    status, text = post(served, path, content_type, part('Content-Disposition: form-data; name="names"'))
    assert (status, NOT_UNDERSTOOD in text) == (400, True)


@pytest.mark.parametrize(
    "head",
    [
        "Content-Disposition: form-data; name*=nonsense''x",
        "Content-Disposition: form-data; name*=hex''x",
        "Content-Disposition: form-data; name=\"f\"; filename*=nonsense''x",
        'Content-Disposition: form-data; name="f"\r\nContent-Transfer-Encoding: base64',
    ],
)
def test_an_unreadable_field_is_ignored_and_reported_as_missing(served: Served, head: str) -> None:
    status, text = post(served, "/start/", "multipart/form-data; boundary=b", part(head))
    assert (status, "This field is required." in text) == (400, True)


def test_a_form_with_too_many_fields_is_refused_in_a_sentence(served: Served) -> None:
    kind = "application/x-www-form-urlencoded"
    fields = ["seat=left"] * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)
    status, text = post(served, "/t/222222/seat/", kind, "&".join(fields))
    assert (status, NOT_UNDERSTOOD in text) == (400, True)


@pytest.mark.parametrize("charset", ["UTF-8", "utf8", "us-ascii"])
def test_a_form_that_says_what_it_is_in_is_taken(served: Served, charset: str) -> None:
    content_type = f"multipart/form-data; boundary=b; charset={charset}"
    assert post(served, "/t/222222/seat/", content_type, part('Content-Disposition: form-data; name="seat"'))[0] == 404


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("content_type", ["text/html; charset=hex", "a/b; x*=nonsense''y"])
def test_a_page_that_is_only_looked_at_needs_no_charset(served: Served, method: str, content_type: str) -> None:
    head = f"{method} /?a=%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: {content_type}\r\n\r\n"
    assert send(served, head.encode())[0] == 200


@pytest.mark.parametrize("value", [b"\xff\xfe", b"\xc3\xa9", b"\xb2", b"/elsewhere", b"https://["])
@pytest.mark.parametrize(
    "name", [b"Daphne-Root-Path", b"Sec-WebSocket-Protocol", b"Accept-Language", b"Cookie", b"Range"]
)
def test_no_header_of_a_client_makes_a_page_fail_or_moves_the_site(served: Served, name: bytes, value: bytes) -> None:
    line = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + name + b": " + value + b"\r\n\r\n"
    status, text = send(served, line)
    assert (status, 'action="/start/"' in text or 'href="/director/"' in text) == (200, True)


@pytest.mark.parametrize("value", [b"\xff\xfe", b"\xc3\xa9", b"\xb2", b"/elsewhere", b"https://["])
@pytest.mark.parametrize("name", [b"Daphne-Root-Path", b"Sec-WebSocket-Protocol", b"Accept-Language", b"Cookie"])
def test_no_header_of_a_client_makes_a_socket_fail(served: Served, name: bytes, value: bytes) -> None:
    upgrade = (
        b"GET /ws/table/222222/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    )
    assert send(served, upgrade + name + b": " + value + b"\r\n\r\n")[0] == 101


@pytest.mark.parametrize("name", [b"H\xc3\xa9", b"\xff", b"Daphne-Root-P\xe4th"])
def test_a_header_whose_name_is_none_is_refused(served: Served, name: bytes) -> None:
    line = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + name + b": x\r\n\r\n"
    assert send(served, line)[0] == 400


# --- forms ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.urls("tests.server.with_admin")
@pytest.mark.parametrize("user", ["x", "\0", "²", "", "9" * 40, "1 OR 1=1"])
def test_support_can_send_a_membership_of_nobody_and_is_told(user: str) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    made = Tournament.objects.create(slug="open", name="Open")
    form = {"user": user, "tournament": user, "role": "director"}
    answer = client.post("/admin/clocks/membership/add/", form)
    assert (
        answer.status_code,
        set(answer.context["errors"].as_data() if False else answer.context["adminform"].errors),
    ) == (
        200,
        {"user", "tournament"},
    )
    inline = {"name": "Open", "memberships-TOTAL_FORMS": "1", "memberships-INITIAL_FORMS": "0"}
    answer = client.post(
        f"/admin/clocks/tournament/{made.pk}/change/",
        inline | {"memberships-0-user": user or "x", "memberships-0-role": "owner"},
    )
    assert answer.status_code == 200
    assert not Membership.objects.exists()


# --- the log -------------------------------------------------------------------------------------------------------


def record(line: int = 1, failed_with: type[Exception] | None = None) -> logging.LogRecord:
    """Log record from this line of some file."""
    exception = (failed_with, failed_with("broken"), None) if failed_with else None
    return logging.LogRecord("clocks", logging.ERROR, "file.py", line, "something", (), exception)


def test_a_repeated_log_line_is_written_sixty_times_then_each_ten_seconds() -> None:
    at = 0.0
    limited = Limited(lambda: at)
    assert sum(limited.filter(record()) for _ in range(10_000)) == AT_ONCE
    at += EACH_S
    again = record()
    assert [limited.filter(again), limited.filter(record())] == [True, False]
    left_out = 10_000 - AT_ONCE
    assert Line("%(message)s").format(again) == f"something\n({left_out} more of this kind were left out before)"


def test_what_is_rare_is_written_beside_a_flood() -> None:
    limited = Limited(lambda: 0.0)
    for _ in range(10_000):
        limited.filter(record(failed_with=ValueError))
    assert limited.filter(record(failed_with=KeyError))
    assert limited.filter(record(2))


def test_no_line_is_longer_than_a_traceback() -> None:
    endless = logging.LogRecord("clocks", logging.ERROR, "", 0, "a" * 100_000 + "z", (), None)
    text = Line("%(message)s").format(endless)
    assert len(text) < LONGEST + 100
    assert (text[0], text[-1]) == ("a", "z")


def test_a_stranger_does_not_fill_the_log(tmp_path: Path) -> None:
    prepared.database(tmp_path)
    prepared.static_files(tmp_path)
    server = Served(tmp_path)
    forged = b"POST /start/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    assert [send(server, forged)[0] for _ in range(3 * AT_ONCE)] == [403] * 3 * AT_ONCE
    logged = server.end(signal.SIGTERM)[2].splitlines()
    assert AT_ONCE <= len(logged) <= AT_ONCE + 10
