"""Players and visitors who connect to a site through its proxy, by name."""

import http.client
import json
import re
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Self
from urllib.parse import urlencode

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.deployment.machines import Network

WAIT_S = 20.0
RESEND_S = 1.5  # as in static/clocks/wire/
THINKS_S = 0.2  # pause between presses of a match


class Site:
    """A site, reached through its proxy under its own name."""

    def __init__(self, network: Network, name: str, address: str, trust: ssl.SSLContext) -> None:
        self.network, self.name, self.address, self.trust = network, name, address, trust

    def connected(self, port: int = 443) -> socket.socket:
        """Connect to the proxy from inside the network."""
        with self.network.inside():
            return socket.create_connection((self.address, port), timeout=WAIT_S)

    def ask(self, method: str, path: str, form: dict[str, str] | None = None, **headers: str) -> tuple[int, str, str]:
        """Request a page over HTTPS; return status, text and cookies."""
        connection = http.client.HTTPSConnection(self.name, timeout=WAIT_S)
        connection.sock = self.trust.wrap_socket(self.connected(), server_hostname=self.name)
        body = None if form is None else urlencode(form)
        if form is not None:
            headers |= {"Origin": f"https://{self.name}", "Content-Type": "application/x-www-form-urlencoded"}
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            cookies = [line.partition(";")[0] for line in answer.headers.get_all("Set-Cookie") or []]
            return answer.status, answer.read().decode(), "; ".join(cookies)
        finally:
            connection.close()

    def claim(self, code: str, seat: str) -> str:
        """Claim a seat with a new phone; return its cookie."""
        _, page, cookie = self.ask("GET", f"/t/{code}/")
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token, page
        form = {"csrfmiddlewaretoken": token.group(1), "seat": seat}
        status, page, cookies = self.ask("POST", f"/t/{code}/seat/", form, Cookie=cookie)
        assert status == 302, page
        return next(each for each in cookies.split("; ") if "device=" in each)

    def socket(self, code: str, cookie: str) -> ClientConnection:
        """Connect a phone's socket to a table."""
        headers = {"Cookie": cookie, "Origin": f"https://{self.name}"}
        near, far = socket.socketpair()
        secured = self.trust.wrap_socket(self.connected(), server_hostname=self.name)
        threading.Thread(target=_carry, args=(far, secured), daemon=True).start()
        return connect(f"ws://{self.name}/ws/table/{code}/", sock=near, additional_headers=headers, legacy=True)

    @contextmanager
    def watchers(self, code: str, number: int) -> Iterator[None]:
        """Keep this many spectators' sockets open at a table."""
        with ExitStack() as stack:
            for _ in range(number):
                stack.enter_context(self.socket(code, "")).recv(WAIT_S)
            yield


def _carry(plain: socket.socket, secured: ssl.SSLSocket) -> None:
    """Relay bytes between both sockets until either closes.

    The WebSocket client does not speak TLS itself: its thread could hang on a connection that the proxy refuses.
    """
    with suppress(OSError), plain, secured:
        while True:
            readable = [secured] if secured.pending() else select.select([plain, secured], [], [])[0]
            if plain in readable:
                if not (data := plain.recv(65_536)):
                    return
                secured.settimeout(WAIT_S)
                secured.sendall(data)
            if secured in readable:
                secured.settimeout(0)
                with suppress(ssl.SSLWantReadError):  # a TLS record without data
                    if not (data := secured.recv(65_536)):
                        return
                    plain.sendall(data)


def table_sockets(python: Callable[[str], str], port: int) -> int:
    """Number of open table sockets at the process on a port.

    `python` runs code on its machine.
    """
    metrics = python(f"import urllib.request as u; print(u.urlopen('http://127.0.0.1:{port}/metrics').read().decode())")
    (number,) = re.findall(r'^backgammon_clock_sockets{kind="table"} (\d+)', metrics, re.MULTILINE)
    return int(number)


class Phone:
    """Phone that, like the page, reconnects and resends its command until answered."""

    def __init__(self, site: Site, code: str, seat: str) -> None:
        self._site, self._code, self._cookie = site, code, site.claim(code, seat)
        self._socket: ClientConnection | None = None
        self.snapshot: dict[str, Any] = {}
        self.longest_s = 0.0  # longest wait for an answer
        self.acknowledged: list[str] = []

    def do(self, do: str, id_: str, **arguments: Any) -> dict[str, Any]:
        """Send a command repeatedly until it is answered; return the answer."""
        began = time.monotonic()
        while time.monotonic() - began < 60:
            with suppress(OSError, WebSocketException):
                self.say(do, id_, **arguments)
                until = time.monotonic() + RESEND_S
                while (frame := self._hear(until - time.monotonic())) is not None:
                    if frame["t"] in ("ack", "refused") and frame["id"] == id_ and frame.get("code") != "not-stored":
                        self.longest_s = max(self.longest_s, time.monotonic() - began)
                        self.acknowledged += [id_] if frame["t"] == "ack" else []
                        return frame
                continue
            self._socket = None
            time.sleep(0.2)  # the page also pauses before retrying
        raise AssertionError(f"{do} was not answered for a minute")

    def say(self, do: str, id_: str, **arguments: Any) -> None:
        """Send a command once."""
        self._opened().send(json.dumps({"t": "do", "id": id_, "do": do, **arguments}))

    def see(self, **fields: Any) -> None:
        """Wait for a snapshot with these fields; reconnect if the socket is lost."""
        until = time.monotonic() + WAIT_S
        while any(self.snapshot.get(name) != value for name, value in fields.items()):
            assert time.monotonic() < until, (fields, self.snapshot)
            try:
                self._opened()
                self._hear(1)
            except (OSError, WebSocketException):
                self._socket = None
                time.sleep(0.2)

    def _opened(self) -> ClientConnection:
        if self._socket is None:
            self._socket = self._site.socket(self._code, self._cookie)
        return self._socket

    def _hear(self, within_s: float) -> dict[str, Any] | None:
        assert self._socket is not None
        try:
            frame: dict[str, Any] = json.loads(self._socket.recv(timeout=max(0.0, within_s)))
        except TimeoutError:
            return None
        if frame["t"] == "match" and frame["v"] >= self.snapshot.get("v", 0):
            self.snapshot = frame
        return frame


class Match:
    """Two phones that press alternately in a thread; use as a context manager."""

    def __init__(self, site: Site, code: str) -> None:
        self.phones = {seat: Phone(site, code, seat) for seat in ("left", "right")}
        for seat, phone in self.phones.items():
            assert phone.do("confirm", f"confirm {seat}")["t"] == "ack"
        self.presses = 0
        self.press("left")
        self._going, self._failed = True, list[BaseException]()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def press(self, seat: str = "") -> None:
        """Press for the player whose turn it is, and wait until both phones show it."""
        for phone in self.phones.values():
            phone.see(status="running" if self.presses else "ready")
        seat = seat or next(iter(self.phones.values())).snapshot["turn"]
        phone = self.phones[seat]
        answer = phone.do("hit", f"press {self.presses}", turn_number=phone.snapshot["turn_number"])
        assert answer["t"] == "ack", answer
        self.presses += 1
        for phone in self.phones.values():
            phone.see(turn_number=self.presses)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._going = False
        self._thread.join(90)
        if kind is None:
            assert not self._failed, self._failed

    def wait_for_presses(self, number: int) -> None:
        """Wait for this many more presses."""
        before = self.presses
        while self.presses < before + number:
            assert self._thread.is_alive(), self._failed
            time.sleep(0.05)  # polled, because there is no event

    @property
    def longest_s(self) -> float:
        """Longest time that a player waited for an answer."""
        return max(phone.longest_s for phone in self.phones.values())

    def _play(self) -> None:
        try:
            while self._going:
                self.press()
                time.sleep(THINKS_S)  # a phone may send five commands per second
        except BaseException as error:
            self._failed.append(error)
