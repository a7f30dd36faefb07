"""Clock page in Chromium on a server that is the engine, scripted by the test."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.template.loader import render_to_string
from django.test import override_settings
from playwright.sync_api import Page, WebSocketRoute

from clocks.engine.commands import Expire, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.journal.stored import StoredMatch
from clocks.journal.tenure import IN_FULL
from clocks.lag.late_presses import LatePress
from clocks.live import do_frame, protocol
from clocks.models import CASUAL, Round
from tests.browser.engines import shown_texts
from tests.browser.served import HOST, scene

CODE = "7K3M9Q"
PLAIN_STATIC = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}


def now_ms() -> int:
    """Current time on this machine, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class ScriptedServer:
    """A match behind a socket that a test can delay, silence or close.

    `heard` lists the `do` frames in order of arrival. If `answering` is False, they wait until the test calls `answer`;
    if `alive` is False, pings and `do` frames are ignored but the socket stays open.
    """

    def __init__(self, **setup: Any) -> None:
        given = {"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"], **setup}
        self.match = Match.begin(Setup.parse(given))
        self.version = 1
        self.id = 17
        self.devices: tuple[int | None, int | None] = (1, 2)
        self.tournament = "open" if self.match.setup.director else CASUAL
        self.round = ""
        self.tenure = IN_FULL
        self.late: LatePress | None = None
        self.silent_ms = [0, 0]  # time since each seat's phone was last heard from
        self.program = ""  # program version; pages are served with version ""
        self.ahead_ms = 0  # server time minus this machine's time
        self.answering = True
        self.alive = True
        self.heard: list[dict[str, Any]] = []
        self.pings = 0
        self.seen_ids: dict[str, str] = {}
        self.sockets: list[WebSocketRoute] = []
        self.connections = 0

    def now(self) -> int:
        return now_ms() + self.ahead_ms

    def snapshot(self) -> dict[str, Any]:
        """The current `match` frame as sent by the server."""
        where = (1, "12", CODE, 1, self.tournament)
        more = {"late": self.late, "tenure": self.tenure, "round": self.round}
        board = StoredMatch(self.id, self.version, self.match, self.devices, *where, **more)
        left, right = (self.now() - ms for ms in self.silent_ms)
        return json.loads(protocol.encode(protocol.snapshot(board, self.now(), (left, right))))

    def tell_seen(self, *silent_ms: int) -> None:
        """Tell all pages how long each seat's phone has been silent."""
        self.silent_ms = list(silent_ms)
        seats = {str(self.id): [self.now() - ms for ms in silent_ms]}
        for socket in self.sockets:
            socket.send(protocol.seen(self.now(), seats))

    def tell_start(self, at: int) -> None:
        """Tell all pages when the match's round starts."""
        for socket in self.sockets:
            socket.send(protocol.starts(self.now(), {self.round: at}, []))

    def broadcast(self) -> None:
        for socket in self.sockets:
            socket.send(json.dumps(self.snapshot()))

    def play(self, by: str, do: str, *, after_ms: int | None = None, **arguments: Any) -> None:
        """Run a command now, or `after_ms` after the match's last event."""
        at = self.now() if after_ms is None else self.match.at + after_ms
        command = Expire() if do == "expire" else parse_command({"do": do, **arguments})
        outcome = perform(self.match, command, by, at)
        if outcome.refusal:
            raise outcome.refusal
        self.match = outcome.match
        self.version += 1
        self.broadcast()

    def begin(self, first: str = "left", *, ago_ms: int = 0) -> None:
        """Confirm for both players and start the clock of `first`, `ago_ms` ago."""
        self.match = replace(self.match, at=self.now() - ago_ms)
        for by, do in (("director", "confirm"), ("right" if first == "left" else "left", "hit")):
            self.play(by, do, after_ms=0)

    def connect(self, socket: WebSocketRoute) -> None:
        """Serve a connecting page."""
        self.connections += 1
        self.sockets.append(socket)
        socket.on_message(lambda text: self._frame(socket, json.loads(text)))
        socket.on_close(lambda code, reason: self._closed(socket))
        if self.alive:
            socket.send(json.dumps(self.snapshot()))
            socket.send(protocol.program(self.program))

    def _closed(self, socket: WebSocketRoute) -> None:
        if socket in self.sockets:
            self.sockets.remove(socket)

    def close(self, code: int) -> None:
        """Close every socket with `code`."""
        for socket in list(self.sockets):
            self.sockets.remove(socket)
            socket.close(code=code, reason="")

    def _frame(self, socket: WebSocketRoute, frame: dict[str, Any]) -> None:
        if not self.alive:
            return
        if frame["t"] == "ping":
            self.pings += 1
            socket.send(protocol.pong(frame["c"], self.now(), self.version))
        elif frame["t"] == "do":
            self.heard.append(frame)
            if self.answering:
                self.answer(frame, socket)

    def answer(self, frame: dict[str, Any], socket: WebSocketRoute | None = None) -> None:
        """Run a frame's command and send the answer; a repeated id is not run again."""
        socket = socket or self.sockets[-1]
        known = self.seen_ids.get(frame["id"])
        if known is None:
            known = self._do(frame)
            self.seen_ids[frame["id"]] = known
        socket.send(known)
        self.broadcast()

    def _do(self, frame: dict[str, Any]) -> str:
        try:
            asked = do_frame.read_do(dict(frame))
            assert asked.seat is not None
            outcome = perform(self.match, asked.command, asked.seat, self.now())
            if outcome.refusal:
                raise outcome.refusal
        except Refused as refused:
            refused = refused if self.match.setup.director else refused.between_players()
            return protocol.refused(frame["id"], refused.code, refused.words, self.version)
        self.match = outcome.match
        self.version += 1
        return protocol.ack(frame["id"], self.version, 0)


def open_page(
    page: Page, server: ScriptedServer, seats: str = "left", *, watch: bool = False, played_in: Round | None = None
) -> list[str]:
    """Open the clock page on the scripted server; return a list of its errors.

    Page errors and CSP violations are appended as they occur.
    """
    template = "clocks/phone/watch.html" if watch else "clocks/phone/clock.html"
    with override_settings(STORAGES=PLAIN_STATIC):
        given = {"code": CODE, "seats": seats, "names": ["Ann", "Bob"], "casual": server.tournament == CASUAL}
        body = render_to_string(template, given | {"played_in": played_in})
    scene(page).show(body, f"/ws/table/{CODE}/", server.connect)
    page.goto(f"http://{HOST}/t/{CODE}/{'watch' if watch else 'clock'}/")
    page.wait_for_selector("match-clock[data-link=open]")
    if not watch:
        wait_until(
            page, lambda: bool(page.evaluate("!!document.querySelector('match-clock').sheets")), "all scripts load"
        )
    return scene(page).errors


def press(page: Page, seat: str = "left") -> None:
    """Touch a pad, or the opponent's name if asked who moves first; do not let go."""
    page.eval_on_selector(
        f".half[data-seat={seat}]",
        "(half, seat) => (half.querySelector(`.side[data-first]:not([data-first=${seat}])`) ??"
        " half.querySelector('.pad')).dispatchEvent(new PointerEvent('pointerdown',"
        " {bubbles: true, cancelable: true, pointerId: 7, pointerType: 'touch', isPrimary: false}))",
        seat,
    )


def wait_mode(page: Page, seat: str, mode: str) -> None:
    """Wait until a player's half of the page is in a mode."""
    page.wait_for_selector(f".half[data-seat={seat}][data-mode={mode}]")


def wait_until(page: Page, condition: Callable[[], bool], what: str) -> None:
    """Let the page run until `condition` holds; fail after ten seconds."""
    for _ in range(500):
        if condition():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never came true: {what}")


def asked(server: ScriptedServer, *names: str) -> list[Sequence[Any]]:
    """Values of these fields in each frame received."""
    return [tuple(frame.get(name) for name in names) for frame in server.heard]


def choose(phone: Page, *names: str) -> None:
    """Tap buttons in order."""
    for name in names:
        phone.get_by_role("button", name=name, exact=True).click()


def panel(phone: Page) -> list[str]:
    """Lines of text on Ann's panel."""
    return shown_texts(phone.locator(".half[data-seat=left] .lines p"))


def last_command(server: ScriptedServer, phone: Page) -> dict[str, Any]:
    """Last command received, without id, match, time and (except for times) seat."""
    wait_until(phone, lambda: bool(server.heard), "a command arrives")
    frame = server.heard[-1]
    address = {"t", "id", "at", "match"} | (set() if frame.get("what") == "time" else {"seat"})
    return {key: value for key, value in frame.items() if key not in address}
