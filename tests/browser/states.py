"""States of a clock page, and the commands leading to each."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from playwright.sync_api import Page

from tests.browser.scripted import ScriptedServer

Prepare = Callable[[ScriptedServer], None]


def running(first: str = "left", ago_ms: int = 4_000) -> Prepare:
    return lambda server: server.begin(first, ago_ms=ago_ms)


def then(
    *plays: tuple[str, str] | tuple[str, str, dict[str, object]], first: str = "left", ago_ms: int = 4_000
) -> Prepare:
    """Function that begins a match and runs the given commands."""

    def prepare(server: ScriptedServer) -> None:
        server.begin(first, ago_ms=ago_ms)
        for by, do, *more in plays:
            server.play(by, do, **(more[0] if more else {}))  # type: ignore[arg-type]

    return prepare


def silent(server: ScriptedServer) -> None:
    """Start the clock of the right player, whose phone is silent."""
    server.begin("right", ago_ms=4_000)
    server.silent_ms = [0, 20_000]


ENDED = {"what": "game", "winner": "right", "points": 2}
STATES: dict[str, Prepare] = {
    "setup": lambda server: None,
    "ready": lambda server: server.play("director", "confirm"),
    "turn": running(),
    "wait": running("right"),
    "low": running(ago_ms=13 * 60_000 + 30_000),
    "the other is low": running("right", 13 * 60_000 + 30_000),
    "checking": running(ago_ms=14 * 60_000 + 12_050),
    "asked": then(("right", "double"), first="right"),
    "waiting for a take": then(("left", "double")),
    "the other’s phone is silent": silent,
    "stopped": then(("left", "stop", {"reason": "dice"})),
    "stopped by the director": then(("director", "stop", {"reason": "director"})),
    "called": then(("right", "call", {"note": "Which game is this?"})),
    "agree?": then(("right", "propose", ENDED)),
    "proposed": then(("left", "propose", ENDED)),
    "declined": then(("right", "propose", {"what": "undo"}), ("left", "decline")),
    "disputed": then(("right", "propose", ENDED), ("left", "decline")),
    "hold": then(
        ("left", "propose", {"what": "dice-penalty", "against": "right"}),
        ("right", "agree"),
        ("left", "resume", {"turn_of": "left"}),
        ("left", "hit"),
    ),
    "resumed with the other turn": then(("right", "stop"), ("right", "resume", {"turn_of": "left"}), first="right"),
    "dice contested": then(
        ("right", "stop", {"reason": "dice-picked-up"}), ("left", "stop", {"reason": "contest"}), first="right"
    ),
    "flag": then(("server", "expire"), ago_ms=900_000),
    "the other’s flag": then(("server", "expire"), first="right", ago_ms=900_000),
    "over": then(("right", "propose", {"what": "game", "winner": "left", "points": 7}), ("left", "agree")),
}


def match(
    prepare: Prepare, *, reserve_ms: int | None = None, cube: int | None = None, **setting: Any
) -> dict[str, Any]:
    """`match` frame of a match in this state.

    Both players have `reserve_ms` left. With `cube`, the left player owns the cube at that value, unless a double is
    pending.
    """
    server = ScriptedServer(**setting)
    prepare(server)
    if reserve_ms is not None:
        left = replace(server.match.clock, reserve_ms=(reserve_ms, reserve_ms))
        server.match = replace(server.match, clock=left)
    if cube is not None and not server.match.cube.offered_by:
        server.match = replace(server.match, cube=replace(server.match.cube, value=cube, owner="left"))
    return server.snapshot()


def show(page: Page, shown: ScriptedServer, prepare: Prepare, **setting: Any) -> None:
    """Put the match of `shown` into another state and wait until the page shows it."""
    other = ScriptedServer(**setting)
    prepare(other)
    shown.match = other.match
    shown.version += 100
    shown.broadcast()
    page.wait_for_function("v => document.querySelector('match-clock').match.v === v", arg=shown.version)
