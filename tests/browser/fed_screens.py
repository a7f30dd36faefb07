"""The hall screen and the director's page in Chromium, fed with given frames."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from types import SimpleNamespace
from typing import Any

from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import override_settings
from playwright.sync_api import Page, WebSocketRoute

from clocks.engine.commands import Expire, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.journal.stored import StoredMatch
from clocks.live import protocol
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.views.forms.hall import NewMessage, StopAll
from tests.browser.scripted import PLAIN_STATIC, now_ms
from tests.browser.served import HOST, scene

LONGEST_MS = (9 * 3600 + 59 * 60 + 59) * 1000
NAMES = [  # 25 letters each; ordinary full names; doubles teams
    ("Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"),
    ("Michael Johansson", "Alexandra Petrova"),
    ("Jean-Luc Saint-Exupéry", "Maria da Silva"),
    ("Akiko Yoshida / Falafel Natanzon", "Bartholomew Featherstoneh / Wilhelmina-Aurora Lindqvi"),
    ("Bo Li", "Christopher Montgomery"),
    ("Anneliese Winterbottom-Ox / Konstantin Papadopoulosis", "Bartholomew Featherstoneh / Maximilian Hohenzollern-A"),
]
VERSIONS = count(1)  # incremented with each frame
STATES = ("running", "running", "stopped", "over", "running", "flagged", "ready", "setup")


def board(number: int, status: str = "", round_number: int = 1, **setup: Any) -> dict[str, Any]:
    """`match` frame of a board in this state; reserves are 9:59:59 unless flagged."""
    status = status or STATES[number % len(STATES)]
    names = list(NAMES[number % len(NAMES)])
    options = {"reserve_ms": 1000 if status == "flagged" else LONGEST_MS, "delay_ms": 600_000, "kind": "simple"}
    format_ = "doubles" if "/" in names[0] else "singles"
    given = {
        "rules": "custom",
        "length": 25,
        "score": [11, 9],
        "names": names,
        "format": format_,
        "options": options,
        **setup,
    }
    now = now_ms()
    match = replace(Match.begin(Setup.parse(given)), at=now - 700_000)
    for by, do, arguments in _way_to(status):
        command = Expire() if do == "expire" else parse_command({"do": do, **arguments})
        match = perform(match, command, by, now - 1 if do == "expire" else match.at).match
    stored = StoredMatch(
        number, next(VERSIONS), match, (1, 2), number, str(number), "7K3M9Q", 1, "open", round=f"Round {round_number}"
    )
    stored.round_number, stored.made_at = round_number, now - 900_000 + 1000 * round_number
    frame: dict[str, Any] = json.loads(protocol.encode(protocol.snapshot(stored, now, (now, now - 60_000))))
    return frame


def _way_to(status: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Commands that bring a new match into a state: party, command, arguments."""
    if status == "setup":
        return []
    way: list[tuple[str, str, dict[str, Any]]] = [("director", "confirm", {})]
    if status == "ready":
        return way
    way.append(("right", "hit", {}))
    more: dict[str, list[tuple[str, str, dict[str, Any]]]] = {
        "running": [],
        "stopped": [("director", "stop", {"reason": "director"})],
        "away": [("server", "stop", {"reason": "outage"})],
        "called": [("left", "call", {"note": "The dice lay on the edge of the board, we disagree."})],
        "awaited": [("left", "call", {"note": "The dice lay on the edge."}), ("director", "answer", {})],
        "contested": [("left", "stop", {"reason": "dice-picked-up"}), ("right", "stop", {"reason": "contest"})],
        "flagged": [("server", "expire", {})],
        "over": [("director", "propose", {"what": "end", "winner": "left"})],
    }
    return way + more[status]


def boards(number: int, status: str = "", round_number: int = 1) -> list[dict[str, Any]]:
    """This many boards, all in one state or cycling through all states."""
    return [board(table, status, round_number) for table in range(1, number + 1)]


class Feed:
    """Server side of a page's socket: sends `boards` on connect, then a test's frames."""

    def __init__(self, shown: Sequence[dict[str, Any]] = ()) -> None:
        self.shown = list(shown)
        self.sockets: list[WebSocketRoute] = []
        self.heard: list[dict[str, Any]] = []
        self.errors: list[str] = []

    def connect(self, socket: WebSocketRoute) -> None:
        """Serve a connecting page."""
        self.sockets.append(socket)
        socket.on_message(lambda text: self._frame(socket, json.loads(text)))
        socket.send(self._all())

    def _all(self) -> str:
        return json.dumps({"t": "boards", "now": now_ms(), "version": "1", "boards": self.shown})

    def show(self, shown: Sequence[dict[str, Any]]) -> None:
        """Replace all boards on the connected pages."""
        self.shown = list(shown)
        for socket in self.sockets:
            socket.send(self._all())

    def tell(self, frame: dict[str, Any]) -> None:
        """Send a frame to all connected pages."""
        for socket in self.sockets:
            socket.send(json.dumps(frame))

    def _frame(self, socket: WebSocketRoute, frame: dict[str, Any]) -> None:
        if frame["t"] == "ping":
            socket.send(protocol.pong(frame["c"], now_ms(), 0))
        else:
            self.heard.append(frame)


def open_hall(page: Page, feed: Feed, query: str = "") -> None:
    """Open the hall screen, fed by `feed`."""
    open_page(page, feed, "/hall/open/" + query, "clocks/hall/page.html", {"zone": "UTC"})


def open_console(page: Page, feed: Feed, **context: Any) -> None:
    """Open the director's page as an owner, fed by `feed`."""
    tournament = Tournament(slug="open", name="Summer Open")
    given = {
        "may": set(Action),
        "host": HOST,
        "starts": "{}",
        "lateness": "[]",
        "request": SimpleNamespace(user=User(username="dora", first_name="Dora")),
        "message_form": NewMessage(tournament),
        "stop_form": StopAll(tournament, [Tournament(slug="side", name="Side event")]),
        **context,
    }
    open_page(page, feed, "/director/open/", "clocks/console/page.html", given)


def open_page(page: Page, feed: Feed, path: str, template: str, context: dict[str, Any]) -> None:
    """Open a page rendered with this context, fed by `feed`."""
    with override_settings(STORAGES=PLAIN_STATIC):
        body = render_to_string(
            template, {"tournament": Tournament(slug="open", name="Summer Open"), "version": "1", **context}
        )
    scene(page).show(body, "/ws/(hall|director)/open/", feed.connect)
    feed.errors = scene(page).errors
    page.goto(f"http://{HOST}{path}")
    page.wait_for_selector("[data-link=open]")
